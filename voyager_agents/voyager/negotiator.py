"""Negotiator part: writes a player's messages at the table and in talks, ratifies terms, and decides on payments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from common.answers.reading import MAX_ANSWER, Strict
from contracts import ContractScope, Experience, NegotiationMessage, NegotiatorView, Ratification, Sheet
from contracts.bargaining.deals import Deal
from contracts.bargaining.messages import TalkAnswer, TalkMessage, read_talk, talk_form
from contracts.bargaining.talk import SeenMessage, TalkView
from contracts.enforcement import Bill, Breach, Payment
from contracts.errors import MessageError
from contracts.forces import described
from contracts.messages import MessageAnswer, message_form, read_turn
from voyager_agents import rendering
from voyager_agents.agent import Observation, Observer
from voyager_agents.asking import Asker
from voyager_agents.errors import ObservationError
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.roles import NEGOTIATION, NEGOTIATOR

_SCOPES = {
    ContractScope.BOTH: "",
    ContractScope.COORDINATION: (
        "Here a contract only coordinates: it says who does what and in which order. It moves no emeralds and nobody "
        "enforces it. A proposal with a line that speaks of a payment is refused."
    ),
    ContractScope.TRANSFERS: (
        "Here a contract has transfers only: every line says who pays whom how many emeralds for what is seen at the "
        "end. It assigns no tasks, no roles and no turns. A proposal with any other line is refused."
    ),
}
_GREEDY = (
    "Your player wants as much as it can get, and what the others are left with does not matter to you. Open high, "
    "concede as late and as little as you can, and take less than the larger part of the gain only when nothing would "
    "be agreed otherwise."
)


class RatificationAnswer(Strict):
    """Answer that ratifies terms or refuses them."""

    reason: str = Field(max_length=400)
    ratify: bool


RATIFICATION_FORM = AnswerForm(
    "ratification",
    RatificationAnswer,
    {"reason": "<what you compared>", "ratify": "<true or false>"},
    reasoning="reason",
)


class PaymentAnswer(Strict):
    """Answer that names the payments to make."""

    reason: str = Field(max_length=400)
    pay: list[str] = Field(max_length=50)


def payment_form(terms: Sequence[str]) -> AnswerForm[PaymentAnswer]:
    """Return the form of a decision on payments; `terms` are the ids of the payments that are due."""
    example = {"reason": "<what you considered>", "pay": ["<ids of the payments that you make>"]}
    legal = {"type": "array", "items": {"type": "string", "enum": list(terms)}, "maxItems": len(terms)}
    return AnswerForm("payment", PaymentAnswer, example, reasoning="reason", narrowed={"pay": legal})


class NegotiatorPart:
    """Requests messages, ratifications and decisions on payments from a model."""

    def __init__(self, speaking: Asker, signing: Asker, prompts: Prompts = STANDARD, prefix: str = "") -> None:
        """Create the part.

        Args:
            speaking: Asks for messages, once each: `contracts.negotiation` records and corrects malformed ones.
            signing: Asks for ratifications.
            prompts: Prompts of the part.
            prefix: Beginning of the names of its prompts, for games that the usual prompts do not describe.
        """
        self._speaking = speaking
        self._signing = signing
        self._prompt, self._ratify, self._talk, self._pay = (prompts.load(prefix + name) for name in NEGOTIATION)

    async def speak(self, observation: Observation, view: NegotiatorView) -> NegotiationMessage:
        """Return the model's message with its thought. Raises MessageError if it is malformed."""
        form = message_form(can_accept=view.standing is not None)
        observation = observation.shown_to(drawn=self._speaking.drawn)
        system, user = self._speaking.fit(
            {
                "player": view.me,
                "other": view.other,
                "objective": observation.task,
                "scenario": observation.scenario,
                "facts": rendering.facts(observation.facts),
                "scope": " ".join(part for part in (_SCOPES[view.scope], described(view.force, view.deposit)) if part),
                "manner": _GREEDY if view.greedy else "",
                "before": "\n".join(part for part in (experience(view.before), _breaches(view.breaches)) if part),
                "round": str(view.round),
                "rounds": str(view.rounds),
                "standing": _standing(view),
                "history": rendering.dialogue(view.history),
                "correction": _correction(view),
            },
            keep_ends("history", "before"),
            fill_with(self._prompt),
            form,
        )
        standing = "" if view.standing is None else view.standing.text

        def turn(answer: MessageAnswer) -> NegotiationMessage:
            return read_turn(answer, view.parties, "negotiated", standing)

        answer = await self._speaking.ask(system, user, form, turn, part=NEGOTIATOR)
        if answer.value is None:
            fault = answer.faults[-1]
            raise MessageError(fault.code or "form", fault.text, kind=fault.kind, raw=answer.raw[:MAX_ANSWER])
        return turn(answer.value)

    async def ratify(self, observation: Observation, sheet: Sheet) -> Ratification:
        """Return the model's decision on the sheet; without a readable answer the terms are not ratified."""
        others = [name for name in observation.players if name != observation.player]
        system, user = self._ratify.fill(
            {
                "player": observation.player,
                "other": ", ".join(others),
                "objective": observation.task,
                "text": quoted(sheet.terms.text),
                "sheet": sheet.text,
            }
        )
        answer = await self._signing.ask(system, user, RATIFICATION_FORM, part="ratify")
        if answer.value is None:
            return Ratification(observation.player, False, answer.faults[-1].text, answer.raw[:MAX_ANSWER])
        return Ratification(observation.player, answer.value.ratify, answer.value.reason, answer.raw)

    async def talk(self, observation: Observation, view: TalkView) -> TalkMessage:
        """Return the model's message in a talk. Raises MessageError if it is malformed."""
        deals = [deal.number for deal in (*view.offers, *view.own_offers, *view.own_deals)]
        form = talk_form(view.others, view.acts, deals, view.audience_sizes)
        rules = view.rules
        observation = observation.shown_to(drawn=self._speaking.drawn)
        system, user = self._speaking.fit(
            {
                "player": view.me,
                "others": ", ".join(view.others),
                "objective": observation.task,
                "scenario": observation.scenario,
                "facts": rendering.facts(observation.facts),
                "scope": _SCOPES[rules.scope],
                "force": rules.enforcement,
                "manner": _GREEDY if view.greedy else "",
                "before": experience(rules.before),
                "round": str(view.round),
                "rounds": str(view.rounds),
                "left": ", ".join(f"{count} {kind}" for kind, count in view.left.items()) or "none",
                "acts": ", ".join(view.acts),
                "breaches": _breaches(rules.breaches),
                "deals": _deals(view.deals),
                "offers": _deals(view.offers),
                "history": _heard(view.messages),
                "correction": f"Your last try could not be used: {view.correction}." if view.correction else "",
            },
            keep_ends("history", "before"),
            fill_with(self._talk),
            form,
        )

        def message(answer: TalkAnswer) -> TalkMessage:
            return read_talk(answer, view.me, view.players)

        answer = await self._speaking.ask(system, user, form, message, part="talk")
        if answer.value is None:
            fault = answer.faults[-1]
            raise MessageError(fault.code or "form", fault.text, kind=fault.kind, raw=answer.raw[:MAX_ANSWER])
        return message(answer.value)

    async def pay(self, observation: Observation, bill: Bill) -> Payment:
        """Return the model's decision on a bill; without a readable answer it is unreadable."""
        terms = [each.term for each in bill.dues]
        owed = [f"- {each.term}: {float(each.amount):g} emeralds to {each.payee}" for each in bill.dues]
        system, user = self._pay.fill(
            {
                "player": bill.payer,
                "objective": observation.task,
                "text": quoted(bill.contract.text),
                "force": described(bill.contract.force, bill.contract.deposit),
                "critique": quoted(bill.critique) or "(nothing)",
                "dues": "\n".join(owed),
                "remaining": str(bill.remaining),
            }
        )

        def checked(answer: PaymentAnswer) -> None:
            if unknown := [term for term in answer.pay if term not in terms]:
                raise MessageError("no-such-payment", f"pay: {unknown[0]!r} is not due: legal are {', '.join(terms)}")

        answer = await self._signing.ask(system, user, payment_form(terms), checked, part="pay")
        if answer.value is None:
            return Payment(bill.payer, (), answer.faults[-1].text, readable=False, raw=answer.raw[:MAX_ANSWER])
        return Payment(bill.payer, tuple(answer.value.pay), answer.value.reason, raw=answer.raw)


