"""Queries of the players: one reply of vanilla's is split into what it says of each."""

from __future__ import annotations

import pytest

from bridge.errors import ServerError
from dilemmas.minecraft import commands
from tests.fakes.one_by_one import OneByOne


class Replying(OneByOne):
    """A world that answers every command with one reply."""

    def __init__(self, reply: str) -> None:
        self._reply = reply

    async def command(self, text: str) -> str:
        return self._reply


PLAYERS = ("Al", "Alma")
ALMA = "Alma has 2 score(s):\n[coal]: 3\n[deaths]: 0"


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("", {}),
        (ALMA, {"Alma": {"coal": 3, "deaths": 0}}),
        (f"Al has no scores to show\n{ALMA}", {"Al": {}, "Alma": {"coal": 3, "deaths": 0}}),
        (f"{ALMA}Al has no scores to show", {"Al": {}, "Alma": {"coal": 3, "deaths": 0}}),
    ],
    ids=["all have left", "one has left", "both", "without newlines"],
)
async def test_scores_are_those_of_players_in_the_reply(reply: str, found: dict[str, dict[str, int]]) -> None:
    assert await commands.scores(Replying(reply), PLAYERS) == found


async def test_positions_are_those_of_players_in_the_reply() -> None:
    assert await commands.positions(Replying(""), PLAYERS) == {}
    reply = "Alma has the following entity data: [0.5d, -60.0d, 1.5d]"
    assert await commands.positions(Replying(reply), PLAYERS) == {"Alma": (0.5, -60.0, 1.5)}


async def test_a_reply_that_is_not_vanillas_is_an_error() -> None:
    with pytest.raises(ServerError, match="not vanilla's form"):
        await commands.scores(Replying("Alma: 3"), PLAYERS)
