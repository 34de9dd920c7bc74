"""Terminal view of a transcript's steps. Texts come from records and are never parsed as markup."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line, visible
from accord.analysis.transcript import CallTexts, StepFilter, StepPart, TranscriptCall, TranscriptStep
from accord.analysis.transcript.calls import with_tool_calls
from accord.analysis.transcript.model import cost
from dilemmas.records.events import RunStarted

INDENT = " " * 11
"""Indentation before the kind of a step."""
DEEPER = INDENT + "  "
STYLES = {
    "saw": "cyan",
    "recalled": "cyan",
    "insight": "magenta",
    "understood": "magenta",
    "plan": "magenta",
    "task": "magenta",
    "thought": "magenta",
    "wrote": "blue",
    "decided": "blue",
    "said": "green",
    "did": "green",
    "critic": "yellow",
    "learned": "yellow",
    "judged": "yellow",
    "fault": "red",
    "lost": "red",
}
"""Kind of step -> colour; other kinds have none."""
LONGEST_TITLE = 400


class StepPrinter:
    """Printer of one run's steps."""

    def __init__(
        self, console: Console, started: RunStarted, run: Path, wanted: StepFilter, texts: CallTexts | None
    ) -> None:
        """Print to `console`; with `texts`, also the prompts and answers of calls."""
        self._console = console
        self._started = started
        self._run = run
        self._wanted = wanted
        self._texts = texts
        self._heading: tuple[int | None, bool, int] | None = None
        self._systems: dict[str, TranscriptCall] = {}
        """System prompt's text -> the first call that used it."""

    def all(self, steps: Iterable[TranscriptStep]) -> None:
        """Print a heading, every step, and a note if there are none."""
        self._head()
        count = 0
        for count, step in enumerate(steps, 1):  # noqa: B007 - it is needed after the loop
            self._heading_of(step)
            self._step(step)
        if not count:
            self._line(Text("\nno step fits; leave out a player, --kind, --episode or --text", style="dim"))

    def _line(self, text: Text | str) -> None:
        self._console.print(text)

    def _head(self) -> None:
        start = self._started
        told = f"{start.scenario}, {start.condition}, seed {start.seed}, on {start.world}"
        self._line(Text.assemble("\n", (told, "bold"), (f"  {self._run}", "dim")))
        for name, terms in start.players.items():
            if self._wanted.players and name not in self._wanted.players:
                continue
            self._line(Text(f"  {one_line(name)}: {one_line(terms.author)}", style="dim"))

    def _heading_of(self, step: TranscriptStep) -> None:
        heading = (step.episode, step.between, step.attempt)
        if heading == self._heading:
            return
        self._heading = heading
        again = f", attempt {step.attempt}" if step.attempt > 1 else ""
        where = "Before the first episode" if step.episode is None else f"Episode {step.episode}{again}"
        if step.between and step.episode is not None:
            where = f"After episode {step.episode}"
        self._line(Text(f"\n{where}", style="bold underline"))

    def _step(self, step: TranscriptStep) -> None:
        style = STYLES.get(step.kind, "")
        # In the transcript of a single player its name is redundant.
        who = "" if (step.player,) == tuple(self._wanted.players) else step.player
        when = f"round {step.round}" if step.round else "" if step.t_s is None else f"{step.t_s:.1f} s"
        line = Text.assemble(
            (f"{when:>9}  ", "dim"),
            (f"{step.kind:<10} ", f"{style} bold" if not step.trouble else "red bold"),
            (f"{one_line(who)} " if who else "", "bold"),
            one_line(step.title, LONGEST_TITLE),
        )
        if step.calls:
            line.append(f"  [{cost(step)}]", style="dim")
        self._line(line)
        for part in step.parts:
            self._part(part)
        if self._texts is not None:
            for call in step.calls:
                self._call(call, self._texts)

    def _part(self, part: StepPart) -> None:
        lines = visible(part.text).strip("\n").split("\n")
        label = f"{part.label}:" if part.label else ""
        if part.form == "text" and len(lines) == 1:
            indent = INDENT if label else DEEPER
            self._line(Text.assemble(indent, (f"{label} " if label else "", "italic dim"), lines[0]))
            return
        if label:
            self._line(Text(f"{INDENT}{label}", style="italic dim"))
        marks = {"list": "- ", "code": "| ", "text": ""}
        for line in lines:
            self._line(Text.assemble(DEEPER, (marks[part.form], "dim"), line))

    def _call(self, call: TranscriptCall, texts: CallTexts) -> None:
        """Print a call's prompt and answer. A repeated system prompt is only referenced."""
        found = texts.of(call)
        self._line(Text(f"{INDENT}call {call.number} as {call.role}, {call.model}", style="bold dim"))
        if found is None:
            self._line(Text(f"{DEEPER}(calls.jsonl has no text of it)", style="dim"))
            return
        for message in found.get("messages") or ():
            self._message(
                call, str(message.get("role", "")), with_tool_calls(message.get("content"), message.get("tool_calls"))
            )
        self._message(call, "reply", with_tool_calls(found.get("reply"), found.get("calls")))

    def _message(self, call: TranscriptCall, role: str, text: str) -> None:
        first = self._systems.setdefault(text, call) if role == "system" else call
        if first is not call:
            text = f"(the same as in {first.player}'s call {first.number} as {first.role})"
        shown = textwrap.indent(visible(text), DEEPER, lambda _line: True)
        self._line(Text.assemble((f"{INDENT}{role}:\n", "italic dim"), shown))
