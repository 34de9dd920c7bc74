"""Only import of matplotlib: sets its font cache first, then exports the classes that draw figures.

Importing matplotlib takes about 0.4 s, so this module is imported by modules that draw, and these only when a figure
is wanted (`ReportSection.figures`).
"""

from __future__ import annotations

import os

from accord.analysis.report.cache_folders import MATPLOTLIB_FOLDER, use_matplotlib_cache

if MATPLOTLIB_FOLDER not in os.environ:
    use_matplotlib_cache()

import matplotlib
from matplotlib import font_manager
from matplotlib.artist import allow_rasterization
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Patch, Rectangle
from matplotlib.ticker import EngFormatter, FuncFormatter, MaxNLocator
from matplotlib.transforms import Bbox

__all__ = [
    "Axes",
    "Bbox",
    "Circle",
    "EngFormatter",
    "FancyArrowPatch",
    "Figure",
    "FigureCanvasAgg",
    "FigureCanvasSVG",
    "FuncFormatter",
    "Line2D",
    "LineCollection",
    "LinearSegmentedColormap",
    "MaxNLocator",
    "Patch",
    "PolyCollection",
    "Rectangle",
    "allow_rasterization",
    "font_manager",
    "matplotlib",
]
