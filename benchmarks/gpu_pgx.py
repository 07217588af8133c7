"""Connect four on a GPU: ours against pgx, one after the other in the same process.

python -m benchmarks.gpu_pgx

pgx steps its batch inside one compiled scan, chooses random legal moves from its masks and begins new games where old ones end.
Ours does the same work twice: with a call from Python for every step (`step and mask`), and in one kernel (`rollout`).
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable
from typing import Any

from benchmarks.connect_four import CONNECT_FOUR
from benchmarks.gpu import decisions_per_second

SCAN = 200  # steps of a scan
ROUNDS = 5


def pgx_speed(count: int, observations: bool) -> float:
    """Decisions a second of pgx; the best of a few scans."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pgx
        from pgx.experimental.wrappers import auto_reset

        env = pgx.make("connect_four")
    step = jax.vmap(auto_reset(env.step, env.init))

    def body(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choosing, dealing = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        moves = jax.random.categorical(choosing, logits, axis=-1)
        after = step(state, moves, jax.random.split(dealing, count))
        return (after if observations else after.replace(observation=state.observation), key), None

    run = jax.jit(lambda state, key: jax.lax.scan(body, (state, key), None, length=SCAN)[0])
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), count))
    now = run(state, jax.random.PRNGKey(2))
    jax.block_until_ready(now)
    best = 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        now = run(*now)
        jax.block_until_ready(now)
        best = max(best, SCAN * count / (time.perf_counter() - began))
    return best


def our_speeds(count: int) -> dict[str, float]:
    """Decisions a second of ours, by what is done."""
    batch = CONNECT_FOUR.batch(count, seed=1, device="cuda", events=False)
    batch.rollout(SCAN)

    def step() -> None:
        batch.step(batch.random_moves(), restart=True)

    def step_and_observe() -> None:
        step()
        batch.observe()

    work: dict[str, tuple[Callable[[], None], int]] = {
        "rollout": (lambda: batch.rollout(SCAN), SCAN),
        "step and mask": (step, 1),
        "step, mask and observation": (step_and_observe, 1),
    }
    return {name: decisions_per_second(batch, one, decisions) for name, (one, decisions) in work.items()}


def main() -> None:
    """Print a table: million decisions a second."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--counts", type=int, nargs="+", default=[4096, 65536, 262144], metavar="N", help="games in a batch")
    for count in parser.parse_args().counts:
        found = {
            "pgx, masks": pgx_speed(count, observations=False),
            "pgx, masks and observation": pgx_speed(count, observations=True),
            **{f"azalai, {name}": speed for name, speed in our_speeds(count).items()},
        }
        for what, speed in found.items():
            print(f"| connect_four | {count} | {what} | {speed / 1e6:,.1f} |", flush=True)


if __name__ == "__main__":
    main()
