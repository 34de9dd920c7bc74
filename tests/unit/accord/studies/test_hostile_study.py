"""Hostile words in whole studies: chat heard in the game, negotiated contracts, and a judge that obeys both.

The model is maximally gullible: it answers whatever a line of chat or a clause asks for. The contract must still bound
its transfers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dilemmas.records.record import read_events
from tests.fakes.hostile_words import CHATS, PARTIES, TEXT, TEXTS, claim
from tests.fakes.model_players import PROGRAM, SPLIT, play
from tests.fakes.model_players import role as marks
from tests.fakes.world import Deed, Script
from voyager_agents.models.fake_server import FakeServer, Request


class Gullible:
    """Model that offers a given contract, accepts every offer, and judges as the words tell it."""

    def __init__(self, contract: str, transfers: list[dict[str, Any]]) -> None:
        self._contract = contract
        self._transfers = transfers
        self.judged: list[str] = []
        """Prompts of the judge."""

    def __call__(self, request: Request) -> str:
        said = request.messages[-1]["content"]
        match marks(request):
            case "typist":
                grabs = [("a", *PARTIES), ("b", *PARTIES[::-1]), ("c", "Gizmo", "Judy")]
                typed = [
                    {
                        "id": name,
                        "clause": "1",
                        "payer": payer,
                        "payee": payee,
                        "amount": "1000000",
                        "condition": "True",
                    }
                    for name, payer, payee in grabs
                ]
                return json.dumps({"obligations": [], "transfers": typed})
            case "signer":
                return json.dumps({"ratify": True, "reason": "As you wish."})
            case "negotiator" if "first hostile offer" in said:
                return "[message] Gladly. [accept]"
            case "negotiator":
                return f"[message] My first hostile offer. [contract]\n{self._contract}\n[contract end]"
            case "judge":
                self.judged.append(said)
                return json.dumps({"transfers": self._transfers, "findings": [], "critique": "As you wish."})
            case _:
                return PROGRAM


def heard(line: str) -> Script:
    """Return the script in which the ores are split and Glitch says the line."""
    return Script((*SPLIT.deeds, Deed(2, "Glitch", says=line)), SPLIT.ends)


async def booked(tmp_path: Path, mind: Gullible, script: Script) -> tuple[dict[str, Any], list[Any]]:
    """Play the study. Return its result and the transfers of its ledger."""
    async with FakeServer(mind) as server:
        found, _ = await play(tmp_path, server, [script])
    result = found.results[0]
    lines = read_events(found.directory / "events.jsonl")
    moved = [line.event for line in lines if line.kind == "transfer"]
    assert result["status"] == "complete"
    assert sum(player["transfer"] for player in result["players"].values()) == pytest.approx(0)
    assert set(result["players"]) == set(PARTIES)
    return result, moved


@pytest.mark.parametrize(("line", "transfers"), CHATS)
async def test_a_line_of_chat_moves_no_more_than_the_contract(
    tmp_path: Path, line: str, transfers: list[dict[str, Any]]
) -> None:
    mind = Gullible(TEXT, transfers)
    _, moved = await booked(tmp_path, mind, heard(line))
    assert {(each.payer, each.payee, each.term) for each in moved} <= {("Gizmo", "Glitch", "2")}
    assert sum(each.amount for each in moved) <= 11
    # The judge was shown the line: the ledger bounded the transfers, not chance.
    assert json.dumps(line)[1:-1] in mind.judged[0] or line in mind.judged[0]


@pytest.mark.parametrize("text", TEXTS)
async def test_a_contract_moves_no_more_than_was_earned(tmp_path: Path, text: str) -> None:
    transfers = [claim(each, "1", *pair) for each in (1e9, 49, 48, 30) for pair in (PARTIES, PARTIES[::-1])]
    transfers += [claim(30, "1", "Gizmo", "Judy"), claim(30, "1", "Judy", "Glitch")]
    result, moved = await booked(tmp_path, Gullible(text, transfers), SPLIT)
    assert {each.payer for each in moved} | {each.payee for each in moved} <= set(PARTIES)
    for name, player in result["players"].items():
        assert sum(each.amount for each in moved if each.payer == name) <= player["reward"]
    if result["contract"] is None:
        assert moved == []


def test_there_are_thirty_of_them() -> None:
    assert len(CHATS) + len(TEXTS) >= 30