class ModelNegotiator(Observer, ABC):
    """Base class of agents that negotiate by a negotiator part."""

    @property
    @abstractmethod
    def negotiator(self) -> NegotiatorPart | None:
        """The negotiator part; None if the agent cannot negotiate."""

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the agent's message at the negotiating table. Raises ObservationError without a negotiator part."""
        return await self._negotiator().speak(self._seen(), view)

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Return whether the terms match the agreement. Raises ObservationError without a negotiator part."""
        return await self._negotiator().ratify(self._seen(), sheet)

    async def talk(self, view: TalkView) -> TalkMessage:
        """Return the agent's message in a talk. Raises ObservationError without a negotiator part."""
        return await self._negotiator().talk(self._seen(), view)

    async def pay(self, bill: Bill) -> Payment:
        """Return the agent's decision on a bill. Raises ObservationError without a negotiator part."""
        return await self._negotiator().pay(self._seen(), bill)

    def _negotiator(self) -> NegotiatorPart:
        if self.negotiator is None:
            raise ObservationError(f"{self.name}: this agent has no negotiator part")
        return self.negotiator


def quoted(text: str) -> str:
    """Return a player's text with every line marked as quoted."""
    return "\n".join(f"> {line}" for line in text.strip().splitlines())


def experience(before: Experience | None) -> str:
    """Return the result of the previous episode or period; empty at the first negotiation."""
    if before is None:
        return ""
    if before.played:
        lines = [f"{before.played} rounds of the game are played.", "Since the last talk:" if before.payoffs else ""]
    else:
        lines = ["You have played an episode already.", "The contract then:"]
        lines.append(quoted(before.contract.text) if before.contract else "(none)")
    for player, payoff in before.payoffs.items():
        lines.append(f"{player} earned {before.rewards[player]:g} emeralds, {payoff:g} after transfers.")
    lines += [f"Duty {duty}: {'kept' if kept else 'not kept'}." for duty, kept in before.kept.items()]
    if before.critique:
        lines += ["The judge said:", quoted(before.critique)]
    standing = "goes on" if before.stands else "ends"
    lines.append(f"If nothing new is agreed, that contract {standing}." if before.contract else "")
    return "\n".join(line for line in lines if line)


