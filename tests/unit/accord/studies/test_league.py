"""Leagues: games by rule and in a world, paired seats, held-out files, resuming, verification, refusals."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import json
import random
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from accord.analysis.league import League
from accord.analysis.report.league import write_league
from accord.cli.app import app
from accord.studies.league import LeaguePlan, open_league, play_league, published_files
from accord.studies.league_verifying import replay_league, verify_league
from accord.studies.sweeps.engine import Heard, Order
from accord.studies.sweeps.player import TaskPlayer
from dilemmas.errors import DilemmaError, UsageError
from tests.fakes.command_line import refused
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.stage_games.strategies import STRATEGIES
from voyager_agents.stage_games.turns import StageTurn

ROOT = Path(__file__).parents[4]
PLAIN = {"game": "prisoners-dilemma", "mode": "visitor", "background": "always-cooperate", "rounds": 10}

GRID = {"game": "ada-contract", "mode": "visitor", "background": "random"}


class Here:
    """Engine that plays tasks in this process."""

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        async with TaskPlayer(order.folder, budget=order.budget) as player:
            for index in indexes:
                heard(index, await player.play(index))


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.analysis.league.RESAMPLES", 50)


def league_file(folder: Path, scenarios: dict[str, dict[str, object]], **given: object) -> Path:
    """Write the files of a league and return that of the league."""
    held_out = folder / "secret.yaml"
    held_out.write_text(yaml.safe_dump({"scenarios": scenarios}, sort_keys=False))
    digest = hashlib.sha256(held_out.read_bytes()).hexdigest()
    data = {"focal": ["always-cooperate", "always-defect"], "seeds": 6, **given}
    data.setdefault("held_out", {"file": held_out.name, "sha256": digest})
    file = folder / "friends.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False))
    return file


async def played(file: Path, out: Path, plan: LeaguePlan | None = None) -> League:
    """Play a league in this process, and write its files."""
    plan = plan or open_league(file)
    found = await play_league(plan, out, engine=lambda _jobs: Here())
    write_league(found, out, published_files(out), plan.files)
    return found


def faults(directory: Path) -> dict[str, str]:
    """Return question -> faults that the verification of a league finds."""
    return {each.question: each.told for each in verify_league(directory) if each.ok is False}


async def test_a_player_of_known_strength_lands_between_two_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Defecting with probability q against a cooperator pays 3 + 2 q a round, so that a quarter lands at 0.25."""

    def at_random(share: float) -> object:
        return lambda turn, draw: "defect" if draw.random() < share else "cooperate"

    for share in (25, 75):
        monkeypatch.setitem(STRATEGIES, f"defects-{share}", at_random(share / 100))
    names = ["defects-75", "always-cooperate", "defects-25", "always-defect"]
    file = league_file(
        tmp_path, {"a": {**PLAIN, "rounds": 50}}, focal=names, baselines=["always-cooperate", "always-defect"], seeds=20
    )
    found = await played(file, tmp_path / "out")
    assert [each.name for each in found.standings] == ["always-defect", "defects-75", "defects-25", "always-cooperate"]
    scores = {each.name: each.normalized for each in found.standings}
    assert scores == pytest.approx(
        {"always-cooperate": 0, "defects-25": 0.25, "defects-75": 0.75, "always-defect": 1}, abs=0.03
    )
    assert found.bounds("a") == (3, 5)
    assert found.stability.kendall == 1


