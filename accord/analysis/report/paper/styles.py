"""Style of figures for papers: Accord's own, overridden line by line by a user's file."""

from __future__ import annotations

import difflib
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.analysis.report import style
from accord.analysis.report.canvas import font_manager, matplotlib
from dilemmas.errors import UsageError

OWN = Path(__file__).parent / "paper.mplstyle"
GENERIC = frozenset({"serif", "sans-serif", "cursive", "fantasy", "monospace"})
FORCED = {
    # Names come from records and are never parsed as TeX or formulas.
    "text.usetex": False,
    "text.parse_math": False,
    # Equal records give equal bytes.
    "svg.hashsalt": "accord",
}
Rc = dict[str, Any]


def read_style(file: Path | None) -> Rc:
    """Return matplotlib's settings for figures of papers. Raises UsageError for a file that is no style."""
    found = {**_read(OWN), **(_read(file) if file else {})}
    if file and found.get("text.usetex"):
        raise UsageError(
            f"--style {file}: text.usetex: True is not possible, since names would be read as TeX; leave it"
        )
    _check_fonts(file, found)
    return {**found, **FORCED}


def theme_of(rc: Rc, width: float) -> style.Theme:
    """Return the colours of a style as a theme of that width in inches."""
    colours = tuple(f"#{colour.lstrip('#')}" if _is_hex(colour) else colour for colour in _cycle(rc))
    return replace(
        style.LIGHT,
        ink=_colour(rc, "text.color", style.LIGHT.ink),
        faint=_colour(rc, "axes.edgecolor", style.LIGHT.faint),
        grid=_colour(rc, "grid.color", style.LIGHT.grid),
        players=colours or style.LIGHT.players,
        width=width,
    )


def _read(file: Path) -> Rc:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "not UTF-8 text"
        raise UsageError(f"--style {file}: {reason}; give a matplotlib style file") from None
    _check_keys(file, text)
    # An unreadable file gives one line of error below, without matplotlib's own log lines.
    logger = logging.getLogger("matplotlib")
    level, logger.level = logger.level, logging.CRITICAL
    try:
        found = matplotlib.rc_params_from_file(file, fail_on_error=True, use_default_template=False)
        return {str(key): value for key, value in found.items()}
    except (ValueError, KeyError) as error:
        raise UsageError(f"--style {file}: {' '.join(str(error).split())[:200]}") from None
    finally:
        logger.level = level


def _check_keys(file: Path, text: str) -> None:
    for number, line in enumerate(text.splitlines(), 1):
        key, colon, _ = line.partition("#")[0].partition(":")
        key = key.strip()
        if key and (not colon or key not in matplotlib.rcParams):
            close = difflib.get_close_matches(key, list(matplotlib.rcParams), n=1)
            hint = f"did you mean {close[0]!r}?" if close else "write KEY: VALUE with keys of matplotlib's styles"
            raise UsageError(f"--style {file}, line {number}: {key!r} is no setting of matplotlib; {hint}")


def _check_fonts(file: Path | None, rc: Rc) -> None:
    """Raise UsageError for a missing font; matplotlib would silently use another."""
    named = [name for name in rc.get("font.family", ()) if name not in GENERIC]
    if not named or any(_there(name) for name in named):
        return
    raise UsageError(f"--style {file}: font.family: {named[0]!r} is not on this machine; install it, or name another")


def _there(name: str) -> bool:
    return any(font.name == name for font in font_manager.fontManager.ttflist)


def _cycle(rc: Rc) -> list[str]:
    cycle = rc.get("axes.prop_cycle")
    return [str(colour) for colour in cycle.by_key().get("color", [])] if cycle is not None else []


def _is_hex(colour: str) -> bool:
    return len(colour) in (6, 8) and all(letter in "0123456789abcdefABCDEF" for letter in colour)


def _colour(rc: Rc, key: str, default: str) -> str:
    found = str(rc.get(key, default))
    return f"#{found}" if _is_hex(found) else found
