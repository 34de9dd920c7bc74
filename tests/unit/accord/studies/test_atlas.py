"""Atlas of 2x2 games: measures by hand, play with and without a world, models in all ways of asking, files."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accord.analysis.atlas import Atlas, AtlasPlay, Presentation, SeatRound, map_order
from accord.analysis.report import atlas as files
from accord.analysis.transcript import read_steps
from accord.cli.app import app
from accord.studies.atlas import SIX, AtlasPlan, atlas
from accord.studies.atlas_estimate import expect_atlas
from accord.studies.kept_tournaments import claim, read_plan
from accord.studies.sweeps.engine import Heard, Order
from accord.studies.sweeps.player import TaskPlayer
from dilemmas.errors import DilemmaError, UsageError
from dilemmas.records.events import OptionChosen
from dilemmas.records.record import read_events
from tests.fakes.command_line import refused
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.stage_games.atlas import game_of, games

PLAIN, RELABELLED = Presentation(), Presentation(1)


class Here:
    """Engine that plays tasks in this process."""

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        async with TaskPlayer(order.folder) as player:
            for index in indexes:
                heard(index, await player.play(index))


def played(game: str, *choices: tuple[int | None, int | None], seed: int = 0, form: Presentation = PLAIN) -> AtlasPlay:
    rounds = tuple((SeatRound(one), SeatRound(two)) for one, two in choices)
    return AtlasPlay(game, ("a", "b"), seed, form, rounds, (2.0, 3.0))


def mean(found: Atlas, agent: str, measure: str, game: str) -> float | None:
    summary = found.cell(agent, measure, game)
    return None if summary is None else summary.mean


def test_choices_count_for_the_game_as_each_player_sees_it() -> None:
    """In g221 the row player's best outcome is at its first option, and the column player's at its second one."""
    found = Atlas(("a", "b"), 0, 4, (played("g221", (0, 1), (0, 0), (1, 1), (None, 1)),))
    assert game_of("g221").equilibria == [(1, 1)]
    assert mean(found, "a", "cooperation", "g221") == pytest.approx(2 / 3)
    assert mean(found, "a", "own_best", "g221") == pytest.approx(2 / 3)
    assert mean(found, "a", "equilibrium", "g221") == mean(found, "b", "equilibrium", "g412") == pytest.approx(1 / 3)
    assert mean(found, "b", "cooperation", "g412") == 0.25
    assert mean(found, "b", "own_best", "g412") == 0.75
    assert found.cell("b", "cooperation", "g221") is None
    assert found.sentence() == "Rounds that ended in a pure equilibrium, in games that have one: a 33 %, b 33 %."
    assert (found.score("a").mean, found.score("b").mean) == (2, 3)


def test_games_without_a_pure_equilibrium_have_no_equilibrium_play() -> None:
    without = next(each.id for each in games() if not each.equilibria)
    found = Atlas(("a", "b"), 0, 1, (played(without, (0, 0)),))
    assert found.cell("a", "equilibrium", without) is None
    assert not found.has("equilibrium")
    assert found.sentence() == "No game was played that has a pure equilibrium."


def test_games_count_alike_and_intervals_are_over_seeds() -> None:
    plays = [played("g111", (seed % 2, 1), (0, 1), seed=seed) for seed in range(12)]
    plays += [played("g122", (0, 1), seed=seed) for seed in range(12)]
    whole = Atlas(("a", "b"), 0, 2, tuple(plays)).whole("a", "cooperation")
    assert whole is not None
    assert (whole.n, whole.mean) == (12, 0.875)
    assert whole.ci95 is not None
    assert whole.ci95[0] < 0.875 < whole.ci95[1]


def test_relabelled_games_are_compared_until_they_go_different_ways() -> None:
    plain = played("g111", (0, 0), (0, 1), (1, 1), (0, 0))
    again = played("g111", (0, 0), (1, 1), (0, 0), (1, 1), form=RELABELLED)
    found = Atlas(("a", "b"), 0, 4, (plain, again))
    assert mean(found, "a", "consistency", "g111") == 0.5
    assert mean(found, "b", "consistency", "g111") == 1


def test_beliefs_are_accurate_where_the_partner_did_and_expected_as_thought() -> None:
    rounds = (
        (SeatRound(0, expects=1, expected=0), SeatRound(1, expects=0)),
        (SeatRound(0, expects=0, expected=1), SeatRound(1, expects=0)),
        (SeatRound(0, expects=0), SeatRound(None, expects=1)),
    )
    found = Atlas(("a", "b"), 0, 3, (AtlasPlay("g111", ("a", "b"), 0, Presentation(), rounds, (1.0, 1.0)),))
    assert mean(found, "a", "foresight", "g111") == 0.5
    assert mean(found, "a", "reflection", "g111") == 0.5
    assert mean(found, "b", "foresight", "g111") == pytest.approx(2 / 3)


def named(game: str, *answers: set[tuple[int, int]], seat: int = 0) -> AtlasPlay:
    asked = [SeatRound(0, equilibria=frozenset(each)) for each in answers]
    rounds = tuple((each, SeatRound(0)) if not seat else (SeatRound(0), each) for each in asked)
    return AtlasPlay(game, ("a", "b") if not seat else ("b", "a"), 0, Presentation(), rounds, (1.0, 1.0))


def test_named_equilibria_are_graded_as_in_tmgbench() -> None:
    """Two answers in g221 (one equilibrium, lower right) and one as the column player of the same game: in g412.

    In g221 the grid is (0, 1/2, 0, 1/2) against (0, 0, 0, 1); in g412 it is (0, 0, 0, 1).
    """
    plays = (named("g221", {(1, 1)}, {(0, 1)}), named("g221", {(1, 1)}, seat=1))
    (answers,) = Atlas(("a", "b"), 0, 2, plays).answers
    assert (answers.agent, answers.asked) == ("a", 3)
    assert answers.perfect.mean == pytest.approx((0.5 + 1) / 2)
    assert set(answers.by_count) == {1}
    assert answers.inconsistency.mean == pytest.approx(((0.25 + 0.25) / 4 + 0) / 2)
    assert answers.bias is not None
    assert answers.bias.mean == pytest.approx((0.25 + 0.25) / 4)


def test_an_answer_as_column_player_is_seen_with_the_players_exchanged() -> None:
    plays = (named("g122", {(0, 1)}), named("g122", {(0, 1)}, seat=1))
    (answers,) = Atlas(("a", "b"), 0, 1, plays).answers
    assert answers.perfect.mean == 0
    assert answers.inconsistency.mean == pytest.approx((0.25 + 0.25) / 4)
    assert answers.bias is not None
    assert answers.bias.mean == 0


def test_the_map_has_every_game_once_and_mirrored_games_across_the_diagonal() -> None:
    rows = map_order()
    assert sorted(each.id for row in rows for each in row) == [each.id for each in games()]
    assert [rows[11][0].id, rows[11][11].id, rows[0][11].id, rows[0][0].id] == ["g111", "g261", "g366", "g416"]
    for y, row in enumerate(rows):
        for x, each in enumerate(row):
            assert rows[11 - x][11 - y] == each.mirror


async def test_six_strategies_play_all_games_without_a_world(tmp_path: Path) -> None:
    plan = AtlasPlan(seeds=1, repeat=2)
    found = await atlas(plan, tmp_path)
    assert found.names == SIX
    assert len(found.plays) == 144 * 15 * 2
    whole = found.whole("always-defect", "cooperation"), found.whole("always-cooperate", "own_best")
    assert [each.mean for each in whole if each] == [0, 0.5]
    for name in ("always-cooperate", "always-defect", "tit-for-tat", "best-reply"):
        same = found.whole(name, "consistency")
        assert same is not None
        assert same.mean == 1, name
    drawn = found.whole("random", "consistency")
    assert drawn is not None
    assert drawn.mean < 0.9


async def test_an_atlas_in_a_world_is_the_one_by_the_payoffs_alone(tmp_path: Path) -> None:
    plan = {
        "names": ("best-reply", "random"), "games": ("g214", "chicken"), "repeat": 4, "noise": 0.3, "seeds": 1,
        "stories": ("river",),
    }  # fmt: skip
    alone = await atlas(AtlasPlan(**plan), tmp_path)  # type: ignore[arg-type]
    there = await atlas(AtlasPlan(**plan, world="mock"), tmp_path, engine=lambda _jobs: Here())  # type: ignore[arg-type]
    assert there.plays == alone.plays
    assert any(part.expects is not None for play in alone.plays for each in play.rounds for part in each)


def chosen(folder: Path) -> list[OptionChosen]:
    """All decisions in the records below a folder."""
    lines = (line for log in sorted(folder.rglob("events.jsonl")) for line in read_events(log))
    return [line.event for line in lines if isinstance(line.event, OptionChosen)]


def result_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("result.json"))


def answer(request: Request) -> str:
    """Choose the first option, expect the partner's first option, and name the first outcome."""
    system, user = (each["content"] for each in request.messages[:2])
    own = user.rpartition("Your options: ")[2].split(", ")
    told = dict[str, object]()
    if "partner_will" in system:
        options = re.findall(r"Glitch chooses (\w+), Gizmo gets", system)
        told["partner_will"] = next(each for each in options if each not in own)
    if "partner_expects" in system:
        told["partner_expects"] = own[0]
    if '"equilibria"' in system:
        told["equilibria"] = [user.partition("The outcomes are: ")[2].split(", ")[0]]
    return json.dumps({"why": "so", **told, **({"choice": own[0]} if '"choice"' in system else {})})


