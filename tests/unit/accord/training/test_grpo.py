"""Smoke test of `examples/grpo.py` with a small random network. Skipped without torch, transformers and peft."""

from __future__ import annotations

import csv
import importlib
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

import accord
from accord.analysis.intervals import mean_interval

if TYPE_CHECKING:
    from grpo import Chooser

# The warnings of the libraries are theirs.
pytestmark = pytest.mark.filterwarnings("ignore")
GAME = "prisoners-dilemma"


@pytest.fixture(scope="module")
def grpo() -> ModuleType:
    reason = "the GRPO example is tested only where torch, transformers and peft are: pip install 'accord-mc[lora]'"
    for name in ("torch", "transformers", "peft"):
        pytest.importorskip(name, reason=reason)
    sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "examples"))
    return importlib.import_module("grpo")


@pytest.fixture
def chooser(grpo: ModuleType) -> Chooser:
    made = grpo.Chooser(*importlib.import_module("tests.fakes.tiny_model").tiny_model(2), grpo.Settings(layers=1))
    made.reset(0)
    return made


@pytest.fixture
def game(tmp_path: Path) -> Iterator[accord.Environment]:
    with accord.env(GAME, partners="tit-for-tat", repeat=2, out=tmp_path) as made:
        yield made


def test_an_update_makes_the_choice_likelier_that_paid_more(
    grpo: ModuleType, chooser: Chooser, game: accord.Environment
) -> None:
    import torch

    turn = game.reset(0)
    assert turn is not None
    assert grpo.options(turn) == ["cooperate", "defect"]
    before = chooser.chances(turn)
    # The chances are those of the whole model, which goes through all layers at once.
    ids = chooser._tokenizer(chooser._prompt(turn) + '{"why": "", "choice": "', add_special_tokens=False)["input_ids"]
    with torch.no_grad():
        logits = chooser.model(torch.tensor([ids])).logits[0, -1]
    places = chooser._tokenizer.convert_tokens_to_ids(["c", "d"])
    assert torch.allclose((logits[places] / chooser._temperature).log_softmax(-1), before, atol=1e-4)

    frozen = [each.clone() for each in chooser._frozen.parameters()]
    answers = {seed: grpo.answer_of(("cooperate", "defect")[seed % 2]) for seed in range(4)}
    rollouts = [game.play(lambda _, text=text: text, [seed])[0] for seed, text in answers.items()]
    # Two rounds against tit for tat: 3 + 3 and 5 + 1, so that after the first only cooperation pays more.
    assert grpo.advantages(rollouts, "Gizmo") == [[0.0, 1.0], [0.0, -1.0]] * 2
    optimizer = torch.optim.Adam(chooser.parameters, 0.05)
    second = rollouts[0].of("Gizmo")[1].turn
    before = chooser.chances(second)
    grpo.update(chooser, optimizer, rollouts, "Gizmo", grpo.Settings(layers=1))
    assert chooser.chances(second)[0] > before[0]
    assert all(torch.equal(old, new) for old, new in zip(frozen, chooser._frozen.parameters(), strict=True))


def test_the_command_trains_evaluates_and_writes(
    grpo: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model, tokenizer = importlib.import_module("tests.fakes.tiny_model").tiny_model(2)
    model.save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    monkeypatch.setattr(grpo, "HELD_OUT", (("tit-for-tat", grpo.LABELS / "red_cooperates.yaml"),))
    monkeypatch.chdir(tmp_path)
    grpo.main(
        ["--model", str(tmp_path / "model"), "--rounds", "1", "--layers", "1", "--updates", "2", "--group", "2",
         "--seeds", "4", "5", "--rollouts", "2", "--out", "trained"]
    )  # fmt: skip
    rows = list(csv.DictReader((tmp_path / "trained" / "curves.csv").open(encoding="utf-8")))
    assert [(row["seed"], row["update"]) for row in rows] == [("4", "1"), ("4", "2"), ("5", "1"), ("5", "2")]
    met = list(csv.DictReader((tmp_path / "trained" / "evaluation.csv").open(encoding="utf-8")))
    assert {(row["trained"], row["labels"]) for row in met} == {
        (trained, labels) for trained in ("", "4", "5") for labels in (GAME, "red_cooperates")
    }
    assert (tmp_path / "trained" / "curves.svg").stat().st_size > 0
    assert json.loads((tmp_path / "trained" / "adapter-5" / "adapter_config.json").read_text())["r"] == 8
    assert "| red_cooperates | tit-for-tat |" in capsys.readouterr().out


def test_intervals_are_those_of_the_project(grpo: ModuleType) -> None:
    low, high = mean_interval([1.0, 2.0, 3.0, 4.0, 6.0]) or (0.0, 0.0)
    assert grpo.interval([1.0, 2.0, 3.0, 4.0, 6.0]) == f"3.20 [{low:.2f}, {high:.2f}]"
    assert [grpo.interval(values) for values in ([], [3.0] * 10, [1.0, 2.0, 3.0])] == ["", "3.00", "2.00"]


def test_wrong_input_is_one_line(grpo: ModuleType, game: accord.Environment) -> None:
    model, tokenizer = importlib.import_module("tests.fakes.tiny_model").tiny_model(2)
    with pytest.raises(SystemExit, match="--layers 3 is not legal: the model has 2"):
        grpo.Chooser(model, tokenizer, grpo.Settings(layers=3))
    turn = game.reset(0)
    assert turn is not None
    with pytest.raises(SystemExit, match="a turn of Gizmo asks for no choice"):
        grpo.options(replace(turn, form=None))
