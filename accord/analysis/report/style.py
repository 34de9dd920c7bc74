"""Style of figures: one palette that is distinct for colour-blind readers, light and dark."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

NARROW = 5.0
"""Width in inches below which a figure has one panel in a row."""


@dataclass(frozen=True)
class Theme:
    """Colours and width; players' colours are Okabe and Ito's, lightened for dark ground where needed."""

    name: str
    ink: str
    faint: str
    grid: str
    difference: str
    """Fill between reward curves."""
    players: tuple[str, ...]
    width: float = 8.4
    """Width of a figure in inches."""

    @property
    def narrow(self) -> bool:
        """Return whether only small panels fit beside each other."""
        return self.width < NARROW

    def columns(self, count: int) -> int:
        """Return the number of panels in a row where a wide figure has `count`."""
        return min(count, 1) if self.narrow else count

    def player(self, index: int) -> str:
        """Return the colour of the player at that index of the scenario; colours repeat after the last."""
        return self.players[index % len(self.players)]

    def condition(self, index: int) -> str:
        """Return the colour of a condition: plain for the first, and never the first players' colours."""
        rest = self.players[2:] + self.players[:2]
        return rest[(index - 1) % len(rest)] if index else self.faint


LIGHT = Theme(
    "light", "#1d2327", "#5d6971", "#dde2e5", "#d62728",
    ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9"),
)  # fmt: skip
DARK = Theme(
    "dark", "#e8ecee", "#a3adb4", "#3a444b", "#ff6b6b",
    ("#56b4e9", "#f0a030", "#2fd6a3", "#e39ac4", "#e6d84a", "#9fc5e8"),
)  # fmt: skip

_DARK = {
    **dict(zip(LIGHT.players, DARK.players, strict=True)),
    **{getattr(LIGHT, name): getattr(DARK, name) for name in ("ink", "faint", "grid", "difference")},
}
_COLOUR = re.compile("|".join(_DARK))


def on_dark_ground(svg: str) -> str:
    """Return a light figure in the dark theme's colours, which saves a second drawing."""
    return _COLOUR.sub(lambda colour: _DARK[colour[0]], svg)


DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), "-.")
"""Line styles by player, so that colour is not the only sign."""
MARKERS = ("o", "s", "^", "D", "v", "P")


def settings(theme: Theme) -> dict[str, Any]:
    """Return matplotlib's settings: deterministic SVG with letters as paths, quiet axes, transparent ground."""
    return {
        "svg.hashsalt": "accord",
        "svg.fonttype": "path",
        "font.family": "DejaVu Sans",
        "font.size": 9,
        "axes.titlesize": 10,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.labelsize": 9,
        "axes.edgecolor": theme.faint,
        "axes.labelcolor": theme.faint,
        "axes.titlecolor": theme.ink,
        "axes.facecolor": "none",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.color": theme.grid,
        "grid.linewidth": 0.7,
        "xtick.color": theme.faint,
        "ytick.color": theme.faint,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "text.color": theme.ink,
        "text.parse_math": False,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "lines.linewidth": 1.9,
        "figure.facecolor": "none",
        "savefig.facecolor": "none",
    }
