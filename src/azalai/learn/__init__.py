"""Networks that learn a game by playing it against themselves: `python -m azalai.learn GAME`. Needs PyTorch."""
