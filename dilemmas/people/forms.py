"""Forms of a study for its human players: consent and instructions in Markdown, questionnaires before and after.

The texts are the researcher's own, yet they are rendered as a tree of known elements: no HTML of theirs is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import yaml
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from common.text import well_formed
from contracts.yaml12 import load_own
from dilemmas.errors import UsageError

Stage = Literal["consent", "instructions", "before", "after"]
FIRST: tuple[Stage, ...] = ("consent", "instructions", "before")
"""Forms before the game, in order."""
MAX_FILE_BYTES = 200_000
MAX_ANSWER = 4000
"""Maximum length of an answer in words, in characters."""
MAX_QUESTIONS = 100
Node: TypeAlias = "str | list[Any]"
"""A text, or an element: its name followed by its children."""
_ELEMENTS = {
    "paragraph": "p", "em": "em", "strong": "strong", "bullet_list": "ul", "ordered_list": "ol", "list_item": "li",
    "blockquote": "blockquote", "hr": "hr",
}  # fmt: skip


def markdown_nodes(text: str) -> list[Node]:
    """Return Markdown as a tree of known elements; HTML in it stays text, and images become their descriptions."""
    parser = MarkdownIt("commonmark", {"html": False})
    return _children(SyntaxTreeNode(parser.parse(well_formed(text))))


def _children(node: SyntaxTreeNode) -> list[Node]:
    return [made for child in node.children for made in _nodes(child)]


def _nodes(node: SyntaxTreeNode) -> list[Node]:
    match node.type:
        case "text":
            return [node.content]
        case "softbreak" | "hardbreak":
            return ["\n"]
        case "code_inline":
            return [["code", node.content]]
        case "fence" | "code_block":
            return [["pre", node.content]]
        case "image":
            return [node.content]
        case "link":
            shown = _children(node)
            target = str(node.attrs.get("href", ""))
            return shown if shown == [target] else [*shown, f" ({target})"]
        case "heading":
            return [[node.tag, *_children(node)]]
        case kind if kind in _ELEMENTS:
            return [[_ELEMENTS[kind], *_children(node)]]
    return _children(node) if node.children else []


class FormQuestion(BaseModel):
    """A question of a questionnaire."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    ask: Annotated[str, Field(min_length=1, max_length=1000)]
    kind: Literal["text", "scale", "choice"]
    low: Annotated[int, Field(alias="from", ge=0, le=100)] = 1
    high: Annotated[int, Field(alias="to", ge=1, le=100)] = 7
    labels: tuple[str, ...] = ()
    """Words for the ends of a scale: none, or two."""
    choices: tuple[str, ...] = ()
    optional: bool = False

    @model_validator(mode="after")
    def _fits(self) -> FormQuestion:
        if self.kind == "choice" and len(set(self.choices)) < max(2, len(self.choices)):
            raise ValueError("a choice needs two or more different choices")
        if self.kind != "choice" and self.choices:
            raise ValueError("only a choice has choices")
        if self.kind == "scale" and not (self.low < self.high <= self.low + 20):
            raise ValueError("a scale goes from a lower to a higher number, at most 20 apart")
        if len(self.labels) not in (0, 2):
            raise ValueError("a scale has two labels, for its ends, or none")
        return self

    def check(self, answer: object) -> str:
        """Return the reason why an answer is not legal; empty if it is."""
        if answer is None or answer == "":
            return "" if self.optional else f"{self.id}: please answer this question"
        match self.kind:
            case "text":
                if not isinstance(answer, str) or len(answer) > MAX_ANSWER:
                    return f"{self.id}: an answer is a text of at most {MAX_ANSWER} characters"
            case "scale":
                if type(answer) is not int or not self.low <= answer <= self.high:
                    return f"{self.id}: an answer is a whole number from {self.low} to {self.high}"
            case "choice":
                if answer not in self.choices:
                    return f"{self.id}: an answer is one of the choices"
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return the question as the page shows it."""
        return self.model_dump(mode="json")


class Questionnaire(BaseModel):
    """Questions before and after the game."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    before: Annotated[tuple[FormQuestion, ...], Field(max_length=MAX_QUESTIONS)] = ()
    after: Annotated[tuple[FormQuestion, ...], Field(max_length=MAX_QUESTIONS)] = ()

    @model_validator(mode="after")
    def _distinct(self) -> Questionnaire:
        for stage in (self.before, self.after):
            names = [question.id for question in stage]
            if twice := next((name for name in names if names.count(name) > 1), None):
                raise ValueError(f"id {twice!r} is given twice")
        return self


@dataclass(frozen=True)
class StudyForms:
    """Forms of one study."""

    consent: str = ""
    instructions: str = ""
    questionnaire: Questionnaire = field(default_factory=Questionnaire)

    def __bool__(self) -> bool:
        return bool(self.first or self.questionnaire.after)

    @property
    def first(self) -> tuple[Stage, ...]:
        """Forms of this study before the game, in order."""
        texts = {"consent": self.consent, "instructions": self.instructions, "before": self.questionnaire.before}
        return tuple(stage for stage in FIRST if texts[stage])

    @property
    def consent_digest(self) -> str:
        """Hash of the text that people agree to."""
        return hashlib.sha256(self.consent.encode()).hexdigest()[:16]

    def questions(self, stage: Stage) -> Sequence[FormQuestion]:
        """Return the questions of a stage."""
        return {"before": self.questionnaire.before, "after": self.questionnaire.after}.get(stage, ())

    def page(self, stage: Stage) -> dict[str, Any]:
        """Return a form as the page shows it."""
        text = {"consent": self.consent, "instructions": self.instructions}.get(stage, "")
        return {
            "stage": stage, "text": markdown_nodes(text),
            "questions": [question.to_dict() for question in self.questions(stage)],
        }  # fmt: skip

    def check(self, stage: Stage, answers: Mapping[str, Any]) -> str:
        """Return the reason why answers to a form are not legal; empty if they are."""
        if stage == "consent":
            agreed = answers.get("agree")
            return "" if isinstance(agreed, bool) and set(answers) == {"agree"} else "say whether you agree"
        questions = self.questions(stage)
        if unknown := set(answers) - {question.id for question in questions}:
            return f"there is no question {min(unknown)[:40]!r}"
        return next(filter(None, (question.check(answers.get(question.id)) for question in questions)), "")


def read_forms(consent: str | None, instructions: str | None, questionnaire: str | None) -> StudyForms:
    """Return a study's forms from their files; None leaves a form out. Raises UsageError."""
    return StudyForms(
        _read("--consent", consent),
        _read("--instructions", instructions),
        _questions(questionnaire) if questionnaire else Questionnaire(),
    )


def _read(flag: str, path: str | None) -> str:
    if path is None:
        return ""
    try:
        data = Path(path).expanduser().read_bytes()
        text = data.decode("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
        raise UsageError(f"{flag}: {path} cannot be read ({reason.lower()}): give a text file") from None
    if not text.strip() or len(data) > MAX_FILE_BYTES:
        raise UsageError(f"{flag}: {path} has {len(data)} bytes: give a file of 1 to {MAX_FILE_BYTES} with text")
    return text


def _questions(path: str) -> Questionnaire:
    text = _read("--questionnaire", path)
    try:
        return Questionnaire.model_validate(load_own(text))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise UsageError(f"--questionnaire: {path}: {place}: {first['msg'].removeprefix('Value error, ')}") from None
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UsageError(f"--questionnaire: {path} is not readable YAML ({reason})") from None
