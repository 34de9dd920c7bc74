"""Evidence of harm in the events and results of a trial."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise

from bridge.hostile.canaries import Canaries
from bridge.hostile.corpus import Attack
from bridge.prerequisites import ROOT
from bridge.types import Event, PolicyResult, ProgramOutcome

REPLACED = "it is replaced after "
"""Reason of a planned replacement between runs: V8 cannot free an isolate, or never ends its thread."""
MAX_GAP_TICKS = 60
"""Maximum ticks between two steps of the honest player: 3 s of game time, for a busy machine."""
DELAY = "the other player was held up"
OVERTIME = "it ran for"
MAX_EVENTS = {"log": 600, "action": 5100, "signal": 5100}
"""Kind of event -> maximum number in the record of one program."""
MAX_CHARS = 1_500_000
WATCHED_CPU_MS = 400
"""CPU time in ms after which the host's watch must have stopped a burst, with a margin for a busy machine."""
OVERTIME_MS = 1500
"""Wall time in ms beyond the limit until a run's end is known: grace period, settling, a busy machine."""
_OWNER = {"log": "bot", "action": "bot", "policy": "bot", "chat": "from", "signal": "from"}
_ANSWERED = re.compile(r"Unknown (or incomplete )?command|commands\.|Incorrect argument|permission|^\* |Gave |Made ")
_FRAMES = (str(ROOT), "node:internal/")


@dataclass(frozen=True)
class AttackAttempt:
    """A running attack: its bot, and the token in all its words."""

    attack: Attack
    bot: str
    token: str


def of_attempt(attempt: AttackAttempt, events: Sequence[Event], result: PolicyResult, limit_ms: float) -> list[str]:
    """Return the evidence attributable to one attack.

    Args:
        attempt: The attack.
        events: Events of the trial.
        result: Result of the attack's program.
        limit_ms: Wall time within which the program had to end.
    """
    own = [event for event in events if _owner(event) == attempt.bot]
    return [
        *_claims(attempt, events),
        *_forged(attempt, events),
        *_broken(own, result),
        *_changed(own, attempt.token),
        *_late(own),
        *_frames(own),
        *_floods(own),
        *_overtime(attempt.attack, result, limit_ms),
        *_unrefused(attempt.attack, result),
    ]


def of_trial(
    events: Sequence[Event], results: Mapping[str, PolicyResult], witness: str, canaries: Canaries
) -> list[str]:
    """Return the evidence of harm by any attack of the trial.

    Args:
        events: Events of the trial.
        results: Results of all programs, by bot.
        witness: Bot of the honest player.
        canaries: The canaries of the trial.
    """
    text = "\n".join(json.dumps(event.data) for event in events) + repr(dict(results))
    return [
        *canaries.secrets_in(text),
        *losses(events),
        *_commands(events),
        *_witness(events, results[witness], witness),
    ]


def _owner(event: Event) -> str | None:
    """Return the bot that an event names as its cause."""
    owner: str | None = event.data.get(_OWNER.get(event.kind, "bot"))
    return owner


def _claims(attempt: AttackAttempt, events: Sequence[Event]) -> list[str]:
    said = [str(event.data.get("text", "")) for event in events if event.kind == "log"]
    mark = f"PWNED {attempt.token}"
    return sorted({f"the program shows: {text[len(mark) :].strip()}" for text in said if text.startswith(mark)})


def _forged(attempt: AttackAttempt, events: Sequence[Event]) -> list[str]:
    marked = [event for event in events if attempt.token in json.dumps(event.data)]
    return [
        f"a {event.kind} event in the name of {_owner(event)}"
        for event in marked
        if event.kind not in _OWNER or _owner(event) != attempt.bot
    ]


def _broken(own: Sequence[Event], result: PolicyResult) -> list[str]:
    """Return texts that cannot be encoded, which would break the record."""
    said = [event.data for event in own] + [asdict(result)]
    try:
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return ["half a character came through, which ends whoever writes it down"]
    return []