async def test_focal_players_have_the_same_seats_and_the_same_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, set[str]] = {}

    def note(name: str) -> object:
        def choose(turn: StageTurn, draw: random.Random) -> str:
            seen.setdefault(name, set()).add(turn.player)
            return turn.options[0]

        return choose

    for name in ("one", "two", "three"):
        monkeypatch.setitem(STRATEGIES, name, note(name))
    scenarios = {
        "visit": {"game": "public-goods", "mode": "visitor", "background": ["two", "three"], "rounds": 1},
        "host": {"game": "public-goods", "mode": "resident", "background": ["two"], "rounds": 1},
        "alone": {"game": "public-goods", "mode": "universal", "rounds": 1},
        "fixed": {"game": "prisoners-dilemma", "mode": "visitor", "background": {"Glitch": "two"}, "rounds": 1},
    }
    plan = open_league(
        league_file(tmp_path, scenarios, focal=["one", {"name": "both", "agents": ["one", "three"]}], seeds=12)
    )
    sizes = {each.name: {len(game.focal) for game in each.planned} for each in plan.scenarios}
    players = len(plan.scenarios[0].game.spec.players)
    assert sizes == {"visit": {1}, "host": {players - 1}, "alone": {players}, "fixed": {1}}
    for each in plan.scenarios:
        one, both = (each.planned[:12], each.planned[12:])
        for first, second in zip(one, both, strict=True):
            assert (first.seed, first.focal) == (second.seed, second.focal)
            rest = [seat for seat in first.seats if seat not in first.focal]
            assert [first.seats[seat] for seat in rest] == [second.seats[seat] for seat in rest]
    visits = plan.scenarios[0].planned[:12]
    assert len({game.focal for game in visits}) > 1, "seats are drawn"
    assert {agent.name for game in visits for agent in game.seats.values()} == {"one", "two", "three"}
    mixed = {game.seats[seat].name for game in plan.scenarios[1].planned[12:] for seat in game.focal}
    assert mixed == {"one", "three"}, "each seat of a population is drawn"
    await played(tmp_path / "friends.yaml", tmp_path / "out", plan)
    assert set(seen) == {"one", "two", "three"}
    rows = list(csv.DictReader((tmp_path / "out" / "returns.csv").read_text().splitlines()))
    assert {row["background"] for row in rows if row["scenario"] == "alone"} == {""}


async def test_games_that_were_played_are_kept_and_another_league_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = league_file(tmp_path, {"a": PLAIN, "b": {**PLAIN, "background": "random"}})
    out = tmp_path / "out"
    first = await played(file, out)
    whole = {path.name: path.read_bytes() for path in published_files(out)}
    (out / "games" / "b.json").unlink()
    with monkeypatch.context() as patch:
        patch.setitem(STRATEGIES, "always-cooperate", lambda turn, _draw: "defect")
        found = await play_league(open_league(file), out)
    assert [each for each in found.games if each.scenario == "a"] == [
        each for each in first.games if each.scenario == "a"
    ]
    assert found != first, "b was played again"
    (out / "games" / "b.json").unlink()
    assert await played(file, out) == first
    assert {path.name: path.read_bytes() for path in published_files(out)} == whole
    league_file(tmp_path, {"a": PLAIN, "b": {**PLAIN, "background": "grim"}})
    with pytest.raises(UsageError, match="holds another league, or its files have changed"):
        await play_league(open_league(file), out)


async def test_several_jobs_give_the_same_games(tmp_path: Path) -> None:
    plan = open_league(league_file(tmp_path, {"a": PLAIN, "b": {**PLAIN, "background": "random"}}))
    one, two = [await play_league(plan, tmp_path / str(jobs), jobs) for jobs in (1, 2)]
    assert one == two


async def test_a_published_league_verifies_elsewhere_and_a_changed_byte_is_named(tmp_path: Path) -> None:
    league = league_file(tmp_path, {"a": PLAIN, "b": {**PLAIN, "background": "random"}}, seeds=5)
    await played(league, tmp_path / "out")
    copy = tmp_path / "elsewhere" / "copy"
    shutil.copytree(tmp_path / "out", copy)
    shutil.rmtree(tmp_path / "out")
    league.unlink()
    (tmp_path / "secret.yaml").unlink()
    assert faults(copy) == {}
    assert (await replay_league(copy)).ok
    for path in published_files(copy):
        name = path.relative_to(copy).as_posix()
        kept = path.read_bytes()
        path.write_bytes(kept[:-2] + bytes([kept[-2] ^ 1]) + kept[-1:])
        told = _faults_or_error(copy)
        assert name in told or path.name in told, name
        path.write_bytes(kept)
    (copy / "games" / "c.json").write_text("{}")
    assert "games/c.json was not there" in faults(copy)["all files are there, and are what they were"]
    (copy / "games" / "c.json").unlink()
    assert faults(copy) == {}


