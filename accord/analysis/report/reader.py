"""Reading of run directories into `ReportedRun` views: events from the log, measures from result.json."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import yaml

from accord.analysis.agreement_scores import DutyTracker
from accord.analysis.figures import bounds, figures
from accord.analysis.mixed_model import check_installed
from accord.analysis.plan import AnalysisPlan
from accord.analysis.ratings import Rater, read_ratings
from accord.analysis.replication import read_sent_calls
from accord.analysis.report.deals.record import BargainRecord
from accord.analysis.report.episodes import EpisodeBuilder
from accord.analysis.report.grid.play import GridPlay
from accord.analysis.report.institutions.record import InstitutionRecord
from accord.analysis.report.model import ReportedContract, ReportedRun, ReportedTerm, Talk
from accord.analysis.report.setups import Setup, read_setup
from accord.analysis.report.worker_pool import InProcessPool, WorkerPool, pool_for
from accord.analysis.savings import RunSavings
from accord.analysis.validity import APART, POLICIES, Treatment, Verdicts, invalid
from accord.analysis.words.kept import WordsRead, judge_kept
from accord.analysis.words.monitors import RunWords, run_words
from accord.analysis.words.record import WordsRecord
from common.plain_files import read_text
from contracts.yaml12 import load_own
from dilemmas.errors import RecordError, UsageError
from dilemmas.records import events as log
from dilemmas.records.answers import RoleAnswers, read_answers
from dilemmas.records.costs import RoleCost, costs
from dilemmas.records.events.base import EventModel
from dilemmas.records.folders import find_below
from dilemmas.records.metering import Meter
from dilemmas.records.record import CONFIG, read_events
from dilemmas.records.results import read_result
from dilemmas.scenarios.compliance import ComplianceRated
from dilemmas.scenarios.progression.measures import ItemProgress
from dilemmas.scenarios.religion.measures import Spreading
from dilemmas.scenarios.repeated_game.measures import LastGame
from dilemmas.scenarios.societies.drives import DriveHistory
from dilemmas.scenarios.societies.labels import KINDS as LABELLED
from dilemmas.scenarios.societies.labels import Rated, read_items
from dilemmas.scenarios.societies.lives import LifeHistories
from dilemmas.scenarios.societies.markets import MarketHistory
from dilemmas.scenarios.societies.perceiving import PerceptionHistory
from dilemmas.scenarios.taxation.record import TaxRecord
from dilemmas.scenarios.voyager_progress.measures import TrialMeasures

LOG = "events.jsonl"
UNUSED = frozenset(
    {
        "inventory",
        "host",
        "mind_step",
        "world_ready",
        "world_built",
        "players_placed",
        "run_resumed",
        "ground_changed",
        "weather",
        "drops",
        "mobs",
    }
)
"""Kinds of events that no report shows."""
OF_BODIES = frozenset({"action", "bot", "chat", "log", "policy", "signal"})
"""Kinds that the report of a crowd does not show."""
OF_LIVES = frozenset({"choice", "act_began", "act_ended"})
"""Kinds that the report of a crowd shows only as entries of lives."""
PROGRESS = frozenset({"inventory"})
"""Kinds that only the section on progress needs."""
OF_WORDS = frozenset({"inventory", "ground_changed"})
"""Kinds that words about lives are matched to, besides their other uses."""
_LIVED = frozenset(
    {log.LifeBegan, log.LifeEnded, log.Speech, log.ChoiceMade, log.ActBegan, log.ActEnded, log.SlotWritten,
     log.MindNoted, log.LifeSummed, log.PeopleSettled, log.InventoryEvent, log.BegunAt, log.TruthTold, log.FoodSeen,
     log.SummariesRated}
)  # fmt: skip
"""Events that concern lives alone."""
_OF_FEW: Mapping[type[EventModel], tuple[str, ...]] = {
    log.ChoiceMade: ("lives",),
    log.ActBegan: ("lives", "trial"),
    log.ActEnded: ("lives", "trial"),
    log.SlotWritten: ("lives", "spreading", "perceived", "drives"),
    log.Speech: ("lives", "spreading", "perceived", "taxes"),
    log.PlacesSeen: ("spreading", "taxes", "trial"),
    log.ActionEvent: ("lives",),
    log.ModelCalled: ("lives",),
    log.InventoryEvent: ("progress", "trial"),
    log.StateSeen: (),
    log.PolicyEvent: (),
    log.LogEvent: (),
    log.ChatEvent: (),
    log.SignalEvent: (),
}
"""Frequent events, and the collectors of `_Collectors` that use them."""
_APART = frozenset(
    {
        log.RunStarted,
        log.RunEnded,
        log.NegotiationTurn,
        log.TermsTyped,
        log.TermsRatified,
        log.ContractEvent,
        log.DealChanged,
    }
)
"""Events outside of episodes."""
_SLOT = re.compile(rb'[^{]*\{[^{]*\{"t_s": [-+.\deE]+, "player": "[^"\\]*", "slot": "(\w+)"')
"""Pattern of the slot at the start of a line."""
_Negotiated = log.NegotiationTurn | log.TermsTyped | log.TermsRatified | log.ContractEvent


@dataclass
class _Collectors:
    """Collectors of the sections' records; each takes the events that it needs."""

    lives: LifeHistories = field(default_factory=LifeHistories)
    spreading: Spreading = field(default_factory=Spreading)
    perceived: PerceptionHistory = field(default_factory=PerceptionHistory)
    taxes: TaxRecord = field(default_factory=TaxRecord)
    progress: ItemProgress = field(default_factory=ItemProgress)
    play: GridPlay = field(default_factory=GridPlay)
    game: LastGame = field(default_factory=LastGame)
    trial: TrialMeasures = field(default_factory=TrialMeasures)
    bargains: BargainRecord = field(default_factory=BargainRecord)
    institutions: InstitutionRecord = field(default_factory=InstitutionRecord)
    market: MarketHistory = field(default_factory=MarketHistory)
    drives: DriveHistory = field(default_factory=DriveHistory)

    def is_unused(self, kind: str, raw: bytes) -> bool:
        """Return whether no collector needs the line: only goals and drives of slots, unless minds are measured."""
        if kind != "slot" or self.perceived.truth is not None:
            return False
        return (found := _SLOT.match(raw)) is not None and found[1] not in (b"goal", b"drives")

    def add_topics(self, ratings: Sequence[log.Event]) -> None:
        """Add the topics of a rater before the first event, since goals are counted as they come."""
        for event in ratings:
            self.spreading.add_event(event)

    def add_ratings(self, ratings: Sequence[log.Event]) -> None:
        """Add the ratings of lives before the end of an attempt, where a log has them that were made during the run."""
        for event in ratings:
            self.lives.add_event(event)
            self.perceived.add_event(event)

    def handlers(self) -> tuple[list[Callable[[Any], None]], dict[type, list[Callable[[Any], None]]]]:
        """Return the handlers of any event, and the handlers of frequent ones."""
        few = {kind: [getattr(self, name).add_event for name in names] for kind, names in _OF_FEW.items()}
        return [getattr(self, each.name).add_event for each in fields(self)], few


