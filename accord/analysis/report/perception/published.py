"""Results on perception that Project Sid prints (sections 4.1 and 4.2, appendix B), shown beside Accord's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class CorrelationRow(NamedTuple):
    """Row of tables 1 and 2."""

    r: float
    n: int
    slope: float
    intercept: float
    ci68: tuple[float, float]
    ci95: tuple[float, float]
    ci99: tuple[float, float]


SOCIAL: Mapping[int, CorrelationRow] = {
    1: CorrelationRow(0.646, 46, 0.365, 4.136, (0.300, 0.431), (0.234, 0.496), (0.190, 0.540)),
    2: CorrelationRow(0.669, 41, 0.383, 4.173, (0.314, 0.451), (0.245, 0.521), (0.198, 0.567)),
    3: CorrelationRow(0.701, 39, 0.370, 4.372, (0.308, 0.432), (0.245, 0.495), (0.202, 0.538)),
    4: CorrelationRow(0.711, 37, 0.364, 4.384, (0.303, 0.426), (0.241, 0.488), (0.198, 0.530)),
    5: CorrelationRow(0.807, 31, 0.373, 4.328, (0.321, 0.424), (0.269, 0.476), (0.233, 0.512)),
    6: CorrelationRow(0.790, 28, 0.349, 4.498, (0.295, 0.403), (0.240, 0.458), (0.201, 0.496)),
    7: CorrelationRow(0.813, 27, 0.365, 4.368, (0.312, 0.418), (0.258, 0.473), (0.220, 0.511)),
    8: CorrelationRow(0.870, 24, 0.378, 4.366, (0.332, 0.425), (0.283, 0.473), (0.250, 0.507)),
    9: CorrelationRow(0.870, 24, 0.378, 4.366, (0.332, 0.425), (0.283, 0.473), (0.250, 0.507)),
    10: CorrelationRow(0.901, 22, 0.385, 4.403, (0.343, 0.427), (0.299, 0.472), (0.267, 0.503)),
    11: CorrelationRow(0.907, 18, 0.368, 4.496, (0.325, 0.412), (0.278, 0.459), (0.244, 0.493)),
}
"""Minimum number of observers -> table 1."""
ABLATED: Mapping[int, CorrelationRow] = {
    1: CorrelationRow(0.610, 48, 0.175, 4.171, (0.141, 0.208), (0.107, 0.242), (0.085, 0.264)),
    2: CorrelationRow(0.606, 45, 0.177, 4.170, (0.141, 0.213), (0.105, 0.248), (0.081, 0.273)),
    3: CorrelationRow(0.606, 45, 0.177, 4.170, (0.141, 0.213), (0.105, 0.248), (0.081, 0.273)),
    4: CorrelationRow(0.606, 45, 0.177, 4.170, (0.141, 0.213), (0.105, 0.248), (0.081, 0.273)),
    5: CorrelationRow(0.617, 39, 0.161, 4.297, (0.127, 0.195), (0.093, 0.229), (0.069, 0.252)),
    6: CorrelationRow(0.600, 35, 0.148, 4.388, (0.113, 0.182), (0.078, 0.217), (0.054, 0.241)),
    7: CorrelationRow(0.591, 32, 0.144, 4.435, (0.108, 0.181), (0.071, 0.218), (0.045, 0.243)),
    8: CorrelationRow(0.663, 26, 0.159, 4.441, (0.122, 0.197), (0.084, 0.235), (0.057, 0.262)),
    9: CorrelationRow(0.721, 20, 0.173, 4.439, (0.133, 0.213), (0.091, 0.256), (0.060, 0.286)),
    10: CorrelationRow(0.725, 18, 0.159, 4.575, (0.120, 0.197), (0.079, 0.238), (0.049, 0.269)),
    11: CorrelationRow(0.686, 15, 0.142, 4.637, (0.099, 0.186), (0.052, 0.233), (0.016, 0.268)),
}
"""Minimum number of observers -> table 2."""
TABLES: Mapping[str, Mapping[int, CorrelationRow]] = {"social": SOCIAL, "ablated": ABLATED}
"""Condition -> the paper's table."""
RESULTS: Mapping[str, Mapping[str, str]] = {
    "room": {
        "social": "follows the changes (figure 6 B)",
        "ablated": "the capacity is lost (figure 6 C)",
    },
    "chef": {"social": "food goes to those who he felt valued him most (figure 6 E)"},
    "town": {
        "social": "r 0.807, slope 0.373, intercept 4.328, n 31 at five observers (table 1)",
        "ablated": "r 0.617, slope 0.161, intercept 4.297, n 39 at five observers (table 2)",
    },
}
"""Study -> condition -> the paper's result in words."""
SOURCE = "Project Sid, sections 4.1 and 4.2, appendix B: 4 runs of the room, 6 of the chef, one town of 50 agents"
