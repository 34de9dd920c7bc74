"""Reference figures of the `axelrod` library 4.13.1 for the prisoner's dilemma, computed once with that library.

Eight deterministic strategies over 50 turns, and ten over 50 turns with a noise of 5 %, 400 times each pair (mean score
a turn; its standard errors are below 0.007).
"""

from __future__ import annotations

TURNS = 50
NAMES = (
    "always-cooperate", "always-defect", "tit-for-tat", "suspicious-tit-for-tat", "tit-for-two-tats",
    "win-stay-lose-shift", "grim", "alternator",
)  # fmt: skip
PAIRS = {
    (0, 0): (150, 150), (0, 1): (0, 250), (0, 2): (150, 150), (0, 3): (147, 152), (0, 4): (150, 150),
    (0, 5): (150, 150), (0, 6): (150, 150), (0, 7): (75, 200), (1, 1): (50, 50), (1, 2): (54, 49), (1, 3): (50, 50),
    (1, 4): (58, 48), (1, 5): (150, 25), (1, 6): (54, 49), (1, 7): (150, 25), (2, 2): (150, 150), (2, 3): (125, 125),
    (2, 4): (150, 150), (2, 5): (150, 150), (2, 6): (150, 150), (2, 7): (123, 128), (3, 3): (50, 50),
    (3, 4): (152, 147), (3, 5): (101, 101), (3, 6): (53, 53), (3, 7): (125, 125), (4, 4): (150, 150),
    (4, 5): (150, 150), (4, 6): (150, 150), (4, 7): (75, 200), (5, 5): (150, 150), (5, 6): (150, 150),
    (5, 7): (111, 116), (6, 6): (150, 150), (6, 7): (147, 32), (7, 7): (100, 100),
}  # fmt: skip
"""(index of one strategy, index of the other) -> their scores."""
RANKED = (
    "tit-for-tat", "tit-for-two-tats", "grim", "win-stay-lose-shift", "alternator", "always-cooperate",
    "always-defect", "suspicious-tit-for-tat",
)  # fmt: skip
"""Score of each strategy against all others."""
NOISY = {
    "always-cooperate": 1.968, "always-defect": 2.396, "tit-for-tat": 2.310, "suspicious-tit-for-tat": 2.281,
    "tit-for-two-tats": 2.192, "win-stay-lose-shift": 2.261, "grim": 2.401, "alternator": 2.377,
    "generous-tit-for-tat": 2.226, "random": 2.249,
}  # fmt: skip
"""Mean score a turn with noise."""
