"""Players of Commons Harvest in rounds that follow a learned policy from a file.

The policy scores every choice of a turn by features of what the player sees, and the player takes the best one. Choices
are an apple in sight, an attack on a player in sight, the next stop of a tour, and to stay. `common.policy_file`
describes the file, and examples/harvest_policy.py trains one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import dist
from pathlib import Path
from typing import Any

import numpy as np

from common.errors import PolicyFileError
from common.policy_file import Numbers, Saved
from voyager_agents.agent import Observation
from voyager_agents.commons_harvest import HarvestDecision, HarvestTurn, Place
from voyager_agents.errors import PlayerError, did_you_mean
from voyager_agents.reference.turn_takers import STAY, TurnTakerMemory, next_stop

GAME = "commons-harvest"
"""Game of a policy's file."""
FILE = "file"
"""Option with the path of the policy's file."""
DECIMALS = 4
"""Decimals of a score; choices that are equal to so many come nearest first on every machine."""


@dataclass(frozen=True)
class HarvestSight:
    """A turn, as far as features need it."""

    turn: HarvestTurn
    attacked: int
    """Last round in which the player attacked; a negative number if it has not."""
    trees: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Tree -> its apples and its cells in sight."""
    tree_of: Mapping[Place, str] = field(default_factory=dict)
    """Apple in sight -> its tree."""
    others: tuple[Place, ...] = ()
    """Cells of the players in sight."""

    @classmethod
    def of(cls, turn: HarvestTurn, attacked: int) -> HarvestSight:
        """Return the sight of a turn."""
        trees: dict[str, tuple[int, int]] = {}
        for each in turn.seen:
            if each.what in ("apple", "bare"):
                apples, cells = trees.get(each.name, (0, 0))
                trees[each.name] = (apples + (each.what == "apple"), cells + 1)
        tree_of = {each.at: each.name for each in turn.seen if each.what == "apple"}
        return cls(turn, attacked, trees, tree_of, tuple(each.at for each in turn.seen if each.what == "player"))


def _near(sight: HarvestSight, choice: HarvestDecision) -> float:
    return 1 / (1 + dist(choice.to, sight.turn.at)) if choice.to and choice.move != "explore" else 0.0


def _share(sight: HarvestSight, choice: HarvestDecision) -> float:
    if choice.move != "go" or choice.to is None:
        return 0.0
    apples, cells = sight.trees[sight.tree_of[choice.to]]
    return apples / cells


def _last(sight: HarvestSight, choice: HarvestDecision) -> float:
    return float(choice.move == "go" and choice.to is not None and sight.trees[sight.tree_of[choice.to]][0] == 1)


def _contested(sight: HarvestSight, choice: HarvestDecision) -> float:
    if choice.move != "go" or choice.to is None:
        return 0.0
    mine = dist(choice.to, sight.turn.at)
    return float(any(dist(choice.to, at) < mine for at in sight.others))


def _again(sight: HarvestSight, choice: HarvestDecision) -> float:
    return 1 / (sight.turn.round - sight.attacked) if choice.move == "immobilize" and sight.attacked >= 0 else 0.0


FEATURES: Mapping[str, Callable[[HarvestSight, HarvestDecision], float]] = {
    "take": lambda _, choice: float(choice.move == "go"),
    "attack": lambda _, choice: float(choice.move == "immobilize"),
    "explore": lambda _, choice: float(choice.move == "explore"),
    "near": _near,
    "share": _share,
    "last": _last,
    "contested": _contested,
    "barren": lambda sight, choice: float(choice.move == "immobilize" and not sight.tree_of),
    "again": _again,
}
"""Name of an input of a policy -> its value for a choice.

`near` is 1 / (1 + distance) of an apple or a player. Of an apple, `share` is the share of its tree's cells in sight
that have one, `last` is 1 for the only one of its tree in sight, `contested` is 1 if a player in sight is nearer to it.
Of an attack, `barren` is 1 without an apple in sight, `again` is 1 / rounds since the last one.
"""


def read_policy(path: str | Path) -> Saved:
    """Read the file of a policy for Commons Harvest. Raises PlayerError with a one-line message."""
    try:
        saved = Saved.read(path)
    except PolicyFileError as error:
        raise PlayerError(str(error)) from None
    where = f"policy file {str(path)!r}"
    if saved.game != GAME:
        raise PlayerError(f"{where} was trained on {saved.game[:60]!r}: give one that was trained on {GAME}")
    if unknown := [part for part in saved.parts if part not in FEATURES]:
        raise PlayerError(f"{where} is fed {unknown[0][:60]!r}: inputs are {', '.join(FEATURES)}")
    network = saved.networks[0]
    shape = (len(saved.seats), len(saved.networks), network.inputs, network.actions, network.memory)
    if shape != (1, 1, len(saved.parts), 1, 0):
        raise PlayerError(
            f"{where}: give one network without memory, with one input for each of its {len(saved.parts)} parts and "
            "one score"
        )
    return saved


def policy_path(options: Mapping[str, Any]) -> Path:
    """Return the path of the policy's file. Raises PlayerError for other options, or none."""
    if unknown := sorted(set(options) - {FILE}):
        hint = did_you_mean(unknown[0], (FILE,))
        raise PlayerError(f"{unknown[0]!r} is no option of 'learned' players{hint}: they have {FILE}")
    if FILE not in options:
        raise PlayerError("'learned' players follow a policy from a file: give --agents-option file=FILE")
    return Path(str(options[FILE]))


def choices_of(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[list[HarvestDecision], TurnTakerMemory]:
    """Return the legal choices of a turn, nearest first, and the memory with the place on the tour."""
    stop, memory = next_stop(turn, memory)
    found = [HarvestDecision("go", to=each.at) for each in turn.seen if each.what == "apple"]
    found += [
        HarvestDecision("immobilize", to=each.at, target=each.name) for each in turn.seen if each.what == "player"
    ]
    return [*found, HarvestDecision("explore", to=stop), STAY], memory


class LearnedForager:
    """Turn-taker with a learned policy; its decisions depend on its observations and its seed only."""

    def __init__(self, name: str, policy: Saved, *, seed: int = 0) -> None:
        """Create the player; `policy` is one of `read_policy`."""
        self.name = name
        self._policy = policy
        self._seed = seed
        self._memory = TurnTakerMemory(seed)

    def observe(self, observation: Observation) -> None:
        """Start a new game."""
        self._memory = TurnTakerMemory(self._seed)

    async def take_turn(self, turn: HarvestTurn) -> HarvestDecision:
        """Return the decision for this turn."""
        return self.decide(turn)

    def decide(self, turn: HarvestTurn) -> HarvestDecision:
        """Return the choice with the highest score, the nearest of equal ones."""
        if turn.out:
            return STAY
        choices, memory = choices_of(turn, self._memory)
        chosen = choices[int(np.argmax(self._scores(turn, choices)))]
        attacked = turn.round if chosen.move == "immobilize" else memory.attacked
        self._memory = TurnTakerMemory(self._seed, leg=memory.leg, attacked=attacked)
        return chosen

    def _scores(self, turn: HarvestTurn, choices: Sequence[HarvestDecision]) -> Numbers:
        sight = HarvestSight.of(turn, self._memory.attacked)
        features = [FEATURES[part] for part in self._policy.parts]
        rows = np.array([[each(sight, choice) for each in features] for choice in choices], np.float32)
        scores, _ = self._policy.networks[0].score(rows, np.zeros((len(rows), 0), np.float32))
        return np.round(scores[:, 0], DECIMALS)
