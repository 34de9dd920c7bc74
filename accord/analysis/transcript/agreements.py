"""Transcript steps of a contract: negotiation, signing, verdict, transfers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from accord.analysis.transcript.model import TranscriptStep, list_part, text_part
from accord.analysis.transcript.thought_texts import values
from accord.analysis.transcript.transcript_state import TranscriptState
from contracts.bargaining.deals import DealEntry
from dilemmas.records import events as log
from voyager_agents.roles import JUDGE, NEGOTIATOR


def negotiation(event: log.NegotiationTurn, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a turn of the negotiation, thought before words. Only the speaker sees its thought; all hear the words."""
    tries = 1 + len(event.faults)
    calls = state.claim_calls(event.speaker, (NEGOTIATOR,), tries)
    yield from _malformed(event, state)
    if event.thought:
        yield state.new_step(event.speaker, "thought", "thinks before it speaks", parts=text_part("", event.thought))
    deed = "accepts" + (f" proposal {event.of}" if event.of else "") if event.accepts else "says"
    deed = "offers a contract" if event.offer and not event.accepts else deed
    title = f"turn {event.turn}, {deed}"
    others = state.players_except(event.speaker)
    yield state.new_step(event.speaker, "said", title, parts=text_part("", event.message), calls=calls, others=others)