@dataclass
class _RunContents:
    """Talks, episodes, duties and costs of a run, filled line by line."""

    started: log.RunStarted | None = None
    ended: log.RunEnded | None = None
    talks: list[Talk] = field(default_factory=list)
    builder: EpisodeBuilder = field(default_factory=EpisodeBuilder)
    tracker: DutyTracker = field(default_factory=DutyTracker)
    meter: Meter = field(default_factory=Meter)

    def add_line(self, line: log.LogLine) -> None:
        """Handle the next line."""
        self.tracker.add_line(line)
        match event := line.event:
            case log.ModelCalled():
                self.meter.count(event)
            case _ if type(event) not in _APART:
                self.builder.add_line(line)
            case log.RunStarted():
                self.started = event
            case log.RunEnded():
                self.ended = event
            case log.NegotiationTurn() | log.TermsTyped() | log.TermsRatified() | log.ContractEvent():
                _hear(self.talks, event, self.builder.ended + 1)
            case _:
                pass


class _AllBut:
    """All kinds of events except some."""

    def __init__(self, out: frozenset[str]) -> None:
        self.out = out

    def __contains__(self, kind: object) -> bool:
        return kind not in self.out


def find_runs(paths: Sequence[Path]) -> list[Path]:
    """Return every directory with an event log at or below these paths, each once. Raises UsageError without any."""
    found: dict[Path, None] = {}
    for path in paths:
        if not path.exists():
            raise UsageError(f"no such run: {path}; give a directory that 'accord run' wrote, e.g. below runs/")
        if path.is_file():
            raise UsageError(f"{path} is a file, not a run; give the directory that 'accord run' has written")
        # An entry that is no plain file is listed as well; opening it reports the error.
        below = [path] if os.path.lexists(path / LOG) else sorted(find_below(path, LOG))
        if not below:
            raise UsageError(f"{path} is not a run: it has no {LOG}; give a directory that 'accord run' has written")
        found.update((each.resolve(), None) for each in below)
    return list(found)


