"""Attack policies and the proof that they come to nothing on this machine: `accord doctor --hostile`.

A policy is a stranger's program. The corpus holds programs that try to get out of their isolate, to harm other players
or the host, to leave something behind, or to speak in another's name; each runs through the whole stack, from Python to
a bot on an embedded server, next to a player that means well. What counts is what is seen from outside.
"""

from __future__ import annotations

from bridge.hostile.corpus import Attack, load_corpus, load_hoards
from bridge.hostile.runner import AttackReport, AttackVerdict, embedded, run_corpus

__all__ = ["Attack", "AttackReport", "AttackVerdict", "embedded", "load_corpus", "load_hoards", "run_corpus"]
