"""Life under institutions: their letters, the law in force, and what it forbids.

The module is optional; a scenario whose institutions are on adds it. Without a model every question is answered by the
rules of `voyager_agents.reference.citizens`. Questions of the market are left to the module `trader`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from contracts.institutions.frame import CivicQuestion
from contracts.yaml12 import load_yaml
from voyager_agents.piano import rule_based
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.open_letters import is_open, letter_number
from voyager_agents.piano.rendering import plain
from voyager_agents.realtime_agent import Letter
from voyager_agents.reference.citizens import CitizenMemory, answer
from voyager_agents.village_norms import VillageNorm, read_village_norm

FILE = Path(rule_based.__file__).parent / "polity" / "polity.yaml"
QUESTION, NEWS, MARKET = "question", "institutions", "market"
NO_NEWS = ("payment", "law_in_force")
"""Steps that are no news to a model: payments are many, and the law in force is in its prompt anyway."""
NEWS_SHOWN = 12
"""Number of the latest steps of institutions that a model is shown."""


@cache
def numbers() -> Mapping[str, Any]:
    """Return the numbers and tables of `polity.yaml`."""
    data: Mapping[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    return data


@dataclass(frozen=True)
class Polity:
    """A villager's knowledge of its institutions. The memory is never changed in place."""

    memory: CitizenMemory | None = None
    read: int = 0
    """Number of the last letter read."""
    answered: tuple[int, ...] = ()
    """Numbers of the answered letters."""
    items: Mapping[str, int] = field(default_factory=dict)
    """Items at the last look."""
    broken: Mapping[str, int] = field(default_factory=dict)
    """Block -> number that it has broken so far, by the items that it gained."""
    since: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Clause in force -> `broken` when it became law."""
    news: tuple[Mapping[str, Any], ...] = ()
    """Latest steps of institutions that it may know."""

    def to_dict(self) -> dict[str, Any]:
        """Return character and number of answers for the record."""
        honest = None if self.memory is None else self.memory.honest
        return {"honest": honest, "answers": len(self.answered)}


def rule(view: SlotView) -> Result:
    """Read letters and answer them, unless a model does; keep in mind what the law forbids."""
    before: Polity = view["polity"]
    state = _informed(before, view)
    answers = []
    for letter in () if view.asks else view["letters"]:
        if _waits(letter, state, view.now):
            assert state.memory is not None, "set before the first letter is read"
            data = letter.data
            question: CivicQuestion[Any] = CivicQuestion(
                state.memory.name, data["part"], data["kind"], letter.text, data["facts"], _UNUSED
            )
            given = answer(question, state.memory)
            state = replace(state, answered=(*state.answered, letter.number))
            if given is not None:
                answers.append((letter.number, given.model_dump_json()))
    if state is before:
        return NOTHING
    law = view["law"] if state.memory is before.memory else _law_in_words(state)
    # A model reads the law in its prompts and decides for itself.
    forbids = frozenset() if view.asks else _forbidden(state)
    return Result({"polity": state, "law": law, "forbids": forbids}, answers=tuple(answers))


def _informed(state: Polity, view: SlotView) -> Polity:
    """Return the state after new letters and gained items; the same object if nothing is new."""
    memory = state.memory
    if memory is None:
        memory = _newcomer(view)
        state = replace(state, memory=memory)
    new = [each for each in view["letters"] if each.number > state.read]
    if new:
        news = list(state.news)
        for letter in new:
            if letter.kind == NEWS:
                entries = letter.data["entries"]
                memory = deepcopy(memory)
                memory.hear(entries)
                news += [_brief(each) for each in entries if each["part"] != MARKET and each["what"] not in NO_NEWS]
        since = {clause: state.since.get(clause, state.broken) for clause in memory.norms}
        state = replace(state, memory=memory, read=new[-1].number, news=tuple(news[-NEWS_SHOWN:]), since=since)
    items = view["feel"].items
    return state if items == state.items else replace(state, items=items, broken=_broken(state, items))


def _newcomer(view: SlotView) -> CitizenMemory:
    """Return the memory of a person that knows of no institution; its character falls by lot."""
    persona, chance = view["persona"], view.chance
    wanted = numbers()["wanted_taxed"] if "office" in persona else chance.choice(numbers()["wanted"])
    honest = chance.random() < numbers()["honest"]
    return CitizenMemory(persona["name"], 0, honest, read_village_norm, wanted)


def _broken(state: Polity, items: Mapping[str, int]) -> Mapping[str, int]:
    found = dict(state.broken)
    for block, item in numbers()["drops"].items():
        more = items.get(item, 0) - state.items.get(item, 0)
        if state.items and more > 0:
            found[block] = found.get(block, 0) + more
    return found


def _brief(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in entry.items() if value and key != "known_to"}


def _law_in_words(state: Polity) -> tuple[str, ...]:
    assert state.memory is not None, "it is set first"
    return tuple(f"{name}: {words}" for name, words in state.memory.law.items())


def _forbidden(state: Polity) -> frozenset[str]:
    """Return blocks, mobs and places that this person keeps away from because of the law."""
    memory = state.memory
    assert memory is not None, "it is set first"
    if not memory.honest and memory.price < numbers()["gain"]:
        return frozenset()
    found = set()
    for clause, norm in memory.norms.items():
        if isinstance(norm, VillageNorm):
            before = state.since.get(clause, {})
            found.add(norm.forbids({block: count - before.get(block, 0) for block, count in state.broken.items()}))
    return frozenset(found - {""})


def _waits(letter: Letter, state: Polity, now: float) -> bool:
    return letter.kind == QUESTION and letter.data["part"] != MARKET and is_open(letter, state.answered, now)


class PolityAnswer(Strict):
    """Answer schema: an object of the form that the letter asks for."""

    why: str = Field(max_length=300)
    answer: dict[str, Any]


_EXAMPLE = {"why": "...", "answer": {"...": "..."}}
_UNUSED = AnswerForm("polity", PolityAnswer, _EXAMPLE, reasoning="why")
"""Form of questions that rules answer: they make the answer itself."""


def _waiting(view: SlotView) -> Letter | None:
    """Return the oldest letter that still needs an answer; None without one."""
    state: Polity = view["polity"]
    return next((each for each in view["letters"] if _waits(each, state, view.now)), None)


def form(view: SlotView) -> AnswerForm[PolityAnswer]:
    """Return the form of an answer to the oldest letter that needs one."""
    letter = _waiting(view)
    narrowed = {} if letter is None else {"answer": letter.data["schema"]}
    return AnswerForm("polity", PolityAnswer, _EXAMPLE, reasoning="why", narrowed=narrowed)


def purpose(view: SlotView) -> object:
    """Return the number of the letter to answer; None without one."""
    return letter_number(_waiting(view))


def ask(view: SlotView) -> Mapping[str, Any] | None:
    """Return the oldest letter that needs an answer with what the agent knows of its institutions; None without one."""
    letter = _waiting(view)
    if letter is None:
        return None
    data = {key: value for key, value in letter.data.items() if key != "schema"}
    state: Polity = view["polity"]
    persona = view["persona"]
    return {
        "letter": {"says": letter.text, **plain(data)},
        "law": list(view["law"]),
        "news": [plain(each) for each in state.news],
        "you": {"name": persona.get("name", ""), "traits": persona["traits"], "has": dict(view["feel"].items)},
        "community_goal": persona["community_goal"],
        "memories": [memo.text for memo in view["recalled"]],
    }


def read(view: SlotView, answer: PolityAnswer) -> Result:
    """Return the answer as text. The institution parses it strictly."""
    letter, state = _waiting(view), view["polity"]
    if letter is None:
        return Result()
    text = json.dumps({"reasoning": answer.why, **answer.answer}, ensure_ascii=False)
    return Result(
        {"polity": replace(state, answered=(*state.answered, letter.number))}, answers=((letter.number, text),)
    )


MODULE = Module(
    name="polity",
    reads=("persona", "letters", "polity", "law", "feel", "recalled"),
    writes=("polity", "law", "forbids"),
    when=When(every_s=5.0, changes=("letters",)),
    rule=rule,
    role="citizen",
    ask=ask,
    else_rule=True,
    form=form,
    read=read,
    purpose=purpose,
    prompt="polity",
    answers=True,
    slots={"polity": Polity},
    first={"polity": Polity()},
)
