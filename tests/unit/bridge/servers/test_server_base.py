"""Life cycle of servers, and recognition of refusals among console replies."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bridge.servers import refusals
from bridge.servers.base import ServerLife, ServerState
from bridge.servers.refusals import is_refusal

LANGUAGE = Path(__file__).parents[4] / "node_modules/minecraft-data/minecraft-data/data/pc/1.20.3/language.json"

LEGAL = {
    ("created", "starting"),
    ("created", "stopped"),
    ("starting", "ready"),
    ("starting", "stopping"),
    ("starting", "failed"),
    ("ready", "stopping"),
    ("ready", "failed"),
    ("stopping", "stopped"),
    ("stopping", "failed"),
    ("failed", "stopping"),
}


@pytest.mark.parametrize("before", ServerState)
@pytest.mark.parametrize("after", ServerState)
def test_only_legal_states_follow(before: ServerState, after: ServerState) -> None:
    assert (after in before.successors) == ((before.value, after.value) in LEGAL)


@pytest.mark.parametrize(("before", "after"), sorted(LEGAL))
def test_a_legal_step_is_taken(before: str, after: str) -> None:
    assert ServerState(before).advance(ServerState(after)) is ServerState(after)


def test_an_illegal_step_names_the_legal_ones() -> None:
    with pytest.raises(ValueError, match="from ready to created: legal are failed, stopping"):
        ServerState.READY.advance(ServerState.CREATED)


class Brittle(ServerLife):
    """Server that fails to stop."""

    ends = 0

    async def start(self) -> None:
        self._state = self._state.advance(ServerState.STARTING).advance(ServerState.READY)

    async def _leave(self) -> None:
        self.ends += 1
        raise OSError("it does not let go")


async def test_a_server_ends_once_and_is_stopped_even_if_its_end_fails() -> None:
    server = Brittle()
    await server.start()
    with pytest.raises(OSError, match="let go"):
        await server.stop()
    await server.stop()
    assert (server.state, server.ends) == (ServerState.STOPPED, 1)


async def test_a_server_that_was_never_started_has_nothing_to_end() -> None:
    server = Brittle()
    await server.stop()
    assert (server.state, server.ends) == (ServerState.STOPPED, 0)


@pytest.mark.parametrize(
    "reply",
    [
        "Unknown or incomplete command, see below for error\nnosuch<--[HERE]",
        "Unknown or incomplete command, see below for errornosuch<--[HERE]",
        "Unknown block type 'minecraft:nosuch'setblock 0 -60 0 nosuch<--[HERE]",
        "Expected integer...e diamond x<--[HERE]",
        "Incorrect argument for command",
        "No player was found",
        "That position is not loaded",
        "Too many blocks in the specified area (maximum 32768, specified 101101)",
        "Unknown scoreboard objective 'emeralds'",
        "The source and destination areas cannot overlap",
        "An unexpected error occurred trying to execute that command",
        "That position is not loaded\n",
    ],
)
def test_a_refusal_is_known(reply: str) -> None:
    assert is_refusal(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Changed the block at 1, -60, 1",
        "Could not set the block",
        "No blocks were filled",
        "No entity was found",
        "No items were found on player Gizmo",
        "Nothing changed. The player already is an operator",
        "Test failed",
        "Test passed, count: 3",
        "Gave 1 [Diamond] to Gizmo",
        "There are 0 of a max of 20 players online: ",
        'Gizmo has the following entity data: {id: "minecraft:player", Tags: ["No player was found"]}',
        "<Gizmo> That position is not loaded, you say?",
        "The marker is <--[HERE], he said",
    ],
)
def test_other_replies_are_none(reply: str) -> None:
    assert not is_refusal(reply)


def test_every_sentence_is_one_of_the_game() -> None:
    known = [re.sub(r"%(\d\$)?s", "X", text) for text in json.loads(LANGUAGE.read_text("utf-8")).values()]
    pattern = refusals._pattern
    own = {"Unknown command%s"}  # Paper's, and vanilla's before 1.20.
    unknown = [
        sentence
        for sentence in refusals._SENTENCES
        if sentence not in own and not any(re.fullmatch(pattern(sentence), text, re.DOTALL) for text in known)
    ]
    assert unknown == []
