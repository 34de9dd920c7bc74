"""Study options, defined once and equal in command line, Python, config.yaml and docs."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer

from accord.cli.app import COMMANDS, LazyCommands
from accord.cli.study_options import settings_from, study_options
from accord.playing import Options
from accord.studies.option_groups import GROUPS
from accord.studies.plain_settings import TYPES
from accord.studies.settings import CONFIG_KEYS, StudySettings
from dilemmas.errors import UsageError

DOCS = Path(__file__).parents[4] / "docs" / "cli.md"
NAMES = {field.name for group in GROUPS.values() for field in fields(group)}
OF_STUDY = {"seed", "runs", "jobs", "vary", "invalid"}
"""Options that are parameters of `accord.study` itself."""


def flags_of_run() -> set[str]:
    command: Any = LazyCommands(COMMANDS)["run"]
    options = [each for each in command.params if each.param_type_name == "option"]
    return {flag for each in options for flag in (*each.opts, *each.secondary_opts)}


def given(**changes: object) -> dict[str, object]:
    """Return the parameters of `accord run` with their defaults and the given changes."""
    parameters = [each.parameter() for each in study_options()]
    return {**{each.name: each.default for each in parameters}, **changes}


def test_every_option_is_in_config_yaml_and_has_a_type_there() -> None:
    assert set(CONFIG_KEYS) == set(TYPES) == NAMES | {"scenario", "contracts"}
    assert len(CONFIG_KEYS) == len(set(CONFIG_KEYS))


def test_every_option_can_be_given_in_python_and_on_the_command_line() -> None:
    assert set(Options.__annotations__) == NAMES - OF_STUDY
    given_with_others = {"base_urls", "api_key_files", "plugins"}
    assert {each.name for each in study_options()} == NAMES - given_with_others


def test_the_table_of_run_in_the_docs_has_every_flag_and_no_other() -> None:
    section = DOCS.read_text().split("## accord run")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`--.*?) \|", section.replace("\\|", "/"), re.MULTILINE)
    described = {flag for row in rows for flag in re.findall(r"--[a-z-]+", row)}
    assert described == flags_of_run() - {"--report"}


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
