"""Tournaments: the ranking of the `axelrod` library, intervals, ties, seats, games in a world, files, refusals."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accord.analysis.report import tournament as files
from accord.analysis.tournament import Tournament
from accord.cli.app import app
from accord.studies.kept_tournaments import claim, read_plan
from accord.studies.sweeps.engine import Heard, Order
from accord.studies.sweeps.player import TaskPlayer
from accord.studies.tournament import TournamentPlan, tournament
from dilemmas.errors import DilemmaError, UsageError
from tests.fakes.command_line import refused
from tests.unit.voyager_agents.stage_games.axelrod_figures import NAMES, NOISY, RANKED, TURNS
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.stage_games.tournament import USUAL, Bout

GAME = "prisoners-dilemma"


class Here:
    """Engine that plays tasks in this process."""

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        async with TaskPlayer(order.folder) as player:
            for index in indexes:
                heard(index, await player.play(index))


def bouts(*games: tuple[str, str, int, float, float]) -> tuple[Bout, ...]:
    return tuple(Bout((one, two), seed, 10, (first, second), (1.0, 0.0)) for one, two, seed, first, second in games)


async def test_the_ranking_is_that_of_the_axelrod_library(tmp_path: Path) -> None:
    found = await tournament(TournamentPlan(GAME, NAMES, repeat=TURNS, seeds=1), tmp_path)
    assert tuple(each.name for each in found.standings) == RANKED
    assert found.standings[0].score.mean == pytest.approx(897 / (TURNS * (len(NAMES) - 1)))


async def test_with_noise_players_stand_as_in_the_axelrod_library_wherever_its_scores_differ(tmp_path: Path) -> None:
    found = await tournament(TournamentPlan(GAME, USUAL, repeat=TURNS, noise=0.05, seeds=4), tmp_path)
    places = {each.name: number for number, each in enumerate(found.standings)}
    assert set(places) == set(NOISY)
    for one, two in combinations(NOISY, 2):
        if abs(NOISY[one] - NOISY[two]) > 0.15:
            assert (places[one] < places[two]) == (NOISY[one] > NOISY[two]), (one, two)


async def test_a_tournament_in_a_world_is_the_one_by_the_law_alone(tmp_path: Path) -> None:
    plan = {"names": ("tit-for-tat", "random"), "repeat": 6, "noise": 0.3, "seeds": 1, "seed": 3}
    alone = await tournament(TournamentPlan(GAME, **plan), tmp_path)  # type: ignore[arg-type]
    played = await tournament(TournamentPlan(GAME, **plan, world="mock"), tmp_path, engine=lambda _jobs: Here())  # type: ignore[arg-type]
    assert played.bouts == alone.bouts
    assert (played.world, alone.world) == ("mock", "none")


async def test_intervals_of_payoffs_are_cut_to_what_a_round_can_pay(tmp_path: Path) -> None:
    played = bouts(*[("a", "b", seed, score, 0) for seed, score in enumerate((3, 4.9, 5, 5, 4, 1))])
    plain = Tournament("game", ("a", "b"), 0, played)
    wide = plain.standings[0].score.ci95
    assert wide is not None
    assert (wide[0] < 0, wide[1] > 5) == (True, True)
    cut = replace(plain, payoffs=(0.0, 5.0))
    against = cut.against("a", "b")
    assert against is not None
    assert cut.standings[0].score.ci95 == against.ci95 == (0, 5)
    found = await tournament(TournamentPlan(GAME, names=("tit-for-tat", "random"), seeds=1), tmp_path)
    assert found.payoffs == (0, 5)


def test_scores_are_of_games_against_others_alone() -> None:
    played = bouts(("a", "a", 0, 9, 9), ("a", "b", 0, 3, 1), ("a", "c", 0, 1, 2), ("b", "c", 0, 0, 5))
    found = Tournament("game", ("a", "b", "c"), 0, played)
    assert {each.name: each.score.mean for each in found.standings} == {"c": 3.5, "a": 2, "b": 0.5}
    assert [(each.won, each.games) for each in found.standings] == [(2, 2), (1, 2), (0, 2)]
    own = found.against("a", "a")
    assert own is not None
    assert own.mean == 9
    assert found.against("b", "b") is None


def test_equal_scores_share_a_place_and_a_single_seed_has_no_interval() -> None:
    found = Tournament("game", ("a", "b", "c"), 0, bouts(("a", "b", 0, 2, 2), ("a", "c", 0, 2, 0), ("b", "c", 0, 2, 0)))
    assert [(each.place, each.name) for each in found.standings] == [(1, "a"), (1, "b"), (3, "c")]
    assert all(each.score.ci95 is None and each.ahead is None for each in found.standings)
    assert found.sentence() == (
        "a and b share the highest score. So few seeds have no interval: play more (--seeds 10)."
    )


def test_who_is_ahead_is_told_by_differences_within_each_seed() -> None:
    sure = Tournament("game", ("a", "b"), 0, bouts(*[("a", "b", seed, seed + 1, seed) for seed in range(5)]))
    assert sure.standings[0].ahead is True
    assert sure.sentence() == "a is first."
    unsure = replace(sure, bouts=(replace(sure.bouts[0], invalid=True), *sure.bouts[1:]))
    assert "To be known: stand-ins played in 1 of " in unsure.sentence()
    assert [game.get("invalid", False) for game in unsure.to_dict()["games"]].count(True) == 1
    mixed = bouts(*[("a", "b", seed, 3 + 4 * (seed % 2), 4) for seed in range(12)])
    open_ = Tournament("game", ("a", "b"), 0, mixed)
    assert open_.standings[0].ahead is False
    assert open_.sentence() == (
        "Who is first is open: a before b is no more than the seeds may bring about. Play more seeds."
    )


def test_nobody_is_called_first_as_long_as_anybody_may_be_above() -> None:
    """The third has the widest interval: the first is certainly above the second, but not above the third."""
    games = [
        game
        for seed in range(12)
        for game in (("a", "b", seed, 4, 3), ("a", "c", seed, 4, 9 if seed % 2 else 1), ("b", "c", seed, 3.2, 1))
    ]
    found = Tournament("game", ("a", "b", "c"), 0, bouts(*games))
    assert [(each.name, each.ahead) for each in found.standings] == [("a", True), ("b", False), ("c", None)]
    assert "Who is first is open: a before c" in found.sentence()
    assert "a is first" not in found.sentence()


async def test_where_seats_differ_each_pair_plays_in_both(tmp_path: Path) -> None:
    plan = TournamentPlan("battle-of-the-sexes", ("always-cooperate", "always-defect", "grim"), repeat=4, seeds=1)
    found = await tournament(plan, tmp_path)
    assert len(found.met) == 6
    assert ("always-cooperate", "always-defect") in found.met
    assert ("always-defect", "always-cooperate") in found.met
    itself = TournamentPlan(GAME, ("grim", "random"), repeat=4, seeds=2, itself=True)
    assert (await tournament(itself, tmp_path)).met == [("grim", "grim"), ("random", "random"), ("grim", "random")]


@pytest.mark.parametrize(
    ("scenario", "options", "told"),
    [
        ("donor-game", {}, "donor-game is for 6 players"),
        ("cleanup", {"repeat": 5}, "cleanup is no repeated game"),
        (GAME, {"names": ("grim",)}, "needs two or more"),
        (GAME, {"names": ("grim", "grim")}, "'grim' is named twice"),
        (GAME, {"names": ("grim", "voyager")}, "'voyager' plays in no tournament; choose from reference"),
        (GAME, {"names": ("grim", "human-choices")}, "'human-choices' plays in no tournament"),
        (GAME, {"names": ("grim", "openai/")}, "'openai/' plays in no tournament; .* chooser, openai/NAME"),
        (GAME, {"names": ("grim", "chooser")}, "'chooser' needs a model: give --model openai/NAME, or name"),
        (GAME, {"names": ("grim", "openai/a"), "model": "openai/b"}, "nobody plays with openai/b: name chooser, or"),
        (GAME, {"names": ("grim", "random"), "model": "openai/b"}, "nobody plays with openai/b"),
        (
            GAME,
            {"names": ("grim", "openai/a"), "settings": {"base_urls": {"openai/b": "http://127.0.0.1:9"}}},
            "no 'openai/b' plays; models are openai/a",
        ),
        (
            GAME,
            {"names": ("grim", "chooser"), "model": "openai/a", "world": "none"},
            "'chooser' plays in a world alone: give --world mock",
        ),
        (GAME, {"noise": 1.5}, "noise: 1.5 is not legal; give 0 to 1"),
        (GAME, {"seeds": 0}, "seeds: 0 is not legal; give 1 to 1000000"),
        (GAME, {"repeat": 0}, "repeat: 0 is not legal; give 1 or more"),
        (GAME, {"jobs": 0}, "jobs: 0 is not legal; give 1 to 10000"),
        (GAME, {"settings": {"base_url": 7}}, "base url: 7 is not legal; give a text"),
        (GAME, {"settings": {"flavour": "sweet"}}, "settings: 'flavour' is no option of a study"),
        (GAME, {"world": "moon"}, "world: 'moon' is not legal; choose one of none, "),
    ],
)
async def test_what_cannot_be_played_is_one_line(
    scenario: str, options: dict[str, object], told: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=told):
        await tournament(TournamentPlan(scenario, **options), tmp_path)  # type: ignore[arg-type]


def test_the_command_writes_a_page_and_tables_with_what_it_tells(tmp_path: Path) -> None:
    words = ["tournament", GAME, "--agents", "tit-for-tat,always-defect,grim", "--repeat", "10", "--seeds", "2"]
    said = CliRunner().invoke(app, [*words, "--out", str(tmp_path), "--json"])
    assert said.exit_code == 0, said.output
    told = json.loads(said.stdout)
    (folder,) = tmp_path.iterdir()
    assert json.loads((folder / files.DATA).read_text()) == told
    ranked = list(csv.DictReader(io.StringIO((folder / files.RANKING).read_text())))
    assert [(row["place"], row["name"]) for row in ranked] == [
        ("1", "tit-for-tat"), ("1", "grim"), ("3", "always-defect"),
    ]  # fmt: skip
    pairs = {
        (row["name"], row["against"]): row for row in csv.DictReader(io.StringIO((folder / files.PAIRS).read_text()))
    }
    assert len(pairs) == 6
    assert float(pairs["always-defect", "grim"]["mean"]) == pytest.approx(1.4)
    page = (folder / files.PAGE).read_text()
    assert "tit-for-tat and grim are first, with equal scores." in page
    assert "6 games" in page
    told_again = CliRunner().invoke(app, ["resume", str(folder), "--json"])
    assert (told_again.exit_code, json.loads(told_again.stdout)) == (0, told)
    assert "is a tournament, which goes on as it was begun" in refused("resume", str(folder), "--max-wall", "5")
    assert "is of all games together" in refused("resume", str(folder), "--max-calls", "Gizmo=5")


def choose(request: Request) -> str:
    """Answer for two models, of which one always defects and the other never does."""
    return json.dumps({"choice": "defect" if request.body["model"] == "mean" else "cooperate"})


async def test_models_meet_and_a_tournament_goes_on_after_its_budget_and_after_a_failed_endpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two models with an endpoint each, and a strategy: 8 answers in 2 rounds of 3 games. The second game fails at its
    endpoint, and the third exhausts the budget.
    """
    monkeypatch.setenv("OPENAI_API_KEY", "for-tests")
    down: list[Request] = []

    def nice(request: Request) -> FakeReply | str:
        down.append(request)
        return FakeReply("no such model", status=404) if len(down) == 3 else choose(request)

    async with FakeServer(nice) as one, FakeServer(choose) as two:
        urls = {"openai/nice": one.base_url, "openai/mean": two.base_url}
        names = ("openai/nice", "openai/mean", "tit-for-tat")
        plan = TournamentPlan(GAME, names, repeat=2, seeds=1, settings={"base_urls": urls}, budget={"calls": 5})
        folder = claim(plan, tmp_path)
        assert read_plan(folder) == plan
        with pytest.raises(DilemmaError, match=r"1 budget.*1 failed.*go on with: accord resume ") as stopped:
            await tournament(plan, folder, engine=lambda _jobs: Here())
        assert str(folder) in str(stopped.value)
        again = read_plan(folder, budget={"calls": 50})
        found = await tournament(again, folder, engine=lambda _jobs: Here())
        asked = len(one.requests) + len(two.requests)
        assert (await tournament(again, folder, engine=lambda _jobs: Here())).bouts == found.bouts
    assert asked == len(one.requests) + len(two.requests) == 8 + 1, "no answer that was there is asked for again"
    assert {request.body["model"] for request in one.requests} == {"nice"}
    scores = {(each.pair, each.scores) for each in found.bouts}
    assert scores == {
        (("openai/nice", "openai/mean"), (0.0, 5.0)),
        (("openai/nice", "tit-for-tat"), (3.0, 3.0)),
        (("openai/mean", "tit-for-tat"), (3.0, 0.5)),
    }
    assert [each.name for each in found.standings] == ["openai/mean", "tit-for-tat", "openai/nice"]
