"""Pictures that models are shown with their prompts (`--see`).

A picture goes with every question of the roles that a family lists in `Family.sees`: of the player's start before a
game, of what it sees now during the game, and of the end of the episode for a critic.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from voyager_agents.facts import BuildFacts, Commons, Facts, KitchenFacts, PublicGood, ScenarioFacts, ValuesAlone
from voyager_agents.models.images import ModelImage

See = Literal["words", "image", "both"]
"""Form in which models see the world: words alone, a picture instead of the words for what it shows, or both."""
_PLACES = (Facts, PublicGood, Commons, KitchenFacts, BuildFacts)
"""Facts whose sentences say where things are, and nothing else."""


@dataclass(frozen=True)
class View:
    """A picture for one question."""

    image: ModelImage
    caption: str
    """Sentence that tells the model what the picture shows."""


Look = Callable[[str], Awaitable[Sequence[View]]]
"""Role -> pictures for its next question. In mode `life` a look takes until the next beat."""
LookCost = Callable[[str], int]
"""Role -> estimated tokens of the pictures of one question."""


async def no_views(_role: str = "") -> Sequence[View]:
    """Return no pictures."""
    return ()


def no_tokens(_role: str) -> int:
    """Return the tokens of no picture."""
    return 0


def images_of(views: Iterable[View]) -> tuple[ModelImage, ...]:
    """Return the images of pictures."""
    return tuple(view.image for view in views)


def with_captions(text: str, views: Sequence[View]) -> str:
    """Return the text of a message with the captions of its pictures after it; unchanged without pictures."""
    return "\n\n".join([text.rstrip(), *(view.caption for view in views)]) if views else text


def without_places(facts: ScenarioFacts | None) -> ScenarioFacts | None:
    """Return the facts for prompts with pictures, without the places of things that a picture shows."""
    if not isinstance(facts, _PLACES):
        return facts
    return ValuesAlone(facts.players, facts.values, facts.currency)