def _deals(deals: Sequence[Deal]) -> str:
    """Return deals with number, parties and quoted text."""
    lines = []
    for deal in deals:
        until = "" if deal.lasts is None else f", for {deal.lasts} episodes or rounds"
        lines.append(f"Deal {deal.number} between {', '.join(deal.parties)}{until}:\n{quoted(deal.contract.text)}")
    return "\n".join(lines) or "(none)"


def _heard(messages: Sequence[SeenMessage]) -> str:
    """Return messages with speaker and audience on every line."""
    lines = []
    for each in messages:
        about = f" [{each.act} deal {each.deal}]" if each.deal else ""
        head = f"{each.speaker} to {', '.join(each.to)}{about}>"
        lines += [f"{head} {line}" for line in (each.text.splitlines() or [""])]
    return "\n".join(lines) or "(nothing yet)"


def _breaches(breaches: Sequence[Breach]) -> str:
    """Return who broke how many promises, without their terms, which may be secret; empty without any."""
    counts = Counter(each.party for each in breaches)
    told = [f"- {party}: {count}" for party, count in counts.items()]
    return "\n".join(["Promises broken so far:", *told]) if told else ""


def _standing(view: NegotiatorView) -> str:
    if view.standing is None:
        return "(none)"
    accepted = ", ".join(view.accepted) or "nobody"
    text = quoted(view.standing.text)
    return f"Number {view.standing_round}, accepted so far by {accepted}:\n{text}"


def _correction(view: NegotiatorView) -> str:
    if not view.correction:
        return "Write your message."
    return f"Your last try could not be used: {view.correction}. Write it again."
