"""A person at the keyboard of a grid game."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from grid_games import GridError, GridPolicyError

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples"))
import keyboard


def typed(*lines: str, game: tuple[str, ...] = ("ada-contract",)) -> list[str]:
    """Return what a person who types these lines, and then closes the input, reads."""
    rest, read = list(lines), list[str]()

    def ask(_: str) -> str:
        if not rest:
            raise EOFError
        return rest.pop(0)

    keyboard.main(list(game), ask, read.append)
    return read


def test_a_person_chooses_a_group_and_works() -> None:
    read = typed(*["join 0"] * 5, "", "d", "q", game=("ada-contract", "--player", "miner_2", "--seed", "1"))
    text = "\n".join(read)
    assert "You are player 2; your role is miner." in text
    assert "player 2 is paid" in text
    assert "You left." in text
    assert text.count("join 0, join 1, join 2, join 3") == 5  # steps in which others choose pass by themselves
    assert read[-1].startswith("fairness: ")


def test_what_is_no_action_gets_one_line_and_another_try() -> None:
    read = typed("join 0\x1b[2J", "fly", "pick wood", "join 1")
    refused = [line for line in read if "type one of the actions above" in line]
    assert refused == [
        r"'join 0\x1b[2j' is no action; type one of the actions above, or q to leave",
        "'fly' is no action; type one of the actions above, or q to leave",
        "'pick wood' is not possible now; type one of the actions above, or q to leave",
    ]


def test_unknown_players_and_policies_are_refused() -> None:
    with pytest.raises(GridError, match="--player smith: there is no such player; players are carpenter_0"):
        typed(game=("ada-contract", "--player", "smith"))
    with pytest.raises(GridPolicyError, match="there is no policy 'bold'"):
        typed(game=("ada-contract", "--others", "bold"))
