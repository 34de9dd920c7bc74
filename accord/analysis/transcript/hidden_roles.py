"""Transcript steps of games of hidden roles by words: each player's secret, clues, votes, guesses and outcomes."""

from __future__ import annotations

from collections.abc import Iterable

from accord.analysis.transcript.model import TranscriptStep, text_part
from accord.analysis.transcript.transcript_state import TranscriptState
from dilemmas.records import events as log
from voyager_agents.hidden_roles.turns import ROLE

OUTCOMES = {
    "escaped": "{odd} was the odd one and was not accused",
    "guessed": "{odd} was the odd one, was accused, and named the word",
    "caught": "{odd} was the odd one and was caught",
}
"""Outcome of a game -> its words."""


def dealt(event: log.RolesDealt, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the start of a game, and for each player the word that it alone is told."""
    card = f"game {event.game}: the topic is {event.topic}; the card has {', '.join(event.words)}"
    yield state.new_step("", "saw", card, others=state.players)
    for player in state.players:
        word = event.odd_word if player == event.odd else event.word
        title = f"is told the word {word}" if word else "is told that it has no word"
        yield state.new_step(player, "saw", title)


def said(event: log.WordSaid, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a decision: a clue, which all hear, or a vote or guess, whose reasons the player alone knows."""
    calls = state.claim_calls(event.player, (ROLE,))
    parts = (
        *text_part("why", event.why),
        *text_part("thinks that it is", event.role),
        *text_part("expects most votes for", event.expects),
        *text_part("came to nothing", event.fault),
    )
    given = {"clue": event.clue, "vote": event.vote, "guess": event.guess}[event.stage]
    title = f"{event.stage} in game {event.game}: {given or 'nothing'}"
    yield state.new_step(event.player, "decided", title, parts=parts, calls=calls, trouble=bool(event.fault))
    if event.clue:
        others = tuple(name for name in state.players if name != event.player)
        yield state.new_step("", "said", f"{event.player} gives the clue: {event.clue}", others=others)


def revealed(event: log.RolesRevealed, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the end of a game, of which all players are told."""
    text = f"game {event.game}: {OUTCOMES[event.outcome].format(odd=event.odd)}; the word was {event.word}"
    yield state.new_step("", "judged", text, others=state.players)
