"""Options of the local engine, and what the record and the request say about it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from accord.studies.conditions import resolve
from accord.studies.models import Models, sampling_of
from accord.studies.received import files_in
from accord.studies.settings import StudySettings
from accord.studies.setup import StudyPart, setup_of
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import load_scenario
from voyager_agents.errors import ModelError
from voyager_agents.models import is_model, open_model
from voyager_agents.models.local import settings as engine_settings
from voyager_agents.models.local.settings import EngineOptions
from voyager_agents.models.prices import load_prices


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(engine_settings, "engine_version", lambda: "0")
    monkeypatch.setattr("voyager_agents.models.local.settings.engine_version", lambda: "0")
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF and so on")
    return file


def game(**settings: object) -> StudySettings:
    return StudySettings("prisoners-dilemma", agents="chooser", world="mock", **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"context": "none"}, "local: context=none is not legal; give a whole number from 512 to 1048576"),
        ({"slots": "0"}, "local: slots=0 is not legal; give a whole number from 1 to 64"),
        ({"threads": "-1"}, "local: threads=-1 is not legal; give a whole number from 1 to 256"),
        ({"gpu": "1"}, "local: 'gpu' is no option of the engine; legal are context, slots, threads, cache"),
    ],
)
def test_illegal_options(given: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        game(model="local", local=given)
    assert str(refused.value) == said


def test_options() -> None:
    assert EngineOptions.parse({"context": "4096", "threads": "1"}) == EngineOptions(context=4096, threads=1)


def test_specs_of_local_models_are_specs() -> None:
    assert [spec for spec in ("local", "local:a.gguf", "locals", "localhost/a", "openai/a") if is_model(spec)] == [
        "local",
        "local:a.gguf",
        "openai/a",
    ]


def test_it_costs_nothing() -> None:
    price = load_prices().of("local/small")
    assert price is not None
    assert price.prompt == price.completion == 0


def test_the_record_names_engine_weights_and_options(weights: Path) -> None:
    settings = game(model=f"local:{weights}", local={"slots": "2"})
    scenario = load_scenario("prisoners-dilemma")
    setup = setup_of(StudyPart(settings, mode=None), scenario, resolve(scenario, "none"))  # type: ignore[arg-type]
    assert setup["local"] == {
        f"local:{weights}": {
            "engine": "llama.cpp (xllamacpp 0)",
            "file": "small.gguf",
            "sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
            "context": 8192,
            "slots": 2,
            "threads": 2,
            "cache": 0,
        }
    }


def test_answers_follow_the_seed_of_the_run_unless_the_user_says_otherwise() -> None:
    assert sampling_of(game(model="local"), "Gizmo", "player", 7) == {"seed": 7}
    assert sampling_of(game(model="local", sampling={"seed": "3"}), "Gizmo", "player", 7) == {"seed": 3}
    assert sampling_of(game(model="openai/a"), "Gizmo", "player", 7) == {}


def test_records_from_elsewhere_name_the_file() -> None:
    assert list(files_in({"model": "local:/home/me/a.gguf"})) == ["/home/me/a.gguf"]
    assert list(files_in({"model": "local"})) == []


def test_an_endpoint_is_not_for_local_models(weights: Path) -> None:
    with pytest.raises(UsageError, match=r"^--base-url http://a/v1: local:\S+ is on this machine; leave out one"):
        Models([game(model=f"local:{weights}", base_url="http://a/v1")], {})


@pytest.mark.parametrize("package", ["ENGINE", "WEIGHTS"])
def test_what_is_not_installed_is_told_with_the_command(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if package == "WEIGHTS":
        monkeypatch.setattr("voyager_agents.models.local.settings.engine_version", lambda: "0")
    monkeypatch.setattr(engine_settings, package, "package_that_nobody_has")
    with pytest.raises(ModelError, match=r"\(package_that_nobody_has\) (is|are) not installed: run `make setup-local`"):
        open_model("local")
