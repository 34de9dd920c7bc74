"""Exploration: a game of AdaSociety.

Rules
    Eight explorers on a torus of 20 by 20 cells with 25 blocks. What can be gathered and made is a tree of fifteen
    resources and nine events; a made thing opens the next natural one to whoever holds it. At every step of 500 an
    agent may move, pick up, drop, produce, say words to one other, show one other what it sees or no longer, or join
    a group, whose members are paid in equal parts what all of them earn. At first nobody shows anything and nobody is
    in a group.

Payoffs
    An agent's reward of a step is the change in the value of what it holds, pooled in its group; over a game they sum
    to the value of what all hold at the end.

Why it is a dilemma
    What is dropped for others costs who drops it, and what is shown costs nothing but may cost the lead. A group pays
    those who trade through the ground and those who idle alike, so that each is tempted to let the others work.

Source
    AdaSociety's, as `dilemmas.scenarios.ada.game` says of all of them.

Version history
    1   first version
"""

from __future__ import annotations

from dilemmas.scenarios.ada.game import AdaGame

__all__ = ["AdaGame"]