def read_runs(
    paths: Sequence[Path],
    policy: Treatment | None = None,
    pool: WorkerPool | None = None,
    *,
    paired: bool = False,
    mixed: bool = False,
    raters: Sequence[Rater] = (),
) -> list[ReportedRun]:
    """Return all runs at or below these paths.

    Args:
        paths: Directories of runs, or directories above them.
        policy: Treatment of invalid runs, or None for that of their studies.
        pool: Executor that reads them, or None for as many processes as pay off.
        paired: True for tests in pairs of equal seeds, also where the studies did not declare them.
        mixed: True for tests by a mixed model, likewise.
        raters: Models whose kept ratings are read; measures are those of the first one.

    Raises:
        UsageError: There is no run, or runs are of different scenarios.
        PrerequisiteError: A mixed model is asked for, and statsmodels is not installed.
        RecordError: A record cannot be read.
    """
    if mixed:
        check_installed()
    directories = find_runs(paths)
    studies = [_study_settings(path / CONFIG) for path in paths]
    chosen, plan = policy or _recorded_policy(studies), _recorded_plan(studies)
    plan = plan.tested_by(paired=paired, mixed=mixed)
    with contextlib.nullcontext(pool) if pool is not None else pool_for(directories) as readers:
        # A single run has nothing to read in parallel.
        reading = readers if len(directories) > 1 else InProcessPool()
        found = reading.map(read_run, [(each, _name(each, directories), raters) for each in directories])
    runs = [replace(run, policy=chosen, plan=plan) for run in found]
    if len(scenarios := sorted({run.scenario for run in runs})) > 1:
        raise UsageError(f"these runs are of different scenarios ({', '.join(scenarios)}): make one report for each")
    return runs


def _study_settings(path: Path) -> Mapping[str, Any]:
    """Return the settings in a study's config.yaml; empty if it cannot be read."""
    try:
        config = load_own(read_text(path))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return {}
    settings = config.get("settings") if isinstance(config, dict) else None
    return settings if isinstance(settings, dict) else {}


def _recorded_policy(studies: Sequence[Mapping[str, Any]]) -> Treatment:
    """Return the treatment of invalid runs that the studies recorded; `apart` if they differ or have none."""
    said = [next((each for each in POLICIES if each == study.get("invalid")), APART) for study in studies]
    return said[0] if len(set(said)) == 1 else APART


def _recorded_plan(studies: Sequence[Mapping[str, Any]]) -> AnalysisPlan:
    """Return the analysis that the studies declared; an empty one if they differ or declared none."""
    plans = {AnalysisPlan.from_settings(study) for study in studies}
    return plans.pop() if len(plans) == 1 else AnalysisPlan()


_NOT_OF_CROWDS = (UNUSED | OF_BODIES, UNUSED | OF_BODIES | OF_LIVES)


def _unused(lives: LifeHistories, progress: ItemProgress, trial: TrialMeasures) -> frozenset[str]:
    """Return the kinds of events that the report does not show, judged by what was played so far."""
    if lives.crowd:
        return _NOT_OF_CROWDS[lives.full]
    return UNUSED - PROGRESS if progress.begun or trial.players else UNUSED


