"""The games in the shapes other libraries know. Each needs its library: `azalai[envs]` (PettingZoo, Gymnasium), `[openspiel]`."""
