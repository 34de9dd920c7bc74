"""YAML as its readers see it: plain scalars by the core schema of YAML 1.2, and nothing that means something else.

By YAML 1.1 `1:30:00` is 5400, `1_000` is 1000, `010` is 8 and `no` is false. Here such numbers are errors, and `no`,
`on` and dates are text. A key that stands twice, a tag and a number without bound are errors as well.
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
"""Tag -> what a plain scalar of it looks like, and how it may begin; the first that fits."""
_ODD = (
    r"[-+]?(?:[0-9][0-9_]*(?::[0-9_]+)+(?:\.[0-9_]*)?|[0-9][0-9_]*_[0-9_.]*|0[0-9]+(?:\.[0-9]*)?|0[xob][0-9a-fA-F_]+)"
)
"""What some readers take for another number: base 60, 8, 16 and 2, and digits in groups."""
MAX_DIGITS = 400
"""Characters of a number."""


class PlainLoader(yaml.SafeLoader):
    """Loads YAML that people write: numbers, truth values, texts, lists and mappings; each key once."""

    aliases = True
    """Whether `*name` may repeat what `&name` names; it makes small files of huge documents."""
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 - as PyYAML declares it

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """A node; a tag would bring the other meanings back."""
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        place: Any = event.start_mark
        if isinstance(event, yaml.AliasEvent) and not self.aliases:
            raise yaml.constructor.ConstructorError(None, None, "aliases (*name) are not legal", place)
        tag = getattr(event, "tag", None)
        if tag is not None:
            raise yaml.constructor.ConstructorError(None, None, f"the tag {tag!r} is not legal", place)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """A mapping whose keys are all different: of two equal ones the second would win in silence."""
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
        """What is one number to some readers and another or a text to others is none."""
        text = self.construct_scalar(node)
        problem = f"{text[:40]!r} is no plain number: write it in decimal digits, or in quotes if it is text"
        raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark)

    def construct_number(self, node: yaml.ScalarNode) -> int | float:
        """A number as it stands there."""
        text = self.construct_scalar(node)
        value = (int if node.tag.endswith(":int") else float)(text) if len(text) <= MAX_DIGITS else math.inf
        if not math.isfinite(value):
            raise yaml.constructor.ConstructorError(None, None, f"{text[:40]!r} is too large", node.start_mark)
        return value


_OWN: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser where PyYAML was built with it: it takes a tenth of the time."""
MOST_DEEP = 100
"""Lists and mappings in each other. libyaml's composer goes down without looking how deep, until its stack ends."""


MOST_NODES = 5_000_000
"""Values of a document, those that aliases repeat counted each time."""


class _NoAliases(PlainLoader):
    aliases = False


def load_yaml(text: str, *, aliases: bool = True) -> Any:  # noqa: ANN401 - its reader looks at what it holds
    """The document in that text, the reader's own. Raises yaml.YAMLError, also for one that is nested too deeply."""
    return copy.deepcopy(_read(text, aliases))


def load_own(text: str) -> Any:  # noqa: ANN401 - its reader looks at what it holds
    """The document in a file that `yaml.safe_dump` has written, such as config.yaml. Raises yaml.YAMLError."""
    _check_extent(text)
    return yaml.load(text, Loader=_OWN)


def _check_extent(text: str) -> None:
    """Check how deep a document is, and how large with all its aliases written out. Raises yaml.YAMLError."""
    sizes: dict[str, int] = {}
    open_ones: list[tuple[str | None, int]] = []
    size = 0
    for event in yaml.parse(text, Loader=_OWN):
        if isinstance(event, yaml.AliasEvent):
            size += sizes.get(str(event.anchor), MOST_NODES)
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
        if len(open_ones) > MOST_DEEP or size > MOST_NODES:
            raise yaml.YAMLError("it is nested too deeply, or too large")


@lru_cache(maxsize=64)
def _read(text: str, aliases: bool) -> Any:  # noqa: ANN401 - as above
    """The document, shared by all who ask for that text: reading it anew takes ten times as long as a copy."""
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
