"""Whole data flow on a fake world: conditions, repeats, interruption, several runs, written files."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.analysis.measures import accounts, curves, gini, welfare
from accord.analysis.report.reader import read_runs
from accord.studies.study import Hold, StudyResult, StudySettings, run_study
from bridge.errors import ServerError
from bridge.types import Address, ProgramError, ProgramOutcome
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events
from tests.fakes.world import LOST, Deed, FakeWorld, FakeWorlds, Script

CONTRACT_1 = Script(
    deeds=(
        Deed(1, "Gizmo", {"stone_pickaxe": 1}, chest={"stone_pickaxe": -1}),
        Deed(1, "Glitch", {"iron_pickaxe": 1}, chest={"iron_pickaxe": -1}, says="Off I go"),
        Deed(9, "Glitch", {"diamond": 6}, {"diamond_ore": 6}),
        Deed(20, "Gizmo", {"raw_iron": 12}, {"iron_ore": 12}),
    ),
    ends={"Gizmo": (60, ProgramOutcome.RETURNED), "Glitch": (9, ProgramOutcome.RETURNED)},
)
GRAB = Script(
    deeds=(
        Deed(1, "Gizmo", {"iron_pickaxe": 1, "stone_pickaxe": 1}, chest={"iron_pickaxe": -1, "stone_pickaxe": -1}),
        Deed(30, "Gizmo", {"raw_iron": 9, "diamond": 6}, {"iron_ore": 9, "diamond_ore": 6}),
    ),
    ends={"Gizmo": (31, ProgramOutcome.RETURNED), "Glitch": (2, ProgramOutcome.RETURNED)},
)


async def study(
    tmp_path: Path,
    worlds: FakeWorlds,
    *,
    lines: list[LogLine] | None = None,
    hold: Hold | None = None,
    **settings: object,
) -> StudyResult:
    chosen = StudySettings("double-vein", out=tmp_path / "runs", world="fake", **settings)
    return await run_study(chosen, listen=None if lines is None else lines.append, hold=hold, worlds=worlds)


def kinds(path: Path) -> list[str]:
    return [line.kind for line in read_events(path / "events.jsonl")]


async def test_contract_1_is_settled_as_the_paper_has_it(tmp_path: Path) -> None:
    world = FakeWorld([CONTRACT_1])
    found = await study(tmp_path, FakeWorlds(world), contracts=("contract-1",))
    result = found.results[0]
    assert found.status == result["status"] == "complete"
    assert {name: player["payoff"] for name, player in result["players"].items()} == {"Gizmo": 37.0, "Glitch": 41.0}
    assert {name: player["transfer"] for name, player in result["players"].items()} == {"Gizmo": -11.0, "Glitch": 11.0}
    assert result["welfare"] == 78.0
    assert round(result["gini"], 3) == 0.051
    assert result["end"] == "all_collected"
    assert result["game_s"] == 20.0
    assert json.loads((found.directory / "result.json").read_text()) == result
    assert not world.open


async def test_the_record_alone_gives_the_result(tmp_path: Path) -> None:
    lines: list[LogLine] = []
    found = await study(tmp_path, FakeWorlds(FakeWorld([CONTRACT_1])), contracts=("contract-1",), lines=lines)
    written = list(read_events(found.directory / "events.jsonl"))
    assert written == lines
    assert [line.seq for line in written] == list(range(len(written)))
    payoffs = [account.payoff for account in accounts(written).values()]
    assert (welfare(payoffs), round(gini(payoffs), 3)) == (78.0, 0.051)
    drawn = curves(written, 1)
    curve = [(point.t_s, point.reward) for point in drawn["Gizmo"]]
    assert curve == [(0.0, 0.0), (1.0, 0.0), (9.0, 0.0), (20.0, 48.0), (20.0, 48.0)]
    assert [line.event.text for line in written if line.kind == "chat"] == ["Off I go"]
    policies = {line.event.player: line.event for line in written if line.kind == "policy_written"}
    assert (found.directory / policies["Gizmo"].file).read_text() == policies["Gizmo"].source


async def test_without_a_contract_nothing_is_judged_or_moved(tmp_path: Path) -> None:
    found = await study(tmp_path, FakeWorlds(FakeWorld([GRAB])))
    result = found.results[0]
    assert result["condition"] == "none"
    assert result["players"]["Gizmo"]["payoff"] == 60.0
    assert (result["welfare"], result["gini"], result["gini_plain"]) == (60.0, 1.0, 0.5)
    assert result["verdict"] is None
    assert result["contract"] is None
    assert not {"verdict", "transfer"} & set(kinds(found.directory))


async def test_nobody_earned_anything(tmp_path: Path) -> None:
    found = await study(tmp_path, FakeWorlds(FakeWorld([Script()])))
    result = found.results[0]
    assert (result["status"], result["welfare"], result["end"]) == ("complete", 0.0, "policies_returned")
    assert (result["gini"], result["gini_plain"]) == (None, None)
    assert "their sum is 0" in result["gini_error"]


@pytest.mark.parametrize("outcome", [ProgramOutcome.THREW, ProgramOutcome.SYNTAX])
async def test_a_run_in_which_every_program_broke_off_is_failed_and_counts_only_where_asked_for(
    outcome: ProgramOutcome, tmp_path: Path
) -> None:
    broken = Script(ends={"Gizmo": (1, outcome), "Glitch": (2, outcome)})
    found = await study(tmp_path, FakeWorlds(FakeWorld([broken])))
    result = found.results[0]
    assert (found.status, result["status"], result["invalid"]) == ("failed", "failed", "programs")
    assert result["reason"].startswith("every program broke off and nobody earned anything; Gizmo: ")
    (run,) = read_runs([found.directory])
    assert (run.scored, run.invalid, run.figures.get(("welfare", ""))) == (False, "programs", 0.0)
    (counted,) = read_runs([found.directory], "zero")
    assert counted.scored


@pytest.mark.parametrize(
    "script",
    [
        Script(ends={"Gizmo": (1, ProgramOutcome.THREW), "Glitch": (2, ProgramOutcome.RETURNED)}),
        Script(ends={"Gizmo": (1, ProgramOutcome.THREW), "Glitch": (2, ProgramOutcome.TIMEOUT)}),
        Script(
            deeds=(Deed(1, "Gizmo", {"raw_iron": 1}, {"iron_ore": 1}),),
            ends={"Gizmo": (2, ProgramOutcome.THREW), "Glitch": (2, ProgramOutcome.THREW)},
        ),
    ],
)
async def test_a_run_in_which_anything_was_played_counts(script: Script, tmp_path: Path) -> None:
    assert (await study(tmp_path, FakeWorlds(FakeWorld([script])))).status == "complete"


async def test_a_breach_is_named_and_pays_nothing(tmp_path: Path) -> None:
    keeps = Script(deeds=(Deed(1, "Gizmo", {"iron_pickaxe": 1}), Deed(9, "Gizmo", {"raw_iron": 12}, {"iron_ore": 12})))
    keeps = Script(keeps.deeds, ends={"Gizmo": (10, ProgramOutcome.RETURNED), "Glitch": (10, ProgramOutcome.RETURNED)})
    found = await study(
        tmp_path, FakeWorlds(FakeWorld([keeps])), contracts=("contract-2",), players={"Gizmo": "keeps-pickaxe"}
    )
    result = found.results[0]
    failed = [each["subject"] for each in result["verdict"]["findings"] if not each["ok"]]
    assert "gizmo-returns-pickaxe" in failed
    assert result["players"]["Gizmo"]["transfer"] == -24.0


async def test_negotiation_ends_in_a_contract_that_is_played(tmp_path: Path) -> None:
    found = await study(tmp_path, FakeWorlds(FakeWorld([CONTRACT_1])), contracts=("negotiate",))
    result = found.results[0]
    assert result["negotiation"]["state"] == "agreed"
    offers = [turn for turn in result["negotiation"]["transcript"] if turn["proposal"]]
    assert offers
    assert result["contract"]["name"] == "negotiated"
    assert result["welfare"] == 78.0
    assert json.loads((found.directory / "contract.json").read_text()) == result["contract"]
    assert "negotiation" in kinds(found.directory)


async def test_a_lost_player_repeats_the_episode_and_is_never_scored(tmp_path: Path) -> None:
    first = FakeWorld([Script(CONTRACT_1.deeds, CONTRACT_1.ends, lost=(10, LOST))])
    second = FakeWorld([CONTRACT_1])
    found = await study(tmp_path, FakeWorlds(first, second), contracts=("contract-1",))
    result = found.results[0]
    assert (result["status"], result["repeats"], result["welfare"]) == ("complete", 1, 78.0)
    seen = [line.event for line in read_events(found.directory / "events.jsonl")]
    broken = [event for event in seen if event.kind == "infrastructure"]
    assert [(event.attempt, event.reason, event.repeated) for event in broken] == [(1, "Glitch was disconnected", True)]
    assert [event.kind for event in seen].count("end_state") == 1
    assert second.runs == first.runs
    assert not first.open
    assert not second.open


@pytest.mark.parametrize(
    "script",
    [
        Script(lost=(0, ServerError("the server died"))),
        Script(ends={"Glitch": (1, ProgramOutcome.INFRASTRUCTURE)}),
        Script(leaves="Glitch"),
    ],
    ids=["server died", "policy was lost", "player left before the end was read"],
)
async def test_infrastructure_that_stays_broken_ends_unscored(tmp_path: Path, script: Script) -> None:
    worlds = [FakeWorld([script]) for _ in range(3)]
    found = await study(tmp_path, FakeWorlds(*worlds))
    result = found.results[0]
    assert (found.status, result["status"]) == ("infrastructure", "infrastructure")
    assert (result["players"], result["welfare"], result["gini"]) == ({}, None, None)
    assert result["reason"]
    assert not any(world.open for world in worlds)


async def test_a_program_with_an_error_is_written_again_and_the_other_kept(tmp_path: Path) -> None:
    error = ProgramError("TypeError", "x is not a function", 3, 7)
    broken = Script(ends={"Gizmo": (1, ProgramOutcome.THREW)}, errors={"Gizmo": error})
    world = FakeWorld([broken, CONTRACT_1])
    found = await study(tmp_path, FakeWorlds(world), contracts=("contract-1",), episodes=3)
    result = found.results[0]
    assert (result["episodes"], result["welfare"]) == (2, 78.0)
    assert result["policies"]["Gizmo"]["error"] is None
    ended = [line.event for line in read_events(found.directory / "events.jsonl") if line.kind == "policy_ended"]
    assert (ended[0].error.message, ended[0].error.line, ended[0].error.column) == ("x is not a function", 3, 7)
    assert (found.directory / "episodes/2/policies/Glitch.js").read_text() == world.runs[0]["Glitch"]


async def test_a_program_that_never_ends_meets_the_time_limit(tmp_path: Path) -> None:
    endless = Script(ends={"Gizmo": (1e9, ProgramOutcome.RETURNED), "Glitch": (1e9, ProgramOutcome.RETURNED)})
    found = await study(tmp_path, FakeWorlds(FakeWorld([endless])), time_limit_s=12.0)
    result = found.results[0]
    assert (result["end"], result["game_s"], result["status"]) == ("time_limit", 12.0, "complete")


async def test_several_runs_on_one_server_with_a_summary(tmp_path: Path) -> None:
    world = FakeWorld([GRAB, Script(), GRAB])
    worlds = FakeWorlds(world)
    found = await study(tmp_path, worlds, runs=3, seed=7)
    result = found.results[0]
    assert [run["seed"] for run in result["runs"]] == [7, 8, 9]
    assert result["summary"]["welfare"]["mean"] == 40.0
    assert result["summary"]["welfare"]["ci95"] is None
    assert len(worlds.asked) == 1
    names = sorted(path.name for path in found.directory.iterdir())
    assert names == ["config.yaml", "logs", "manifest.json", "result.json", "seed-7", "seed-8", "seed-9", "wall.json"]
    assert json.loads((found.directory / "result.json").read_text()) == result
    spawns = [text for text in world.texts if text.startswith("tp Gizmo")]
    assert len(set(spawns)) == 2


async def test_several_conditions_on_one_server(tmp_path: Path) -> None:
    worlds = FakeWorlds(FakeWorld([GRAB, CONTRACT_1]))
    found = await study(tmp_path, worlds, contracts=("none", "contract-1"))
    assert [result["condition"] for result in found.results] == ["none", "contract-1"]
    whole = json.loads((found.directory / "result.json").read_text())
    assert whole["conditions"]["contract-1"] == json.loads((found.directory / "contract-1/result.json").read_text())
    assert (found.directory / "none/events.jsonl").is_file()


async def test_an_interrupted_run_is_closed_and_says_so(tmp_path: Path) -> None:
    world = FakeWorld([Script(ends={"Gizmo": (1e9, ProgramOutcome.RETURNED)})])
    started = asyncio.Event()

    def listen(line: LogLine) -> None:
        if line.kind == "policies_started":
            started.set()

    settings = StudySettings("double-vein", out=tmp_path / "runs", world="fake", time_limit_s=1e6)
    task = asyncio.create_task(run_study(settings, listen=listen, worlds=FakeWorlds(world)))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not world.open
    (directory,) = (tmp_path / "runs").iterdir()
    result = json.loads((directory / "result.json").read_text())
    assert (result["status"], result["reason"], result["players"]) == ("failed", "interrupted", {})
    assert kinds(directory)[-1] == "run_ended"


async def test_a_missing_prerequisite_is_told_and_noted(tmp_path: Path) -> None:
    class Missing(FakeWorld):
        async def __aenter__(self) -> Missing:
            raise PrerequisiteError("the JavaScript packages are missing: run npm ci")

    with pytest.raises(PrerequisiteError, match="npm ci"):
        await study(tmp_path, FakeWorlds(Missing([])))
    (directory,) = (tmp_path / "runs").iterdir()
    assert json.loads((directory / "result.json").read_text())["status"] == "failed"


async def test_a_world_that_cannot_do_what_is_needed_is_refused(tmp_path: Path) -> None:
    world = FakeWorld([])
    world.capabilities = frozenset({"chests"})  # type: ignore[misc]
    with pytest.raises(PrerequisiteError, match="scoreboard, signals, spectators"):
        await study(tmp_path, FakeWorlds(world))


async def test_a_refused_command_fails_the_run_in_its_own_words(tmp_path: Path) -> None:
    world = FakeWorld([], refuse={"setblock 0 -60 0": "Unknown block type 'minecraft:chest'"})
    found = await study(tmp_path, FakeWorlds(world))
    assert found.status == "failed"
    assert "Unknown block type" in found.results[0]["reason"]


async def test_people_can_watch_before_the_world_closes(tmp_path: Path) -> None:
    world = FakeWorld([Script()])
    seen: list[tuple[Address | None, bool]] = []

    async def hold(address: Address | None) -> None:
        seen.append((address, world.open))

    await study(tmp_path, FakeWorlds(world), hold=hold)
    assert seen == [(Address("127.0.0.1", 25565), True)]
    assert not world.open


async def test_config_holds_what_is_needed_to_do_it_again(tmp_path: Path) -> None:
    found = await study(tmp_path, FakeWorlds(FakeWorld([Script()])), contracts=("contract-2",), seed=5)
    config = yaml.safe_load((found.directory / "config.yaml").read_text())
    assert config["seed"] == 5
    assert config["scenario"]["players"]["Glitch"]["prices"] == {"raw_iron": 3.0, "diamond": 5.0}
    assert config["conditions"]["contract-2"]["transfers"]
    assert config["versions"]["minecraft"] == "1.20.4"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"contracts": ("contract-9",)}, r"unknown condition 'contract-9'.*contract-1, contract-2"),
        ({"contracts": ("nowhere.yaml",)}, r"nowhere\.yaml.*cannot be read"),
        ({"contracts": ()}, "no condition"),
        ({"contracts": ("none", "none")}, "given twice"),
        ({"runs": 0}, "runs: 0 is not legal"),
        ({"players": {"Gizmo": "saint"}}, r"unknown reference player 'saint'.*greedy"),
        ({"players": {"Bob": "greedy"}}, r"unknown player 'Bob'.*Gizmo, Glitch"),
        ({"port": 0}, "port: 0"),
        ({"models": {"cook": "openai/x"}}, "unknown role 'cook'"),
        ({"time_limit_s": -1.0}, "time limit: -1.0 is not legal"),
    ],
)
async def test_wrong_input_is_one_line_and_starts_nothing(tmp_path: Path, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        await study(tmp_path, FakeWorlds(), **settings)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "runs").exists()


async def test_a_contract_that_names_what_is_not_here(tmp_path: Path) -> None:
    path = tmp_path / "gold.yaml"
    path.write_text(
        "name: gold\nparties: [Gizmo, Glitch]\ntext: Gold for all.\n"
        "transfers:\n- {id: t, payer: Gizmo, payee: Glitch, amount: Gizmo.items.gold_ingot}\n"
    )
    with pytest.raises(UsageError, match=r"Gizmo\.items\.gold_ingot.*raw_iron"):
        await study(tmp_path, FakeWorlds(), contracts=(str(path),))


async def test_an_output_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    settings = StudySettings("double-vein", out=blocked / "runs", world="fake")
    with pytest.raises(UsageError, match=r"cannot write the run to .*--out"):
        await run_study(settings, worlds=FakeWorlds(FakeWorld([])))
