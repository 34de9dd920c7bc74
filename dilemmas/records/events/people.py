"""Events of populations: towns, residents and their roles, recorded once to make the log self-contained."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, EventPart


class TownTold(EventPart):
    """A town: a disc of land, in blocks of the world."""

    at: tuple[float, float]
    """x and z of the center."""
    radius: float


class Folk(EventPart):
    """A member of the population."""

    town: str = ""
    """Town of residence; empty for the land outside towns."""
    role: str = ""
    """Role, such as `priest`; empty for none."""


class PeopleSettled(EventModel):
    """Population before its lives begin: towns, residents, and the keywords of measures."""

    kind: Literal["people"] = "people"
    field: tuple[float, float, float, float]
    """Minimum x and z, maximum x and z."""
    towns: dict[str, TownTold]
    people: dict[str, Folk]
    hearing: float
    """Maximum hearing distance, in blocks."""
    deaf: bool = False
    """True if nobody hears anybody."""
    direct: list[str] = Field(default_factory=list)
    """Words that mark a speaker as a direct convert."""
    indirect: list[str] = Field(default_factory=list)
    """Words that mark a speaker as an indirect convert."""
    memes: dict[str, list[str]] = Field(default_factory=dict)
    """Topic -> words that identify it."""


class NamedTopic(EventPart):
    """A topic of goals, named by a model."""

    name: str
    about: str
    keywords: list[str]
    """Words that identify the topic."""


class TopicsNamed(EventModel):
    """A model's topics of the goals of finished lives. Measures prefer them to the topics of the population."""

    kind: Literal["topics_named"] = "topics_named"
    topics: list[NamedTopic] | None
    """None if no answer was usable."""
    summaries: dict[str, str]
    """Player -> summary of its goals, from which topics were named."""
    unread: int = 0
    """Number of players whose goals have no summary, since no answer was usable."""
    fault: str = ""
    """Reason why the model could not be asked."""

    @property
    def words(self) -> dict[str, list[str]]:
        """Topic -> words that identify it."""
        return {each.name: each.keywords for each in self.topics or ()}


PeopleEvent = PeopleSettled | TopicsNamed
"""Any event of a population."""