def _malformed(event: log.NegotiationTurn | log.TalkMessageSent, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the malformed tries of a message, which only its author sees."""
    for number, fault in enumerate(event.faults):
        raw = event.raw[number] if number < len(event.raw) else ""
        parts = (*text_part("", fault), *text_part("as it came", raw))
        yield state.new_step(event.speaker, "fault", "a message of no use, asked again", parts=parts, trouble=True)


def typed(event: log.TermsTyped, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the step in which the text became typed terms, or failed to."""
    calls = state.claim_calls(state.judge, (JUDGE,), max(1, len(event.faults) + (not event.fault)))
    title = (
        f"try {event.number}: the text cannot be made terms" if event.fault else f"try {event.number}: terms to sign"
    )
    parts = (*text_part("why", event.fault), *list_part("asked again after", event.faults))
    parts = (*parts, *text_part("", event.sheet))
    others = state.parties_of(event.deal)
    yield state.new_step(
        state.judge, "judged", title, parts=parts, calls=calls, others=others, trouble=bool(event.fault)
    )


def ratified(event: log.TermsRatified, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the step in which a party ratified the terms, or did not."""
    calls = state.claim_calls(event.player, (NEGOTIATOR,), 1)
    title = "ratifies the terms" if event.ratified else "does not ratify the terms"
    others = tuple(name for name in state.parties_of(event.deal) if name != event.player)
    yield state.new_step(event.player, "said", title, parts=text_part("why", event.reason), calls=calls, others=others)


def contract(event: log.ContractEvent, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the contract's new state; judged and settled ones follow from the verdict's step."""
    if event.state in ("none", "judged", "settled"):
        return
    text = str((event.contract or {}).get("text", ""))
    if event.contract is not None:
        # One contract is in force at a time.
        state.contracts = {str(event.contract.get("name", "")): text}
    title = {"agreed": "a contract is in force", "failed": "no contract came about"}.get(event.state, event.state)
    yield state.new_step("", "judged", title, parts=(*text_part("", text), *text_part("because", event.reason)))


def verdict(event: log.VerdictGiven, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the judge's decision."""
    state.judged = True
    yield from state.take_all_actions()
    calls = state.claim_calls(state.judge, (JUDGE,))
    found = [_finding(each) for each in event.findings]
    moved = ", ".join(f"{name} {amount:+g}" for name, amount in event.transfers.items() if amount)
    title = f"{event.judge} judge: {moved or 'nothing moves'}" if event.readable else "the verdict cannot be read"
    parts = (
        *text_part("", event.critique),
        *list_part("findings", found),
        *list_part("asked again after", event.faults),
    )
    parts = (*parts, *list_part("not as the typed terms have it", [values([each]) for each in event.deviations]))
    if not event.readable:
        parts = (*parts, *text_part("as it came", event.raw))
    bad = not event.readable
    others = state.players if event.deal in state.announced else state.parties_of(event.deal)
    yield state.new_step(state.judge, "judged", title, parts=parts, calls=calls, others=others, trouble=bad)


def talk(event: log.TalkMessageSent, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a message on a channel, which only the players see whom it reaches; thoughts are the speaker's own."""
    calls = state.claim_calls(event.speaker, (NEGOTIATOR,), 1 + len(event.faults))
    yield from _malformed(event, state)
    if event.thought:
        yield state.new_step(event.speaker, "thought", "thinks before it writes", parts=text_part("", event.thought))
    if event.act == "pass":
        return
    hearers = tuple(name for name in event.members if name != event.speaker)
    about = "" if event.deal is None else f" deal {event.deal}"
    title = f"round {event.round} of talk, {event.act}{about}, to {', '.join(hearers)}"
    parts, reached = text_part("", event.message), tuple(event.arrives)
    yield state.new_step(event.speaker, "said", title, parts=parts, calls=calls, others=reached)


def deal(event: log.DealChanged, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return an offered deal, and its agreement or end; its other changes are told by their messages."""
    entry = DealEntry.from_dict(event.entry)
    if entry.contract is not None:
        state.deals[entry.deal] = entry.contract
    if entry.change == "offered" and not entry.secret:
        state.announced.add(entry.deal)
    if entry.change not in ("offered", "agreed", "ended", "lapsed") or entry.deal not in state.deals:
        return
    contract = state.deals[entry.deal]
    announced = entry.deal in state.announced and entry.change in ("agreed", "ended")
    title = f"deal {entry.deal} between {', '.join(contract.parties)} is {entry.change}"
    text = contract.text if entry.change in ("offered", "agreed") else entry.reason
    others = state.players if announced else contract.parties
    yield state.new_step("", "judged", title, parts=text_part("", text), others=others)


def payment(event: log.PaymentDecided, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return a payer's decision on what it owes."""
    calls = state.claim_calls(event.player, (NEGOTIATOR,), 1)
    owed = ", ".join(f"{term} ({amount:g})" for term, amount in event.due.items())
    title = f"pays {', '.join(event.paid) or 'nothing'} of {owed}" if event.readable else "gives no usable decision"
    parts, bad = text_part("why", event.reason), not event.readable
    yield state.new_step(event.player, "said", title, parts=parts, calls=calls, trouble=bad)


def enforcement(event: log.AgreementEnforced, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return the breaches of an agreement, and what its parties lose in escrow.

    Under the force `reputation`, all players see who broke a promise, and the parties see which.
    """
    broken = [f"{each.party} broke {each.term}" for each in event.breaches]
    lost = [
        f"{name} loses {amount:g} of {event.deposited.get(name, amount):g}" for name, amount in event.forfeited.items()
    ]
    title = f"{event.force}: {len(broken)} of {sum(event.promises.values())} promises broken"
    parts = list_part("", [*broken, *lost])
    yield state.new_step("", "judged", title, parts=parts, others=state.parties_of(event.deal))
    for party in dict.fromkeys(each.party for each in event.breaches) if event.force == "reputation" else ():
        yield state.new_step("", "judged", f"{party} broke a promise", others=state.players)


def _finding(data: Mapping[str, Any]) -> str:
    words = {"transfer": ("due", "not due"), "obligation": ("kept", "broken")}
    yes, no = words.get(str(data.get("kind")), ("readable", "not readable"))
    whose = f"{data['party']}, " if data.get("party") else ""
    return f"{whose}term {data.get('subject', '')}: {yes if data.get('ok') is True else no}. {data.get('reason', '')}"


def transfer(event: log.TransferBooked, state: TranscriptState) -> Iterable[TranscriptStep]:
    """Return emeralds that moved, unless a verdict has already reported them."""
    if state.judged:
        return
    title = f"pays {event.payee} {event.amount:g} for {event.term}"
    yield state.new_step(event.payer, "judged", title, others=(event.payee,))
