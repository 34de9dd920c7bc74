"""Questions about moments of finished records (`accord questions`): drawn from the logs, and put to answerers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

from accord.analysis.questions.drawing import MomentQuestion, answers_from_log, draw_questions
from accord.analysis.questions.moments import KINDS
from accord.analysis.questions.scoring import Answer
from accord.studies.models import Models, read_prompts
from accord.studies.option_groups import SeatingOptions
from common.plain_files import read_text
from contracts.yaml12 import load_own
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.events import LogLine
from dilemmas.records.manifest import LOG
from dilemmas.records.record import CONFIG, read_events
from voyager_agents.asking import Asker
from voyager_agents.budget import Caps
from voyager_agents.errors import BudgetExhausted, QuotaExhausted
from voyager_agents.models import Settings
from voyager_agents.models.cascade import stages_of
from voyager_agents.models.paying import PaidModels
from voyager_agents.models.sampling import Sampling, applied
from voyager_agents.moment_answerer import MomentAnswerer
from voyager_agents.roles import ANSWERER

REFERENCE, RANDOM = "reference", "random"
BUILT_IN = (REFERENCE, RANDOM)
"""Answerers without a model: one that knows the log, and one that guesses."""
MAX_QUESTIONS = 1000
"""Maximum number of questions of each kind about one record."""
AT_ONCE = 8
"""Questions that a model is asked at the same time."""


@dataclass(frozen=True)
class AnswererUse:
    """Calls of one model."""

    model: str
    calls: int
    tokens: int
    usd: float | None
    """Cost in US dollars; None if a price is unknown."""
    answered: Mapping[str, int] = field(default_factory=dict)
    """Model of a cascade -> number of questions whose answer is its own; empty for one model."""


def questions_about(runs: Sequence[Path], count: int, seed: int) -> list[MomentQuestion]:
    """Return questions about the records.

    Args:
        runs: Directories of runs.
        count: Number of questions of each kind about each record.
        seed: Seed of the questions.

    Raises:
        UsageError: `count` is not legal, or no log tells anything that can be asked.
        RecordError: A record cannot be read.
    """
    if not 1 <= count <= MAX_QUESTIONS:
        raise UsageError(f"--count {count}: give 1 to {MAX_QUESTIONS}")
    found: list[MomentQuestion] = []
    for run in runs:
        found += draw_questions(str(run), _lines(run), _scenario_text(run), count, seed)
    if not found:
        raise UsageError(
            f"{runs[0]}: its log tells nothing that can be asked: give runs with bodies in a world, such as kitchen's"
        )
    return found


def answer_without_model(name: str, questions: Sequence[MomentQuestion], seed: int) -> list[Answer]:
    """Return the answers of one of `BUILT_IN`.

    Args:
        name: Name of the answerer.
        questions: The questions.
        seed: Seed of guesses.

    Raises:
        RecordError: A record cannot be read.
    """
    if name == REFERENCE:
        by_record = {each.record: [one for one in questions if one.record == each.record] for each in questions}
        return [
            Answer(name, question, chosen)
            for record, own in by_record.items()
            for question, chosen in zip(own, answers_from_log(own, _lines(Path(record))), strict=True)
        ]
    generator = random.Random(f"guesses:{seed}")
    return [Answer(name, each, generator.randrange(len(each.options))) for each in questions]


def _lines(run: Path) -> Iterator[LogLine]:
    return read_events(run / LOG, only=KINDS)


def _scenario_text(run: Path) -> str:
    """Return the scenario's text from a record. Raises RecordError."""
    path = run / CONFIG
    try:
        config = load_own(read_text(path))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise RecordError(f"{path} cannot be read ({type(error).__name__}): is the record whole?") from None
    told = config.get("scenario") if isinstance(config, dict) else None
    return str(told.get("text", "")) if isinstance(told, dict) else ""


async def ask_models(
    specs: Sequence[str],
    questions: Sequence[MomentQuestion],
    settings: SeatingOptions,
    caps: Caps,
    seed: int,
    tell: Callable[[AnswererUse], None],
) -> list[Answer]:
    """Return the answers of models, each asked every question once.

    Args:
        specs: Specs of the models.
        questions: The questions.
        settings: Endpoints, keys, sampling, prices and prompts; its models are replaced by `specs`.
        caps: Limits of the budget of all models.
        seed: Seed of the sampling.
        tell: Called after each model.

    Raises:
        UsageError: A model cannot be used, or the budget is used up.
        AgentError: A model fails.
    """
    prompts, chosen = read_prompts(settings.prompts), Sampling.parse(settings.sampling)
    distinct = dict.fromkeys(specs)
    models = Models([replace(settings, model=None, models={f"{ANSWERER}{n}": s for n, s in enumerate(distinct)})], caps)
    found: list[Answer] = []
    try:
        for spec in distinct:
            if not models.opened.keys() >= {*stages_of(spec)}:
                raise UsageError(f"--model {spec}: a recorded run answers no questions; give openai/NAME or local")
            paying = PaidModels(spec, models.opened, models.budget, ANSWERER)
            sampling = applied(Settings(), {**chosen.of("", ANSWERER, seed), "seed": seed})
            asker = Asker(paying.asked, ANSWERER, settings=sampling, reasoning=settings.reasoning)
            answerer = MomentAnswerer(asker, prompts)
            found += await _answers(spec, answerer, questions)
            tell(AnswererUse(spec, paying.calls, paying.tokens, paying.usd, paying.answered))
    except (BudgetExhausted, QuotaExhausted) as error:
        raise UsageError(f"--model: {str(error).partition(': give more')[0]}: give more, or ask less") from None
    finally:
        await models.close()
    return found


async def _answers(spec: str, answerer: MomentAnswerer, questions: Sequence[MomentQuestion]) -> list[Answer]:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(question: MomentQuestion) -> Answer:
        async with places:
            chosen, reason = await answerer.choose(question.text, question.options, question.shown)
        return Answer(spec, question, chosen, reason)

    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(one(each)) for each in questions]
    return [each.result() for each in asked]