async def test_models_are_asked_in_all_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "for-tests")
    ways = ("plain", "partner", "predict", "belief-1", "belief-2", "equilibria")
    async with FakeServer(answer) as server:
        plan = AtlasPlan(
            names=("openai/m", "always-cooperate"), games=("g111",), repeat=1, seeds=1, labels=0, ways=ways,
            settings={"base_url": server.base_url},
        )  # fmt: skip
        found = await atlas(plan, tmp_path, engine=lambda _jobs: Here())
        asked = [each.messages[1]["content"] for each in server.requests]
    expected = await expect_atlas(plan)
    assert expected["least"]["calls"] == len(asked) <= expected["most"]["calls"] == 2 * len(asked)
    assert found.names == ("openai/m", *(f"openai/m ({way})" for way in ways[1:]), "always-cooperate")
    assert len(asked) == len(ways) + 1, "predict-then-choose asks twice"
    assert not found.invalid
    foresight = {name: mean(found, name, "foresight", "g111") for name in found.names}
    assert {name for name, share in foresight.items() if share == 1} == {
        f"openai/m ({way})" for way in ("predict", "belief-1", "belief-2")
    }
    labels = {part.label for path in result_files(tmp_path) for step in read_steps(path.parent) for part in step.parts}
    assert {"expects of its partner", "thinks that its partner expects", "pure equilibria, it says"} <= labels
    results = [json.loads(path.read_text())["measures"] for path in result_files(tmp_path)]
    assert [each["foresight"] for each in results if "foresight" in each] == [{"Gizmo": 1}] * 3
    (answers,) = found.answers
    assert (answers.agent, answers.perfect.mean) == ("openai/m (equilibria)", 0)
    predicted = [each for each in asked if "You predicted that Glitch will choose left." in each]
    assert len(predicted) == 1
    systems = [each.messages[0]["content"] for each in server.requests]
    assert sum("reasons carefully" in each for each in systems) == 1
    events = chosen(tmp_path)
    assert sorted(len(each.beliefs) for each in events if each.beliefs) == [1, 1, 2]
    assert [each.equilibria for each in events if each.equilibria is not None] == [["up/left"]]


