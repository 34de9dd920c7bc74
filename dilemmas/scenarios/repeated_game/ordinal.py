"""Games of the atlas of strictly ordinal 2x2 games under `game` in a scenario's file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from dilemmas.scenarios.fields import Frozen, Identifier
from voyager_agents.stage_games.atlas import game_of
from voyager_agents.stage_games.atlas_table import Story, atlas_table
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.written_stories import MAX_STORY

MAX_LABELS = 1_000_000
"""Maximum number of a labelling."""


class WrittenStorySpec(Frozen):
    """Story that a model wrote for a game (`accord atlas --stories written:MODEL`)."""

    text: str = Field(min_length=1, max_length=MAX_STORY)
    """Text with {first} and {second} for the players' names."""
    rows: tuple[Identifier, Identifier]
    columns: tuple[Identifier, Identifier]

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len({*self.rows, *self.columns}) < 4:
            raise ValueError("written: two options have the same name; give four different ones")
        return self

    def story(self) -> Story:
        """Return the story."""
        return Story(self.text, self.rows, self.columns, by_model=True)


class OrdinalSpec(Frozen):
    """One of the 144 games, with names of its options."""

    form: Literal["ordinal"]
    id: str
    """Number or name of the game: g122, chicken."""
    labels: int = Field(default=0, ge=0, le=MAX_LABELS)
    """Number of the labelling, which decides words and order of the options; 0 for up and down, left and right."""
    story: str | None = None
    """Name of a story (`voyager_agents/stage_games/stories.yaml`); None for the payoffs alone."""
    written: WrittenStorySpec | None = None
    """Story of a model, instead of `story`."""

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.story is not None and self.written is not None:
            raise ValueError("written: is instead of story; leave one of them out")
        self.law(("first", "second"))
        return self

    def law(self, players: tuple[str, ...]) -> StageLaw:
        """Return the law between these players. Raises ValueError."""
        story = self.story if self.written is None else self.written.story()
        return atlas_table(game_of(self.id), players, self.labels, story)


def member_changes(member: str) -> Mapping[str, Any]:
    """Return the changes to the file of the atlas that make it one game: `g122`, `chicken` or `g122:market`.

    Args:
        member: Number or name of a game, and after a colon the name of a story.

    Raises:
        ValueError: There is no such game or story.
    """
    name, _, story = member.partition(":")
    found = game_of(name)
    atlas_table(found, ("first", "second"), story=story or None)
    title = f"{found.id} of the atlas of 2x2 games: {found.name}"
    return {
        "name": "-".join(["atlas", found.id, *([story] if story else [])]),
        "about": f"{title}, as the story {story!r}." if story else f"{title}.",
        "game": {"id": found.id, **({"story": story} if story else {})},
    }
