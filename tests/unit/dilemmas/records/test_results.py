"""result.json fits its schema in all its forms; the schema rejects others; summaries cover complete runs only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.scoring import combine, score
from accord.studies.study import StudySettings, run_study
from bridge.errors import ServerError
from bridge.types import ProgramError, ProgramOutcome
from dilemmas.errors import RecordError
from dilemmas.records.events import PlayerAccount
from dilemmas.records.results import SCHEMA, read_result, worst
from tests.fakes.json_schema import faults
from tests.fakes.world import Deed, FakeWorld, FakeWorlds, Script

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
IRON = Script(deeds=(Deed(0.5, "Gizmo", {"raw_iron": 2}, {"iron_ore": 2}),))
THROWS = Script(ends={"Gizmo": (1, ProgramOutcome.THREW)}, errors={"Gizmo": ProgramError("Error", "no", 1, None)})
LOST = Script(lost=(0, ServerError("gone")))


def account(payoff: float) -> PlayerAccount:
    return PlayerAccount(items={}, reward=payoff, transfer=0.0, payoff=payoff)


async def play(tmp_path: Path, scripts: list[list[Script]], **settings: object) -> Path:
    chosen = StudySettings("double-vein", out=tmp_path, world="fake", **settings)
    found = await run_study(chosen, worlds=FakeWorlds(*(FakeWorld(each) for each in scripts)))
    return found.directory / "result.json"


@pytest.mark.parametrize(
    ("scripts", "settings"),
    [
        ([[IRON]], {}),
        ([[IRON]], {"contracts": ("contract-1",)}),
        ([[IRON]], {"contracts": ("negotiate",)}),
        ([[THROWS]], {}),
        ([[LOST], [LOST], [LOST]], {}),
        ([[IRON, Script(), IRON]], {"runs": 3}),
        ([[IRON, IRON]], {"contracts": ("none", "contract-2")}),
        ([[IRON, IRON, IRON, IRON]], {"contracts": ("none", "contract-2"), "runs": 2}),
        ([[IRON, LOST], [LOST], [LOST]], {"runs": 2}),
    ],
)
async def test_every_form_fits_the_schema(
    tmp_path: Path, scripts: list[list[Script]], settings: dict[str, object]
) -> None:
    path = await play(tmp_path, scripts, **settings)
    assert faults(read_result(path), RULES) == []


async def test_the_schema_can_say_no(tmp_path: Path) -> None:
    whole = read_result(await play(tmp_path, [[IRON]]))
    for change in (
        {"status": "fine"},
        {"welfare": None},
        {"players": {}},
        {"usage": {"calls": -1, "tokens": 0, "usd": 0.0}},
        {"extra": 1},
        {"reason": "none"},
    ):
        assert faults({**whole, **change}, RULES) != []
    assert faults({key: value for key, value in whole.items() if key != "gini"}, RULES) != []


def test_an_undefined_gini_says_why() -> None:
    scored = score({"Gizmo": account(-5.0), "Glitch": account(2.0)})
    assert (scored["welfare"], scored["gini"]) == (-3.0, None)
    assert "sum is -3" in scored["gini_error"]


def test_only_complete_runs_are_summarized() -> None:
    head = {"scenario": "s", "version": 1, "world": "w", "condition": "c"}
    times = {"wall_s": 1.0, "episode_wall_s": 1.0, "game_s": 1.0}
    good = {**head, **times, "seed": 0, "status": "complete", **score({"A": account(1.0), "B": account(3.0)})}
    lost = {**head, **times, "seed": 1, "status": "infrastructure", "players": {}, "welfare": None, "gini": None}
    combined = combine([good, lost], 0)
    assert (combined["status"], combined["summary"]["complete"]) == ("infrastructure", 1)
    assert combined["summary"]["welfare"]["n"] == 1
    assert combined["summary"]["payoff.B"]["mean"] == 3.0
    assert combine([lost], 0)["summary"] == {"complete": 0}


def test_the_worst_status_stands_for_the_whole() -> None:
    assert worst(["complete", "infrastructure", "failed"]) == "failed"
    assert worst(["complete"]) == "complete"


def test_a_result_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot read"):
        read_result(tmp_path / "result.json")
    (tmp_path / "result.json").write_text("{")
    with pytest.raises(RecordError, match="not JSON"):
        read_result(tmp_path / "result.json")
    (tmp_path / "result.json").write_text("[]")
    with pytest.raises(RecordError, match="not a result"):
        read_result(tmp_path / "result.json")
