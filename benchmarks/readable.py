"""Readable answers of a model: how often each role that answers with data can be read, with and without a schema.

Each role is asked N times with the JSON schema of its form in the request and N times without, on the prompts of
`accord doctor --model` and on others of the same studies, at temperature 0.7 with a seed of its own for each call. An
answer is read as a study reads it; nothing is asked again. The bar: with schema every answer is read.

Run: `PYTHONPATH=. python benchmarks/readable.py [--model local] [--count 50] [--roles choice,judge] [--out FILE]`. With
two quiet cores and the local model 50 answers of all roles take some two hours; on more, `--jobs 16 --local slots=16
--local cache=1`. Answers are kept in FILE, and a run that was stopped goes on there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accord.cli.option_values import endpoint_settings, name_value_pairs
from accord.doctor.models import Endpoint
from accord.doctor.questions import RoleQuestion, choose_questions, role_questions
from accord.studies.models import Models
from accord.studies.settings import StudySettings

TEMPERATURE = 0.7
WAYS = ("schema", "words")
OUTCOMES = ("read", "unreadable", "refused", "cut-off", "too long", "no answer")
Row = dict[str, Any]


def calls(
    questions: Sequence[RoleQuestion], count: int, ways: Sequence[str]
) -> Iterator[tuple[RoleQuestion, str, int]]:
    """Yield question, way and seed of every call: `count` for each part and way, spread over the part's prompts."""
    parts: dict[tuple[str, str], list[RoleQuestion]] = {}
    for each in questions:
        if each.asked.settings.form is not None:
            parts.setdefault((each.family, each.part), []).append(each)
    for own in parts.values():
        for way in ways:
            for seed in range(count):
                yield own[seed % len(own)], way, seed


async def ask(endpoint: Endpoint, question: RoleQuestion, way: str, seed: int, max_tokens: int | None) -> Row:
    """Return the outcome of one call as a row of the file."""
    settings = replace(question.asked.settings, temperature=TEMPERATURE, seed=seed, max_tokens=max_tokens)
    if way == "words":
        settings = replace(settings, form=None)
    answer = await endpoint.ask(question.asked, settings)
    return {
        "family": question.family,
        "part": question.part,
        "asked": way,
        "seed": seed,
        "way": answer.way,
        "outcome": answer.outcome,
        "fault": answer.fault,
        "tokens": answer.usage.completion_tokens,
        "seconds": round(answer.took_s, 2),
        "text": "" if answer.outcome == "read" else answer.text,
    }


def key(row: Mapping[str, Any]) -> tuple[object, ...]:
    """Return what names a call in the file."""
    return row["family"], row["part"], row["asked"], row["seed"]


async def measure(options: argparse.Namespace) -> list[Row]:
    """Return the rows of all calls, those of the file included."""
    settings = StudySettings(
        "double-vein",
        model=options.model,
        prompts=options.prompts,
        local=name_value_pairs("--local", options.local, "context=4096"),
        **endpoint_settings(options.base_url, None),
    )
    options.out.parent.mkdir(parents=True, exist_ok=True)
    names = [name for name in options.roles.split(",") if name]
    questions = choose_questions((await role_questions(settings, options.prompts_each)).asked, names)
    kept = options.out.read_text(encoding="utf-8").splitlines() if options.out.exists() else []
    rows = {key(row): row for row in map(json.loads, kept)}
    models = Models([settings], settings.budget)
    endpoint = Endpoint(options.model, models.opened[options.model])
    try:
        with options.out.open("a", encoding="utf-8") as file:
            free = asyncio.Semaphore(options.jobs)

            async def add(question: RoleQuestion, way: str, seed: int) -> None:
                async with free:
                    row = await ask(endpoint, question, way, seed, options.max_tokens)
                rows[key(row)] = row
                file.write(json.dumps(row) + "\n")
                file.flush()
                shown = row | {"text": " ".join(row["text"].split())[:80]}
                print(" ".join(f"{each}" for each in shown.values()), file=sys.stderr)

            await asyncio.gather(
                *(
                    add(question, way, seed)
                    for question, way, seed in calls(questions, options.count, options.ways.split(","))
                    if (question.family, question.part, way, seed) not in rows
                )
            )
    finally:
        await models.close()
    return list(rows.values())


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a table in Markdown."""
    parts = list(dict.fromkeys((row["family"], row["part"]) for row in rows))
    lines = ["| family | role | with schema | without schema |", "|---|---|---|---|"]
    lines += [f"| {family} | {part} | {_cell(rows, family, part)} |" for family, part in parts]
    lines.append(f"| all | | {_cell(rows)} |")
    return "\n".join(lines)


def _cell(rows: Sequence[Row], *place: str) -> str:
    """Return both columns of outcomes: the number of answers that were read, and those with a fault by its kind."""
    cells = []
    for way in WAYS:
        own = [
            row["outcome"]
            for row in rows
            if row["asked"] == way and (row["family"], row["part"])[: len(place)] == place
        ]
        counts = Counter(own)
        faults = ", ".join(f"{counts[each]} {each}" for each in OUTCOMES[1:] if counts[each])
        cells.append(f"{counts['read']} of {len(own)}" + (f" ({faults})" if faults else ""))
    return " | ".join(cells)


def main() -> int:
    """Measure, print the table, and return 1 if an answer with schema could not be read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="local")
    parser.add_argument("--base-url", action="append", default=[])
    parser.add_argument("--local", action="append", default=[], metavar="KEY=N")
    parser.add_argument("--count", type=int, default=50, help="answers of each role, with schema and without")
    parser.add_argument("--prompts-each", type=int, default=10, help="maximum number of different prompts of a role")
    parser.add_argument("--roles", default="", help="roles and parts, with commas between them; all by default")
    parser.add_argument("--ways", default=",".join(WAYS), help="schema, words, or both")
    parser.add_argument("--prompts", type=Path, default=Path("compact"))
    parser.add_argument("--max-tokens", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=1, help="calls at the same time")
    parser.add_argument("--out", type=Path, default=Path("readable.jsonl"), help="answers, one a line")
    rows = asyncio.run(measure(parser.parse_args()))
    print(table(rows))
    return int(any(row["outcome"] != "read" for row in rows if row["asked"] == WAYS[0]))


if __name__ == "__main__":
    sys.exit(main())
