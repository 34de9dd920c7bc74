"""Extraction of the JavaScript program from a model's reply, with a precise description of any fault.

`extract_policy` checks the form: one fenced block with one top-level function of `bot`. `check_start` runs the bot
hosts' parser on the program, so that syntax errors are reported before it is played.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bridge.program_check import syntax_fault
from common.answers.spoken import CodeBlock, code_blocks, spoken
from voyager_agents.errors import ReplyError

MAX_SOURCE = 40_000
"""Maximum characters of a program."""
MAX_REPLY = 10 * MAX_SOURCE
"""Maximum characters of a reply without its reasoning."""
_MARKED = frozenset({"javascript", "js", "mjs", "cjs", "jsx", "node", "nodejs", "node.js", "ecmascript", "es6"})
"""Languages of a code block that mark a program."""
_NOTES = frozenset(
    {"text", "txt", "plain", "plaintext", "markdown", "md", "json", "jsonc", "json5", "yaml", "yml", "xml", "csv"}
    | {"plan", "thought", "thoughts", "reasoning", "explanation", "critique", "output", "log", "mermaid"}
)
"""Languages of a code block that mark something else, such as a plan."""
_TYPESCRIPT = frozenset({"ts", "tsx", "mts", "typescript"})
_ESCAPE = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,5}|#x[0-9a-fA-F]{1,5});")
_EXPORTS = re.compile(r"^(?:module\.)?exports\b[\w.]*\s*=", re.MULTILINE)
_FUNCTION = re.compile(r"(async\s+)?function(\s*\*)?\s*([A-Za-z_$][\w$]*)?\s*\(([^()]*)\)\s*(:)?")
_SKIP = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `(?:\\.|[^`\\])*` """,
    re.DOTALL | re.VERBOSE,
)
_NAME = re.compile(r"(?<![\w$.])[A-Za-z_$][\w$]*")
MAX_SHOWN = 120
"""Maximum characters shown of a faulty line."""
_PLAIN = "write plain JavaScript, without types and without import or export"
_HINTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"import\.meta"), "a program is no module: leave it out"),
    (re.compile("[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb\u2032\u2033]"), "write straight quotes, ' or \""),
    (re.compile("Unexpected character '[^ -~]'"), "write this character as ASCII, or leave it away"),
    (re.compile("Unterminated"), "close every text and comment"),
)
"""Pattern of a mistake -> advice."""
FORM = "give exactly one ```javascript block with exactly one async function name(bot) { ... } in it"
"""Required form in one line, for corrections."""


@dataclass(frozen=True)
class _Declared:
    name: str
    parameters: str
    is_async: bool
    typed: bool


def extract_policy(reply: str) -> str:
    """Return the program in a reply. Raises ReplyError with a code and a text that says what to change."""
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
    _check_words(source)
    only = functions[0]
    if ":" in only.parameters or only.typed:
        raise ReplyError("typescript", f"the function has type annotations: write plain JavaScript; {FORM}")
    if not only.is_async or not only.name or only.parameters.strip() != "bot":
        shown = f"{'async ' if only.is_async else ''}function {only.name}({only.parameters.strip()})"
        raise ReplyError("wrong-signature", f"{shown} is not async function name(bot): {FORM}")
    return source.strip() + "\n"


def check_start(source: str) -> None:
    """Raise ReplyError with the syntax error that the bot hosts' parser finds.

    Raises HostError or PrerequisiteError if the parser is not available.
    """
    fault = syntax_fault(source)
    if fault is None:
        return
    lines = source.split("\n")
    where = shown = ""
    if fault.line is not None and fault.line <= len(lines):
        shown = lines[fault.line - 1].strip()[:MAX_SHOWN]
        where = f"line {fault.line}, column {fault.column}: "
    message = "".join(each if each.isprintable() else f"U+{ord(each):04X}" for each in fault.message)
    hint = next((told for pattern, told in _HINTS if pattern.search(f"{fault.message}\n{shown}")), _PLAIN)
    quoted = f" in `{shown}`" if shown else ""
    raise ReplyError("syntax", f"the program cannot start: {where}{message}{quoted}; {hint}")


def sole_function(source: str) -> str:
    """Return the name of the function if the source is exactly one `async function name(bot)`. Raises ReplyError."""
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
    """Return the name of a program's last top-level function; empty if there is none."""
    functions = _top_level(source)
    return functions[-1].name if functions else ""


