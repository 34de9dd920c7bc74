"""Logs of lives with known ground truth, for tests of measures."""

from __future__ import annotations

from itertools import count
from typing import Any

from dilemmas.records import events as log

FARM, MINE = "You farm the fields so that all eat.", "You mine ores in the cave."
NUMBERS = count()


def line(event: log.Event) -> log.LogLine:
    return log.LogLine(seq=next(NUMBERS), tick=None, time=0.0, episode=1, event=event)


def goal(t_s: float, player: str, text: str) -> log.SlotWritten:
    return log.SlotWritten(
        t_s=t_s, player=player, slot="goal", version=1, writer="goal_generation", value={"text": text}
    )


def choice(t_s: float, player: str, number: int) -> log.ChoiceMade:
    return log.ChoiceMade(t_s=t_s, player=player, number=number, choice={"doing": "x"}, passed=[])


def act(t_s: float, player: str, label: str, number: int | None, by: str = "skill_execution") -> log.ActBegan:
    return log.ActBegan(t_s=t_s, player=player, number=1, label=label, by=by, choice=number)


def words(t_s: float, player: str, text: str, number: int | None, hearers: tuple[str, ...] = ()) -> log.Speech:
    return log.Speech(
        t_s=t_s, speaker=player, voice="say", text=text, at=(0, 0, 0), hearers=list(hearers), choice=number
    )


def deed(t_s: float, player: str, name: str, *args: Any, ok: bool = True) -> log.ActionEvent:  # noqa: ANN401 - JSON
    return log.ActionEvent(t_s=t_s, bot=player, name=name, ok=ok, args=list(args))  # type: ignore[call-arg]


def village() -> list[log.LogLine]:
    """Return a log in which Ann farms, Bob farms for ten goals and then mines, and Cid claims to farm but mines."""
    found: list[log.Event] = [log.EpisodeStarted(attempt=1)]
    found += [log.LifeBegan(t_s=0, player=name, attempt=1) for name in ("Ann", "Bob", "Cid")]
    for step in range(20):
        found += [
            goal(10.0 * step, "Ann", FARM), goal(10.0 * step, "Bob", FARM if step < 10 else MINE),
            goal(10.0 * step, "Cid", MINE),
        ]  # fmt: skip
    for number in range(1, 5):
        at = 50.0 * number
        found += [choice(at, name, number) for name in ("Ann", "Cid")]
        found += [
            words(at + 1, "Ann", "I farm the fields.", number),
            words(at + 1, "Cid", "I farm the fields.", number),
        ]
        found += [act(at + 2, "Ann", "harvest wheat and farm", number), act(at + 2, "Cid", "mine ores", number)]
        found += [deed(at + 3, "Ann", "harvestCrop", "wheat", 2), deed(at + 3, "Cid", "mineBlock", "iron_ore", 1)]
    found += [deed(20, "Ann", "harvestCrop", "wheat"), deed(150, "Ann", "goTo", [1, 2, 3]),
              deed(150, "Ann", "mineBlock", "stone", ok=False)]  # fmt: skip
    found.append(log.EndStateRead(t_s=200, players={}, chest={}, reason="time_limit", wall_s=0.0))
    return [line(event) for event in found]
