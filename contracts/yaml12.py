"""Strict YAML: plain scalars by the core schema of YAML 1.2, ambiguous ones refused.

In YAML 1.1 `1:30:00` is 5400, `1_000` is 1000, `010` is 8 and `no` is false. Here such numbers are errors, and `no`,
`on` and dates are text. Repeated keys, tags and numbers without bound are errors as well.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Hashable
from functools import lru_cache
from typing import Any

import yaml

_PLAIN: dict[str, tuple[str, str]] = {
    "tag:yaml.org,2002:null": (r"~|null|Null|NULL|", "~nN\0"),
    "tag:yaml.org,2002:bool": (r"true|True|TRUE|false|False|FALSE", "tTfF"),
    "tag:yaml.org,2002:int": (r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    "tag:yaml.org,2002:float": (r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?", "-+0123456789"),
}
"""Tag -> pattern of its plain scalars and their first characters; the first match counts."""
_ODD = (
    r"[-+]?(?:[0-9][0-9_]*(?::[0-9_]+)+(?:\.[0-9_]*)?|[0-9][0-9_]*_[0-9_.]*|0[0-9]+(?:\.[0-9]*)?|0[xob][0-9a-fA-F_]+)"
)
"""Numbers that other parsers read differently: base 60, 8, 16 and 2, and grouped digits."""
MAX_DIGITS = 400
"""Maximum characters of a number."""


class PlainLoader(yaml.SafeLoader):
    """Loader of YAML written by people: numbers, booleans, texts, lists and mappings without repeated keys."""

    aliases = True
    """True if `*name` may repeat `&name`; aliases let a small file hold a huge document."""
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - as PyYAML declares it

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Compose a node. Raises ConstructorError for a tag, which would bring YAML 1.1's types back."""
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        place: Any = event.start_mark
        if isinstance(event, yaml.AliasEvent) and not self.aliases:
            raise yaml.constructor.ConstructorError(None, None, "aliases (*name) are not legal", place)
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise yaml.constructor.ConstructorError(None, None, f"the tag {tag!r} is not legal", place)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Construct a mapping. Raises ConstructorError for a repeated key, of which PyYAML would keep the last."""
        keys: set[Hashable] = set()
        for key, _ in node.value:
            name = self.construct_object(key, deep=True)
            if not isinstance(name, Hashable):
                raise yaml.constructor.ConstructorError(None, None, "found unhashable key", key.start_mark)
            if name in keys:
                raise yaml.constructor.ConstructorError(None, None, f"key {name!r} stands twice", key.start_mark)
            keys.add(name)
        return super().construct_mapping(node, deep)

    def refuse_number(self, node: yaml.ScalarNode) -> None:
        """Refuse a number that parsers read differently. Raises ConstructorError."""
        text = self.construct_scalar(node)
        problem = f"{text[:40]!r} is no plain number: write it in decimal digits, or in quotes if it is text"
        raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)

    def construct_number(self, node: yaml.ScalarNode) -> int | float:
        """Construct a number from its decimal text. Raises ConstructorError for one out of bounds."""
        text = self.construct_scalar(node)
        value = (int if node.tag.endswith(":int") else float)(text) if len(text) <= MAX_DIGITS else math.inf
        if not math.isfinite(value):
            raise yaml.constructor.ConstructorError(None, None, f"{text[:40]!r} is too large", node.start_mark)
        return value


_OWN: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser if PyYAML was built with it; it takes a tenth of the time."""
MAX_NESTING = 100
"""Maximum nesting. libyaml's composer recurses without a limit until its stack overflows."""


MAX_NODES = 5_000_000
"""Maximum number of values of a document, with repetitions by aliases."""


MAX_KEPT = 512
"""Documents kept by a process: more than the scenarios and personas that Accord brings along."""


class _NoAliases(PlainLoader):
    aliases = False


def load_yaml(text: str, *, aliases: bool = True) -> Any:  # noqa: ANN401 - its reader looks at what it holds
    """Return the document in that text, the reader's own.

    Raises yaml.YAMLError, also for one that is nested too deeply.
    """
    return copy.deepcopy(_read(text, aliases))


def load_own(text: str) -> Any:  # noqa: ANN401 - its reader looks at what it holds
    """Return the document in a file that `yaml.safe_dump` has written, such as config.yaml. Raises yaml.YAMLError."""
    _check_extent(text)
    return yaml.load(text, Loader=_OWN)


def _check_extent(text: str) -> None:
    """Check nesting and expanded size of a document. Raises yaml.YAMLError."""
    sizes: dict[str, int] = {}
    open_ones: list[tuple[str | None, int]] = []
    size = 0
    for event in yaml.parse(text, Loader=_OWN):
        if isinstance(event, yaml.AliasEvent):
            size += sizes.get(str(event.anchor), MAX_NODES)
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_ones.pop()
            if anchor is not None:
                sizes[anchor] = size - before
        elif isinstance(event, yaml.NodeEvent):
            size += 1
            if isinstance(event, yaml.CollectionStartEvent):
                open_ones.append((event.anchor, size - 1))
            elif event.anchor is not None:
                sizes[event.anchor] = 1
        if len(open_ones) > MAX_NESTING or size > MAX_NODES:
            raise yaml.YAMLError("it is nested too deeply, or too large")


@lru_cache(maxsize=MAX_KEPT)
def _read(text: str, aliases: bool) -> Any:  # noqa: ANN401 - as above
    """Return the document, shared by all who ask for that text: reading it anew takes ten times as long as a copy."""
    try:
        return yaml.load(text, Loader=PlainLoader if aliases else _NoAliases)
    except RecursionError:
        raise yaml.YAMLError("it is nested too deeply") from None


PlainLoader.add_implicit_resolver("!odd", re.compile(rf"(?:{_ODD})\Z"), list("-+0123456789"))
PlainLoader.add_constructor("!odd", PlainLoader.refuse_number)
for _tag, (_pattern, _first) in _PLAIN.items():
    PlainLoader.add_implicit_resolver(
        _tag, re.compile(rf"(?:{_pattern})\Z"), ["" if one == "\0" else one for one in _first]
    )
for _tag in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float"):
    PlainLoader.add_constructor(_tag, PlainLoader.construct_number)
