"""Factors of a study besides its contracts: models, sampling and prompts, in one study with one report."""

from __future__ import annotations

import asyncio
import csv
import json
import re
import statistics
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.analysis.report import write_report
from accord.studies.estimate import expect
from accord.studies.models import model_for
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.study import StudyResult, read_settings, resume_study, run_study
from dilemmas.errors import UsageError
from dilemmas.records.digest import digest
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults
from tests.fakes.mock_models import clumsy, programs, skilled
from tests.fakes.model_players import role
from voyager_agents.models.fake_server import FakeServer
from voyager_agents.prompts.folder import catalog

RULES = json.loads(SCHEMA.read_text(encoding="utf-8"))


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run_folders(study: Path) -> dict[tuple[str, str], Path]:
    """Return (condition, seed) -> directory, read from the logs."""
    found = {}
    for log in study.rglob("events.jsonl"):
        first = next(iter(read_events(log))).event
        found[first.condition, str(first.seed)] = log.parent  # type: ignore[union-attr]
    return found


async def compared(out: Path, jobs: int = 1, runs: int = 3) -> tuple[StudyResult, FakeServer, FakeServer]:
    """Play two models by two contracts by `runs` seeds, each model at its own endpoint."""
    async with FakeServer(skilled(await programs())) as good, FakeServer(clumsy) as bad:
        settings = StudySettings(
            "double-vein", ("none", "contract-1"), world="mock", runs=runs, jobs=jobs, out=out,
            vary={"model": ("openai/good", "openai/bad")}, time_limit_s=60,
            base_urls={"openai/good": good.base_url, "openai/bad": bad.base_url},
        )  # fmt: skip
        return await run_study(settings), good, bad


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyResult, FakeServer, FakeServer]:
    """Play the comparison once. The servers have ended but keep the requests they received."""
    return asyncio.run(compared(tmp_path_factory.mktemp("factors") / "runs"))


def test_two_models_by_two_contracts_are_one_report_whose_numbers_lead_to_their_runs(
    comparison: tuple[StudyResult, FakeServer, FakeServer],
) -> None:
    study, good, bad = comparison
    names = ["none+model=openai/good", "none+model=openai/bad", "contract-1+model=openai/good",
             "contract-1+model=openai/bad"]  # fmt: skip
    whole = json.loads((study.directory / "result.json").read_text())
    assert faults(whole, RULES) == []
    assert list(whole["conditions"]) == names
    assert study.status == "complete"
    assert {each.body["model"] for each in good.requests} == {"good"}
    assert {each.body["model"] for each in bad.requests} == {"bad"}
    report = write_report([study.directory], study.directory)
    folders = run_folders(study.directory)
    assert sorted(folders) == sorted((name, str(seed)) for name in names for seed in range(3))
    of_runs = rows(study.directory / "runs.csv")
    values: dict[tuple[str, str, str], list[float]] = {}
    for row in of_runs:
        directory = folders[row["condition"], row["seed"]]
        assert str(directory).endswith(row["run"])
        result = json.loads((directory / "result.json").read_text())
        assert traced(result, row["measure"], row["player"]) == float(row["value"])
        values.setdefault((row["condition"], row["player"], row["measure"]), []).append(float(row["value"]))
    for row in rows(study.directory / "summary.csv"):
        known = values[row["condition"], row["player"], row["measure"]]
        assert (int(row["n"]), float(row["mean"])) == (3, pytest.approx(statistics.fmean(known)))
    between = rows(study.directory / "comparisons.csv")
    welfare = {(row["first"], row["second"]): row for row in between if row["measure"] == "welfare"}
    assert len(welfare) == 6
    for (first, second), row in welfare.items():
        means = [statistics.fmean(values[name, "", "welfare"]) for name in (first, second)]
        assert float(row["difference"]) == pytest.approx(means[0] - means[1])
        varies = any(len(set(values[name, "", "welfare"])) > 1 for name in (first, second))
        assert bool(row["p"]) == bool(row["p_holm"]) == varies
        assert not varies or 0 < float(row["p"]) <= float(row["p_holm"]) <= 1
    assert [statistics.fmean(values[name, "", "welfare"]) for name in names][2:] == [78.0, 0.0]
    assert report.comparison.caveat == ""
    of_factors = rows(study.directory / "effects.csv")
    (model,) = [row for row in of_factors if (row["factor"], row["measure"]) == ("model", "welfare")]
    means = {name: statistics.fmean(values[name, "", "welfare"]) for name in names}
    good_less_bad = ((means[names[0]] - means[names[1]]) + (means[names[2]] - means[names[3]])) / 2
    assert abs(float(model["difference"])) == pytest.approx(good_less_bad)
    # Two strata of three against three: no other assignment has as large a difference.
    assert float(model["p"]) == pytest.approx(2 / 400)
    # Pairs may appear in another order in that table.
    told = {
        (each["factor"], frozenset(each["of"]), each["measure"]): (each["strata"], abs(each["difference"]), each["p"])
        for each in whole["effects"]
    }
    found = {}
    for row in of_factors:
        name = ".".join(filter(None, (row["measure"], row["player"])))
        key = row["factor"], frozenset((row["first"], row["second"])), name
        p = pytest.approx(float(row["p"])) if row["p"] else None
        found[key] = (int(row["strata"]), pytest.approx(abs(float(row["difference"]))), p)
    assert told == found