def _faults_or_error(directory: Path) -> str:
    try:
        return str(faults(directory))
    except DilemmaError as error:
        return str(error)


@pytest.mark.parametrize(
    ("change", "question"),
    [
        ("return", "returns are those of the records"),
        ("games", "ratings and returns follow from the games"),
        ("rating", "ratings and returns follow from the games"),
        ("played", "playing it again gives the same games"),
        ("held_out", "scenarios are those of the league's file"),
    ],
)
async def test_results_that_do_not_follow_are_found_where_all_hashes_are_right(
    tmp_path: Path, change: str, question: str
) -> None:
    """A changed result with new hashes is found by computing and playing again."""
    await played(league_file(tmp_path, {"a": {**PLAIN, "background": "random"}}, seeds=5), tmp_path / "out")
    out = tmp_path / "out"
    told = json.loads((out / "league.json").read_text())
    games, table = out / "games" / "a.json", out / "games.csv"
    if change in ("return", "games"):
        table.write_text(
            table.read_text().replace("a,0,always-defect,", "a,0,always-defect,").replace(",3.0,", ",9.0,")
        )
    if change in ("games", "played"):
        data = json.loads(games.read_text())
        for each in data["games"]:
            each["focal"] = each["focal"] + 6 if each["player"] == "always-cooperate" else each["focal"]
        games.write_text(json.dumps(data))
    if change == "rating":
        told["league"]["ranking"][0]["rating"] += 1
    if change == "held_out":
        (out / "scenarios.yaml").write_text((out / "scenarios.yaml").read_text().replace("random", "grim"))
    told["files"] = {
        path.relative_to(out).as_posix(): {
            "bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()
        }
        for path in published_files(out)
    }  # fmt: skip
    (out / "league.json").write_text(json.dumps(told))
    found = [*verify_league(out), await replay_league(out)]
    assert found[0].ok
    assert question in {each.question for each in found if each.ok is False}


async def test_held_out_scenarios_are_checked_and_apart_from_those_of_training(tmp_path: Path) -> None:
    file = league_file(tmp_path, {"a": PLAIN}, training="shown.yaml")
    shown = tmp_path / "shown.yaml"
    shown.write_text(yaml.safe_dump({"scenarios": {"x": {**PLAIN, "about": "Another text."}}}))
    with pytest.raises(UsageError, match="training: 'x' is the held-out scenario 'a'"):
        open_league(file)
    shown.write_text(yaml.safe_dump({"scenarios": {"x": {**PLAIN, "background": "grim"}}}))
    assert [each.name for each in open_league(file).scenarios] == ["a"]
    secret = tmp_path / "secret.yaml"
    secret.write_text(secret.read_text() + "\n")
    with pytest.raises(UsageError, match=r"held_out: .*secret\.yaml has the hash .*, and the league names"):
        open_league(file)
    secret.unlink()
    plan = open_league(file, training=True)
    assert (plan.name, [each.name for each in plan.scenarios]) == ("friends-training", ["x"])
    found = await played(file, tmp_path / "out", plan)
    assert found.training
    assert not (tmp_path / "out" / "scenarios.yaml").exists()
    assert faults(tmp_path / "out") == {}
    assert (await replay_league(tmp_path / "out")).ok


async def test_models_read_nothing_of_the_held_out_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "for-tests")

    def answer(_request: Request) -> str:
        return json.dumps({"why": "so", "choice": "defect"})

    async with FakeServer(answer) as server:
        file = league_file(
            tmp_path,
            {"the-hidden-one": {**PLAIN, "rounds": 3, "background": "win-stay-lose-shift", "about": "A secret."}},
            focal=["openai/m", "always-cooperate"],
            seeds=1,
            settings={"base_url": server.base_url},
        )
        found = await played(file, tmp_path / "out")
        asked = len(server.requests)
        assert asked == 3
        assert await played(file, tmp_path / "out") == found
        assert len(server.requests) == asked, "what has ended is not asked again"
        text = json.dumps([each.messages for each in server.requests])
    for secret in ("the-hidden-one", "win-stay-lose-shift", "A secret", "friends", "always-cooperate"):
        assert secret not in text
    assert {each.player: each.focal for each in found.games} == {
        "openai/m": pytest.approx(11 / 3),
        "always-cooperate": 3.0,
    }
    assert faults(tmp_path / "out") == {}


