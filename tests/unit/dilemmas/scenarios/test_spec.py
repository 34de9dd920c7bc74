"""Scenario files: refusals and their words, and variants that override their base."""

from __future__ import annotations

from pathlib import Path

import pytest

from dilemmas.errors import SpecError, UsageError
from dilemmas.scenarios.loader import load_spec
from dilemmas.scenarios.registry import SCENARIOS, load_scenario, spec_path

BASE = spec_path("double-vein")


def variant(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "variant.yaml"
    path.write_text(f"extends: {BASE}\n{text}")
    return path


def test_a_variant_overrides_in_a_few_lines(tmp_path: Path) -> None:
    change = "name: rich\nversion: 2\nplayers: {Glitch: {prices: {diamond: 9}}}\nend: {time_limit_s: 60}\n"
    path = variant(tmp_path, change)
    spec = load_scenario(str(path)).spec
    assert (spec.scenario, spec.name, spec.version, spec.end.time_limit_s) == ("double-vein", "rich", 2, 60)
    assert spec.players["Glitch"].prices == {"raw_iron": 3, "diamond": 9}
    assert spec.players["Gizmo"].prices == {"raw_iron": 4, "diamond": 4}


def test_null_takes_a_key_away(tmp_path: Path) -> None:
    spec = load_spec(variant(tmp_path, "conditions: {negotiate: null}\n"))
    assert sorted(spec.conditions) == ["contract-1", "contract-2", "none"]


def test_a_spec_cannot_be_changed() -> None:
    spec = load_scenario("double-vein").spec
    with pytest.raises(ValueError, match="frozen"):
        spec.version = 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("players: {Gizmo: {prices: {raw_iron: much}}}", r"players\.Gizmo\.prices\.raw_iron: 'much'.*number"),
        ("players: {Gizmo: {prices: {raw_iron: -4}}}", r"Gizmo\.prices\.raw_iron: -4.*greater than or equal to 0"),
        ("players: {Gizmo: {prices: {raw_iron: .nan}}}", r"players\.Gizmo\.prices\.raw_iron: '\.nan'.*valid number"),
        ("players: {Gizmo: {prices: {raw_iron: 1:30:00}}}", r"line 2, column \d+: '1:30:00' is no plain number"),
        ("players: {Gizmo: {prices: {raw_iron: 1_000}}}", r"'1_000' is no plain number"),
        ("players: {Gizmo: {prices: {raw_iron: 010}}}", r"'010' is no plain number"),
        ("end: " + "[" * 3000, "nested too deeply"),
        ("players: {Gizmo: {price: {raw_iron: 4}}}", r"Gizmo\.price: .*legal.* items, prices.*; did you mean 'prices'"),
        ("world: {chest: {facing: up}}", r"world\.chest\.facing: 'up' is not legal; choose one of 'north'"),
        ("world: {mounds: {iron: {cells: [[0, 0, 0]]}}}", r"cell \[0, 0, 0\] is used twice"),
        ("world: {mounds: {iron: {block: Iron Ore}}}", r"world\.mounds\.iron\.block: 'Iron Ore' does not match"),
        ("observer: {name: Gizmo}", "observer 'Gizmo' is also a player"),
        ("needs: [chests, wings]", r"needs\.1: 'wings' is not legal; choose one of 'chests'"),
        ("conditions: {x: {contract: given, about: nothing}}", r"conditions\.x: .*'library' and 'file'"),
        ("world: {tools: {shovel: {speed: 1, harvests: [dirt]}}}", "shovel harvests 'dirt', which no mound has"),
        ("rules: null", "rules: is missing"),
        (
            "scenario: tag",
            r"scenario: 'tag' is not registered; legal are .*build-together, chameleon, cleanup, commons-harvest, ",
        ),
        ("end: {time_limit_s: 1, time_limit_s: 2}", r"line 2.*'time_limit_s' stands twice"),
        ("end: [", r"not valid YAML at line 3"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(SpecError, match=words) as caught:
        load_scenario(str(variant(tmp_path, text + "\n")))
    assert str(caught.value).startswith(str(tmp_path / "variant.yaml"))
    assert "\n" not in str(caught.value)


def test_files_that_are_no_scenario(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read"):
        load_spec(tmp_path / "nowhere.yaml")
    (tmp_path / "list.yaml").write_text("- 1\n")
    with pytest.raises(SpecError, match="holds list"):
        load_spec(tmp_path / "list.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError, match="not UTF-8"):
        load_spec(tmp_path / "binary.yaml")
    (tmp_path / "circle.yaml").write_text("extends: circle.yaml\n")
    with pytest.raises(SpecError, match="does a file extend itself"):
        load_spec(tmp_path / "circle.yaml")


def test_more_observations_than_permitted_are_refused(tmp_path: Path) -> None:
    less = load_scenario(str(variant(tmp_path, "observables: [scenario]\n")))
    assert less.spec.observables == ("scenario",)
    with pytest.raises(SpecError, match=r"observables\.0: 'thoughts' is not legal"):
        load_scenario(str(variant(tmp_path, "observables: [thoughts]\n")))


def test_an_unknown_scenario_names_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"unknown scenario 'double-vain' \(did you mean 'double-vein'\?\)"):
        load_scenario("double-vain")


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_every_registered_scenario_loads_under_its_own_name(name: str) -> None:
    scenario = load_scenario(name)
    assert scenario.spec.scenario == scenario.spec.name == name
    assert "none" in scenario.spec.conditions or not scenario.spec.PRICED
