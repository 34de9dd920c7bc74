"""Social Structure: a game of AdaSociety.

Rules
    Four carpenters and four miners on a torus of 15 by 15 cells for 200 steps. A graph that nobody chose says who
    sees what whom sees, and who is paid of whose work: nobody of anybody (isolation), views alone (connection), two
    teams in equal parts (independent), four teams that overlap (overlapping), two teams in which one takes 0.85
    (inequality), or inequality, from step 30 independent and from step 60 overlapping (dynamic).

Payoffs
    An agent's reward of a step is the change in the value of what it holds, pooled in its groups in equal parts and
    paid by its weights; over a game they sum to the value of what all hold at the end.

Why it is a dilemma
    Carpenters can hold one hammer and see no coal, miners hold no stone: each needs what the other drops, and
    dropping costs at once. Only where the structure pays the one who drops is trade worth it for both; where shares
    are unequal, those who get little have little reason to work for the others.

Source
    AdaSociety's, as `dilemmas.scenarios.ada.game` says of all of them.

Version history
    1   first version
"""

from __future__ import annotations

from dilemmas.scenarios.ada.game import AdaGame

__all__ = ["AdaGame"]
