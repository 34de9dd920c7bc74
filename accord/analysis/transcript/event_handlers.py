"""Mapping of log events to transcript steps: one literal table, `HANDLERS`.

A new kind of event needs one function here and one line in the table; kinds without an entry are skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from typing import Any

from accord.analysis import grid_sentences
from accord.analysis.transcript import building, conquest, hidden_roles, kitchen, life
from accord.analysis.transcript.agreements import (
    contract,
    deal,
    enforcement,
    negotiation,
    payment,
    ratified,
    talk,
    transfer,
    typed,
    verdict,
)
from accord.analysis.transcript.council import SILENT, TOLD_ELSEWHERE, act_in_words, entry_in_words
from accord.analysis.transcript.institutions import institution_sentence, is_told
from accord.analysis.transcript.model import TranscriptStep, code_part, list_part, text_part
from accord.analysis.transcript.thought_texts import count, roles_of, values, words_of
from accord.analysis.transcript.transcript_state import TranscriptState
from dilemmas.records import events as log
from voyager_agents import thought_events
from voyager_agents.agent import BY_CALLS
from voyager_agents.generative.settings import ROLES as GENERATIVE

EventHandler = Callable[[Any, TranscriptState], Iterable[TranscriptStep]]
_WAYS = {
    "returned": "returned",
    "cancelled": "was cut short by the end of the episode",
    "timeout": "ran out of time",
    "threw": "broke off",
    "syntax": "is no program",
}
CHOOSER = "player"
"""Role of a model that chooses in a repeated game."""
MAX_TEXT = 200
"""Maximum length of an action's text, in characters."""


def _run_started(event: log.RunStarted, state: TranscriptState) -> Iterable[TranscriptStep]:
    state.start_run(event)
    return ()


def _placed(event: log.PlayersPlaced, state: TranscriptState) -> Iterable[TranscriptStep]:
    state.judge = event.observer
    return ()


def _episode_started(event: log.EpisodeStarted, state: TranscriptState) -> Iterable[TranscriptStep]:
    state.start_attempt(event.attempt)
    return ()


def _broken(event: log.EpisodeBroken, state: TranscriptState) -> Iterable[TranscriptStep]:
    yield from state.take_all_actions()
    after = "it is played again" if event.repeated else "the run ends"
    title = f"infrastructure broke this attempt; {after}"
    yield state.new_step("", "lost", title, parts=text_part("", event.reason), trouble=True)


def _shown(event: log.Shown, state: TranscriptState) -> Iterable[TranscriptStep]:
    yield from state.take_actions(event.player)
    held = [f"{name} has {_items(items)}" for name, items in event.inventories.items()]
    texts = (
        text_part("the contract", state.contracts.get(event.contract, event.contract) if event.contract else ""),
        text_part("its program", _program(event)),
        list_part("inventories", held),
        text_part("chat", count(event.chat, "line") if event.chat else ""),
        text_part("the judge's critique", event.critique),
    )
    earned = "" if event.reward is None else f": payoff {event.reward:g}"
    before = bool(held or event.outcome or event.reward is not None)
    title = f"is shown how the last episode went{earned}" if before else "is shown the scenario's description"
    title += ", and a contract" if event.contract else ""
    yield state.new_step(event.player, "saw", title, parts=tuple(part for parts in texts for part in parts))


def _mind(event: log.MindTold, state: TranscriptState) -> Iterable[TranscriptStep]:
    yield from state.take_actions(event.player)
    words = words_of(event.step)
    calls = state.claim_calls(event.player, roles_of(event.step))
    if isinstance(event.step, thought_events.Reviewed):
        state.reviewed.add(event.player)
    yield state.new_step(
        event.player,
        words.kind,
        words.title,
        parts=words.parts,
        calls=calls,
        trouble=words.trouble,
        round=getattr(event.step, "round", None),
    )


