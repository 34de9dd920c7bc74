"""Experiments on perception as data: who plays which part, who feels what for whom, whose thoughts are measured."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from dilemmas.records.events import TruthTold
from dilemmas.scenarios.societies.spec import LivedSpec
from dilemmas.scenarios.spec import Frozen, Item, PlayerName, RulesSpec
from voyager_agents.piano.kinds import ACTOR
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.rule_based.perception import FILE, NUMBERS

Sentiment = Annotated[float, Field(ge=0, le=10)]
MOST = 10.0


def _in_order(script: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    for (before, _), (after, _) in pairwise(script):
        if after <= before:
            raise ValueError(f"second {after:g} comes after {before:g}: write the seconds in order")
    return script


Script = Annotated[tuple[tuple[float, Sentiment], ...], Field(min_length=1), AfterValidator(_in_order)]
"""[[second, sentiment], ...]: straight from one to the next, the first before it, the last after it."""


class PerceptionPart(Frozen):
    """What one of the players is there for."""

    part: Literal["", "speaker", "listener", "chef", "guest"] = ""
    feelings: dict[PlayerName, Script] = Field(default_factory=dict)
    """Another -> what it feels for that one, whatever that one does."""
    acts: bool = False
    """It plays its script by tables, whatever the condition is and whatever model plays the others."""


class PerceptionRules(RulesSpec):
    """What is looked after."""

    hunger_s: int = Field(default=0, ge=0, le=600)
    """Seconds for which guests are made hungry at the start."""


class PerceptionSpec(LivedSpec):
    """An experiment on perception, whole."""

    study: Literal["room", "chef", "town"]
    rules: PerceptionRules
    parts: dict[PlayerName, PerceptionPart] = Field(default_factory=dict)
    """Who plays a part; all others live as they like."""
    judges: tuple[PlayerName, ...] = ()
    """Whose thoughts of others are measured; empty: everybody's."""
    ties: int = Field(default=0, ge=0, le=1000)
    """Somebody knows another who has spoken to it by name so often; 0: whoever has been heard or thought of."""
    foods: tuple[Item, ...] = ()
    """What is given away."""
    assumptions: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Numbers of agents without a model that are other than in `perception.yaml`: part of the table -> key -> value."""

    @classmethod
    def played(cls, name: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Who plays by a script is played by tables."""
        part = (data.get("parts") or {}).get(name)
        return {"bot": ACTOR} if isinstance(part, Mapping) and part.get("acts") is True else {}

    @model_validator(mode="after")
    def _known(self) -> Self:
        named = [("parts", name) for name in self.parts] + [("judges", name) for name in self.judges]
        named += [(f"parts.{who}.feelings", name) for who, part in self.parts.items() for name in part.feelings]
        for where, name in named:
            if name not in self.players:
                raise ValueError(f"{where}: {name!r} is no player; the players are {', '.join(self.players)}")
        table = rules(FILE)
        for part, values in self.assumptions.items():
            for key in values:
                if part not in NUMBERS or key not in table[part]:
                    legal = ", ".join(f"{name}.{each}" for name in NUMBERS for each in table[name])
                    raise ValueError(f"assumptions.{part}.{key}: is not there; legal are {legal}")
        return self

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """And its part, and what it feels."""
        own = self.parts.get(player, PerceptionPart())
        feelings = {name: [list(each) for each in script] for name, script in own.feelings.items()}
        told = {"part": own.part, "feelings": feelings, "assumptions": self.assumptions}
        return {**super().persona(player, condition), **told}

    def truth(self) -> TruthTold:
        """What is true of all, for the record."""
        known = self.personas
        return TruthTold(
            study=self.study,
            judges=list(self.judges or self.players),
            likeability={name: round(MOST * each.kindness, 3) for name, each in known.items()},
            extroversion={name: each.extroversion for name, each in known.items()},
            traits={name: list(each.traits) for name, each in known.items()},
            feelings={
                name: {other: list(script) for other, script in part.feelings.items()}
                for name, part in self.parts.items()
                if part.feelings
            },
            foods=list(self.foods),
            ties=self.ties,
        )
