"""Walk over the statements of a syntax tree, for tests that read all source files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a node that hold statements, or nodes with statements inside them."""


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all statements inside it, at any depth.

    `ast.walk` also visits expressions, which are nine nodes in ten and never hold a statement.
    """
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        for name in BLOCKS:
            block = getattr(node, name, None)
            if isinstance(block, list):
                pending.extend(block)