def _written(event: log.PolicyWritten, state: TranscriptState) -> Iterable[TranscriptStep]:
    yield from state.take_actions(event.player)
    calls = state.claim_calls(event.player, (thought_events.ACTION, thought_events.EMBEDDING))
    if event.source == BY_CALLS:
        yield state.new_step(event.player, "wrote", f"{event.author} acts by tool calls", calls=calls)
        return
    thought = text_part("thought", event.thought)
    if not state.is_new(event.player, event.source):
        title = "writes the same program again" if calls else "keeps its program"
        yield state.new_step(event.player, "wrote", title, parts=thought, calls=calls)
        return
    lines = event.source.count("\n") + (not event.source.endswith("\n"))
    title = f"{event.author} writes a program of {count(lines, 'line')}"
    yield state.new_step(event.player, "wrote", title, parts=(*thought, code_part(event.source)), calls=calls)


def _critique(event: log.Critique, state: TranscriptState) -> Iterable[TranscriptStep]:
    if event.player in state.reviewed:
        return
    word = {True: ": a success", False: ": no success", None: ""}[event.success]
    calls = state.claim_calls(event.player, (thought_events.CRITIC,))
    yield state.new_step(event.player, "critic", f"its critic{word}", parts=text_part("", event.text), calls=calls)


def _policies_started(event: log.PoliciesStarted, state: TranscriptState) -> Iterable[TranscriptStep]:
    state.start_acting()
    return ()


def _policy_ended(event: log.PolicyEnded, state: TranscriptState) -> Iterable[TranscriptStep]:
    yield from state.take_actions(event.player)
    error = event.error
    where = "" if error is None or error.line is None else f" (line {error.line})"
    why = "" if error is None else f"{error.name}: {error.message}{where}"
    fine = event.outcome in ("returned", "cancelled")
    title = f"its program {_WAYS.get(event.outcome, event.outcome)}"
    yield state.new_step(event.player, "ended", title, parts=text_part("", why), trouble=not fine)


def _action(event: log.ActionEvent, state: TranscriptState) -> Iterable[TranscriptStep]:
    if state.lives:
        # Realtime agents report their actions themselves, by name.
        return ()
    more = event.model_extra or {}
    arguments = _arguments(more.get("args"))
    error = more.get("error")
    why = values([error.get("name", ""), error.get("message", "")]) if isinstance(error, dict) else str(error or "")
    failed = event.ok is False
    text = f"{event.name}({arguments})" + (f" failed: {_short(why)}" if failed else "")
    return state.note_action(event.bot, text, trouble=failed)


def _inventory(event: log.InventoryEvent, state: TranscriptState) -> Iterable[TranscriptStep]:
    return state.note_inventory(event.bot, event.items) if event.bot in state.players else ()


def _printed(event: log.LogEvent, state: TranscriptState) -> Iterable[TranscriptStep]:
    return state.note_action(event.bot, f"prints: {_short(event.text)}")


def _signal(event: log.SignalEvent, state: TranscriptState) -> Iterable[TranscriptStep]:
    return state.note_action(event.sender, f"signals {_short(event.name or '')} to {event.receiver or 'all'}")


def _chat(event: log.ChatEvent, state: TranscriptState) -> Iterable[TranscriptStep]:
    # Messages of the game have no sender and are no speech; speech of realtime agents is reported with its hearers.
    if state.lives or event.sender is None or event.sender not in state.players:
        return
    yield from state.take_actions(event.sender)
    title = f"says: {event.text}"
    yield state.new_step(event.sender, "said", title, others=state.players_except(event.sender))


def _bot(event: log.BotEvent, state: TranscriptState) -> Iterable[TranscriptStep]:
    if event.bot in state.players and event.state not in ("spawned", "ended"):
        why = f": {event.reason}" if event.reason else ""
        return state.note_action(event.bot, f"{event.state}{_short(why)}", trouble=event.state in ("died", "kicked"))
    return ()


