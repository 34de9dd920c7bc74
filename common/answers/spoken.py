"""Answers of models without their thoughts and without marks of the server's format, and the code blocks in them.

Servers that do not part thoughts from the answer send both in one text: with tags (`<think>`), with the closing tag
alone (the opening one stood in the prompt), or in channels (`<|channel|>`). Every reader of answers reads
`spoken(answer)`, so that code, JSON or messages that were only considered never count. An answer may be megabytes long:
nothing here looks at a piece of it more than a few times.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TAGS = (
    # DeepSeek R1, Qwen 3, QwQ, GLM, Hunyuan, MiniMax and others, from servers without a reasoning parser.
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<seed:think>", "</seed:think>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("[THINK]", "[/THINK]"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
)
"""Beginning and end of thoughts, as models write them."""
_TAG = re.compile(
    f"(?P<open>{'|'.join(re.escape(begin) for begin, _ in _TAGS)})|"
    f"(?P<close>{'|'.join(re.escape(end) for _, end in _TAGS)})"
)
_CHANNEL = re.compile(
    r"(?:<\|start\|>\s{0,9}assistant\s{0,9})?<\|channel\|>\s{0,9}([a-z]{1,20})[^<]{0,200}"
    r"(?:<\|constrain\|>[^<]{0,200})?<\|message\|>"
)
"""The head of one message in OpenAI's harmony format, with its channel."""
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start)\|>")
_FINAL = "final"
_BARE = re.compile(r"analysis(?=[A-Z\s]).*?assistantfinal", re.DOTALL)
"""The same where the server has dropped the marks and left their words."""
_HEADS = (
    "<|im_start|>assistant", "<|start_header_id|>assistant<|end_header_id|>", "<start_of_turn>model", "<s>",
    "<|begin_of_text|>", "<|START_RESPONSE|>",
)  # fmt: skip
"""Marks of a turn's beginning that some servers leave in the text."""
_TAILS = (
    "<|im_end|>", "<|eot_id|>", "<|end_of_text|>", "<|endoftext|>", "</s>", "<end_of_turn>", "<|end|>", "<|return|>",
    "<\uff5cend\u2581of\u2581sentence\uff5c>", "<|END_OF_TURN_TOKEN|>", "<|END_RESPONSE|>",
)  # fmt: skip
"""Marks of a turn's end."""
_WRAPS = ("answer", "response", "output")
"""Tags that enclose a whole answer."""
_BLANKS = "\ufeff\u200b\u2060"
"""Byte-order mark and characters without width."""
_NEAR = 300
"""Characters around a tag that tell whether it is quoted."""
_LEADING = re.compile(rf"[\s{_BLANKS}]*")
_HEAD = re.compile(rf"(?:[\s{_BLANKS}]*(?:{'|'.join(map(re.escape, _HEADS))}))*")
_FENCE = re.compile(r"[\s\ufeff\u200b\u2060]{0,40}(`{3,}|~{3,})(.*)")
_LANGUAGE = re.compile(r"[{.\s]*([\w+#.-]*)")


@dataclass(frozen=True)
class CodeBlock:
    """A fenced code block; `language` is in lower case, empty where none is named."""

    language: str
    body: str
    closed: bool


def spoken(answer: str) -> str:
    """Return the answer without thoughts and marks, its lines ended by a line feed alone.

    An answer that was cut off inside its thoughts has said nothing: it is empty.
    """
    text = _edges(answer.replace("\r\n", "\n").replace("\r", "\n"))
    text = _without_marks(_without_tags(_final_channel(_without_marks(text))))
    for name in _WRAPS:
        if text.startswith(f"<{name}>") and text.endswith(f"</{name}>"):
            return _edges(text[len(name) + 2 : -len(name) - 3])
    return text


def only_thoughts(answer: str) -> bool:
    """Return True for an answer of thoughts and nothing else."""
    return bool(_edges(answer)) and not spoken(answer)


def code_blocks(text: str) -> tuple[list[CodeBlock], str]:
    """Return the fenced blocks of a spoken text, and the text outside of them."""
    blocks: list[CodeBlock] = []
    outside: list[str] = []
    body: list[str] = []
    fence, language = "", ""
    for line in text.split("\n"):
        found = _FENCE.fullmatch(line)
        marks, info = (found[1], found[2]) if found else ("", "")
        if fence:
            if marks and marks[0] == fence[0] and len(marks) >= len(fence) and not info.strip():
                blocks.append(CodeBlock(language, "\n".join(body) + "\n", closed=True))
                fence, body = "", []
            else:
                body.append(line)
        elif marks and "`" not in info:
            fence = marks
            named = _LANGUAGE.match(info)
            language = named[1].lower() if named else ""
        else:
            outside.append(line)
    if fence and "".join(body).strip():
        blocks.append(CodeBlock(language, "\n".join(body) + "\n", closed=False))
    return blocks, "\n".join(outside)


def _edges(text: str) -> str:
    """Return the text without empty lines and characters without width at its edges; indentation stays."""
    begin = _LEADING.match(text)
    assert begin is not None
    indentation = begin[0].rpartition("\n")[2].strip(_BLANKS)
    rest = text[begin.end() : _end(text, len(text))]
    return indentation + rest if rest else ""


def _end(text: str, end: int) -> int:
    """Return where the text ends when nothing that cannot be seen counts."""
    while end and (text[end - 1].isspace() or text[end - 1] in _BLANKS):
        end -= 1
    return end


def _without_marks(text: str) -> str:
    """Return the text without the marks at its beginning and its end."""
    head = _HEAD.match(text)
    assert head is not None
    end = _end(text, len(text))
    while mark := next((each for each in _TAILS if text.endswith(each, head.end(), end)), ""):
        end = _end(text, end - len(mark))
    rest = text[head.end() : max(head.end(), end)]
    return _edges(rest.lstrip() if head[0].strip() else rest)


def _final_channel(text: str) -> str:
    """Return what the last final channel says; nothing where there are channels and none is final."""
    heads = list(_CHANNEL.finditer(text))
    if not heads:
        bare = _BARE.match(text)
        return text if bare is None else text[bare.end() :]
    last = next((head for head in reversed(heads) if head[1] == _FINAL), None)
    if last is None:
        return ""
    end = _CHANNEL_END.search(text, last.end())
    return text[last.end() : end.start() if end else len(text)]


def _without_tags(text: str) -> str:
    """Return what stands outside of thoughts.

    A beginning counts at the beginning of a line, and no tag counts in quotes: programs may hold both in their texts.
    An end without a beginning ends thoughts that began with the answer.
    """
    kept: list[str] = []
    inside, ended, place = False, False, 0
    for tag in _TAG.finditer(text):
        if _quoted(text, tag) or (tag["open"] and not inside and not _begins_line(text, tag.start())):
            continue
        if not inside and (tag["open"] or ended):
            kept.append(text[place : tag.start()])
        inside, ended, place = bool(tag["open"]), True, tag.end()
    return "".join(kept) if inside else "".join([*kept, text[place:]])


def _begins_line(text: str, place: int) -> bool:
    before = text[max(0, place - _NEAR) : place]
    line = before.rpartition("\n")[2]
    return not line.strip() and (len(line) < len(before) or place < _NEAR)


def _quoted(text: str, tag: re.Match[str]) -> bool:
    """Return whether quotes of the same line enclose the tag, as in a text of a program or of JSON."""
    before = text[max(0, tag.start() - _NEAR) : tag.start()].rpartition("\n")[2]
    after = text[tag.end() : tag.end() + _NEAR].partition("\n")[0]
    return any(before.count(mark) % 2 == 1 and mark in after for mark in "\"'`")
