"""Atlas of an agent: every pair of agents plays each of the 144 strictly ordinal 2x2 games, also relabelled.

An atlas is a tournament in many games. Strategies alone are played by the games' payoff rule, without a world. Other
agents play in a world, as a sweep over all games and pairs; agents that ask a model do so in each way in turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Annotated, Any, ClassVar

from accord.analysis.atlas import Atlas, AtlasPlay, AtlasRound, Presentation, SeatRound
from accord.analysis.validity import invalid
from accord.studies.atlas_stories import WRITTEN, KeptStories, stand_in, written_stories
from accord.studies.option_definitions import Bounds
from accord.studies.sweeps.engine import Engine, Heard, open_engine
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.spec import Value
from accord.studies.sweeps.tasks import SweepTask
from accord.studies.tournament import CHOOSER, MAX_GAMES, NO_WORLD, TournamentPlan, play_in_world, point_of, write_game
from dilemmas.errors import UsageError
from dilemmas.records.events import EpisodeStarted, OptionChosen, RoundPlayed
from dilemmas.records.manifest import LOG
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import spec_path
from voyager_agents.models import is_model
from voyager_agents.stage_games.atlas import OrdinalGame, Outcome, game_of, games
from voyager_agents.stage_games.atlas_table import Story, atlas_table, original_option, stories
from voyager_agents.stage_games.beliefs import PARTNER_EXPECTS, PARTNER_WILL, Beliefs, beliefs_of
from voyager_agents.stage_games.laws import share
from voyager_agents.stage_games.match import RepeatedMatch
from voyager_agents.stage_games.options import PLAIN_WAY
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.tables import Matrix
from voyager_agents.stage_games.tournament import Pair, pairings
from voyager_agents.stage_games.turns import StageTurn
from voyager_agents.stage_games.ways import BETWEEN, WAYS

SIX = ("always-cooperate", "always-defect", "tit-for-tat", "best-reply", "mixed-equilibrium", "random")
"""Default participants."""
SCENARIO = "atlas"
BY_MODEL = "written:"
"""Start of the name of stories that a model writes."""
MAX_LABELS = 100
"""Maximum number of labellings of each game."""


@dataclass(frozen=True)
class AtlasMeeting:
    """Two participants that meet, and the way in which their models are asked."""

    pair: Pair
    way: str = PLAIN_WAY

    @property
    def shown(self) -> Pair:
        """Names of the participants in the results: those with a model name their way."""
        one, two = (shown_name(name, self.way) for name in self.pair)
        return one, two

    @property
    def asks(self) -> bool:
        """True if a participant asks a model."""
        return any(map(_asks, self.pair))


@dataclass(frozen=True)
class AtlasPlan(TournamentPlan):
    """Plan of an atlas, checked when created: an illegal value raises UsageError with a one-line message."""

    KIND: ClassVar[str] = "atlas"
    TOLD: ClassVar[str] = "an atlas"

    scenario: str = SCENARIO
    names: tuple[str, ...] = SIX
    seeds: Annotated[int, Bounds(1, MAX_GAMES)] = 5
    games: tuple[str, ...] = ()
    """Ids or names of games; empty for all 144."""
    labels: Annotated[int, Bounds(0, MAX_LABELS)] = 1
    """Number of relabelled presentations of each game, beside the plain one."""
    stories: tuple[str, ...] = ()
    """Names of stories that each game is told as, beside the plain presentation, and `written:MODEL` for stories that
    this model writes, one for each game."""
    ways: tuple[str, ...] = (PLAIN_WAY,)
    """Ways in which models are asked (`voyager_agents.stage_games.ways`), one after the other."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_names("stories", [each for each in self.stories if not each.startswith(BY_MODEL)], stories())
        writers = [each.removeprefix(BY_MODEL) for each in self.stories if each.startswith(BY_MODEL)]
        if len(writers) > 1 or not all(map(is_model, writers)):
            raise UsageError(f"stories: {', '.join(self.stories)}: give one model, as {BY_MODEL}openai/NAME")
        _check_names("ways", self.ways, WAYS)
        if not self.ways:
            raise UsageError(f"ways: nothing is given; choose from {', '.join(WAYS)}")
        try:
            found = [game_of(name) for name in self.games]
        except ValueError as error:
            raise UsageError(f"games: {error}") from None
        if twice := next((each.id for each in found if found.count(each) > 1), None):
            raise UsageError(f"games: {twice} is named twice; name each game once")
        if self.ways != (PLAIN_WAY,) and not any(map(_asks, self.names)):
            raise UsageError(f"ways: {', '.join(self.ways)}: nobody asks a model; name openai/NAME among --agents")

    @property
    def title(self) -> str:
        """Name of the study's folder, without the time."""
        return self.KIND

    @property
    def writer(self) -> str:
        """Model that writes stories; empty for none."""
        found = (each.removeprefix(BY_MODEL) for each in self.stories if each.startswith(BY_MODEL))
        return next(found, "")

    @property
    def _asked_models(self) -> list[str]:
        return [*super()._asked_models, *([self.writer] if self.writer else [])]

    @cached_property
    def chosen(self) -> tuple[OrdinalGame, ...]:
        """The games to play."""
        return tuple(game_of(name) for name in self.games) or games()

    @property
    def presentations(self) -> list[Presentation]:
        """Forms in which each game is shown, the plain one first."""
        relabelled = [Presentation(number) for number in range(1, self.labels + 1)]
        told = (WRITTEN if story.startswith(BY_MODEL) else story for story in self.stories)
        return [Presentation(), *relabelled, *(Presentation(0, story) for story in told)]

    @property
    def meetings(self) -> list[AtlasMeeting]:
        """All pairs that meet, those without a model once, others once for each way."""
        pairs = pairings(self.names, both_seats=False, itself=self.itself)
        ways = {pair: self.ways if any(map(_asks, pair)) else (PLAIN_WAY,) for pair in pairs}
        return [AtlasMeeting(pair, way) for pair in pairs for way in ways[pair]]

    @property
    def participants(self) -> tuple[str, ...]:
        """Names in the results, in the order of the agents."""
        shown = [shown_name(name, way) for name in self.names for way in self.ways]
        return tuple(dict.fromkeys(shown))


