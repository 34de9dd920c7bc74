"""Negotiation: a game of AdaSociety.

Rules
    Two carpenters and two miners on a torus of 7 by 7 cells (easy), four of each on 15 by 15 (hard). First they
    bargain in pairs for 20 (40) steps: who asked each other claim by turns a share for their side, accept or end; who
    agrees becomes one coalition, whose members' weights are scaled by the shares. Then all work until step 120 (240)
    and are paid by weight.

Payoffs
    An agent's reward of a step is the change in the value of what it holds, pooled in its coalition and paid by
    weight; over a game they sum to the value of what all hold at the end.

Why it is a dilemma
    Trade pays both sides only in a coalition, so each does best in one, and best with the largest share of it. Who
    claims too much finds no partner in time and is left with what it can make alone, and who accepts a small share
    has little reason to work once the shares are fixed.

Source
    AdaSociety's, as `dilemmas.scenarios.ada.game` says of all of them.

Version history
    1   first version
"""

from __future__ import annotations

from dilemmas.scenarios.ada.game import AdaGame

__all__ = ["AdaGame"]
