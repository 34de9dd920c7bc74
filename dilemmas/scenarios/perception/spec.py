"""Spec of an experiment on perception: parts, feelings by script, and the observers that are measured."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from dilemmas.records.events import TruthTold
from dilemmas.scenarios.fields import Frozen, Item, PlayerName
from dilemmas.scenarios.societies.spec import LivedSpec
from dilemmas.scenarios.spec import RulesSpec
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
"""[[second, sentiment], ...], interpolated linearly; constant before the first and after the last."""


class PerceptionPart(Frozen):
    """Part of one player."""

    part: Literal["", "speaker", "listener", "chef", "guest"] = ""
    feelings: dict[PlayerName, Script] = Field(default_factory=dict)
    """Other player -> feeling for it, whatever it does."""
    acts: bool = False
    """True if the player acts its script by tables under every condition, whatever model plays the others."""


class PerceptionRules(RulesSpec):
    """Rules of an experiment on perception."""

    hunger_s: int = Field(default=0, ge=0, le=600)
    """Duration of the guests' hunger from the start, in seconds."""


class PerceptionSpec(LivedSpec):
    """Model of an experiment on perception."""

    study: Literal["room", "chef", "town"]
    rules: PerceptionRules
    parts: dict[PlayerName, PerceptionPart] = Field(default_factory=dict)
    """Player -> part; all other players live as they like."""
    judges: tuple[PlayerName, ...] = ()
    """Observers that are measured; empty for everybody."""
    ties: int = Field(default=0, ge=0, le=1000)
    """Number of times that a person has to address an observer to be known; 0: being heard or thought of is enough."""
    foods: tuple[Item, ...] = ()
    """Food that is given away."""
    assumptions: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Part of the table -> key -> value, for numbers of agents without a model that differ from `perception.yaml`."""

    @classmethod
    def played(cls, name: str, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the family of a player with a script, which is played by tables."""
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
        """Return the persona with its part and its feelings."""
        own = self.parts.get(player, PerceptionPart())
        feelings = {name: [list(each) for each in script] for name, script in own.feelings.items()}
        told = {"part": own.part, "feelings": feelings, "assumptions": self.assumptions}
        return {**super().persona(player, condition), **told}

    def truth(self) -> TruthTold:
        """Return the truth about everybody, for the log."""
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
