"""Annotations of options: their command line form and the range of their numbers (`accord.studies.option_groups`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CommandOption:
    """Command line form of an option."""

    flag: str
    """Option with its dashes; aliases follow after commas."""
    metavar: str
    """Placeholder of the value in the help; empty for a switch."""
    help: str
    show_default: str | None = None
    """Text shown as the default; None for the default value itself."""
    repeated: bool = False
    """True if the option may be given several times, each with one entry of the value."""
    more: str = ""
    """Markdown that follows the help in docs/cli.md, such as links."""

    @property
    def parameter(self) -> str:
        """Name of the command's parameter."""
        return self.flag.split(",")[0].removeprefix("--").replace("-", "_")


@dataclass(frozen=True)
class Bounds:
    """Legal range of a number."""

    min: float | None = None
    max: float | None = None
    above: float | None = None
    """Exclusive minimum of a finite number."""

    def in_words(self, unit: str = "") -> str:
        """Return the range in words, with an optional unit."""
        if self.above is not None:
            return f"{unit or 'a number'} above {self.above:g}"
        return f"{self.min:g} or more" if self.max is None else f"{self.min:g} to {self.max:.0f}"


COUNT = Bounds(min=1)
SECONDS = Bounds(above=0)