def traced(result: dict[str, Any], measure: str, player: str) -> float:
    """Return a run's figure from its place in result.json."""
    if measure.startswith("held."):
        return float(result["players"][player]["items"][measure.removeprefix("held.")])
    if player:
        return float(result["players"][player][measure])
    return float(result[measure])


async def test_the_record_is_the_same_with_several_jobs(
    tmp_path: Path, comparison: tuple[StudyResult, FakeServer, FakeServer]
) -> None:
    one = run_folders(comparison[0].directory)
    two = run_folders((await compared(tmp_path / "two", jobs=2, runs=1))[0].directory)
    assert set(two) == {(name, seed) for name, seed in one if seed == "0"}
    assert len(two) == 4
    for name, other in two.items():
        first, second = (digest(read_events(each / "events.jsonl")) for each in (one[name], other))
        assert first == second


async def test_a_set_of_prompts_is_kept_by_resume_and_replay(tmp_path: Path) -> None:
    async with FakeServer(skilled(await programs())) as server:
        settings = StudySettings(
            "double-vein", ("contract-1",), world="mock", out=tmp_path, base_url=server.base_url,
            model="openai/all", prompts=Path("compact"), budget={"calls": {"all": 1}}, time_limit_s=10,
        )  # fmt: skip
        stopped = await run_study(settings)
        again = read_settings(stopped.directory, budget={"calls": {"all": 99}}, base_url=server.base_url)
        done = await resume_study(stopped.directory, again)
    assert done.status == "complete"
    model = f"replay:{done.directory}"
    replayed = await run_study(
        StudySettings("double-vein", ("contract-1",), world="mock", out=tmp_path, model=model, time_limit_s=10)
    )
    assert replayed.status == "complete"
    configs = [yaml.safe_load((each.directory / "config.yaml").read_text()) for each in (done, replayed)]
    assert [Path(each["settings"]["prompts"]).name for each in configs] == ["compact"] * 2


async def test_models_and_sampling_are_for_roles_players_and_both_and_kept_by_resume(tmp_path: Path) -> None:
    async with FakeServer(skilled(await programs())) as server:
        settings = StudySettings(
            "double-vein", ("contract-1",), world="mock", runs=1, out=tmp_path, base_url=server.base_url,
            model="openai/all", models={"Gizmo": "openai/g", "Gizmo.action": "openai/ga", "judge": "openai/j"},
            sampling={"temperature": "0.5", "Gizmo.temperature": "0.25", "judge.seed": "run", "top_p": "0.9",
                      "action.max_tokens": "default", "Glitch.action.reasoning_effort": "low"},
            seed=7, budget={"calls": {"all": 1}}, time_limit_s=10,
        )  # fmt: skip
        stopped = await run_study(settings)
        assert stopped.status == "budget"
        again = read_settings(stopped.directory, budget={"calls": {"all": 99}}, base_url=server.base_url)
        done = await resume_study(stopped.directory, again)
        assert done.status == "complete"
    asked = {(each.body["model"], role(each)): each.body for each in server.requests}
    assert set(asked) == {("ga", "action"), ("all", "action"), ("j", "judge")}
    expected = {
        "ga": {"temperature": 0.25, "top_p": 0.9},
        "all": {"temperature": 0.5, "top_p": 0.9, "reasoning_effort": "low"},
        "j": {"temperature": 0.5, "top_p": 0.9, "seed": 7},
    }
    for (model, _), body in asked.items():
        sampled = {key: value for key, value in body.items() if key not in ("model", "messages", "response_format")}
        assert sampled == expected[model]
    calls = [json.loads(line) for line in (done.directory / "calls.jsonl").read_text().splitlines()]
    for call in calls:
        told = {key: value for key, value in call["settings"].items() if value is not None and key != "timeout_s"}
        assert told == expected[call["model"].removeprefix("openai/")]
        assert len(call["prompt"]) == 16
    config = yaml.safe_load((done.directory / "config.yaml").read_text())
    setup = config["setup"]["contract-1"]
    assert setup["models"]["Gizmo"]["action"] == "openai/ga"
    assert setup["sampling"]["Judy"]["judge"] == {"temperature": 0.5, "seed": "run", "top_p": 0.9}
    assert len(setup["hash"]) == 64


