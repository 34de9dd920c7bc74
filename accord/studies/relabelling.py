"""Ratings of finished records by models (`accord report --rater`): each record is asked about once for each rater.

What a record can be rated for follows from its log, since a record that was received has no file of its scenario:
thoughts where there is a truth about people, topics where people settled in towns, else roles, agreement of words and
deeds, and topics of goals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from accord.analysis.ratings import Rater, Rating, RecordRatings, log_hash, read_ratings, write_ratings
from accord.studies.models import Models, read_prompts
from accord.studies.option_groups import SeatingOptions
from dilemmas.errors import UsageError
from dilemmas.records.events import LogLine
from dilemmas.records.manifest import LOG
from dilemmas.records.record import read_events
from dilemmas.scenarios.perception.rating import rate_thoughts
from dilemmas.scenarios.societies.labels import KINDS, LabelledItems, read_items
from dilemmas.scenarios.societies.rating import rate_lives
from dilemmas.scenarios.societies.topics import name_topics
from voyager_agents.asking import Asker
from voyager_agents.budget import Caps
from voyager_agents.errors import BudgetExhausted, QuotaExhausted
from voyager_agents.models import Model, Settings
from voyager_agents.models.paying import PayingModel
from voyager_agents.models.sampling import Sampling, applied
from voyager_agents.piano.role_classifier import RoleClassifier
from voyager_agents.piano.topic_rater import TopicRater
from voyager_agents.prompts.folder import Prompts
from voyager_agents.roles import RATER, RATING, TOPIC_RATING

Subject = Literal["thoughts", "topics", "lives"]
MAX_SEEDS = 20
"""Maximum number of seeds of a rater."""


@dataclass(frozen=True)
class RaterUse:
    """Calls of one rater."""

    rater: Rater
    rated: int
    """Number of records that it rated now."""
    kept: int
    """Number of records whose kept ratings are used again."""
    calls: int
    tokens: int
    usd: float | None
    """Cost in US dollars; None if a price is unknown."""


def raters_of(models: Sequence[str], seeds: int) -> tuple[Rater, ...]:
    """Return every model with every seed, the first seed of all models first.

    Args:
        models: Specs of models.
        seeds: Number of seeds.

    Raises:
        UsageError: A model is given twice, or the number of seeds is not legal.
    """
    if not 1 <= seeds <= MAX_SEEDS:
        raise UsageError(f"--rater-seeds {seeds}: give 1 to {MAX_SEEDS}")
    if twice := next((each for each in models if models.count(each) > 1), None):
        raise UsageError(f"--rater {twice}: is given twice; give it once, and --rater-seeds N to ask it again")
    return tuple(Rater(model, seed) for seed in range(seeds) for model in models)


async def rate_records(
    runs: Sequence[Path],
    raters: Sequence[Rater],
    settings: SeatingOptions,
    caps: Caps,
    tell: Callable[[RaterUse], None],
) -> None:
    """Rate records by every rater and keep the ratings beside them; kept ratings of the same log are used again.

    Args:
        runs: Directories of runs.
        raters: The raters.
        settings: Endpoints, keys, sampling, prices and prompts; its models are replaced by the raters.
        caps: Limits of the budget of all raters.
        tell: Called after each rater.

    Raises:
        UsageError: A model cannot be used, nothing in the runs can be rated, or the budget is used up.
        RecordError: A record cannot be read, or the ratings cannot be written.
        ModelError: A setting of the sampling is not legal.
    """
    subjects = {run: _subject(read_items(read_events(run / LOG, only=KINDS))) for run in runs}
    ratable = {run: subject for run, subject in subjects.items() if subject is not None}
    if not ratable:
        raise UsageError(
            f"--rater: nothing in {runs[0]} can be rated: give runs in which agents lived, such as those of village, "
            "religion or perception-chef"
        )
    prompts, chosen = read_prompts(settings.prompts), Sampling.parse(settings.sampling)
    specs = dict.fromkeys(each.model for each in raters)
    models = Models([replace(settings, model=None, models={f"{RATER}{n}": spec for n, spec in enumerate(specs)})], caps)
    try:
        for rater in raters:
            if (model := models.opened.get(rater.model)) is None:
                raise UsageError(f"--rater {rater.model}: a recorded run rates nothing; give openai/NAME or local")
            paying, rated = PayingModel(model, models.budget, RATER), 0
            sampling = applied(Settings(), {**chosen.of("", RATER, rater.seed), "seed": rater.seed})
            for run, subject in ratable.items():
                rated += await _rate_record(run, subject, rater, paying, sampling, prompts)
            tell(RaterUse(rater, rated, len(ratable) - rated, paying.calls, paying.tokens, paying.usd))
    except (BudgetExhausted, QuotaExhausted) as error:
        reason = str(error).partition(": give more")[0]
        raise UsageError(
            f"--rater: {reason}: give more; ratings so far are kept, and are not asked for again"
        ) from None
    finally:
        await models.close()


def _subject(items: LabelledItems) -> Subject | None:
    """Return what of a record is rated, or None if nobody set goals in it."""
    if items.judges:
        return "thoughts"
    if not items.goals.goals:
        return None
    return "topics" if items.lives.crowd else "lives"


async def _rate_record(
    run: Path, subject: Subject, rater: Rater, model: Model, sampling: Settings, prompts: Prompts
) -> bool:
    """Rate one record and return True; return False if kept ratings fit.

    Raises UsageError if the model could not be asked.
    """
    wanted = RecordRatings(
        model=rater.model,
        seed=rater.seed,
        sampling=sampling.to_dict(),
        prompts=prompts.hashes([*RATING, *TOPIC_RATING]),
        log=log_hash(run / LOG),
        events=[],
    )
    kept = read_ratings(run, rater)
    if kept is not None and kept.fits(wanted):
        return False
    asker = Asker(model, RATER, settings=sampling)
    events = await _ratings(run, subject, RoleClassifier(asker, prompts), TopicRater(asker, prompts))
    if fault := next((each.fault for each in events if each.fault), ""):
        raise UsageError(f"--rater {rater.model}: could not be asked about {run}: {fault}")
    write_ratings(run, rater, wanted.model_copy(update={"events": events}))
    return True


async def _ratings(run: Path, subject: Subject, classifier: RoleClassifier, topics: TopicRater) -> list[Rating]:
    """Return the ratings of a record. Raises BudgetExhausted and QuotaExhausted."""

    def lines() -> Iterator[LogLine]:
        return read_events(run / LOG, only=KINDS)

    if subject == "thoughts":
        return [*await rate_thoughts(lines(), classifier)]
    lives = await rate_lives(lines(), classifier) if subject == "lives" else []
    return [*lives, *await name_topics(lines(), topics)]
