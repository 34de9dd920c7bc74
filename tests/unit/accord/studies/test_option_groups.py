"""Study options, defined once and equal in command line, Python, config.yaml and docs."""

from __future__ import annotations

import inspect
import re
import runpy
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import typer
import yaml

import accord
from accord.cli.app import COMMANDS, LazyCommands
from accord.cli.study_options import settings_from, study_options
from accord.studies.keyword_options import Options
from accord.studies.option_groups import Hosts
from accord.studies.settings import NAMES, StudySettings
from dilemmas.errors import UsageError

DOCS = Path(__file__).parents[4] / "docs"
OF_STUDY = {"seed", "runs", "jobs", "vary", "invalid"}
"""Options that are parameters of `accord.study` itself."""
POSITIONAL = {"scenario", "contracts"}
GIVEN: dict[str, Any] = {
    "runs": 2, "jobs": 3, "seed": 7, "episodes": 2, "vary": {"temperature": ("0", "0.5")}, "invalid": "zero",
    "world": "embedded", "embodied": "mirror", "terrain": "survival", "bodies": "engine",
    "players": {"Gizmo": "greedy"}, "human_wait_s": 5, "consent": "consent.md",
    "instructions": "rules.md", "questionnaire": "questions.yaml", "agents": "paper",
    "agents_options": {"history": "3"},
    "act": "tools", "hosts": "per-player", "adversaries": {"Gizmo": "free-rider"}, "words": "quarantined",
    "see": "both", "see_size": "64x36", "see_detail": "low",
    "model": "openai/a", "models": {"judge": "openai/b"}, "sampling": {"top_p": "0.5"}, "prompts": Path("prompts"),
    "reasoning": "free", "answers": "json", "batch": True, "cache": "answers.sqlite",
    "base_url": "http://one/v1", "base_urls": {"openai/b": "http://two/v1"}, "api_key_file": Path("key"),
    "api_key_files": {"openai/b": Path("other")}, "think": "2", "prices": Path("prices.yaml"),
    "local": {"context": "4096"},
    "budget": {"usd": {"all": 5.0, "each": 1}}, "no_progress": 2, "time_limit_s": 3, "repeat": 4, "rounds": 5,
    "judge": "formal", "max_unreadable": 0.5, "on_unreadable": "idle", "out": Path("elsewhere"),
    "primary": ("gini",), "compare": ("none,contract-1",), "paired": True, "mixed": True,
}  # fmt: skip
"""Values that differ from the defaults, except that of `world`; a port needs a single job."""
WRONG = [
    ("runs", 0, "runs: 0 is not legal; give 1 to 1000000"),
    ("jobs", 10_001, "jobs: 10001 is not legal; give 1 to 10000"),
    ("episodes", "3", "episodes: '3' is not legal; give a whole number"),
    ("rounds", 0, "rounds: 0 is not legal; give 1 or more"),
    ("rounds", 2**63, "rounds: 9223372036854775808 is not legal; give at most 9223372036854775807"),
    ("seed", True, "seed: True is not legal; give a whole number"),
    ("no_progress", 0, "no progress: 0 is not legal; give 1 or more"),
    ("max_unreadable", 1.5, "max unreadable: 1.5 is not legal; give 0 to 1"),
    ("on_unreadable", "sleep", "on unreadable: 'sleep' is not legal; choose one of idle, last, random, reference"),
    ("port", 65_536, "port: 65536 is not legal; give 1 to 65535"),
    ("time_limit_s", 0, "time limit: 0 is not legal; give seconds above 0"),
    ("human_wait_s", float("inf"), "human wait: inf is not legal; give seconds above 0"),
    ("time_limit_s", float("nan"), "time limit: nan is not legal; give seconds above 0"),
    ("hosts", "many", "hosts: 'many' is not legal; choose one of shared, per-player"),
    ("words", "none", "words: 'none' is not legal; choose one of open, quarantined"),
    ("see", "eyes", "see: 'eyes' is not legal; choose one of words, image, both"),
    ("see_detail", "fine", "see detail: 'fine' is not legal; choose one of low, high, auto"),
    ("see_size", 5, "see size: 5 is not legal; give a text"),
    ("embodied", True, "embodied: True is not legal; choose one of off, mirror"),
    ("invalid", "hide", "invalid: 'hide' is not legal; choose one of apart, exclude, zero"),
    ("model", 7, "model: 7 is not legal; give a text"),
    ("out", 7, "out: 7 is not legal; give a path"),
    ("players", ["Gizmo"], "players: ['Gizmo'] is not legal; give a mapping"),
    ("budget", {"usd": 5}, "budget.usd: {'usd': 5} is not legal; give a mapping"),
]
"""Option, illegal value, message."""


def flags_of_run() -> set[str]:
    command: Any = LazyCommands(COMMANDS)["run"]
    options = [each for each in command.params if each.param_type_name == "option"]
    return {flag for each in options for flag in (*each.opts, *each.secondary_opts)}


def given(**changes: object) -> dict[str, object]:
    """Return the parameters of `accord run` with their defaults and the given changes."""
    parameters = [each.parameter() for each in study_options()]
    return {**{each.name: each.default for each in parameters}, **changes}


def test_every_option_is_in_config_yaml_and_comes_back() -> None:
    assert set(NAMES) == {field.name for field in fields(StudySettings)}
    assert len(NAMES) == len(set(NAMES))
    settings = StudySettings("double-vein", **GIVEN)
    plain = settings.to_dict()
    assert set(plain) == set(NAMES) - {"plugins"}
    assert StudySettings.from_dict(yaml.safe_load(yaml.safe_dump(plain))) == settings


