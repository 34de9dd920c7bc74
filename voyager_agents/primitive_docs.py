"""Documentation of the primitives in prompts, in several lengths.

The page of the documentation (`docs/primitives.md`) is written for people. Prompts hold the same facts in fewer words,
and shorter forms for models with a small context: the primitives that a task speaks of whole, all others as signatures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

ALWAYS = ("mineBlock", "goTo", "say", "sendSignal", "waitSignal", "countItem", "findBlock", "craftItem", "equipItem")
"""Primitives that nearly every program needs."""
MAX_NEEDED = 14
"""Maximum primitives that count as needed for a task."""
LEVELS = 4
"""Number of lengths, the longest first."""
_HEADING = re.compile(r"^(#{2,3}) (.+)$", re.MULTILINE)
_PARTS = re.compile(r"[A-Z]?[a-z]+")
_WORD = re.compile(r"[a-z]{3,}")
_ERROR = re.compile(r"^\| `(\w+)` \| (.+) \|$", re.MULTILINE)
_FAILS = re.compile(r"^- `(\w+)`: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class PrimitiveDoc:
    """Documentation of one primitive."""

    name: str
    signature: str
    text: str
    """The whole text below the signature, without headings and blank lines."""

    @property
    def summary(self) -> str:
        """First sentence of the description."""
        first = self.text.partition("\n")[0]
        return re.split(r"(?<=[.!?]) ", first, maxsplit=1)[0]

    @property
    def whole(self) -> str:
        """Signature and whole text."""
        return f"`{self.signature}`\n{self.text}"

    @property
    def brief(self) -> str:
        """Signature and summary, in one line."""
        return f"`{self.signature}`: {self.summary}"

    def score(self, words: frozenset[str]) -> int:
        """Return the number of words shared with a task; words of the name count three times."""
        name = {_stem(part.lower()) for part in _PARTS.findall(self.name)}
        said = {_stem(word) for word in _WORD.findall(self.summary.lower())} - name
        return 3 * len(name & words) + len(said & words)


@dataclass(frozen=True)
class PrimitiveDocs:
    """Documentation of all primitives, and of the names of errors that no primitive explains."""

    groups: tuple[tuple[str, str, tuple[PrimitiveDoc, ...]], ...]
    """(title, introduction, primitives) of each section of the page."""
    errors: tuple[tuple[str, str], ...] = ()
    """(name, meaning)."""

    @property
    def all(self) -> tuple[PrimitiveDoc, ...]:
        """All primitives, in the order of the page."""
        return tuple(each for _, _, group in self.groups for each in group)

    def needed(self, task: str) -> frozenset[str]:
        """Return the names of primitives that a task needs first: those for every program and those it speaks of.

        Args:
            task: Task, scenario and contract of the player, in words.
        """
        words = frozenset(_stem(word) for word in _WORD.findall(task.lower()))
        scores = {each.name: each.score(words) for each in self.all}
        spoken = sorted((name for name in scores if scores[name] > 1), key=lambda name: -scores[name])
        known = [name for name in ALWAYS if name in scores]
        return frozenset(list(dict.fromkeys([*known, *spoken]))[:MAX_NEEDED])

    def render(self, level: int = 0, task: str = "") -> str:
        """Return the documentation in a length.

        Args:
            level: 0: all primitives whole. 1: the needed ones whole, the others in one line each. 2: all in one line
                each. 3: the needed ones in one line, the others by name alone.
            task: Task, scenario and contract of the player, in words.
        """
        needed = self.needed(task) if level in (1, 3) else frozenset[str]()
        parts = []
        for title, introduction, group in self.groups:
            parts.append(f"## {title}\n{introduction}".strip())
            if level == 3:
                parts += ["\n".join(each.brief for each in group if each.name in needed)]
                if rest := [each.signature for each in group if each.name not in needed]:
                    parts.append(f"Others: {', '.join(f'`{signature}`' for signature in rest)}")
                continue
            whole = [each.whole for each in group if level == 0 or each.name in needed]
            brief = [each.brief for each in group if not (level == 0 or each.name in needed)]
            parts += [*whole, "\n".join(brief)]
        if level == 0 and self.errors:
            parts.append("## Other errors\n" + "\n".join(f"- `{name}`: {meaning}" for name, meaning in self.errors))
        return "\n\n".join(part for part in parts if part)


@cache
def parse_primitives(page: str) -> PrimitiveDocs:
    """Parse the page of the documentation, from its first section on.

    Args:
        page: Markdown by `dilemmas.skills.docs.skill_docs`.
    """
    groups: list[tuple[str, str, list[PrimitiveDoc]]] = []
    heads = list(_HEADING.finditer(page))
    ends = [head.start() for head in heads[1:]] + [len(page)] * bool(heads)
    errors: list[tuple[str, str]] = []
    for head, end in zip(heads, ends, strict=True):
        body = page[head.end() : end].strip()
        if found := _ERROR.findall(body):
            errors += found
        elif head[1] == "##":
            groups.append((head[2], body, []))
        else:
            groups[-1][2].append(_primitive(head[2], body))
    told = {name for _, _, group in groups for each in group for name, _ in _FAILS.findall(each.text)}
    left = tuple(error for error in errors if error[0] not in told)
    return PrimitiveDocs(tuple((title, text, tuple(group)) for title, text, group in groups), left)


def _primitive(name: str, body: str) -> PrimitiveDoc:
    """Return the documentation of one primitive, its lists and example in one line each."""
    signature, _, rest = body.partition("\n")
    text = re.sub(r"\n\n+", "\n", rest.strip())
    text = re.sub(r"^```js\n(.*?)\n```$", _example, text, flags=re.MULTILINE | re.DOTALL)
    return PrimitiveDoc(name, signature.strip("`"), text)


def _example(found: re.Match[str]) -> str:
    code = found[1]
    return f"Example: `{code}`" if "\n" not in code else f"Example:\n{code}"


def _stem(word: str) -> str:
    """Return a word without the endings of plurals and verbs, so that `logs` and `log` are one."""
    for end in ("ing", "es", "s", "e"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)]
    return word