def shown_name(name: str, way: str) -> str:
    """Return a participant's name in the results."""
    return f"{name} ({way})" if _asks(name) and way != PLAIN_WAY else name


def _asks(name: str) -> bool:
    return name == CHOOSER or is_model(name)


def _check_names(option: str, given: Sequence[str], legal: Mapping[str, Any]) -> None:
    for name in given:
        if name not in legal:
            raise UsageError(f"{option}: {name!r} is not legal; choose from {', '.join(legal)}")
        if given.count(name) > 1:
            raise UsageError(f"{option}: {name!r} is named twice; name it once")


async def atlas(
    plan: AtlasPlan,
    directory: Path,
    heard: Heard = lambda _number, _outcome: None,
    engine: Callable[[int], Engine] = lambda jobs: open_engine("local", jobs=jobs),
) -> Atlas:
    """Play an atlas and return its result.

    Args:
        plan: The plan.
        directory: Directory for the records of games in a world.
        heard: Called with the number and the outcome of each ended game in a world.
        engine: Creates the engine for a number of concurrent games.

    Raises:
        UsageError: The plan cannot be played.
        DilemmaError: Games in a world were not played to their end.
    """
    spec = plan.game().spec
    players = tuple(spec.players)
    shown = list(product(plan.chosen, plan.presentations))
    kept = None
    if plan.writer:
        kept = await written_stories(plan.writer, plan.chosen, directory, plan.settings, plan.budget)
        left = {measure: max(1e-9, cap - kept.spent.get(measure, 0.0)) for measure, cap in plan.budget.items()}
        plan = replace(plan, budget=left)
    if plan.played_in == NO_WORLD:
        plays = tuple(_play_by_rule(plan, players, kept))
    else:
        files = [
            await asyncio.to_thread(write_game, file_data(plan, game, form, kept), directory / _file_name(game, form))
            for game, form in shown
        ]
        meetings = plan.meetings
        points = [point(plan, meeting, players) for meeting in meetings]
        folder = await play_in_world(plan, files, points, directory, heard, engine)
        met = product(shown, meetings, plan.all_seeds)
        plays = tuple(
            _play_of(folder, task, (*each, kept), meeting)
            for task, (each, meeting, _) in zip(folder.tasks, met, strict=True)
        )
    untold = tuple(kept.faults) if kept is not None else ()
    return Atlas(plan.participants, plan.seed, spec.repetition.rounds, plays, plan.played_in, untold)


def _story_of(game: OrdinalGame, form: Presentation, kept: KeptStories | None) -> str | Story | None:
    """Return the story of a game in one form; None without one."""
    if form.story != WRITTEN:
        return form.story or None
    return stand_in() if kept is None else kept.story_of(game)


def _play_by_rule(plan: AtlasPlan, players: tuple[str, ...], kept: KeptStories | None) -> Iterator[AtlasPlay]:
    """Yield every play of strategies without a world."""
    spec = plan.game().spec
    noise = share(spec.rules.noise)
    for game, form in product(plan.chosen, plan.presentations):
        law = atlas_table(game, players, form.labels, _story_of(game, form, kept))
        for meeting, seed in product(plan.meetings, plan.all_seeds):
            match = RepeatedMatch(law, spec.repetition, seed, noise)
            beliefs: dict[tuple[int, str], Beliefs] = {}

            def watch(turn: StageTurn, strategy: str, found: dict[tuple[int, str], Beliefs] = beliefs) -> None:
                found[turn.round, turn.player] = beliefs_of(strategy, turn)

            paid = play(match, dict(zip(players, meeting.pair, strict=True)), seed, watch)
            rounds = tuple(
                _round(law, each.intended_choices(0), {name: beliefs[each.number, name] for name in players})
                for each in match.history
            )
            one, two = (float(paid[name] / len(match.history)) for name in players)
            yield AtlasPlay(game.id, meeting.shown, seed, form, rounds, (one, two))


