"""Goal generation: one social goal in one sentence, kept unless it is missing or done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.rendering import plain, render
from voyager_agents.piano.rule_based.activity_tables import activity_of
from voyager_agents.piano.rule_based.drives import wishes
from voyager_agents.piano.slots import Drives, Goal, Profile


def rule(view: SlotView) -> Result:
    """Choose a goal by the community's wishes.

    If the agent knows what others do, it prefers activities that few pursue, and tends to keep its goal. Otherwise it
    prefers activities that it has not pursued recently. Drives add to its wishes, and a pressing one
    ends a goal that does not serve it.
    """
    goal: Goal | None = view["goal"]
    numbers = view.rules["goals"]
    others = _others(view)
    drives: Drives | None = view["drives"]
    pushes = {} if drives is None else wishes(drives.levels)
    pressed = drives is not None and bool(drives.pressing) and pushes.get(goal.activity if goal else "", 0.0) <= 0
    if goal is not None and others and not pressed and view.chance.random() < numbers["keep"]:
        return Result({"goal": Goal(goal.text, goal.activity, view.now)})
    wanted = dict(_wants(view["persona"], numbers))
    for activity, push in pushes.items():
        wanted[activity] = wanted.get(activity, 0.0) + push
    filled = _filled(view, numbers) if not others else {}
    scored = []
    for activity, wish in wanted.items():
        crowd = 1 + numbers["crowding"] * others[activity]
        shake = 1 + numbers["noise"] * (2 * view.chance.random() - 1) if others else 1.0
        scored.append((wish * shake / crowd - filled.get(activity, 0.0), activity))
    activity = max(scored)[1]
    text = view.chance.choice(view.rules["activities"][activity]["goals"])
    return Result({"goal": Goal(text, activity, view.now)})


def _others(view: SlotView) -> Counter[str]:
    """Return the number of players recently known to pursue each activity."""
    profiles: Mapping[str, Profile] = view.get("profiles") or {}
    forget_s = view.rules["social"]["forget_s"]
    return Counter(each.activity for each in profiles.values() if each.activity and view.now - each.t_s <= forget_s)


def _filled(view: SlotView, numbers: Mapping[str, Any]) -> dict[str, float]:
    """Return the satiation with each activity: a sum over the last goals, with more weight on recent ones."""
    found: dict[str, float] = {}
    share = float(numbers["fill"])
    for memo in reversed(view["short_memory"]):
        if memo.kind == "goal":
            activity = activity_of(memo.text, view.rules)
            found[activity] = found.get(activity, 0.0) + share
            share *= 1 - numbers["forget"]
    return found


def _wants(persona: Mapping[str, Any], numbers: Mapping[str, Any]) -> Mapping[str, float]:
    """Return the weight of each activity for the community, by keywords of its goal; a trade is the only activity."""
    if trade := persona.get("trade"):
        return {str(trade): 1.0}
    text = persona["community_goal"].lower()
    known = {"martial": ("martial", "military", "defence", "defense"), "artistic": ("artistic", "art", "culture")}
    for community, words in known.items():
        if any(word in text for word in words):
            return dict(numbers["wants"][community])
    return dict(numbers["wants"]["normal" if "village" in text else "usual"])


class NewGoal(Strict):
    """Answer schema: a model's goal."""

    why: str = Field(max_length=200)
    goal: str = Field(min_length=1, max_length=300)


FORM = AnswerForm("goal_generation", NewGoal, {"why": "...", "goal": "You ..."}, reasoning="why")


def ask(view: SlotView) -> Mapping[str, Any]:
    """Return the persona, the community's goal, the profiles of others, the current goal and recalled memories."""
    persona = view["persona"]
    return {
        "name": persona.get("name", ""),
        "traits": persona["traits"],
        "community_goal": persona["community_goal"],
        "others": {name: plain(each) for name, each in (view.get("profiles") or {}).items()},
        "current_goal": render("goal", view["goal"]),
        **({"drives": dict(view["drives"].levels)} if view["drives"] is not None else {}),
        "memories": [memo.text for memo in view["recalled"]],
    }


def read(view: SlotView, answer: NewGoal) -> Result:
    """Return the model's goal with its activity; nothing for an empty text."""
    text = " ".join(answer.goal.split())
    if not text:
        return NOTHING
    return Result({"goal": Goal(text, activity_of(text, view.rules), view.now)})


MODULE = Module(
    name="goal_generation",
    reads=("persona", "profiles", "goal", "recalled", "short_memory", "drives"),
    writes=("goal",),
    when=When(every_s=8.0),
    rule=rule,
    role="goal_generation",
    ask=ask,
    form=FORM,
    read=read,
    prompt="goal_generation",
    draws=True,
)