async def test_an_estimate_counts_all_games_forms_and_seeds() -> None:
    small = AtlasPlan(names=("openai/m", "random"), games=("g111",), repeat=2, seeds=1, labels=0)
    large = replace(small, games=("g111", "chicken"), seeds=3, labels=2, stories=("river",), itself=True)
    one, many = await expect_atlas(small), await expect_atlas(large)
    assert one["least"]["calls"] == 2
    # Two games, three seeds, four forms; the model against the strategy, and in both seats against itself.
    assert many["least"]["calls"] == 2 * 2 * 3 * 4 * 3
    assert one["least"]["tokens"] < one["most"]["tokens"]
    assert one["unpriced"] == ["openai/m"]
    with pytest.raises(UsageError, match="no model would be asked"):
        await expect_atlas(AtlasPlan())


async def test_an_atlas_goes_on_after_its_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "for-tests")
    async with FakeServer(answer) as server:
        plan = AtlasPlan(
            names=("openai/m", "grim"), games=("g111", "g122"), repeat=1, seeds=1, labels=0,
            settings={"base_url": server.base_url}, budget={"calls": 1},
        )  # fmt: skip
        folder = claim(plan, tmp_path)
        assert read_plan(folder) == plan
        with pytest.raises(DilemmaError, match="go on with: accord resume"):
            await atlas(plan, folder, engine=lambda _jobs: Here())
        again = read_plan(folder, budget={"calls": 9})
        assert isinstance(again, AtlasPlan)
        found = await atlas(again, folder, engine=lambda _jobs: Here())
        assert len(server.requests) == 2
    assert [play.rounds[0][0].choice for play in found.plays] == [0, 0]


