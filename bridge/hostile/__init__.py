"""Attack programs and the check that they do no harm on this machine: `accord doctor --hostile`.

A policy is a stranger's program. The programs of the corpus try to escape their isolate, to harm other players or the
host, to leave something behind, or to forge messages. Each runs through the whole stack, from Python to a bot on an
embedded server, beside an honest player. Harm is judged from outside the program.
"""

from __future__ import annotations

from bridge.hostile.corpus import Attack, load_corpus, load_hoards
from bridge.hostile.runner import AttackReport, AttackVerdict, embedded, run_corpus

__all__ = ["Attack", "AttackReport", "AttackVerdict", "embedded", "load_corpus", "load_hoards", "run_corpus"]