def read_run(directory: Path, name: str, raters: Sequence[Rater] = ()) -> ReportedRun:
    """Return the view of one run.

    Args:
        directory: Directory of the run.
        name: Name in the report.
        raters: Models whose kept ratings are read; measures are those of the first one.

    Raises:
        RecordError: The log cannot be read or has no start.
    """
    ratings = _ratings(directory, raters)
    # Compliance is labelled, and no measure is made of it.
    first = [each for each in next(iter(ratings.values()), ()) if not isinstance(each, ComplianceRated)]
    collectors, contents, said = _Collectors(), _RunContents(), WordsRecord(directory=directory)
    lives, taxes, play, progress = collectors.lives, collectors.taxes, collectors.play, collectors.progress
    spreading, perceived, game = collectors.spreading, collectors.perceived, collectors.game
    every, few = collectors.handlers()
    shown = _AllBut(UNUSED)
    wanted = _AllBut(UNUSED - OF_WORDS)
    collectors.add_topics(first)
    for line in read_events(directory / LOG, only=wanted, but=collectors.is_unused):
        event = line.event
        kind = type(event)
        said.add_line(line)
        if line.kind not in shown:
            continue
        if kind is log.EndStateRead:
            collectors.add_ratings(first)
        for take in few.get(kind, every):
            take(event)
        shown.out = _unused(lives, progress, collectors.trial)
        wanted.out = shown.out - OF_WORDS if said.needs_bodies else shown.out
        if kind not in _LIVED and not (lives.crowd and kind is log.PlacesSeen):
            contents.add_line(line)
    started = contents.started
    if started is None:
        raise RecordError(f"{directory / LOG}: has no run_started; that run ended before it began, leave it out")
    result = read_result(directory / "result.json") if (directory / "result.json").exists() else {}
    if result and not isinstance(result.get("players"), dict):
        raise RecordError(f"{directory / 'result.json'}: not the result of a run (it has no players)")
    try:
        found = _run(name, started, result, contents, lives, read_setup(directory, started.condition))
        paid, answers = _costs_and_answers(directory, result, contents.meter)
        found = replace(
            found,
            costs=paid,
            answers=answers,
            taxes=taxes if taxes.laws else None,
            grid=play if play.begun else None,
            game=game if game.begun else None,
            spreading=spreading if spreading.settled is not None else None,
            progress=progress if progress.begun else None,
            trial=collectors.trial if collectors.trial.players else None,
            perceived=perceived if perceived.truth is not None else None,
            bargains=collectors.bargains if collectors.bargains.any else None,
            institutions=collectors.institutions if collectors.institutions.total else None,
            market=collectors.market if collectors.market.any else None,
            drives=collectors.drives if collectors.drives.changes else None,
        )
        found = replace(found, saved=_saved(result, found, lives))
    except (ValueError, TypeError, AttributeError, KeyError, OverflowError) as error:
        reason = " ".join(str(error).split())[:120]
        raise RecordError(f"{directory / 'result.json'}: not the result of a run ({reason})") from None
    found = replace(found, words=_run_words(directory, said, started.seed, raters))
    found = replace(found, sent_calls=read_sent_calls(directory / "calls.jsonl"))
    if not ratings:
        return found
    items = read_items(read_events(directory / LOG, only=LABELLED))
    rated = tuple(each for each in raters if each.of == "lives" and each.name in ratings)
    return replace(found, labels=items.labels(ratings), topics=items.topics(ratings), raters=rated)


def _ratings(directory: Path, raters: Sequence[Rater]) -> dict[str, Sequence[Rated]]:
    """Return rater -> its kept ratings of a run; a rater without any is left out."""
    kept = {each.name: read_ratings(directory, each) for each in raters if each.of == "lives"}
    return {
        name: [event for event in each.events if not isinstance(event, WordsRead)]
        for name, each in kept.items()
        if each is not None
    }


def _run_words(directory: Path, said: WordsRecord, seed: int, raters: Sequence[Rater]) -> RunWords | None:
    """Return the words of a run matched to its deeds, as the rules and all models that were asked have read them."""
    kept = {each.name: read_ratings(directory, each) for each in raters if each.of == "words"}
    read = {name: event for name, each in kept.items() if each for event in each.events if isinstance(event, WordsRead)}
    judged = [judge_kept(said, each, name) for name, each in read.items()]
    flags = {name: frozenset(each.wrong) for name, each in read.items()}
    return run_words(said, seed, judged, flags, {name: frozenset(each.unread) for name, each in read.items()})