def _file_name(game: OrdinalGame, form: Presentation) -> str:
    parts = [game.id, *([str(form.labels)] if form.labels else []), *([form.story] if form.story else [])]
    return f"{SCENARIO}/{'-'.join(parts)}.yaml"


def file_data(
    plan: AtlasPlan, game: OrdinalGame, form: Presentation, kept: KeptStories | None = None
) -> dict[str, Any]:
    """Return the file of a game in one presentation.

    Args:
        plan: The plan.
        game: The game.
        form: The presentation.
        kept: Stories that a model wrote.
    """
    story = _story_of(game, form, kept)
    shown: dict[str, Any] = {"id": game.id, "labels": form.labels}
    if isinstance(story, Story):
        shown["written"] = {"text": story.text, "rows": list(story.rows), "columns": list(story.columns)}
    else:
        shown["story"] = story
    base = str(spec_path(plan.scenario)) if plan.scenario == SCENARIO else str(Path(plan.scenario).absolute())
    return {"extends": base, "name": f"{SCENARIO}-{game.id}", "game": shown, **plan.changes()}


def point(plan: AtlasPlan, meeting: AtlasMeeting, players: Sequence[str]) -> dict[str, Value]:
    """Return the sweep's parameters for one meeting.

    Args:
        plan: The plan.
        meeting: The meeting.
        players: Names of both players.
    """
    point = point_of(plan, dict(zip(players, meeting.pair, strict=True)))
    return point if meeting.way == PLAIN_WAY else {**point, "agents_options.way": meeting.way}


def _play_of(
    folder: SweepFolder,
    task: SweepTask,
    shown: tuple[OrdinalGame, Presentation, KeptStories | None],
    meeting: AtlasMeeting,
) -> AtlasPlay:
    """Return the play in the record of a game.

    Args:
        folder: Folder of the records.
        task: The game's task.
        shown: The game, its presentation, and the stories that a model wrote.
        meeting: The participants.
    """
    result = folder.result(task)
    assert result is not None, "every game has ended"
    game, form, kept = shown
    players = tuple(result["measures"]["per_round"])
    law = atlas_table(game, players, form.labels, _story_of(game, form, kept))
    decided: dict[tuple[int, str], OptionChosen] = {}
    played: list[RoundPlayed] = []
    for line in read_events(folder.home(task) / LOG):
        match line.event:
            case EpisodeStarted():
                decided, played = {}, []
            case OptionChosen() as event:
                decided[event.round, event.player] = event
            case RoundPlayed() as event:
                played.append(event)
    rounds = tuple(
        _round(
            law,
            _intended(each),
            {name: decided[each.round, name].beliefs for name in players if (each.round, name) in decided},
            {name: decided[each.round, name].equilibria for name in players if (each.round, name) in decided},
        )
        for each in played
    )
    one, two = (float(result["measures"]["per_round"][name]) for name in players)
    return AtlasPlay(game.id, meeting.shown, task.seed, form, rounds, (one, two), bool(invalid(result)))


def _intended(played: RoundPlayed) -> dict[str, str]:
    """Return player -> the option that it chose itself, before any trembling hand."""
    stood_in = played.absent[0] if played.absent else []
    meant = played.trembled[0] if played.trembled else {}
    return {player: meant.get(player, option) for player, option in played.choices[0].items() if player not in stood_in}


def _round(
    law: Matrix,
    chosen: Mapping[str, str],
    beliefs: Mapping[str, Beliefs],
    equilibria: Mapping[str, Sequence[str] | None] | None = None,
) -> AtlasRound:
    """Return a round with options by their place in the presentation of the atlas."""
    one, two = (
        SeatRound(
            _place(law, seat, chosen.get(player)),
            _place(law, 1 - seat, beliefs.get(player, {}).get(PARTNER_WILL)),
            _place(law, seat, beliefs.get(player, {}).get(PARTNER_EXPECTS)),
            _outcomes(law, (equilibria or {}).get(player)),
        )
        for seat, player in enumerate(law.players)
    )
    return one, two


def _place(law: Matrix, seat: int, option: str | None) -> int | None:
    return None if option is None else original_option(law, seat, option)


def _outcomes(law: Matrix, named: Sequence[str] | None) -> frozenset[Outcome] | None:
    if named is None:
        return None
    pairs = [each.split(BETWEEN) for each in named]
    return frozenset((original_option(law, 0, row), original_option(law, 1, column)) for row, column in pairs)
