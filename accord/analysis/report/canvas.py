"""The one place that loads matplotlib: its font cache first, then the classes that figures are drawn with.

Importing matplotlib takes about 0.4 s, so this module is imported by modules that draw, and these only when a figure
is wanted (`ReportSection.figures`).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def _keep_cache_in_installation() -> None:
    """Keep matplotlib's font cache inside this Python installation, unless the user has chosen a place.

    A run then writes nothing outside its directory and the installation. matplotlib reads the variable when it is
    imported.
    """
    cache = Path(sys.prefix) / "cache" / "matplotlib"
    if "MPLCONFIGDIR" in os.environ or sys.prefix == sys.base_prefix or not os.access(sys.prefix, os.W_OK):
        return
    cache.mkdir(parents=True, exist_ok=True)
    os.environ["MPLCONFIGDIR"] = str(cache)


_keep_cache_in_installation()

import matplotlib  # noqa: E402 - the font cache must have a place first
from matplotlib import font_manager  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402
from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: E402
from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: E402
from matplotlib.collections import LineCollection, PolyCollection  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.patches import Circle, Patch, Rectangle  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402

__all__ = [
    "Axes",
    "Circle",
    "Figure",
    "FigureCanvasAgg",
    "FigureCanvasSVG",
    "Line2D",
    "LineCollection",
    "MaxNLocator",
    "Patch",
    "PolyCollection",
    "Rectangle",
    "font_manager",
    "matplotlib",
]