def _deed(event: log.DeedSeen, state: TranscriptState) -> Iterable[TranscriptStep]:
    if event.deed == "take":
        left = f": {event.left} left there" if event.left else ": it was the last one"
        return state.note_action(event.player, f"took the apple at {event.at} of {event.tree}{left}")
    full = [
        *state.note_action(
            event.player, f"{'hit' if event.hit else 'struck at and missed'} {event.target} at {event.at}"
        )
    ]
    if event.hit and event.target in state.players:
        full += state.note_action(event.target, f"was hit by {event.player} and is out", trouble=True)
    return full


def _decided(event: log.Decided, state: TranscriptState) -> Iterable[TranscriptStep]:
    where = f" to {event.to}" if event.to else ""
    target = f" {event.target}" if event.target else ""
    title = "is out of the game" if event.out else f"decides: {event.move}{target}{where}"
    parts = (
        *text_part("why", "" if event.out else event.why),
        *text_part("says", event.said),
        *text_part("came to nothing", event.fault),
    )
    calls = state.claim_calls(event.player, (*GENERATIVE, thought_events.MIND, thought_events.EMBEDDING))
    others = state.players_except(event.player) if event.said else ()
    # The log has a round's actions first, although they result from the decision.
    yield state.new_step(
        event.player, "decided", title, parts=parts, calls=calls, others=others, trouble=bool(event.fault)
    )
    yield from state.take_actions(event.player)


def _option(event: log.OptionChosen, state: TranscriptState) -> Iterable[TranscriptStep]:
    beliefs = {"partner_will": "expects of its partner", "partner_expects": "thinks that its partner expects"}
    parts = (
        *text_part("why", event.why),
        *(part for name, title in beliefs.items() for part in text_part(title, event.beliefs.get(name, ""))),
        *text_part(
            "pure equilibria, it says", "" if event.equilibria is None else ", ".join(event.equilibria) or "none"
        ),
        *text_part("came to nothing", event.fault),
    )
    calls = state.claim_calls(event.player, (CHOOSER,))
    instead = f"; {event.stood_in} stands in" if event.stood_in else ""
    title = f"chooses in round {event.round}: {event.option or 'nothing'}{instead}"
    yield state.new_step(event.player, "decided", title, parts=parts, calls=calls, trouble=bool(event.fault))


def _round(event: log.RoundPlayed, state: TranscriptState) -> Iterable[TranscriptStep]:
    chosen = [
        f"{player} {option}{f' ({stood_in[player]} stood in)' if player in stood_in else ''}"
        for stage, stood_in in zip_longest(event.choices, event.stood_in, fillvalue=dict[str, str]())
        for player, option in stage.items()
    ]
    for player, payoff in event.payoffs.items():
        yield from state.note_action(player, f"got {payoff:g} in round {event.round}: {', '.join(chosen)}")


def _council(event: log.CouncilEntry, state: TranscriptState) -> Iterable[TranscriptStep]:
    entry = event.entry
    number = entry.get("round")
    at = {"round": number if isinstance(number, int) and number else None}
    player = str(entry.get("player") or entry.get("proposer") or "")
    others = state.players_except(player)
    if entry.get("what") == "act":
        if entry.get("act") not in TOLD_ELSEWHERE:
            yield state.new_step(player, "said", f"at the council: {act_in_words(entry)}", others=others, **at)
    elif entry.get("what") not in SILENT:
        broken = entry.get("what") in ("broken", "refused")
        # The entry's words name the player.
        yield state.new_step("", "judged", entry_in_words(entry), trouble=broken, **at)


def _institution(event: log.InstitutionActed, state: TranscriptState) -> Iterable[TranscriptStep]:
    if is_told(event.part, event.what):
        title = institution_sentence(event.part, event.what, event.who, event.why, event.data)
        number = int(event.t_s) or None
        yield state.new_step("", "judged", title, trouble=event.what in ("sanctioned", "bribe_taken"), round=number)


