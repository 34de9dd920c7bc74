"""Social awareness: profiles of other players with character, apparent activity and the sentiment towards them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import bounded_schema, limit_values, list_schema, points_schema
from voyager_agents.errors import ReplyError
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, When
from voyager_agents.piano.rendering import plain
from voyager_agents.piano.rule_based.activity_tables import activity_of
from voyager_agents.piano.slots import Profile
from voyager_agents.realtime_agent import HeardWords

NEUTRAL = 5.0
MAX_PROFILES = 60


def rule(view: SlotView) -> Result:
    """Update the profiles of speakers from new words: activity and, by a word list, sentiment."""
    profiles = dict(view["profiles"])
    last = max((each.t_s for each in profiles.values()), default=-1.0)
    new = [heard for heard in view["hearing"] if heard.t_s > last]
    if not new:
        return NOTHING
    for heard in new:
        profiles[heard.speaker] = _heard(profiles.get(heard.speaker), heard, view.rules)
    return Result({"profiles": latest(profiles)})


def _heard(before: Profile | None, heard: HeardWords, rules: Mapping[str, Any]) -> Profile:
    numbers = rules["social"]
    profile = before or Profile("", NEUTRAL, "", heard.t_s, "")
    activity = activity_of(heard.text, rules) or profile.activity
    felt = profile.sentiment
    stance = NEUTRAL + 5.0 * _warmth(heard.text, numbers)
    if abs(stance - felt) <= numbers["confidence"]:
        felt += numbers["step"] * (stance - felt)
    return Profile(heard.text, round(felt, 3), activity, heard.t_s, "heard")


def _warmth(text: str, numbers: Mapping[str, Any]) -> float:
    """Return the warmth of a text by word lists, from -1 (cold) to 1 (warm)."""
    said = text.lower()
    warm = sum(word in said for word in numbers["warm"])
    cold = sum(word in said for word in numbers["cold"])
    return (warm - cold) / max(1, warm + cold)


def latest(profiles: Mapping[str, Profile]) -> dict[str, Profile]:
    """Return the `MAX_PROFILES` most recently updated profiles, sorted by name."""
    ranked = sorted(profiles.items(), key=lambda each: (-each[1].t_s, each[0]))[:MAX_PROFILES]
    return dict(sorted(ranked))


MAX_PEOPLE = 20
"""Maximum players that one answer is about."""


class SocialJudgement(Strict):
    """Answer schema: a model's judgement of one player."""

    name: str = Field(max_length=16)
    summary: str = Field(max_length=300)
    sentiment: float = Field(ge=0, le=10, strict=False)
    activity: str = Field(max_length=60)


class Judgement(Strict):
    """Answer schema: a model's judgement of the players who spoke."""

    people: list[SocialJudgement] = Field(max_length=MAX_PEOPLE)


EXAMPLE = {"people": [{"name": "...", "summary": "...", "sentiment": 5, "activity": "..."}]}


def form(view: SlotView) -> AnswerForm[Judgement]:
    """Return the form of judgements; its schema offers the players that were heard or are known."""
    return AnswerForm("social_awareness", Judgement, EXAMPLE, narrowed={"people": _people_schema(view)})


def _people_schema(view: SlotView) -> Mapping[str, Any]:
    names = sorted({*view["profiles"], *(heard.speaker for heard in view["hearing"])})
    judged = limit_values(bounded_schema(SocialJudgement), {"name": names} if names else {})
    judged["properties"]["sentiment"] = points_schema(10)
    return list_schema(judged, 0, min(len(names) or MAX_PEOPLE, MAX_PEOPLE))


def ask(view: SlotView) -> Mapping[str, Any] | None:
    """Return the new words, the speakers' profiles and the players near; None without new words."""
    profiles: Mapping[str, Profile] = view["profiles"]
    last = max((each.t_s for each in profiles.values()), default=-1.0)
    new = [heard for heard in view["hearing"] if heard.t_s > last]
    if not new:
        return None
    speakers = {heard.speaker for heard in new}
    known = {name: plain(each) for name, each in profiles.items() if name in speakers}
    near = [each.name for each in view["percepts"].players] if view.at("percepts").version else []
    return {"heard": [plain(each) for each in new], "known": known, "near": near}


def read(view: SlotView, answer: Judgement) -> Result:
    """Return the updated profiles. Raises ReplyError for a player who is neither heard nor known."""
    profiles = dict(view["profiles"])
    heard = {each.speaker for each in view["hearing"]}
    for each in answer.people:
        if each.name not in heard and each.name not in profiles:
            raise ReplyError("unknown", f"{each.name[:20]!r} has said nothing; judge those that were heard")
        profile = Profile(each.summary, round(each.sentiment, 3), "", view.now, "thought")
        profiles[each.name] = replace(profile, activity=activity_of(each.activity, view.rules) or each.activity)
    return Result({"profiles": latest(profiles)})


MODULE = Module(
    name="social_awareness",
    reads=("hearing", "percepts", "profiles"),
    writes=("profiles",),
    when=When(changes=("hearing",), least_s=5.0),
    rule=rule,
    role="social_awareness",
    ask=ask,
    form=form,
    read=read,
    prompt="social_awareness",
)