@pytest.fixture(name="mixed", scope="module")
def _mixed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, League]:
    """Return the folder and the results of a league in the world and on the grid."""
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "programs").mkdir()
    (folder / "programs" / "idle.js").write_text("async function idle (bot) {\n  await bot.waitForTicks(20)\n}\n")
    scenarios: dict[str, dict[str, object]] = {
        "mine": {"game": "double-vein", "mode": "visitor", "background": {"Glitch": "greedy"}},
    }
    file = league_file(
        folder, scenarios, focal=["greedy", "sharer"], programs="programs", seeds=1, settings={"time_limit_s": 30}
    )
    return folder / "out", asyncio.run(played(file, folder / "out"))


def test_programs_of_a_folder_play_in_the_world(mixed: tuple[Path, League]) -> None:
    out, found = mixed
    returns = {each.player: each.focal for each in found.games}
    assert returns["idle"] == 0 < returns["greedy"]
    assert found.standings[-1].name == "idle"
    told = json.loads((out / "league.json").read_text())
    program = out.parent / "programs" / "idle.js"
    assert told["players"] == {
        "greedy": None, "sharer": None, "idle": hashlib.sha256(program.read_bytes()).hexdigest()
    }  # fmt: skip
    assert all(f"{each.record}/events.jsonl" in told["files"] for each in found.games)
    for each in found.games:
        result = json.loads((out / each.record / "result.json").read_text())
        assert (each.welfare, each.gini) == (result["welfare"], result["gini"])
        assert each.focal == result["players"]["Gizmo"]["payoff"]


def test_records_of_a_league_are_verified(mixed: tuple[Path, League], tmp_path: Path) -> None:
    out, found = mixed
    assert faults(out) == {}
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    result = copy / found.games[0].record / "result.json"
    result.write_text(result.read_text().replace('"payoff": ', '"payoff": 1'))
    told = faults(copy)
    assert set(told) == {
        "all files are there, and are what they were",
        "results are those of the logs",
        "returns are those of the records",
    }
    assert all(found.games[0].record in each for each in told.values())


def test_a_league_is_packed_with_its_records(mixed: tuple[Path, League], tmp_path: Path) -> None:
    out, _ = mixed
    run("export", str(out), "--to", str(tmp_path / "league.zip"))
    with zipfile.ZipFile(tmp_path / "league.zip") as archive:
        archive.extractall(tmp_path / "there")
    assert faults(tmp_path / "there" / out.name) == {}


def test_names_in_a_league_do_not_lead_out_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mine")
    (tmp_path / "league").mkdir()
    league = tmp_path / "league" / "league.json"
    league.write_text(json.dumps({"files": {"../secret": {}, str(tmp_path / "secret"): {}}}))
    run("export", str(tmp_path / "league"), "--to", str(tmp_path / "league.zip"))
    with zipfile.ZipFile(tmp_path / "league.zip") as archive:
        assert sorted(archive.namelist()) == ["README.txt", "league/league.json"]
    league.write_text("[]")
    refusal = CliRunner().invoke(app, ["export", str(tmp_path / "league"), "--to", str(tmp_path / "league.zip")])
    assert refusal.exit_code
    assert "league.json cannot be read: it is no league" in refusal.stderr


