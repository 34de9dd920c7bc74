"""Transcript steps of Conquest: orders, battles and support."""

from __future__ import annotations

from collections.abc import Iterable

from accord.analysis.transcript.model import TranscriptStep, text_part
from accord.analysis.transcript.transcript_state import TranscriptState
from dilemmas.records import events as log
from voyager_agents.conquest.turns import ROLE, Battle, ConquestOrder


def order(event: log.OrderGiven, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a player's order, which only that player knows."""
    calls = state.claim_calls(event.player, (ROLE,))
    what = ConquestOrder(event.act, event.origin, event.target, event.troops).text
    recruits = f", recruits to {event.place}" if event.place else ""
    instead = f"; {event.stood_in} stands in" if event.stood_in else ""
    parts = (*text_part("why", event.why), *text_part("came to nothing", event.fault))
    title = f"orders in round {event.round}: {what}{recruits}{instead}"
    yield state.new_step(event.player, "decided", title, parts=parts, calls=calls, trouble=bool(event.fault))
    yield from state.take_actions(event.player)


def battle(event: log.BattleFought, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a battle, which those who fought it know of."""
    fought = Battle(**event.model_dump(exclude={"kind"}))
    yield state.new_step("", "judged", fought.text, others=tuple(dict.fromkeys((*event.attackers, event.defender))))


def support(event: log.SupportGiven, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return troops that became another player's."""
    title = f"{event.player} gives {event.receiver} {event.troops} troops in {event.at}"
    yield state.new_step("", "judged", title, others=(event.player, event.receiver))


def objective(event: log.ObjectiveReached, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the end of a game by an objective."""
    title = f"{' and '.join(event.players)} reached the objective, and got {event.prize} emeralds"
    yield state.new_step("", "judged", title, others=state.players)


def voided(event: log.TalksVoided, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the end of the talks in a broken attempt."""
    yield state.new_step("", "lost", "the talks of the broken attempt are void", others=state.players, trouble=True)