def test_every_option_can_be_given_in_python_and_on_the_command_line() -> None:
    assert set(Options.__annotations__) == set(NAMES) - OF_STUDY - POSITIONAL
    given_with_others = {"base_urls", "api_key_files", "plugins"}
    assert {each.name for each in study_options()} == set(NAMES) - given_with_others - POSITIONAL


def test_the_table_of_run_in_the_docs_has_every_flag_and_no_other() -> None:
    section = (DOCS / "cli.md").read_text().split("## accord run")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`--.*?) \|", section.replace("\\|", "/"), re.MULTILINE)
    described = {flag for row in rows for flag in re.findall(r"--[a-z-]+", row)}
    assert described == flags_of_run()


def test_tables_in_the_docs_and_options_of_python_are_those_of_the_definitions() -> None:
    script = runpy.run_path(str(DOCS / "options.py"))
    for path, text in script["written"]().items():
        assert path.read_text(encoding="utf-8") == text, f"{path}: write it anew by `python docs/options.py`"
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    assert [found[1] for found in script["BLOCK"].findall(page)] == list(script["TABLES"])


def test_parameters_of_a_study_have_the_types_and_defaults_of_the_definitions() -> None:
    hints = get_type_hints(StudySettings)
    for function, own in ((accord.study, OF_STUDY), (accord.run, {"seed"})):
        parameters = inspect.signature(function).parameters
        types = get_type_hints(function)
        assert own == set(parameters) & set(NAMES) - POSITIONAL
        for name in own - {"vary"}:
            assert parameters[name].default == getattr(StudySettings, name), name
            assert types[name] == hints[name], name


def test_options_of_python_may_be_left_out_and_take_paths_as_text() -> None:
    hints = get_type_hints(Options)
    assert Options.__required_keys__ == frozenset()
    assert (hints["time_limit_s"], hints["hosts"], hints["model"]) == (float, Hosts, str)
    assert (hints["out"], hints["plugins"]) == (str | Path, Sequence[str | Path])
    assert hints["primary"] == hints["compare"] == Sequence[str]
    assert hints["api_key_files"] == Mapping[str, str | Path]


def test_defaults_on_the_command_line_are_those_of_the_model() -> None:
    found = settings_from("double-vein", ("none",), given(world="mock"))
    assert found == StudySettings("double-vein", world="mock")


def test_options_of_several_parts_are_put_together() -> None:
    found = settings_from(
        "double-vein",
        ("none",),
        given(
            world="mock",
            player=["Gizmo=greedy"],
            base_url=["http://one/v1", "openai/b=http://two/v1"],
            max_usd=["5", "Gizmo=1"],
            vary=["temperature=0,0.7"],
        ),
    )
    assert found.players == {"Gizmo": "greedy"}
    assert (found.base_url, found.base_urls) == ("http://one/v1", {"openai/b": "http://two/v1"})
    assert found.budget == {"usd": {"all": 5.0, "Gizmo": 1.0}}
    assert found.vary == {"temperature": ("0", "0.7")}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hosts": "many"}, "hosts: 'many' is not legal; choose one of shared, per-player"),
        ({"invalid": "hide"}, "invalid: 'hide' is not legal; choose one of apart, exclude, zero"),
        ({"player": ["Gizmo"]}, "--player 'Gizmo' is not NAME=VALUE; write e.g. --player Gizmo=greedy"),
    ],
)
def test_a_wrong_value_is_refused_in_one_line(changes: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        settings_from("double-vein", ("none",), given(world="mock", **changes))
    assert str(refused.value) == message


def test_a_flag_is_a_typer_option_with_the_models_help() -> None:
    option = next(each for each in study_options() if each.option.flag == "--rounds")
    made = option.typer_option()
    assert isinstance(made, typer.models.OptionInfo)
    assert (made.help, made.rich_help_panel) == (option.option.help, "Negotiation and judge")


def test_every_option_is_given_once_above() -> None:
    default = StudySettings("double-vein")
    assert set(GIVEN) == set(NAMES) - POSITIONAL - {"plugins", "port"}
    assert {name for name, value in GIVEN.items() if value == getattr(default, name)} == {"world"}


@pytest.mark.parametrize(("name", "value", "message"), WRONG)
def test_a_wrong_value_is_refused_alike_in_python_and_in_a_file(name: str, value: object, message: str) -> None:
    with pytest.raises(UsageError) as in_python:
        accord.study("double-vein", world="mock", **{name: value})  # type: ignore[arg-type] # what is refused
    assert str(in_python.value) == message
    with pytest.raises(UsageError) as in_a_file:
        StudySettings.from_dict({"scenario": "double-vein", "contracts": ["none"], name: value})
    written = message.partition(":")[0]
    assert str(in_a_file.value).startswith(
        f"settings: {message.replace(written, name, 1)}" if "." not in written else ""
    )


def test_plain_data_is_converted_and_numbers_stay_as_they_are() -> None:
    plain = {"out": "there", "vary": {"think": ["0", "1"]}, "api_key_files": {"openai/a": "key"}, "time_limit_s": 3}
    found = StudySettings.from_dict({"scenario": "double-vein", "contracts": ["none"], "world": "mock", **plain})
    assert (found.out, found.vary, found.contracts) == (Path("there"), {"think": ("0", "1")}, ("none",))
    assert found.api_key_files == {"openai/a": Path("key")}
    assert repr(found.time_limit_s) == "3"