def plan(**changes: Any) -> StudyPlan:  # noqa: ANN401
    return StudyPlan.of(StudySettings("double-vein", ("contract-1",), **{"model": "openai/x", **changes}))


def hash_of(**changes: Any) -> str:  # noqa: ANN401
    found = plan(**changes)
    (setup,) = found.config(found.conditions)["setup"].values()
    return str(setup["hash"])


def test_the_hash_is_of_what_makes_a_run_the_same() -> None:
    usual = hash_of()
    same = [{"runs": 5}, {"seed": 9}, {"base_url": "http://127.0.0.1:1/v1"}, {"jobs": 2}, {"out": Path("elsewhere")}]
    assert [hash_of(**each) for each in same] == [usual] * len(same)
    other: list[dict[str, Any]] = [
        {"model": "openai/y"}, {"models": {"Gizmo.critic": "openai/y"}}, {"sampling": {"critic.temperature": "0"}},
        {"episodes": 2}, {"think": "pause"}, {"players": {"Gizmo": "greedy"}}, {"time_limit_s": 9.0},
    ]  # fmt: skip
    assert len({usual, *(hash_of(**each) for each in other)}) == 1 + len(other)


def test_the_narrower_word_counts() -> None:
    models = {"critic": "r", "Gizmo": "p", "Gizmo.action": "pr"}
    settings = StudySettings("double-vein", model="all", models=models)
    found = {
        (who, part): model_for(settings, who, part) for who in ("Gizmo", "Glitch") for part in ("action", "critic")
    }
    assert found == {("Gizmo", "action"): "pr", ("Gizmo", "critic"): "p", ("Glitch", "action"): "all",
                     ("Glitch", "critic"): "r"}  # fmt: skip


def test_a_player_with_a_model_plays_beside_one_without() -> None:
    found = plan(model=None, models={"Gizmo": "openai/x"})
    authors = found.config(found.conditions)["setup"]["contract-1"]["models"]
    assert list(authors) == ["Gizmo"]


@pytest.mark.parametrize(
    ("vary", "names"),
    [
        ({"temperature": ("0", "0.7")}, ["contract-1+temperature=0", "contract-1+temperature=0.7"]),
        ({"critic.max_tokens": ("10",), "think": ("1", "pause")},
         ["contract-1+critic.max_tokens=10+think=1", "contract-1+critic.max_tokens=10+think=pause"]),
        ({"Gizmo.player": ("greedy", "follower")},
         ["contract-1+Gizmo.player=greedy", "contract-1+Gizmo.player=follower"]),
        ({"model": ("none", "openai/y")}, ["contract-1+model=none", "contract-1+model=openai/y"]),
        ({"Gizmo.action.model": ("openai/a", "openai/b")},
         ["contract-1+Gizmo.action.model=openai/a", "contract-1+Gizmo.action.model=openai/b"]),
        ({"judge": ("formal", "language")}, ["contract-1+judge=formal", "contract-1+judge=language"]),
        ({"rounds": ("2", "4"), "episodes": ("1", "2")},
         [f"contract-1+rounds={k}+episodes={n}" for k in (2, 4) for n in (1, 2)]),
    ],
)  # fmt: skip
def test_every_combination_is_a_condition_of_its_own(vary: dict[str, tuple[str, ...]], names: list[str]) -> None:
    found = plan(vary=vary)
    assert [each.name for each in found.conditions] == names
    hashes = {each["hash"] for each in found.config(found.conditions)["setup"].values()}
    assert len(hashes) == len(names)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"vary": {"temprature": ("0", "1")}}, "'temprature' is no factor (did you mean 'temperature'?)"),
        ({"vary": {"temperature": ("0", "0")}}, "a value is given twice"),
        ({"vary": {"temperature": ("", "0")}}, "empty value"),
        ({"vary": {"temperature": ("0", "hot")}}, "'hot' is not legal; give a number from 0 to 2"),
        ({"vary": {"player": ("greedy", "follower")}}, "player needs a name before it"),
        ({"vary": {"Gizmo.think": ("1", "2")}}, "think is for the whole study"),
        ({"vary": {"rounds": ("1", "many")}}, "'many' is not a whole number"),
        ({"vary": {"Bob.model": ("openai/a", "openai/b")}}, "unknown role 'Bob'"),
        ({"vary": {"model": ("openai/a/b", "openai/a-b")}}, "would share the folder"),
        ({"sampling": {"mood": "1"}}, "'mood' in 'mood' is no setting"),
        ({"sampling": {"Bob.temperature": "1"}}, "unknown role 'Bob'"),
        ({"sampling": {"Gizmo.cook.temperature": "1"}}, "unknown role 'cook'"),
        ({"sampling": {"max_tokens": "0"}}, "give a whole number from 1"),
        ({"models": {"Bob.action": "openai/x"}}, "unknown player 'Bob'"),
        ({"base_urls": {"openai/z": "http://127.0.0.1:1"}}, "no 'openai/z' plays"),
        ({"prompts": Path("/nowhere")}, "prompts /nowhere: cannot be read"),
    ],
)  # fmt: skip
async def test_what_cannot_be_is_told_in_one_line_before_anything_starts(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    chosen = {"model": "openai/x", "base_url": "http://127.0.0.1:1/v1", **changes}
    with pytest.raises(UsageError) as caught:
        await run_study(StudySettings("double-vein", world="mock", out=tmp_path / "runs", **chosen))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "runs").exists()


