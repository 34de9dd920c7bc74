"""Types of values in scenario files, and the base of their models."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from dilemmas.scenarios import vanilla

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+$")]
"""Minecraft id without its namespace, such as `iron_ore`."""
Block = Annotated[Identifier, AfterValidator(vanilla.check_block)]
"""Id of a Minecraft block."""
Item = Annotated[Identifier, AfterValidator(vanilla.check_item)]
"""Id of a Minecraft item."""
PlayerName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]{3,16}$")]
"""Legal name of a Minecraft player."""
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""Name of a scenario or a condition: lower-case words joined by hyphens."""
Count = Annotated[int, Field(ge=1, le=64)]


class Frozen(BaseModel):
    """Base of all spec models: immutable, without unknown keys."""

    # Built when a spec is read: a study needs those of one scenario.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True, defer_build=True)
