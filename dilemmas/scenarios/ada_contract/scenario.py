"""Contract: a game of AdaSociety.

Rules
    Two carpenters and two miners on a torus of 7 by 7 cells (easy), four of each on 15 by 15 (hard). First, for five
    rounds, each in its turn chooses one of as many groups as there are agents; the last choice binds. Then all work
    until step 120 (240): what a group earns is shared by its members in equal parts.

Payoffs
    An agent's reward of a step is the change in the value of what it holds, shared in its group; over a game they sum
    to the value of what all hold at the end.

Why it is a dilemma
    A hammer is worth 5 to a carpenter, who can hold one, and 10 to a miner, who can make none. So a carpenter has to
    drop what it made, which costs it at once, and whether it is paid for that is a matter of the group. In a group of
    all each is tempted to let the others work, and alone nobody trades.

Source
    AdaSociety's, as `dilemmas.scenarios.ada.game` says of all of them.

Version history
    1   first version
"""

from __future__ import annotations

from dilemmas.scenarios.ada.game import AdaGame

__all__ = ["AdaGame"]
