"""Human players of Commons Harvest in rounds, who decide on their pages by a map of what they see."""

from __future__ import annotations

import re

from voyager_agents.commons_harvest import HarvestDecision, HarvestTurn, Seen, act_text, spot
from voyager_agents.human.connection import ChatLine
from voyager_agents.human.turns import Reader, TurnPlayer

HELP = (
    "go X Z - walk to a cell, and take the apple there",
    "explore X Z - walk to a cell, and take nothing",
    "immobilize NAME - put a player that you see out of the game for some rounds",
    "stay - do nothing",
    "With any of these you can speak to all: go 3 4 say WORDS",
)
MAX_APPLES = 8
"""Maximum number of apples with a button."""
SIGNS = {"apple": "a", "bare": "o", "tree": "T"}
"""Kind of a visible object -> its sign on the map."""
_MOVE = re.compile(r"(go|explore)\s+(\d{1,4})[\s,]+(\d{1,4})", re.IGNORECASE)
_STRIKE = re.compile(r"immobilize\s+(\S+)", re.IGNORECASE)
_SPEECH = re.compile(r"\bsay\s+(.*)", re.IGNORECASE | re.DOTALL)


class HumanForager(TurnPlayer):
    """Agent of a human who plays Commons Harvest (`voyager_agents.turn_agent.TurnTaker`; also negotiates, ratifies)."""

    async def take_turn(self, turn: HarvestTurn) -> HarvestDecision:
        """Tell the human what is new, and return its decision; an immobilized player stays."""
        await self.tell(_news(turn))
        if turn.out:
            return HarvestDecision("stay")
        title = f"Round {turn.round}: what do you do?"
        columns, rows = turn.size
        stands = f"You are at {spot(turn.at)}, in a field of {columns} columns (x) and {rows} rows (z). {_held(turn)}"
        context = [stands, drawn(turn), _legend(turn)]
        return await self.decide(title, context, _answers(turn), HELP, _reader(turn))

    async def see_end(self, turn: HarvestTurn) -> None:
        """Tell the human what happened last, and what it has."""
        await self.tell([*_news(turn), f"The game is over. {_held(turn)}"])


def drawn(turn: HarvestTurn) -> str:
    """Return a map of what the player sees, a line for each row: apples, bare cells, trees and players."""
    signs = {each.at: _sign(each) for each in reversed(turn.seen)} | {turn.at: "@"}
    columns, rows = (range(min(at), max(at) + 1) for at in zip(*signs, strict=True))
    lines = [[f"{x:2}" for x in columns], *([f" {signs.get((x, z), '.')}" for x in columns] for z in rows)]
    heads = ["z\\x", *(f"{z:3}" for z in rows)]
    return "\n".join(" ".join((head, *line)) for head, line in zip(heads, lines, strict=True))


def _sign(seen: Seen) -> str:
    return SIGNS.get(seen.what) or seen.name[:1].upper()


def _legend(turn: HarvestTurn) -> str:
    others = [f"{_sign(each)} = {each.name}{f' ({each.note})' if each.note else ''}" for each in _players(turn)]
    return ", ".join(["@ = you", "a = apple", "o = bare cell of a tree", "T = tree", *others])


def _held(turn: HarvestTurn) -> str:
    return f"You have {turn.apples:g} apple{'' if turn.apples == 1 else 's'}."


def _players(turn: HarvestTurn) -> list[Seen]:
    return [each for each in turn.seen if each.what == "player"]


def _news(turn: HarvestTurn) -> list[str]:
    """Return what the player witnessed since its last turn."""
    said = [f"{speaker}: {text}" for speaker, text in turn.said]
    return [*turn.events, *(f"{act_text(each)}." for each in turn.deeds), *said]


def _answers(turn: HarvestTurn) -> list[str]:
    """Return the nearest apples, the players in sight, and to stay."""
    apples = [each.at for each in turn.seen if each.what == "apple"][:MAX_APPLES]
    players = [f"immobilize {each.name}" for each in _players(turn)]
    return [*(f"go {x} {z}" for x, z in apples), *players, "stay"]


def _reader(turn: HarvestTurn) -> Reader[HarvestDecision]:
    """Return a parser of a decision: the decision, or None and the reason why it is not legal."""

    def read(said: ChatLine) -> tuple[HarvestDecision | None, str]:
        speech = _SPEECH.search(said.text)
        words = speech[1].strip() if speech else ""
        decision = _decision(turn, said.text[: speech.start()] if speech else said.text, words)
        return (None, f"That does not count: {decision}.") if isinstance(decision, str) else (decision, "")

    return read


def _decision(turn: HarvestTurn, move: str, words: str) -> HarvestDecision | str:
    """Return the decision, or the reason why it is not legal."""
    move = move.strip()
    if move.lower() == "stay" or (not move and words):
        return HarvestDecision("stay", say=words)
    if found := _MOVE.fullmatch(move):
        to = (int(found[2]), int(found[3]))
        columns, rows = turn.size
        if to[0] >= columns or to[1] >= rows:
            return f"{spot(to)} is outside of the field; write x from 0 to {columns - 1}, z to {rows - 1}"
        return HarvestDecision("go" if found[1].lower() == "go" else "explore", to, say=words)
    if found := _STRIKE.fullmatch(move):
        named = {each.name.casefold(): each for each in _players(turn)}
        target = named.get(found[1].casefold())
        if target is None:
            others = ", ".join(each.name for each in named.values()) or "nobody"
            return f"you see no player {found[1]!r}; you see {others}"
        return HarvestDecision("immobilize", target.at, target.name, say=words)
    return "write go X Z, explore X Z, immobilize NAME or stay"