async def test_the_estimate_tells_models_apart() -> None:
    settings = StudySettings(
        "double-vein", ("none",), model="openai/x", models={"Glitch": "openai/y"}, vary={"temperature": ("0", "1")}
    )
    found = await expect(settings)
    calls = {(each["role"], each["model"]): each["least"]["calls"] for each in found["roles"]}
    assert (calls["action", "openai/x"], calls["action", "openai/y"]) == (2, 2)


@pytest.mark.parametrize("jobs", [1, 2])
async def test_own_prompts_are_asked_with_kept_and_hashed(tmp_path: Path, jobs: int) -> None:
    stern, kind = tmp_path / "mine" / "stern", tmp_path / "mine" / "kind"
    for folder in (stern, kind):
        folder.mkdir(parents=True)
        text = catalog()["action"].read_text(encoding="utf-8")
        (folder / "action.md").write_text(text.replace("You write programs", f"You write programs, {folder.name},"))
    async with FakeServer(skilled(await programs())) as server:
        settings = StudySettings(
            "double-vein", ("none",), world="mock", out=tmp_path / "runs", model="openai/x", base_url=server.base_url,
            vary={"prompts": (str(stern), str(kind))}, budget={"calls": {"all": 1}}, time_limit_s=10,
        )  # fmt: skip
        stopped = await run_study(settings)
        assert stopped.status == "budget"
        (kind / "action.md").unlink()
        (stern / "action.md").write_text("nothing of use")
        again = read_settings(stopped.directory, budget={"calls": {"all": 99}}, base_url=server.base_url, jobs=jobs)
        assert (await resume_study(stopped.directory, again)).status == "complete"
    said = [request.messages[0]["content"][:40] for request in server.requests]
    assert [any(name in each for each in said) for name in ("stern", "kind")] == [True, True]
    config = yaml.safe_load((stopped.directory / "config.yaml").read_text())
    setup = config["setup"]
    assert list(setup) == ["none+prompts=stern", "none+prompts=kind"]
    hashes = [each["prompts"]["action"] for each in setup.values()]
    assert len({*hashes}) == 2
    (stopped.directory / "prompts" / "kind" / "action.md").write_text(catalog()["action"].read_text(encoding="utf-8"))
    with pytest.raises(UsageError, match="setup: not what it was at the start"):
        await resume_study(stopped.directory, read_settings(stopped.directory, base_url="http://127.0.0.1:1"))


async def test_a_model_that_was_varied_can_be_replayed(tmp_path: Path) -> None:
    async with FakeServer(skilled(await programs())) as server:
        settings = StudySettings(
            "double-vein", ("none",), world="mock", out=tmp_path / "a", base_url=server.base_url, time_limit_s=10,
            vary={"model": ("openai/x",)},
        )  # fmt: skip
        first = await run_study(settings)
    replayed = StudySettings(
        "double-vein", ("none",), world="mock", out=tmp_path / "b", model=f"replay:{first.directory}", time_limit_s=10
    )
    second = await run_study(replayed)
    assert second.status == "complete"
    assert second.results[0]["welfare"] == first.results[0]["welfare"]
    assert "differs" not in second.results[0]["usage"]


async def test_the_report_tells_the_models_and_warns_of_setups_that_are_averaged(tmp_path: Path) -> None:
    async with FakeServer(skilled(await programs())) as server:
        for model in ("openai/x", "openai/y"):
            settings = StudySettings(
                "double-vein", ("none",), world="mock", out=tmp_path / model[-1], base_url=server.base_url,
                model=model, sampling={"Gizmo.action.temperature": "0.5"}, time_limit_s=10,
            )  # fmt: skip
            await run_study(settings)
    one = write_report([tmp_path / "x"], tmp_path / "one")
    assert one.comparison.caveat == ""
    page = one.html.read_text(encoding="utf-8")
    assert re.search(r"<td[^>]*>all: openai/x</td>", page)
    assert re.search(r"<td[^>]*>Gizmo.action: temperature 0.5</td>", page)
    both = write_report([tmp_path / "x", tmp_path / "y"], tmp_path / "both")
    assert both.comparison.caveat.startswith("To be known: none: runs of 2 setups are averaged")
