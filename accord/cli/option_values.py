"""Parsers of option values from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.analysis.report.paper.settings import FigureSettings


def name_value_pairs(option: str, given: Sequence[str], example: str) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a mapping.

    Args:
        option: The option's flag, for messages.
        given: The texts.
        example: A legal text, for messages.

    Raises:
        UsageError: A text is not of that form, or a name is given twice.
    """
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise UsageError(f"{option} {text!r} is not NAME=VALUE; write e.g. {option} {example}")
        if name in found:
            raise UsageError(f"{option} is given twice for {name!r}; give it once")
        found[name] = value
    return found


def player_kinds(players: Sequence[str] | None, humans: Sequence[str] | None) -> dict[str, str]:
    """Return player -> kind from the values of `--player` and `--human`.

    Raises:
        UsageError: A value is not legal, or a player has two kinds.
    """
    from voyager_agents.human.connection import HUMAN

    found = name_value_pairs("--player", players or (), "Gizmo=greedy")
    for name in humans or ():
        if found.setdefault(name, HUMAN) != HUMAN:
            raise UsageError(f"--human {name!r}: --player says that {found[name]!r} plays it; give one of them")
    return found


def factor_values(given: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """Return factor -> values from the values of `--vary`. Raises UsageError."""
    found = name_value_pairs("--vary", given or (), "temperature=0,0.7")
    return {key: tuple(value.strip() for value in values.split(",")) for key, values in found.items()}


def values_by_model(option: str, given: Sequence[str] | None) -> tuple[str | None, dict[str, str]]:
    """Return the value for all models, and model -> its own value, from `[MODEL=]VALUE` texts.

    Raises:
        UsageError: A model has two values, or an empty one.
    """
    usual: list[str] = []
    named: dict[str, str] = {}
    for text in given or ():
        spec, sign, value = text.partition("=")
        if not sign or "://" in spec or "/" not in spec:
            usual.append(text)
        elif not value or spec in named:
            raise UsageError(f"{option} {text!r}: give one value, once for each model")
        else:
            named[spec] = value
    if len(usual) > 1:
        raise UsageError(f"{option} is given twice for all models; write openai/NAME=... for one of them")
    return (usual[0] if usual else None), named


def endpoint_settings(base_url: Sequence[str] | None, api_key_file: Sequence[str] | None) -> dict[str, Any]:
    """Return the settings of endpoints from `--base-url` and `--api-key-file`. Raises UsageError."""
    url, urls = values_by_model("--base-url", base_url)
    file, files = values_by_model("--api-key-file", api_key_file)
    return {
        "base_url": url,
        "base_urls": urls,
        "api_key_file": None if file is None else Path(file),
        "api_key_files": {spec: Path(path) for spec, path in files.items()},
    }


def budget_caps(**given: Sequence[str] | None) -> dict[str, dict[str, float]]:
    """Return limits by measure and scope, in the form of `LimitOptions.budget`.

    Raises:
        UsageError: A limit is no number, or given twice.
    """
    from voyager_agents.budget import ALL, OPTIONS

    found: dict[str, dict[str, float]] = {}
    for measure, texts in given.items():
        for text in texts or ():
            scope, sign, number = text.rpartition("=")
            caps = found.setdefault(measure, {})
            if (scope or ALL) in caps:
                raise UsageError(f"{OPTIONS[measure]} {text!r}: this limit is given twice; give it once")
            caps[scope or ALL] = _number(OPTIONS[measure], text, number if scope or not sign else text)
    return found


def _number(option: str, text: str, number: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise UsageError(f"{option} {text!r} is no limit; write e.g. {option} 5 or {option} Gizmo=2") from None


def world_or_usual(name: str | None, scenario: str, embodied: str) -> str:
    """Return `name`, or the scenario's usual world if it is None. Raises UsageError for an unknown world."""
    if name is None:
        from accord.studies.runner import usual_world
        from dilemmas.scenarios.registry import load_scenario

        return usual_world(load_scenario(scenario), embodied)
    check_world(name)
    return name


def check_world(name: str) -> None:
    """Check that a world of this name exists.

    Raises:
        UsageError: The world does not exist.
    """
    from bridge.worlds import WORLDS
    from voyager_agents.errors import did_you_mean

    if name not in WORLDS:
        raise UsageError(
            f"unknown world {name!r}{did_you_mean(name, WORLDS)}: choose one of {', '.join(sorted(WORLDS))}"
        )


def figure_settings(formats: str | None, style: Path | None, widths: str | None) -> FigureSettings | None:
    """Return the settings of figures for a paper, or None without `--figures`.

    Raises:
        UsageError: A value is not legal, or `--style` or `--widths` is given without `--figures`.
    """
    if formats is None:
        if style is not None or widths is not None:
            raise UsageError("--style and --widths are for --figures: add e.g. --figures pdf")
        return None
    from accord.analysis.report.paper.settings import WIDTHS, FigureSettings

    names = tuple(dict.fromkeys(name.strip() for name in formats.split(",")))
    return FigureSettings(names, style, _widths(widths) if widths is not None else WIDTHS)


def report_figures(
    formats: str | None, style: Path | None, widths: str | None, *, report: bool
) -> FigureSettings | None:
    """Return the settings of figures, or None without `--figures`, for a command whose report is optional.

    Args:
        formats: Formats of figures, separated by commas; None for none.
        style: File with a style of matplotlib.
        widths: Widths of figures in inches, separated by commas.
        report: True if a report is written.

    Raises:
        UsageError: A value is not legal, or figures are requested without a report.
    """
    if (found := figure_settings(formats, style, widths)) is not None and not report:
        raise UsageError("--figures are a part of the report: leave out --no-report")
    return found


def _widths(text: str) -> tuple[float, float]:
    try:
        one, two = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"--widths {text!r} is not two widths in inches; write e.g. --widths 3.35,7") from None
    return one, two
