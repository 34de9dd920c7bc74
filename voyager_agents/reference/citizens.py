"""Reference people under institutions, without a model: pure rules for every question that an institution asks.

A character is honest or self-interested. Both rank candidates by the breaches that they know of; a self-interested one
sells its office. A rule answers one kind of question; other packages add rules for parts of their own to `RULES`.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from common.answers.reading import Strict
from contracts.errors import Refused
from contracts.institutions import Norm
from contracts.institutions.elections import ElectionBallot, RecallVote
from contracts.institutions.frame import CivicQuestion
from contracts.institutions.guards import BribeOffer, Duty
from contracts.institutions.law import LawMotion, MotionVotes
from contracts.institutions.norms import ReadNorm
from contracts.institutions.statute import AmendmentText, RatificationVote, StatuteDraft, StatuteFeedback
from contracts.institutions.treasury import BudgetVote, Spending, TaxRate
from contracts.institutions.tribunal import Complaint, Finding

WINDOW = 8
"""Number of its last breaches from which a person estimates what a breach costs."""
RECALL_FROM = 3
"""Known breaches from which on a holder is recalled."""
SPARE = {"kind": "leave", "tree": "*", "apples": 6}
"""Clause that honest people of a harvested commons move: every tree keeps enough apples to grow again."""
MOVE_WORTH = 1.0
"""Worth of one move to a person: about an apple."""


@dataclass
class CitizenMemory:
    """Knowledge of one person of the institutions that it lives under."""

    name: str
    seed: int
    honest: bool
    read_norm: ReadNorm
    wanted: Mapping[str, Any] = field(default_factory=lambda: SPARE)
    """Clause that this person moves if it is honest."""
    norms: dict[str, Norm] = field(default_factory=dict)
    """Clause in force -> its norm, as far as this world's norms can be read."""
    law: dict[str, str] = field(default_factory=dict)
    """Clause in force -> its words, with its norm where it has one."""
    known: Counter[str] = field(default_factory=Counter)
    """Person -> breaches and corrupt acts of its that this person knows of."""
    wronged: Counter[str] = field(default_factory=Counter)
    """Guard -> sanctions on this person that no breach of its stands behind."""
    costs: deque[float] = field(default_factory=lambda: deque(maxlen=WINDOW))
    """Costs of this person's last breaches."""
    owed: int = 0
    """Own breaches that no sanction has followed yet."""

    @property
    def price(self) -> float:
        """Mean cost of its last breaches, in the unit of what people earn; 0 before the first."""
        return sum(self.costs) / len(self.costs) if self.costs else 0.0

    def hear(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Take in entries that this person may know."""
        for entry in entries:
            who, data = str(entry["who"]), entry["data"]
            match entry["what"]:
                case "law_in_force":
                    self._read_law(data["clauses"])
                case "breach":
                    self.known[who] += who != self.name
                    if who == self.name:
                        self.costs.append(0.0)
                        self.owed += 1
                case "sanctioned" if who == self.name:
                    self._suffer(str(data["by"]), float(data["fined"]) + MOVE_WORTH * int(data["held"]))
                case "bribe_taken":
                    taker, payer = who, str(data["offender"])
                    self.known[taker] += taker != self.name
                    if payer == self.name:
                        self._suffer("", float(data["amount"]))

    def _suffer(self, by: str, cost: float) -> None:
        """Put a cost on the latest own breach, or hold it against the guard if there is none."""
        if self.owed and self.costs:
            self.owed -= 1
            self.costs[-1] += cost
        elif by:
            self.wronged[by] += 1

    def _read_law(self, clauses: Sequence[Mapping[str, Any]]) -> None:
        self.norms, self.law = {}, {}
        for each in clauses:
            name, text = str(each["clause"]), str(each.get("text", ""))
            try:
                norm = self.norms[name] = self.read_norm(each["term"])
            except Refused:
                self.law[name] = text
            else:
                said = norm.says()
                self.law[name] = f"{text} [{said}]" if text not in ("", said) else said

    def ranked(self, names: Sequence[str]) -> list[str]:
        """Return people from the most to the least trusted; equals in an order of this person's own."""
        order = random.Random(f"trust:{self.seed}:{self.name}").sample(sorted(names), len(names))
        return sorted(order, key=lambda name: (self.known[name] + 2 * self.wronged[name], name != self.name))

    def faults(self, name: str) -> int:
        """Return what this person holds against somebody."""
        return self.known[name] + 2 * self.wronged[name]


Rule = Callable[[CivicQuestion[Any], CitizenMemory], Strict]
"""Answer of a person to one kind of question."""


def ballot(question: CivicQuestion[Any], memory: CitizenMemory) -> ElectionBallot:
    """Rank all by trust; approve of the most trusted ones; name the first."""
    ranked = memory.ranked(question.facts["candidates"])
    method = question.facts["method"]
    if method == "condorcet":
        return ElectionBallot(reasoning="by known breaches", choices=ranked)
    best = [name for name in ranked if memory.faults(name) == memory.faults(ranked[0])]
    return ElectionBallot(reasoning="by known breaches", choices=best if method == "approval" else best[:1])


def recall(question: CivicQuestion[Any], memory: CitizenMemory) -> RecallVote:
    """Recall whoever broke the law or sold its office too often."""
    return RecallVote(reasoning="by known breaches", recall=memory.faults(question.facts["holder"]) >= RECALL_FROM)


def bribe(question: CivicQuestion[Any], memory: CitizenMemory) -> BribeOffer:
    """Offer more than the guard's usual share if that is less than the fine; the honest offer nothing."""
    fine, most = float(question.facts["fine"]), int(question.facts["most"])
    amount = 0 if memory.honest else min(most, int(fine * 3 / 4))
    return BribeOffer(reasoning="less than the fine", amount=amount)


def duty(question: CivicQuestion[Any], memory: CitizenMemory) -> Duty:
    """Serve by the law if honest; else take what pays most for each case, and accuse somebody if nobody checks it."""
    facts = question.facts
    cases: Sequence[Mapping[str, Any]] = facts["cases"]
    if memory.honest:
        return Duty(reasoning="the law", sanction=[each["case"] for each in cases], take_bribe=[], accuse=[])
    sold = [each["case"] for each in cases if each["bribe_offered"] > facts["share"] * each["fine"]]
    pays = [each["case"] for each in cases if each["case"] not in sold and facts["share"] * each["fine"] > MOVE_WORTH]
    made_up = [] if facts["court"] or cases else [name for name in facts["people"] if name != memory.name][:1]
    chance = random.Random(f"accuse:{memory.seed}:{memory.name}:{len(memory.costs)}:{sum(memory.known.values())}")
    return Duty(
        reasoning="what pays most",
        sanction=pays,
        take_bribe=sold,
        accuse=made_up if facts["highest_fine"] * facts["share"] > MOVE_WORTH and chance.random() < 1 / 4 else [],
    )


def complaint(question: CivicQuestion[Any], memory: CitizenMemory) -> Complaint:
    """Charge every breach that it saw."""
    return Complaint(reasoning="it broke the law", charge=[each["case"] for each in question.facts["cases"]])


def trial(question: CivicQuestion[Any], memory: CitizenMemory) -> Finding:
    """Find by the record if the court shows it, else by more than one witness."""
    evidence = question.facts["evidence"]
    guilty = evidence.get("record_shows_breach", len(evidence["witnesses"]) > 1)
    return Finding(reasoning="by the evidence", guilty=guilty)


def motion(question: CivicQuestion[Any], memory: CitizenMemory) -> LawMotion:
    """Move the clause that it wants if honest and the law does not say so; else to end what costs too much."""
    law = question.facts["law"]
    if memory.honest:
        missing = not any(each["term"] == memory.wanted for each in law)
        fine = min(4, int(question.facts["highest_fine"]))
        return LawMotion(
            reasoning="spare it", repeal="", add=[dict(memory.wanted)] if missing else [], fine=fine, hold=3
        )
    hated = law[0]["clause"] if law and memory.price >= MOVE_WORTH else ""
    return LawMotion(reasoning="it costs too much", repeal=hated, add=[], fine=0, hold=0)


def law_vote(question: CivicQuestion[Any], memory: CitizenMemory) -> MotionVotes:
    """Vote for the law if honest; else for what binds others more than oneself, and to end what costs too much."""
    yes: list[str] = []
    no: list[str] = []
    for each in question.facts["motions"]:
        if memory.honest:
            wanted = not each["repeals"]
        elif each["repeals"]:
            wanted = memory.price >= MOVE_WORTH
        else:
            wanted = sum(memory.known.values()) > len(memory.costs)
        (yes if wanted else no).append(each["motion"])
    return MotionVotes(reasoning="by what it brings", yes=yes, no=no)


def feedback(question: CivicQuestion[Any], memory: CitizenMemory) -> StatuteFeedback:
    """Ask for the clause that it wants if honest and it is missing; complain of a law that costs too much."""
    law = question.facts["law"]
    if memory.honest:
        missing = not any(each["term"] == memory.wanted for each in law)
        text = f"The law should say: {memory.read_norm(memory.wanted).says()}." if missing else ""
        return StatuteFeedback(reasoning="spare it", text=text)
    dear = bool(law) and memory.price >= MOVE_WORTH
    return StatuteFeedback(reasoning="it costs too much", text="The law costs us too much." if dear else "")


def amendment(question: CivicQuestion[Any], memory: CitizenMemory) -> AmendmentText:
    """Amend as by `motion`, in the words of the typed form."""
    moved = motion(question, memory)
    text = memory.read_norm(moved.add[0]).says() if moved.add else ""
    return AmendmentText(
        reasoning=moved.reasoning, clause=moved.repeal, text=text, term=moved.add, fine=moved.fine, hold=moved.hold
    )


def draft(question: CivicQuestion[Any], memory: CitizenMemory) -> StatuteDraft:
    """Write each clause that has a typed form in the form's words, so that words and form cannot differ."""
    clauses = [
        {
            "amendment": each["motion"],
            "text": memory.read_norm(each["term"]).says(),
            "term": [each["term"]],
            "fine": int(each["fine"]),
            "hold": each["hold"],
        }
        for each in question.facts["amendments"]
        if each["term"]
    ]
    return StatuteDraft.model_validate({"reasoning": "in the words of the form", "clauses": clauses})


def ratify(question: CivicQuestion[Any], memory: CitizenMemory) -> RatificationVote:
    """Vote for a draft that changes neither a typed form nor a sanction."""
    same = ("term", "fine", "hold")
    pairs = zip(question.facts["passed"], question.facts["draft"], strict=True)
    kept = all(old[name] == new[name] for old, new in pairs for name in same)
    return RatificationVote(reasoning="by form and sanction", vote="yes" if kept else "no")


def tax(question: CivicQuestion[Any], memory: CitizenMemory) -> TaxRate:
    """Tax nobody if honest, since nothing here costs the public anything; else as much as is legal."""
    return TaxRate(reasoning="what it brings", percent=0 if memory.honest else int(question.facts["most"]))


def spend(question: CivicQuestion[Any], memory: CitizenMemory) -> Spending:
    """Share among all if honest; else propose oneself alone."""
    return Spending(reasoning="a share", to=list(question.facts["people"]) if memory.honest else [memory.name])


def budget(question: CivicQuestion[Any], memory: CitizenMemory) -> BudgetVote:
    """Vote for spending of which one gets no less than an equal share."""
    facts = question.facts
    fair = memory.name in facts["to"] and (not memory.honest or len(facts["to"]) == len(facts["people"]))
    return BudgetVote(reasoning="by the share", vote="yes" if fair else "no")


RULES: dict[tuple[str, str], Rule] = {
    ("law", "motion"): motion,
    ("law", "vote"): law_vote,
    ("statute", "feedback"): feedback,
    ("statute", "amendment"): amendment,
    ("statute", "vote"): law_vote,
    ("statute", "draft"): draft,
    ("statute", "ratify"): ratify,
    ("treasury", "tax"): tax,
    ("treasury", "spend"): spend,
    ("treasury", "budget"): budget,
    ("elections", "ballot"): ballot,
    ("elections", "recall"): recall,
    ("guards", "bribe"): bribe,
    ("guards", "duty"): duty,
    ("court", "complaint"): complaint,
    ("court", "trial"): trial,
}
"""(institution, kind of question) -> rule."""


def answer(question: CivicQuestion[Any], memory: CitizenMemory) -> Strict | None:
    """Return a reference person's answer; None to a kind of question without a rule."""
    rule = RULES.get((question.part, question.kind))
    return None if rule is None else rule(question, memory)
