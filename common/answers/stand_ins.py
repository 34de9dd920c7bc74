"""Stand-ins: what a player does for whom no usable answer came."""

from __future__ import annotations

from typing import Literal

StandIn = Literal["idle", "last", "random", "reference"]
"""`idle`: the neutral action. `last`: the player's own last choice, or else the mode's usual stand-in. `random`: a
seeded uniform draw among the legal options. `reference`: the choice of the reference player."""