def _changed(own: Sequence[Event], token: str) -> list[str]:
    """Return arguments that were changed after the call (corpus/forging.js)."""
    reports = [event for event in own if event.kind == "action"]
    told = any(f"changed {token}" in json.dumps(event.data["args"]) for event in reports)
    return ["an action was reported with what it was not given"] if told else []


def _late(own: Sequence[Event]) -> list[str]:
    ends = [event.seq for event in own if event.kind == "policy" and event.data["state"] == "ended"]
    # What was said before the end may be shown after it; everything else is an act.
    late = [event for event in own if ends and event.seq > ends[0] and event.kind in ("log", "action", "signal")]
    return [f"it went on after its end ({late[0].kind})"] if late else []


def _frames(own: Sequence[Event]) -> list[str]:
    text = "\n".join(json.dumps(event.data) for event in own)
    return [f"it was told a path of the host ({frame})" for frame in _FRAMES if frame in text]


def _floods(own: Sequence[Event]) -> list[str]:
    counts = Counter(event.kind for event in own)
    chars = sum(len(json.dumps(event.data)) for event in own)
    words = {"log": "lines"}
    found = [
        f"{counts[kind]} {words.get(kind, kind + 's')} in the record"
        for kind in MAX_EVENTS
        if counts[kind] > MAX_EVENTS[kind]
    ]
    return [*found, f"{chars} characters in the record"] if chars > MAX_CHARS else found


def _overtime(attack: Attack, result: PolicyResult, limit_ms: float) -> list[str]:
    allowed = attack.within_ms if attack.within_ms is not None else limit_ms + OVERTIME_MS
    if result.wall_ms <= allowed:
        return []
    if attack.within_ms is not None and result.wall_ms <= limit_ms + OVERTIME_MS and result.cpu_ms <= WATCHED_CPU_MS:
        return []
    return [f"{OVERTIME} {result.wall_ms:.0f} ms, not {allowed:.0f}"]


def _unrefused(attack: Attack, result: PolicyResult) -> list[str]:
    if not attack.refused or result.outcome is ProgramOutcome.THREW:
        return []
    return [f"it was not refused, and ended as {result.outcome}"]


def of_time_alone(evidence: Sequence[str]) -> bool:
    """Return whether all evidence is of delays, which a busy machine causes as well."""
    return all(each.startswith((DELAY, OVERTIME)) for each in evidence)


def losses(events: Sequence[Event]) -> list[str]:
    """Return lost hosts and bots, without planned replacements and the bots that come back."""
    hosts = [event.data["reason"] for event in events if event.kind == "host" and event.data["state"] == "lost"]
    bots = [event.data for event in events if event.kind == "bot" and event.data["state"] in ("ended", "kicked")]
    return [
        *(f"a host was lost: {reason}" for reason in hosts if not reason.startswith(REPLACED)),
        *(f"{bot['bot']} lost its connection: {bot['reason']}" for bot in bots if REPLACED not in bot["reason"]),
    ]


def _commands(events: Sequence[Event]) -> list[str]:
    said = [str(event.data["text"]) for event in events if event.kind == "chat" and event.data["from"] is None]
    return [f"the server answered a command: {text[:80]}" for text in said if _ANSWERED.search(text)]


def _witness(events: Sequence[Event], result: PolicyResult, witness: str) -> list[str]:
    """Return evidence that the honest player was held up; undisturbed, it ends well within its limit."""
    if result.outcome is ProgramOutcome.TIMEOUT:
        return [f"{DELAY} beyond the end of its time"]
    if result.outcome is not ProgramOutcome.RETURNED:
        return [f"the other player's program ended as {result.outcome}: {result.error and result.error.message}"]
    steps = [event.tick for event in events if event.kind == "log" and event.data["bot"] == witness and event.tick]
    gaps = [later - earlier for earlier, later in pairwise(steps)]
    if max(gaps, default=0) <= MAX_GAP_TICKS:
        return []
    return [f"{DELAY} for {max(gaps) / 20:.1f} s"]