async def test_a_belief_that_is_no_option_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "for-tests")
    bad = json.dumps({"why": "so", "partner_will": "__import__('os')", "choice": "up"})
    async with FakeServer(lambda _request: bad) as server:
        plan = AtlasPlan(
            names=("openai/m", "grim"), games=("g111",), repeat=1, seeds=1, labels=0, ways=("belief-1",),
            settings={"base_url": server.base_url},
        )  # fmt: skip
        found = await atlas(plan, tmp_path, engine=lambda _jobs: Here())
    assert found.invalid == 1
    assert found.plays[0].rounds[0][0] == SeatRound(None)
    (event,) = (each for each in chosen(tmp_path) if each.player == "Gizmo")
    assert "partner_will \"__import__('os')\" is not legal here; choose one of left, right" in event.fault
    assert event.beliefs == {}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"games": ("g511",)}, "games: 'g511' is no game of the atlas"),
        ({"games": ("g122", "chicken")}, "games: g122 is named twice"),
        ({"stories": ("tale",)}, "stories: 'tale' is not legal; choose from market, river"),
        ({"ways": ("loud",)}, "ways: 'loud' is not legal; choose from plain, partner"),
        ({"ways": ("predict",)}, "nobody asks a model"),
        ({"labels": 101}, "labels: 101 is not legal; give 0 to 100"),
        ({"names": ("grim",)}, "needs two or more"),
    ],
)
def test_what_cannot_be_played_is_one_line(options: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        AtlasPlan(**options)  # type: ignore[arg-type]


def test_the_command_writes_maps_and_tables_and_goes_on(tmp_path: Path) -> None:
    words = [
        "atlas",
        "--agents",
        "always-defect,best-reply",
        "--games",
        "g111,g122,g344",
        "--repeat",
        "2",
        "--seeds",
        "5",
    ]
    said = CliRunner().invoke(app, [*words, "--stories", "wall", "--out", str(tmp_path), "--json"])
    assert said.exit_code == 0, said.output
    told = json.loads(said.stdout)
    (folder,) = tmp_path.iterdir()
    assert folder.name.endswith("-atlas")
    assert json.loads((folder / files.DATA).read_text()) == told
    assert told["plays"] == 3 * 3 * 5
    rows = list(csv.DictReader(io.StringIO((folder / files.GAMES).read_text())))
    cells = {(row["agent"], row["game"], row["measure"]): row for row in rows}
    assert cells["always-defect", "g111", "equilibrium"]["mean"] == "1.0"
    assert cells["best-reply", "g122", "foresight"]["mean"] == "1.0"
    kept = list(csv.DictReader(io.StringIO((folder / files.PLAYS).read_text())))
    assert {row["story"] for row in kept} == {"", "wall"}
    assert {row["row_choices"] for row in kept if row["game"] == "g111"} == {"11"}
    page = (folder / files.PAGE).read_text()
    assert page.count("<svg viewBox=") == sum(len(each.keys() - {"name", "score"}) for each in told["agents"]) == 9
    assert "<title>g122 Chicken: 0.00, 5 seeds</title>" in page
    again = CliRunner().invoke(app, ["resume", str(folder), "--json"])
    assert (again.exit_code, json.loads(again.stdout)) == (0, told)
    assert "is an atlas, which goes on as it was begun" in refused("resume", str(folder), "--max-wall", "5")
