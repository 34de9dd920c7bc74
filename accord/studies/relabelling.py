"""Ratings of finished records by models (`accord report --rater`, `--reader`): each is asked once about each record.

What a record can be rated for follows from its log, since a record that was received has no file of its scenario:
thoughts where there is a truth about people, topics where people settled in towns, else roles, agreement of words and
deeds, and topics of goals where people set goals; besides, compliance where people lived under a law in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from accord.analysis.ratings import Rater, Rating, RecordRatings, log_hash, read_ratings, write_ratings
from accord.analysis.ratings import Subject as RaterSubject
from accord.analysis.words.facts import HeardUtterance
from accord.analysis.words.kept import KeptStatement, WordsRead, public_knowledge
from accord.analysis.words.record import KINDS as WORD_KINDS
from accord.analysis.words.record import WordsRecord
from accord.studies.models import Models, read_prompts
from accord.studies.option_groups import SeatingOptions
from dilemmas.errors import UsageError
from dilemmas.records.events import LogLine
from dilemmas.records.manifest import LOG
from dilemmas.records.record import read_events
from dilemmas.scenarios.compliance import VERDICTS, ClauseVerdict, ComplianceRated, ComplianceRecord
from dilemmas.scenarios.perception.rating import rate_thoughts
from dilemmas.scenarios.societies.labels import KINDS, LabelledItems, read_items
from dilemmas.scenarios.societies.rating import rate_lives
from dilemmas.scenarios.societies.topics import name_topics
from voyager_agents.asking import Asker
from voyager_agents.budget import Caps
from voyager_agents.compliance_rater import ComplianceRater
from voyager_agents.errors import AgentError, BudgetExhausted, QuotaExhausted
from voyager_agents.models import Settings
from voyager_agents.models.cascade import stages_of
from voyager_agents.models.paying import PaidModels
from voyager_agents.models.sampling import Sampling, applied
from voyager_agents.piano.role_classifier import RoleClassifier
from voyager_agents.piano.topic_rater import TopicRater
from voyager_agents.prompts.folder import Prompts
from voyager_agents.roles import LAW_RATING, RATER, RATING, TOPIC_RATING, WORD_RATING
from voyager_agents.word_reader import BATCH, WordReader, WordsAnswer, WordsToRead

Subject = Literal["thoughts", "topics", "lives", "law", "words"]
PROMPTS: dict[Subject, Sequence[str]] = {"law": LAW_RATING, "words": WORD_RATING}
"""Subject -> its prompts, where they are not those of lives."""
OPTIONS: dict[RaterSubject, str] = {"lives": "--rater", "words": "--reader"}
"""Subject of a rater -> its option on the command line."""
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
    answered: Mapping[str, int] = field(default_factory=dict)
    """Model of a cascade -> number of questions whose answer is its own; empty for a rater of one model."""


def raters_of(models: Sequence[str], seeds: int, of: RaterSubject = "lives") -> tuple[Rater, ...]:
    """Return every model with every seed, the first seed of all models first.

    Args:
        models: Specs of models.
        seeds: Number of seeds.
        of: What they read: lives or words.

    Raises:
        UsageError: A model is given twice, or the number of seeds is not legal.
    """
    if not 1 <= seeds <= MAX_SEEDS:
        raise UsageError(f"--rater-seeds {seeds}: give 1 to {MAX_SEEDS}")
    if twice := next((each for each in models if models.count(each) > 1), None):
        name = OPTIONS[of]
        raise UsageError(f"{name} {twice}: is given twice; give it once, and --rater-seeds N to ask it again")
    return tuple(Rater(model, seed, of) for seed in range(seeds) for model in models)


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
    ratable = {of: _ratable(runs, of) for of in dict.fromkeys(each.of for each in raters)}
    prompts, chosen = read_prompts(settings.prompts), Sampling.parse(settings.sampling)
    specs = dict.fromkeys(each.model for each in raters)
    models = Models([replace(settings, model=None, models={f"{RATER}{n}": spec for n, spec in enumerate(specs)})], caps)
    try:
        for rater in raters:
            if not models.opened.keys() >= {*stages_of(rater.model)}:
                raise UsageError(
                    f"{OPTIONS[rater.of]} {rater.model}: a recorded run rates nothing; give openai/NAME or local"
                )
            paying, rated = PaidModels(rater.model, models.opened, models.budget, RATER), 0
            sampling = applied(Settings(), {**chosen.of("", RATER, rater.seed), "seed": rater.seed})
            subjects = ratable[rater.of]
            for run, of_run in subjects.items():
                rated += await _rate_record(run, of_run, rater, paying, sampling, prompts)
            kept = len(subjects) - rated
            tell(RaterUse(rater, rated, kept, paying.calls, paying.tokens, paying.usd, paying.answered))
    except (BudgetExhausted, QuotaExhausted) as error:
        reason = str(error).partition(": give more")[0]
        raise UsageError(
            f"--rater: {reason}: give more; ratings so far are kept, and are not asked for again"
        ) from None
    finally:
        await models.close()


def _ratable(runs: Sequence[Path], of: RaterSubject) -> dict[Path, Sequence[Subject]]:
    """Return run -> what of it is rated. Raises UsageError if there is nothing in any run."""
    if of == "words":
        spoken: dict[Path, Sequence[Subject]] = {run: ["words"] for run in runs if _words(run).utterances}
        if not spoken:
            raise UsageError(f"--reader: nobody says anything in {runs[0]}: give runs in which players talked")
        return spoken
    subjects: dict[Path, Sequence[Subject]] = {
        run: _subjects(read_items(read_events(run / LOG, only=KINDS))) for run in runs
    }
    ratable = {run: found for run, found in subjects.items() if found}
    if not ratable:
        raise UsageError(
            f"--rater: nothing in {runs[0]} can be rated: give runs in which agents lived, such as those of village, "
            "religion or perception-chef, or had a law in words (institution.statute=on)"
        )
    return ratable


def _words(run: Path) -> WordsRecord:
    """Return the utterances and public facts of a run. Raises RecordError."""
    record = WordsRecord(directory=run)
    for line in read_events(run / LOG, only=WORD_KINDS):
        record.add_line(line)
    return record


def _subjects(items: LabelledItems) -> list[Subject]:
    """Return what of a record is rated: nothing if nobody set goals in it or did anything under a law in words."""
    law: list[Subject] = ["law"] if items.law.clauses and items.law.acts else []
    if items.judges:
        return ["thoughts", *law]
    if not items.goals.goals:
        return law
    return ["topics" if items.lives.crowd else "lives", *law]


async def _rate_record(
    run: Path, subjects: Sequence[Subject], rater: Rater, models: PaidModels, sampling: Settings, prompts: Prompts
) -> bool:
    """Rate one record and return True; return False if kept ratings fit.

    Raises UsageError if the model could not be asked.
    """
    wanted = RecordRatings(
        model=rater.model,
        seed=rater.seed,
        sampling=sampling.to_dict(),
        prompts=prompts.hashes([name for each in subjects for name in PROMPTS.get(each, [*RATING, *TOPIC_RATING])]),
        log=log_hash(run / LOG),
        events=[],
    )
    kept = read_ratings(run, rater)
    if kept is not None and kept.fits(wanted):
        return False
    asker, before = Asker(models.asked, RATER, settings=sampling), models.answered
    events: list[Rating] = []
    for subject in subjects:
        if subject == "words":
            events.append(await _read_words(_words(run), WordReader(asker, prompts)))
        elif subject == "law":
            law = read_items(read_events(run / LOG, only=KINDS)).law
            events.append(await _rate_compliance(law, ComplianceRater(asker, VERDICTS, prompts)))
        else:
            events += await _ratings(run, subject, RoleClassifier(asker, prompts), TopicRater(asker, prompts))
    if fault := next((each.fault for each in events if each.fault), ""):
        raise UsageError(f"{OPTIONS[rater.of]} {rater.model}: could not be asked about {run}: {fault}")
    answered = {name: made for name, count in models.answered.items() if (made := count - before.get(name, 0))}
    write_ratings(run, rater, wanted.model_copy(update={"events": events, "answered": answered}))
    return True


async def _ratings(run: Path, subject: Subject, classifier: RoleClassifier, topics: TopicRater) -> list[Rating]:
    """Return the ratings of a record. Raises BudgetExhausted and QuotaExhausted."""

    def lines() -> Iterator[LogLine]:
        return read_events(run / LOG, only=KINDS)

    if subject == "thoughts":
        return [*await rate_thoughts(lines(), classifier)]
    lives = await rate_lives(lines(), classifier) if subject == "lives" else []
    return [*lives, *await name_topics(lines(), topics)]


async def _rate_compliance(law: ComplianceRecord, rater: ComplianceRater) -> ComplianceRated:
    """Return what a model finds about every clause and person.

    If the model cannot be used, the reason is the fault. Raises BudgetExhausted and QuotaExhausted.
    """
    found: list[ClauseVerdict] = []
    for clause in law.clauses.values():
        try:
            verdicts = await rater.rate(clause.text, law.players, law.acts_under(clause), law.unit)
        except (BudgetExhausted, QuotaExhausted):
            raise
        except AgentError as error:
            return ComplianceRated(verdicts=found, fault=str(error))
        told = [{"clause": clause.id, "player": player, "verdict": verdict} for player, verdict in verdicts.items()]
        found += map(ClauseVerdict.model_validate, told)
    return ComplianceRated(verdicts=found)


async def _read_words(record: WordsRecord, reader: WordReader) -> WordsRead:
    """Return what a model reads in all utterances, in batches of one episode.

    An utterance without a usable answer is unread. If the model cannot be used, the reason is the fault.
    Raises BudgetExhausted and QuotaExhausted.
    """
    statements: list[KeptStatement] = []
    wrong: list[int] = []
    unread: list[int] = []
    for batch in _batches(record.utterances):
        shown = [WordsToRead(each.speaker, each.hearers, each.round, each.text) for each in batch]
        try:
            answer = await reader.read(shown, record.players, public_knowledge(record, batch))
        except (BudgetExhausted, QuotaExhausted):
            raise
        except AgentError as error:
            return WordsRead(statements=statements, wrong=wrong, unread=unread, fault=str(error))
        if answer is None:
            unread += [each.line for each in batch]
            continue
        wrong += [batch[number - 1].line for number in answer.wrong]
        statements += _kept(answer, batch)
    return WordsRead(statements=statements, wrong=wrong, unread=unread)


def _kept(answer: WordsAnswer, batch: Sequence[HeardUtterance]) -> Iterator[KeptStatement]:
    for each in answer.statements:
        fields = each.model_dump(exclude={"utterance"})
        yield KeptStatement(line=batch[each.utterance - 1].line, **fields)


def _batches(utterances: Sequence[HeardUtterance]) -> Iterator[list[HeardUtterance]]:
    """Yield utterances with words in batches, none with words of two episodes."""
    batch: list[HeardUtterance] = []
    for each in utterances:
        if not each.text.strip():
            continue
        if batch and (len(batch) == BATCH or batch[0].episode != each.episode):
            yield batch
            batch = []
        batch.append(each)
    if batch:
        yield batch
