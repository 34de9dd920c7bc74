"""Stand-ins in a repeated game: the choice that counts for a player that has made no legal choice in time.

    random        a uniform draw among the player's options, from the match's seed
    last          the player's own last choice in the same stage, or else a random draw
    reference     the choice of a fixed strategy, see `REFERENCES`
    selfish, cooperative    the player's most selfish or most cooperative option, if the game's file says so

A choice that stood in counts for payoffs, and never as the player's own cooperation or defection.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal

from voyager_agents.stage_games.match import RepeatedMatch
from voyager_agents.stage_games.strategies import STRATEGIES
from voyager_agents.stage_games.turns import turn_of

GameStandIn = Literal["random", "last", "reference", "selfish", "cooperative"]
REFERENCES: Mapping[str, str] = {
    "matrix": "tit-for-tat",
    "composed": "tit-for-tat",
    "public-goods": "conditional-cooperator",
    "donor": "discriminator",
    "donations": "discriminator",
    "ultimatum": "fair-proposer",
    "trust": "fair-proposer",
    "formula": "conditional-cooperator",
    "derived": "tit-for-tat",
}
"""Form of a game -> strategy of the stand-in `reference`."""


class GameStandIns:
    """Stand-ins of all players of one match."""

    def __init__(self, match: RepeatedMatch, usual: GameStandIn) -> None:
        """Create the stand-ins; `usual` is the name of the one that chooses."""
        self._match, self._usual = match, usual
        self._draws = {player: random.Random(f"stand-in:{match.seed}:{player}") for player in match.law.players}

    def fill(self, picked: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Complete the choices of the current stage.

        Args:
            picked: Player -> its choice; players without a legal one may be missing.

        Returns:
            Player -> choice for all players with options, and player -> name of the stand-in that chose for it.
        """
        choices: dict[str, str] = {}
        stood_in: dict[str, str] = {}
        for player in self._match.law.players:
            options = self._match.options(player)
            if picked.get(player) in options:
                choices[player] = picked[player]
            elif options:
                choices[player], stood_in[player] = self._choose(player)
        return choices, stood_in

    def _choose(self, player: str) -> tuple[str, GameStandIn]:
        match, options, draw = self._match, self._match.options(player), self._draws[player]
        if self._usual == "reference":
            return STRATEGIES[REFERENCES[match.law.form]](turn_of(match, player), draw), "reference"
        if self._usual == "last" and (last := match.last_choice(player)) in options:
            return last, "last"
        if self._usual in ("selfish", "cooperative"):
            pole = match.law.kind if self._usual == "cooperative" else match.law.selfish
            return pole(match.stage, player, match.roles), self._usual
        return draw.choice(options), "random"
