"""Takes the one JavaScript function out of a model's reply, or says what is wrong with the reply.

Only the shape is checked here: one fenced block, one function at its top level, with `bot`. Whether it is right
JavaScript the bot host tells, with line and column of the very source that comes out of here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from voyager_agents.errors import ReplyError

MAX_SOURCE = 40_000
"""Characters of a program."""
_FENCE = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)
_JAVASCRIPT = {"", "javascript", "js"}
_FUNCTION = re.compile(r"(async\s+)?function(\s*\*)?\s*([A-Za-z_$][\w$]*)?\s*\(([^()]*)\)\s*(:)?")
_SKIP = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*` """,
    re.DOTALL | re.VERBOSE,
)
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*")
FORM = "give exactly one ```javascript block with exactly one async function name(bot) { ... } in it"
"""The form in one line, for corrections."""


@dataclass(frozen=True)
class _Declared:
    name: str
    parameters: str
    is_async: bool
    typed: bool


def extract_policy(reply: str) -> str:
    """The program in that reply. Raises ReplyError with a code and a text that says what to change."""
    source = _block(reply)
    if len(source) > MAX_SOURCE:
        raise ReplyError("too-long", f"the program has {len(source)} characters: write at most {MAX_SOURCE}")
    functions = _top_level(source)
    if not functions:
        raise ReplyError("no-function", f"the block has no function at its top level: {FORM}")
    if len(functions) > 1:
        names = ", ".join(each.name or "(no name)" for each in functions)
        raise ReplyError(
            "several-functions", f"the block has {len(functions)} functions ({names}): put helpers inside; {FORM}"
        )
    only = functions[0]
    if ":" in only.parameters or only.typed:
        raise ReplyError("typescript", f"the function has type annotations: write plain JavaScript; {FORM}")
    if not only.is_async or not only.name or only.parameters.strip() != "bot":
        shown = f"{'async ' if only.is_async else ''}function {only.name}({only.parameters.strip()})"
        raise ReplyError("wrong-signature", f"{shown} is not async function name(bot): {FORM}")
    return source.strip() + "\n"


def sole_function(source: str) -> str:
    """The name of the one `async function name(bot)` that the source consists of. Raises ReplyError."""
    functions = _top_level(source)
    if len(functions) != 1:
        raise ReplyError("several-functions", f"the source has {len(functions)} functions at its top level, not one")
    only = functions[0]
    if not only.is_async or not only.name or only.parameters.strip() != "bot" or only.typed:
        raise ReplyError("wrong-signature", "the function is not async function name(bot)")
    if _outside(source):
        raise ReplyError("more-than-a-function", "there is more at the top level than the function")
    return only.name


def sole_name(source: str) -> str:
    """The name of a program's function; empty where there is none."""
    functions = _top_level(source)
    return functions[-1].name if functions else ""


@dataclass(frozen=True)
class Span:
    """Where a function at the top level stands: its first letter, its body's brace, and behind its last one."""

    name: str
    start: int
    body: int
    end: int


def spans(source: str) -> list[Span]:
    """The functions with a name that stand outside all braces, in order."""
    blank = _blank(source)
    found: list[Span] = []
    depth, position = 0, 0
    while position < len(blank):
        match = _FUNCTION.match(blank, position) if depth == 0 and _at_word(blank, position) else None
        body = blank.find("{", match.end()) if match else -1
        if match and match.group(3) and body >= 0:
            end = _closed(blank, body)
            found.append(Span(match.group(3), position, body, end))
            position = end
            continue
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(blank[position], 0)
        position += 1
    return found


def _closed(blank: str, brace: int) -> int:
    """Behind the brace that closes the one there; the end where none does."""
    depth = 0
    for place in range(brace, len(blank)):
        depth += {"{": 1, "}": -1}.get(blank[place], 0)
        if depth == 0:
            return place + 1
    return len(blank)


def names_used(source: str) -> list[str]:
    """All words of the source that could be names, also in texts and comments, in order."""
    return sorted(set(_NAME.findall(source)))


def _outside(source: str) -> str:
    """What stands outside of the one function."""
    blank = _blank(source)
    start = _FUNCTION.search(blank)
    assert start is not None
    depth, rest = 0, blank[: start.start()]
    for place in range(start.end(), len(blank)):
        depth += {"{": 1, "}": -1}.get(blank[place], 0)
        if depth == 0 and blank[place] == "}":
            return (rest + blank[place + 1 :]).strip(" \t\r\n;")
    return "an open brace"


def _blank(source: str) -> str:
    """The source with texts and comments blanked out."""
    return _SKIP.sub(lambda found: " " * len(found.group(0)), source)


def _block(reply: str) -> str:
    blocks = [(language.lower(), body) for language, body in _FENCE.findall(reply)]
    if not reply.strip():
        raise ReplyError("empty", f"the answer is empty: {FORM}")
    if not blocks:
        code = "open-block" if "```" in reply else "no-block"
        raise ReplyError(code, f"there is no {'closed ' if code == 'open-block' else ''}code block: {FORM}")
    if len(blocks) > 1:
        raise ReplyError("several-blocks", f"there are {len(blocks)} code blocks: {FORM}")
    language, body = blocks[0]
    if language not in _JAVASCRIPT:
        code = "typescript" if language in ("ts", "typescript") else "wrong-language"
        raise ReplyError(code, f"the block is marked {language}: {FORM}")
    if "```" in body:
        raise ReplyError("open-block", f"there is a ``` inside the code block: {FORM}")
    return str(body)


def _top_level(source: str) -> list[_Declared]:
    """The functions that stand outside all braces; strings and comments do not count."""
    blank = _blank(source)
    depth = 0
    found: list[_Declared] = []
    position = 0
    while position < len(blank):
        match = _FUNCTION.match(blank, position) if depth == 0 and _at_word(blank, position) else None
        if match:
            found.append(_Declared(match.group(3) or "", match.group(4), bool(match.group(1)), bool(match.group(5))))
            position = match.end()
            continue
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(blank[position], 0)
        position += 1
    return found


def _at_word(text: str, position: int) -> bool:
    return position == 0 or not (text[position - 1].isalnum() or text[position - 1] in "_$.")
