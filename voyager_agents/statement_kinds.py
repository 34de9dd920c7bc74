"""Kinds of statements in players' words, for rules and models that read them."""

from __future__ import annotations

from typing import Literal

Kind = Literal["promise", "claim", "accusation", "deal"]
"""Kind of a statement; `deal` is the conclusion of a secret deal, which is typed and never read in free text."""
What = Literal[
    "chose", "holds", "mined", "paid", "attacked", "taxed", "type", "earned", "deal", "goal", "knows", "role", "broke",
    "lied", "there", "works", "at", "was_at", "left", "took",
]  # fmt: skip
"""Subject of a statement."""
Span = Literal["", "next", "every", "last"]
"""Rounds that a statement is about, besides a number: unsaid, the next, every coming one, or the last."""