@dataclass(frozen=True)
class Span:
    """Position of a top-level function: its first character, its body's brace, and its end (exclusive)."""

    name: str
    start: int
    body: int
    end: int


def spans(source: str) -> list[Span]:
    """Return all named top-level functions in order."""
    blank = blank_source(source)
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
    """Return the position after the matching closing brace, or the end of the text."""
    depth = 0
    for place in range(brace, len(blank)):
        depth += {"{": 1, "}": -1}.get(blank[place], 0)
        if depth == 0:
            return place + 1
    return len(blank)


def names_used(source: str) -> list[str]:
    """Return all words that could be names, sorted; words in strings and comments are included."""
    return sorted(set(_NAME.findall(source)))


def _outside(source: str) -> str:
    """Return the text outside the only function."""
    blank = blank_source(source)
    start = _FUNCTION.search(blank)
    assert start is not None
    depth, rest = 0, blank[: start.start()]
    for place in range(start.end(), len(blank)):
        depth += {"{": 1, "}": -1}.get(blank[place], 0)
        if depth == 0 and blank[place] == "}":
            return (rest + blank[place + 1 :]).strip(" \t\r\n;")
    return "an open brace"


def blank_source(source: str) -> str:
    """Return the source with strings and comments blanked out."""
    return _SKIP.sub(lambda found: " " * len(found.group(0)), source)


def _check_words(source: str) -> None:
    """Raise ReplyError for code that parses but still cannot start."""
    blank = blank_source(source)
    if found := _ESCAPE.search(blank):
        raise ReplyError(
            "html-escapes",
            f"{_place(source, found.start())} has the HTML escape {found[0]}: write the character itself",
        )
    if found := _EXPORTS.search(blank):
        raise ReplyError(
            "module",
            f"{_place(source, found.start())} exports something: give the function alone",
        )


def _place(source: str, at: int) -> str:
    return f"line {source.count(chr(10), 0, at) + 1}"


def _block(reply: str) -> str:
    """Return the body of the only program block. Raises ReplyError."""
    text = spoken(reply)
    if not text.strip():
        thoughts = "the answer has thoughts and nothing after them" if reply.strip() else "the answer is empty"
        raise ReplyError("empty", f"{thoughts}: {FORM}")
    if len(text) > MAX_REPLY:
        raise ReplyError("too-long", f"the answer has {len(text)} characters: {FORM}")
    blocks, _ = code_blocks(text)
    if len(blocks) == 1 and blocks[0].closed and blocks[0].language in ("markdown", "md"):
        # The whole answer is in a fence of its own.
        blocks = code_blocks(blocks[0].body)[0] or blocks
    if any(not each.closed for each in blocks):
        raise ReplyError("open-block", f"there is no closed code block: {FORM}")
    program = _program(blocks)
    if "```" in program.body:
        raise ReplyError("open-block", f"there is a ``` inside the code block: {FORM}")
    return program.body


def _program(blocks: list[CodeBlock]) -> CodeBlock:
    """Return the only block that is a program; blocks with notes are ignored. Raises ReplyError."""
    if not blocks:
        raise ReplyError("no-block", f"there is no code block: {FORM}")
    named = [each for each in blocks if each.language in _MARKED]
    # A block without a language is a program if it holds a function, or if it is the only block.
    unnamed = [each for each in blocks if not each.language and (len(blocks) == 1 or _top_level(each.body))]
    others = [each for each in blocks if each.language and each.language not in _MARKED | _NOTES]
    programs = [*named, *unnamed, *others]
    if len(programs) > 1:
        raise ReplyError("several-blocks", f"there are {len(programs)} code blocks: {FORM}")
    if not programs:
        raise ReplyError("wrong-language", f"no block is marked javascript, only {_languages(blocks)}: {FORM}")
    if others:
        code = "typescript" if others[0].language in _TYPESCRIPT else "wrong-language"
        raise ReplyError(code, f"the block is marked {others[0].language}: {FORM}")
    return programs[0]


def _languages(blocks: list[CodeBlock]) -> str:
    return ", ".join(dict.fromkeys(each.language or "(no language)" for each in blocks))


def _top_level(source: str) -> list[_Declared]:
    """Return the functions outside all braces; strings and comments are ignored."""
    blank = blank_source(source)
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
