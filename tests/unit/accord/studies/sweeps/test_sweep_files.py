"""Sweep files and their expansion: legal values, number of tasks, and names of tasks."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest

from accord.studies.sweeps import sweep as sweep_module
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.parameters import changed
from accord.studies.sweeps.spec import read_sweep
from accord.studies.sweeps.tasks import SweepTask, expand_sweep
from dilemmas.errors import RecordError, UsageError
from dilemmas.scenarios.registry import load_scenario

HERE = Path("sweep.yaml")
PLAIN: dict[str, Any] = {"name": "s", "scenarios": ["double-vein"]}


def tasks(base: Path = Path(), **given: object) -> list[SweepTask]:
    return expand_sweep(read_sweep({**PLAIN, **given}, HERE), base)


def test_everything_is_combined_with_everything() -> None:
    found = tasks(
        scenarios=["double-vein", "cleanup"], conditions=["none", "contract-1"], seeds={"first": 5, "count": 3},
        grid={"time_limit_s": [10, 20]}, points=[{"episodes": 1}, {"episodes": 2}],
    )  # fmt: skip
    assert len(found) == 2 * 2 * 3 * 2 * 2
    assert len({task.id for task in found}) == len(found)
    assert {task.seed for task in found} == {5, 6, 7}
    assert found[0].parameters == {"time_limit_s": 10, "episodes": 1}


def test_a_point_with_a_seed_is_played_with_that_seed_alone() -> None:
    found = tasks(seeds=2, points=[{"episodes": 1, "seed": 7}, {"episodes": 2, "seed": 7}, {"episodes": 3}])
    assert [(task.seed, dict(task.parameters)) for task in found] == [
        (7, {"episodes": 1}), (7, {"episodes": 2}), (0, {"episodes": 3}), (1, {"episodes": 3}),
    ]  # fmt: skip


def test_axes_of_a_condition_with_several_values_are_several_conditions() -> None:
    assert [task.condition for task in tasks(conditions=["negotiate+k=2,4"])] == ["negotiate+k=2", "negotiate+k=4"]


def test_what_follows_from_a_changed_key_is_made_anew(tmp_path: Path) -> None:
    """A repeated game's text and end are derived from the game, so they are no part of the file's content."""
    found = tasks(
        scenarios=["prisoners-dilemma"], grid={"scenario.rules.noise": [0, 0.25], "scenario.repeated.known": [3, 40]}
    )
    assert len({task.id for task in found}) == 4
    played = [load_scenario(task.study(tmp_path).scenario).spec for task in found]
    texts, ends = {each.text for each in played}, {each.end.time_limit_s for each in played}
    assert (len(texts), len(ends)) == (4, 2)
    assert any("40" in text for text in texts)


def test_draws_are_the_same_for_the_same_seed_and_within_their_bounds() -> None:
    def drawn(seed: int) -> list[dict[str, Any]]:
        parameters = {
            "time_limit_s": {"log_uniform": [1, 100]}, "episodes": {"integer": [1, 3]}, "think": {"choice": ["0", "2"]},
        }  # fmt: skip
        return [dict(each.parameters) for each in tasks(random={"draws": 40, "seed": seed, "parameters": parameters})]

    first = drawn(1)
    assert drawn(1) == first != drawn(2)
    assert all(1 <= each["time_limit_s"] <= 100 for each in first)
    assert {each["episodes"] for each in first} == {1, 2, 3}
    assert sum(each["time_limit_s"] < 10 for each in first) in range(10, 31)


def test_an_id_follows_from_what_is_played(tmp_path: Path) -> None:
    variant = tmp_path / "v.yaml"
    base = Path("dilemmas/scenarios/double_vein/double_vein.yaml").absolute()
    variant.write_text(f"extends: {base}\nname: mine\n")
    (before,) = tasks(tmp_path, scenarios=["v.yaml"])
    (again,) = tasks(tmp_path, scenarios=["v.yaml"])
    assert again.id == before.id
    variant.write_text(f"extends: {base}\nname: mine\nend: {{time_limit_s: 7}}\n")
    from accord.studies.sweeps import tasks as module

    module._loaded.cache_clear()
    module._content.cache_clear()
    module._resolved.cache_clear()
    (after,) = tasks(tmp_path, scenarios=["v.yaml"])
    assert after.id != before.id


def test_a_line_gives_the_task_back_and_a_changed_one_is_refused() -> None:
    (task,) = tasks(grid={"time_limit_s": [10]})
    line = json.loads(json.dumps(task.to_dict()))
    assert SweepTask.from_dict(line) == task
    with pytest.raises(UsageError, match="was changed"):
        SweepTask.from_dict({**line, "seed": 9})


def test_parameters_change_the_scenario_and_the_contract(tmp_path: Path) -> None:
    amount = "contract.transfers.glitchs-share.amount"
    found = tasks(
        scenarios=["cleanup"], conditions=["contract-1"], grid={"scenario.end.time_limit_s": [33], amount: ["1", "2"]}
    )
    assert len({task.content for task in found}) == 2
    settings = found[1].study(tmp_path)
    assert json.loads(Path(settings.scenario).read_text())["end"]["time_limit_s"] == 33
    transfers = json.loads(Path(settings.contracts[0]).read_text())["transfers"]
    assert [each["amount"] for each in transfers if each["id"] == "glitchs-share"] == ["2"]


def test_a_parameter_may_be_a_key_of_a_setting(tmp_path: Path) -> None:
    found = tasks(
        models=["openai/m"], settings={"sampling": {"top_p": "0.5"}},
        grid={"sampling.temperature": [0, 0.5], "sampling.judge.temperature": [1], "models.judge": ["openai/j"]},
    )  # fmt: skip
    settings = found[1].study(tmp_path)
    assert settings.sampling == {"top_p": "0.5", "temperature": "0.5", "judge.temperature": "1"}
    assert settings.models == {"judge": "openai/j"}
    assert len({task.id for task in found}) == 2


def test_a_set_of_prompts_keeps_its_name_and_a_folder_of_that_name_wins(tmp_path: Path) -> None:
    (named,) = tasks(tmp_path, grid={"prompts": ["compact"]})
    assert named.parameters["prompts"] == "compact"
    (plain,) = tasks(tmp_path)
    assert named.id != plain.id
    (tmp_path / "compact").mkdir()
    (tmp_path / "compact" / "judge.md").write_text("Judge.", encoding="utf-8")
    (own,) = tasks(tmp_path, grid={"prompts": ["compact"]})
    assert own.parameters["prompts"] == str(tmp_path / "compact")


def test_changed_prompts_are_another_task(tmp_path: Path) -> None:
    from accord.studies.sweeps import tasks as module

    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "action.md").write_text("one")
    (before,) = tasks(tmp_path, grid={"prompts": ["own"]})
    assert before.parameters["prompts"] == str(tmp_path / "own")
    (tmp_path / "own" / "action.md").write_text("two")
    module._prompts.cache_clear()
    (after,) = tasks(tmp_path, grid={"prompts": ["own"]})
    assert after.id != before.id


def test_places_in_a_contracts_text_are_filled_and_cannot_change_its_form() -> None:
    told = changed({"text": "pay ${n}", "transfers": [{"id": "a", "amount": "${n} * 2"}]}, {"n": "1\nb: 3"}, "contract")
    assert told == {"text": "pay 1\nb: 3", "transfers": [{"id": "a", "amount": "1\nb: 3 * 2"}]}
    with pytest.raises(UsageError, match=r"nothing is given for \$\{n\}; add the parameter contract.n"):
        changed({"text": "${n}"}, {}, "contract")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"scenarios": ["doubl-vein"]}, "unknown scenario 'doubl-vein' (did you mean 'double-vein'?)"),
        ({"conditions": ["contract-9"]}, "unknown condition 'contract-9'"),
        ({"worlds": ["moon"]}, "worlds: 'moon' is not legal; choose from"),
        ({"seeds": 0}, "seeds"),
        ({"grid": {"colour": [1]}}, "parameter 'colour' is not legal; give scenario.KEY, contract.KEY or one of"),
        ({"grid": {"time_limit_s": []}}, "grid: 'time_limit_s' has no value"),
        ({"grid": {"time_limit_s": [-1]}}, "time_limit_s: -1 is not legal; give seconds above 0 (at time_limit_s=-1)"),
        ({"grid": {"scenario.end.tim": [1]}}, "parameter scenario.end.tim: there is no 'tim'; choose from"),
        ({"grid": {"scenario.end.time_limit_s": [-1]}}, "parameter scenario.end.time_limit_s: -1"),
        ({"grid": {"contract.text": ["x"]}}, "parameter contract.text: condition 'none' has no contract"),
        ({"grid": {"episodes": [1]}, "settings": {"episodes": 2}}, "parameter 'episodes' is fixed in settings too"),
        ({"grid": {"sampling.heat": [1]}}, "heat"),
        ({"grid": {"sampling.top_p": [1]}, "settings": {"sampling": {"top_p": "1"}}}, "is fixed in settings too"),
        ({"settings": {"vary": {}}}, "settings: 'vary' is not legal"),
        ({"grid": {"episodes": [1]}, "points": [{"episodes": 2}]}, "parameter 'episodes' is given twice"),
        ({"grid": {"episodes": [1, 1]}}, "the same run is asked for twice"),
        ({"budget": {"usd": 0}}, "budget: usd 0 is not legal"),
        ({"grid": {"seed": [1]}}, "parameter 'seed' is not legal"),
        ({"points": [{"seed": "x"}]}, "points: seed 'x' is not legal; give a whole number"),
        ({"settings": {"seed": 3}}, "settings: 'seed' is not legal"),
        ({"colour": 3}, "colour: is not a known key"),
        ({"random": {"draws": 1, "parameters": {"think": {"uniform": [2, 1]}}}}, "uniform: [2.0, 1.0] is not legal"),
        ({"random": {"draws": 1, "parameters": {"think": {}}}}, "give exactly one of uniform"),
        ({"name": "../up"}, "name"),
    ],
)
def test_what_is_not_legal_is_one_line_before_anything_is_played(given: dict[str, Any], line: str) -> None:
    with pytest.raises(UsageError) as refused:
        tasks(**given)
    assert line in str(refused.value)
    assert "\n" not in str(refused.value)


async def test_what_ended_the_playing_is_told_although_the_table_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(folder: SweepFolder) -> list[Path]:
        raise OSError(errno.ENOSPC, "No space left on device")

    class Refused:
        async def play(self, *_: object) -> None:
            raise RecordError("cannot write events.jsonl")

    monkeypatch.setattr(sweep_module, "write_table", full)
    folder = SweepFolder.make(tmp_path / "one", {"name": "one", "scenarios": ["double-vein"]}, tmp_path)
    with pytest.raises(RecordError, match=r"cannot write events\.jsonl"):
        await sweep_module.run_sweep(folder, Refused(), lambda *_: None)