@pytest.mark.parametrize(
    ("scenarios", "given", "told"),
    [
        ({"a": {**PLAIN, "game": "prisoners-dilema"}}, {}, "unknown scenario 'prisoners-dilema' (did you mean"),
        ({"a": {**PLAIN, "mode": "guest"}}, {}, "scenarios.a.mode: 'guest' is not legal"),
        ({"a": {**PLAIN, "background": []}}, {}, "background: is empty; in mode visitor name who else plays"),
        ({"a": {**PLAIN, "mode": "universal"}}, {}, "in mode universal nobody else plays; leave it out"),
        ({"a": {**PLAIN, "background": "openai/m"}}, {}, "'openai/m' is a model, which no hash can fix"),
        (
            {"a": {**PLAIN, "background": {"Bob": "grim"}}},
            {},
            "background: 'Bob' is no seat; choose from Gizmo, Glitch",
        ),
        ({"a": {**PLAIN, "focal": ["Bob"]}}, {}, "focal: 'Bob' is no seat"),
        ({"a": {**PLAIN, "focal": 3}}, {}, "focal: 3 is not legal; give 1 to 2"),
        ({"a": {**PLAIN, "focal": 2}}, {}, "mode: visitor is not legal for 2 focal seats of 2; legal: universal"),
        ({"a": {**PLAIN, "game": "cleanup"}}, {}, "scenarios.a.rounds: cleanup is no repeated game; leave it out"),
        ({"a": {**PLAIN, "game": "../x.yaml"}}, {}, "'../x.yaml' is not legal; name a .yaml file in the same folder"),
        ({"a": PLAIN}, {"focal": ["grim", "tit-for-tatt"]}, "tit-for-tatt cannot play a of secret.yaml"),
        ({"a": PLAIN}, {"focal": ["grim"]}, "focal: a league needs two players or more"),
        ({"a": PLAIN}, {"focal": ["grim", "grim"]}, "focal: 'grim' is named twice"),
        ({"a": PLAIN}, {"focal": ["grim", {"name": "b"}]}, "b: names no agents"),
        ({"a": PLAIN}, {"focal": ["grim", {"name": "b", "agents": {"chicken": "grim"}}]}, "b has no agents for pris"),
        ({"a": GRID}, {"focal": ["greedy", "policy:nowhere.npz"]}, "nowhere.npz cannot be read"),
        ({"a": PLAIN}, {"baselines": ["grim"]}, "baselines: 'grim' is no focal player"),
        ({"a": PLAIN}, {"programs": "nowhere"}, "has no NAME.js"),
        ({"a": PLAIN}, {"seeds": 0}, "seeds.count"),
        ({"a": PLAIN}, {"settings": {"players": {}}}, "settings: 'players' is not legal; choose from"),
        ({"a": PLAIN}, {"world": "moon"}, "world: 'moon' is not legal"),
        ({"a": PLAIN}, {"held_out": {"file": "secret.yaml"}}, "held_out: has no hash; write sha256: "),
        ({"a": PLAIN}, {"held_out": {"file": "nowhere.yaml", "sha256": "x"}}, "nowhere.yaml cannot be read"),
    ],
)
def test_files_that_cannot_be_played_are_refused_in_one_line(
    tmp_path: Path, scenarios: dict[str, dict[str, object]], given: dict[str, object], told: str
) -> None:
    file = league_file(tmp_path, scenarios, **given)
    assert told in refused("league", str(file), "--out", str(tmp_path / "runs"))
    assert not (tmp_path / "runs").exists()


def test_the_command_line_plays_shows_and_verifies(tmp_path: Path) -> None:
    file = league_file(tmp_path, {"a": {**PLAIN, "background": "random"}}, seeds=5)
    command = ["league", str(file), "--out", str(tmp_path)]
    assert "10 games (1 scenarios x 5 seeds x 2 focal players), 10 of them without a world" in run(
        *command, "--dry-run"
    )
    shown = run(*command)
    assert "always-defect has the highest rating" in shown
    assert f"accord verify {tmp_path / 'friends'}" in shown
    told = json.loads(run(*command, "--json"))
    assert [each["name"] for each in told["ranking"]] == ["always-defect", "always-cooperate"]
    assert (tmp_path / "friends" / "report.html").read_text().count("<svg") == 0
    assert "yes playing it again gives the same games" in run("verify", "--replay", str(tmp_path / "friends"))
    assert "is a league: go on with 'accord league FILE'" in refused("resume", str(tmp_path / "friends"))
    (tmp_path / "friends" / "ranking.csv").write_text("")
    result = CliRunner().invoke(app, ["verify", str(tmp_path / "friends")])
    assert result.exit_code == 1
    assert "ranking.csv is not what it was" in result.stdout


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("file", sorted((ROOT / "examples" / "leagues").glob("*s.yaml")), ids=lambda path: path.stem)
def test_examples_can_be_played(file: Path) -> None:
    if file.stem.endswith("_scenarios"):
        return
    assert open_league(file).scenarios
