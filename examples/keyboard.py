"""Play a grid game at the keyboard, beside policies: one line a step, in any terminal.

    python examples/keyboard.py ada-contract --player miner_2 --others oracle-plan
    python examples/keyboard.py ada-exploration --others policy:FILE --steps 60

`w`, `a`, `s`, `d` move, `e` produces, an empty line stays, `q` leaves; every other action is typed as it is listed,
such as `pick wood` or `join 0`. A step in which nothing else is possible passes by itself.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from grid_games import Batch, GridError, load, observe
from grid_games.core.tables import STAY
from grid_games.measures import fairness
from grid_games.policies import open_policy
from grid_games.text import describe, rules_of_play

KEYS = {"w": "up", "s": "down", "a": "left", "d": "right", "e": "produce", "": "stay"}


class Leave(Exception):
    """The person wants to go."""


def choose(batch: Batch, agent: int, ask: Callable[[str], str], tell: Callable[[str], None]) -> int:
    """Return the number of the legal action that the person types; ask again until there is one."""
    mask, names = batch.mask[0, agent], [str(action) for action in batch.actions]
    while True:
        try:
            typed = ask("> ").strip().lower()
        except EOFError:
            raise Leave from None
        if typed == "q":
            raise Leave
        wanted = KEYS.get(typed, typed)
        if wanted in names and mask[names.index(wanted)]:
            return names.index(wanted)
        why = "is not possible now" if wanted in names else "is no action"
        tell(f"{wanted[:40]!r} {why}; type one of the actions above, or q to leave")


def play(
    batch: Batch, agent: int, others: str, seed: int, ask: Callable[[str], str], tell: Callable[[str], None]
) -> np.ndarray:
    """Play an episode, and return the rewards of all agents, shape (N,)."""
    policy = open_policy(others, seed)
    tell(rules_of_play(batch.game, agent))
    try:
        for _ in range(batch.game.steps):
            acts, mask = policy.act(batch).copy(), batch.mask[0, agent]
            if mask.sum() > 1 or not mask[STAY]:
                tell(
                    "\n"
                    + describe(batch.game, batch.actions, {key: each[0, agent] for key, each in observe(batch).items()})
                )
                acts[0, agent] = choose(batch, agent, ask, tell)
            else:
                acts[0, agent] = STAY
            gained = batch.step(acts).rewards[0, agent]
            if gained:
                tell(f"You gain {gained:g}; {batch.rewards[0, agent]:g} so far.")
    except Leave:
        tell("You left.")
    return batch.rewards[0].copy()


def main(
    given: Sequence[str] | None = None, ask: Callable[[str], str] = input, tell: Callable[[str], None] = print
) -> None:
    """Play, and tell how it went."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="ada-contract")
    parser.add_argument("--player", help="player of the person, such as miner_2; the first by default")
    parser.add_argument(
        "--others", default="greedy", help="policy of the others: random, greedy, oracle-plan, policy:FILE"
    )
    parser.add_argument("--steps", type=int, help="length of the game")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(given)
    game = load(options.game, **({"steps": options.steps} if options.steps is not None else {}))
    player = options.player or game.names[0]
    if player not in game.names:
        raise GridError(f"--player {player}: there is no such player; players are {', '.join(game.names)}")
    batch = Batch(game, [options.seed])
    rewards = play(batch, game.names.index(player), options.others, options.seed, ask, tell)
    tell("\n" + "\n".join(f"{name}: {reward:g}" for name, reward in zip(game.names, rewards, strict=True)))
    fair = fairness(rewards)
    tell("fairness: " + ("undefined, since the sum is negative" if fair is None else f"{fair:.2f}"))


if __name__ == "__main__":
    try:
        main()
    except GridError as error:
        raise SystemExit(str(error)) from None
