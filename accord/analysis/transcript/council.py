"""Sentences for what happens at a council of players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.analysis.transcript.thought_texts import act_details, values

_TOLD = {
    "agreement_proposed": "{proposer} proposes agreement {agreement}: {says}",
    "agreement_accepted": "{player} accepts agreement {agreement}",
    "agreement_made": "agreement {agreement} is made: {says}",
    "agreement_declined": "{player} declines agreement {agreement}",
    "agreement_ended": "agreement {agreement} ends: {why}",
    "rule_proposed": "{proposer} moves {motion}: {says}",
    "vote": "{player} votes on {motion}",
    "rule_passed": "rule {rule} is passed: {says}",
    "rule_amended": "rule {rule} is amended: {says}",
    "rule_repealed": "rule {rule} is repealed",
    "rule_failed": "motion {motion} fails: {why}",
    "kept": "{player} kept {ground} {id}",
    "broken": "{player} broke {ground} {id}",
    "penalty": "{player} pays {paid} for a breach of rule {rule}",
    "reward": "{payer} pays a reward under rule {rule}",
    "judged": "{player}'s reputation is judged at {score:.2f}: {why}",
    "reputation": "{player}'s reputation is now {score:.2f}",
    "refused": "{player}'s {act} has no effect: {why}",
}
SILENT = ("act", "deed", "round_over", "game_over", "council", "vote", "agreement_accepted")
"""Entries that repeat another line of the log or carry no information."""
TOLD_ELSEWHERE = ("propose", "rule", "amend", "repeal")
"""Acts reported by an entry of their own."""
_TALK = {
    "ask": "asks {to}: {text}",
    "answer": "answers {to}: {text}",
    "accept": "accepts agreement {agreement}",
    "decline": "declines agreement {agreement}",
    "vote": "votes on motion {motion}, {voice}",
}


def entry_in_words(entry: Mapping[str, Any]) -> str:
    """Return an entry of the council's record in words."""
    try:
        return _TOLD[str(entry.get("what"))].format(**entry)
    except (KeyError, IndexError, ValueError):
        # Entries of unknown kinds or with other fields are shown field by field.
        return f"{entry.get('what')}: {values(f'{key} {value}' for key, value in entry.items() if key != 'what')}"


def act_in_words(entry: Mapping[str, Any]) -> str:
    """Return an act of a member in words."""
    form = _TALK.get(str(entry.get("act")))
    shown = {key: values([value]) for key, value in entry.items()}
    try:
        return form.format(**shown, voice="yes" if entry.get("yes") else "no") if form else act_details(entry)
    except KeyError:
        # Acts with unknown fields.
        return act_details(entry)