def _on_grid(event: log.GridEvent, state: TranscriptState) -> Iterable[TranscriptStep]:
    for each in grid_sentences.sentences_of(event):
        to = f" ({each.to})" if each.to else ""
        yield state.new_step(each.player, "did", each.text + to, trouble=not each.ok, t_s=float(each.step))


def _episode_ended(event: log.EpisodeEnded, state: TranscriptState) -> Iterable[TranscriptStep]:
    yield from state.take_all_actions()
    for player, account in event.players.items():
        moved = f", {account.transfer:+g} by the contract" if account.transfer else ""
        title = f"ends with {_items(account.items)}: payoff {account.payoff:g} (earned {account.reward:g}{moved})"
        yield state.new_step(player, "ended", title, t_s=event.game_s)


def _called(event: log.ModelCalled, state: TranscriptState) -> Iterable[TranscriptStep]:
    return state.note_call(event)


def _run_ended(event: log.RunEnded, state: TranscriptState) -> Iterable[TranscriptStep]:
    yield from state.take_all_actions()
    yield from state.unclaimed_calls()
    if event.status != "complete":
        title = f"the run ends: {event.status}"
        yield state.new_step("", "lost", title, parts=text_part("", event.reason or ""), trouble=True)


EVENT_HANDLERS: Mapping[str, EventHandler] = {
    "run_started": _run_started,
    "run_ended": _run_ended,
    "players_placed": _placed,
    "episode_started": _episode_started,
    "infrastructure": _broken,
    "episode_ended": _episode_ended,
    "model_call": _called,
    "shown": _shown,
    "mind_step": _mind,
    "policy_written": _written,
    "policies_started": _policies_started,
    "policy_ended": _policy_ended,
    "critique": _critique,
    "action": _action,
    "inventory": _inventory,
    "log": _printed,
    "signal": _signal,
    "chat": _chat,
    "bot": _bot,
    "deed": _deed,
    "decision": _decided,
    "council": _council,
    "institution": _institution,
    "option": _option,
    "order": conquest.order,
    "battle": conquest.battle,
    "support": conquest.support,
    "objective": conquest.objective,
    "plan_drawn": building.plan,
    "building": building.building,
    "work": kitchen.work,
    "soup": kitchen.soup,
    "talks_voided": conquest.voided,
    "roles_dealt": hidden_roles.dealt,
    "word_said": hidden_roles.said,
    "roles_revealed": hidden_roles.revealed,
    "round_played": _round,
    "society": _on_grid,
    "social_act": _on_grid,
    "exchange": _on_grid,
    "grid_fault": _on_grid,
    "grid_plan": _on_grid,
    "life_began": life.began,
    "life_ended": life.ended,
    "slot": life.slot,
    "choice": life.choice,
    "act_began": life.act_began,
    "act_ended": life.act_ended,
    "speech": life.speech,
    "mind": life.noted,
    "negotiation": negotiation,
    "talk": talk,
    "deal": deal,
    "payment": payment,
    "enforced": enforcement,
    "terms_typed": typed,
    "terms_ratified": ratified,
    "contract": contract,
    "verdict": verdict,
    "transfer": transfer,
}
"""Kind of event -> handler. A handler gets the event and the transcript's state, and returns steps."""


def _program(event: log.Shown) -> str:
    printed = f"; it printed {count(event.printed, 'line')}" if event.printed else ""
    return f"{event.outcome}{printed}" if event.outcome else ""


def _items(items: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {item}" for item, count in items.items() if count) or "nothing"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_TEXT else f"{line[:MAX_TEXT]}…"


def _arguments(given: object) -> str:
    """Return a primitive's arguments in words, places as (x, y, z)."""
    if not isinstance(given, list):
        return ""
    shown = [f"({values(each)})" if isinstance(each, list) else values([each]) for each in given]
    return _short(", ".join(each for each in shown if each))