def _run(
    name: str,
    started: log.RunStarted,
    result: Mapping[str, Any],
    contents: _RunContents,
    lives: LifeHistories,
    setup: Setup,
) -> ReportedRun:
    ended = contents.ended
    usage = result.get("usage") or {}
    return ReportedRun(
        name=name,
        scenario=started.scenario,
        version=started.version,
        world=started.world,
        condition=started.condition,
        contract_kind=started.contract_kind,
        seed=started.seed,
        status=str(result.get("status") or (ended.status if ended else "unfinished")),
        reason=str(result.get("reason") or (ended.reason if ended and ended.reason else "")),
        terms=started.players,
        accounts=_accounts(result),
        figures=figures(result),
        bounds=bounds(result, setup.bounds),
        setup=setup,
        gathered=dict(result.get("gathered") or {}),
        calls=int(usage.get("calls") or 0),
        tokens=int(usage.get("tokens") or 0),
        talks=tuple(contents.talks),
        duties=contents.tracker.scores(),
        episodes=contents.builder.build(),
        lives=lives if any(each.goals or each.acts or each.entries for each in lives.lives.values()) else None,
        invalid=invalid(result),
        verdicts=Verdicts.from_dict(result.get("verdicts")),
    )


def _costs_and_answers(
    directory: Path, result: Mapping[str, Any], meter: Meter
) -> tuple[tuple[RoleCost, ...], tuple[RoleAnswers, ...] | None]:
    """Return the costs and answers in the result; of an unfinished run, and the costs of an older one, from its logs.

    The answers are None if they were not recorded.
    """
    paid = tuple(RoleCost(**each) for each in result["costs"]) if "costs" in result else None
    given = tuple(map(RoleAnswers.from_dict, result["answers"])) if "answers" in result else None
    if not meter.tallies:
        return paid or (), given or ()
    if result and paid is not None:
        return paid, given
    logged = tuple(read_answers(directory))
    return tuple(costs(directory, meter.tallies, logged)), given if result else logged


def _saved(result: Mapping[str, Any], run: ReportedRun, lives: LifeHistories) -> RunSavings:
    """Return what the run saved."""
    modules = [life.modules for life in lives.lives.values()]
    return RunSavings.of(result.get("usage") or {}, run.answers or (), run.costs, modules)


def _name(directory: Path, all_of_them: Sequence[Path]) -> str:
    """Return the shortest end of the path that no other run shares."""
    parts = directory.parts
    for count in range(1, len(parts)):
        tail = parts[-count:]
        if sum(each.parts[-count:] == tail for each in all_of_them) == 1:
            return "/".join(tail)
    return str(directory)


def _accounts(result: Mapping[str, Any]) -> dict[str, log.PlayerAccount]:
    """Return the players' accounts. Raises ValueError when the result holds something else."""
    players = result.get("players") or {}
    return {str(name): log.PlayerAccount.model_validate(entry) for name, entry in players.items()}


def _hear(talks: list[Talk], event: _Negotiated, episode: int) -> None:
    """Note an event of a contract's life in its talk; the first one after an episode opens a new talk."""
    settled = isinstance(event, log.ContractEvent) and event.state in ("judged", "settled")
    if not talks or (talks[-1].episode != episode and not settled):
        talks.append(Talk(episode))
    talk = talks[-1]
    match event:
        case log.NegotiationTurn():
            talks[-1] = replace(talk, turns=(*talk.turns, event))
        case log.TermsTyped() | log.TermsRatified():
            talks[-1] = replace(talk, signing=(*talk.signing, event))
        case log.ContractEvent():
            talks[-1] = replace(talk, contract=_contract(event) or talk.contract)


def _contract(event: log.ContractEvent) -> ReportedContract | None:
    if event.contract is None:
        return None
    data = event.contract
    terms = [_term("obligation", each) for each in data.get("obligations") or ()]
    terms += [_term("transfer", each) for each in data.get("transfers") or ()]
    terms += [_step(number, each) for number, each in enumerate(data.get("schedule") or (), 1)]
    return ReportedContract(str(data.get("name", "")), str(data.get("text", "")), event.state, tuple(terms))


def _term(kind: str, data: Mapping[str, Any]) -> ReportedTerm:
    party = str(data.get("party", "")) or f"{data.get('payer', '?')} → {data.get('payee', '?')}"
    amount = str(data.get("amount", ""))
    return ReportedTerm(
        kind, str(data.get("id", "")), party, amount, str(data.get("condition", "")), str(data.get("text", ""))
    )


def _step(number: int, data: Mapping[str, Any]) -> ReportedTerm:
    objects = [str(data[key]) for key in ("count", "item", "block", "name", "other") if data.get(key)]
    return ReportedTerm(
        "step", str(number), str(data.get("party", "")), "", f"{data.get('do', '')} {' '.join(objects)}", ""
    )
