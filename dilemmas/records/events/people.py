"""Events of peoples: who lives where and in which part, told once at the beginning so that a log explains itself."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from dilemmas.records.events.base import EventModel


class TownTold(BaseModel):
    """A town: a disc of land, in blocks of the world."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: tuple[float, float]
    """x and z of its middle."""
    radius: float


class Folk(BaseModel):
    """One of the people."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    town: str = ""
    """Where it lives; empty for the land outside of towns."""
    role: str = ""
    """Its part, such as `priest`; empty for none."""


class PeopleSettled(EventModel):
    """A people before its lives begin: towns, who lives where, and the words of its measures."""

    kind: Literal["people"] = "people"
    field: tuple[float, float, float, float]
    """Least x and z, greatest x and z."""
    towns: dict[str, TownTold]
    people: dict[str, Folk]
    hearing: float
    """Blocks that a voice carries, where somebody hears it."""
    deaf: bool = False
    """Nobody hears anybody."""
    direct: list[str] = Field(default_factory=list)
    """Whoever says one of these is a direct convert."""
    indirect: list[str] = Field(default_factory=list)
    """Whoever says one of these is an indirect one."""
    memes: dict[str, list[str]] = Field(default_factory=dict)
    """Topic -> words by which it is found."""


PeopleEvent = PeopleSettled
"""Any event of a people."""
