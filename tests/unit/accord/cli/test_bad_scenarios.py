"""Faulty scenario files on the command line: one line with file, key, value and legal values."""

from __future__ import annotations

from pathlib import Path

import pytest

from dilemmas.scenarios.registry import spec_path
from tests.fakes.command_line import refused

DOUBLE_VEIN, CLEANUP = spec_path("double-vein"), spec_path("cleanup")
OUTSIDER = """\
name: x
parties: [Gizmo, Mallory]
text: pay
transfers: [{id: t, payer: Gizmo, payee: Mallory, amount: 3}]
"""


def line_for(folder: Path, content: str | bytes, *arguments: str) -> str:
    file = folder / "mine.yaml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    line = refused("run", str(file), *arguments, "--out", str(folder / "runs"))
    assert str(file) in line
    assert not (folder / "runs").exists()
    return line


@pytest.mark.parametrize(
    ("base", "text", "parts"),
    [
        (DOUBLE_VEIN, "colour: red", ["colour: is not a known key; legal are", "players", "world"]),
        (DOUBLE_VEIN, "playes: {}", ["playes: is not a known key", "did you mean 'players'?"]),
        (
            DOUBLE_VEIN,
            "players: {Gizmo: {prices: {raw_iron: -4}}}",
            ["players.Gizmo.prices.raw_iron: -4", "or equal to 0"],
        ),
        (DOUBLE_VEIN, "players: {Gizmo: {prices: {raw_iron: lots}}}", ["prices.raw_iron: 'lots'", "number"]),
        (DOUBLE_VEIN, "players: {Glitch: null}", ["players", "1", "at least 2"]),
        (DOUBLE_VEIN, "players: null", ["players: is missing; add it"]),
        (DOUBLE_VEIN, "players: [Gizmo, Glitch]", ["players: ['Gizmo', 'Glitch']", "dictionary"]),
        (DOUBLE_VEIN, "version: 0", ["version: 0", "greater than or equal to 1"]),
        (DOUBLE_VEIN, "end: {all_collected: perhaps}", ["end.all_collected: 'perhaps'", "boolean"]),
        (DOUBLE_VEIN, "end: {time_limit_s: soon}", ["end.time_limit_s: 'soon'", "number"]),
        (DOUBLE_VEIN, "rules: {step_s: 0}", ["rules.step_s: 0", "greater than 0"]),
        (DOUBLE_VEIN, "dilemma: {defect: vegan}", ["dilemma.defect: 'vegan' is not known", "choose one of", "greedy"]),
        (
            DOUBLE_VEIN,
            "world: {mounds: {iron: {block: iron_orre}}}",
            ["world.mounds.iron.block: 'iron_orre' is not a block of Minecraft", "did you mean 'iron_ore'?"],
        ),
        (
            DOUBLE_VEIN,
            "players: {Gizmo: {prices: {raw_irn: 4}}}",
            ["players.Gizmo.prices.raw_irn: 'raw_irn' is not an item of Minecraft", "did you mean 'raw_iron'?"],
        ),
        (DOUBLE_VEIN, "world: {chest: {items: {stone_pickax: 1}}}", ["stone_pickax", "did you mean 'stone_pickaxe'?"]),
        (
            DOUBLE_VEIN,
            "conditions: {mine: {contract: given, about: mine, library: double_vein_7}}",
            ["conditions.mine.library: 'double_vein_7'", "legal are", "double_vein_1"],
        ),
        (CLEANUP, "rules: {regrowth_per_s: 1.5}", ["rules.regrowth_per_s: 1.5", "less than or equal to 1"]),
        (CLEANUP, "rules: {regrowth_per_s: -0.1}", ["rules.regrowth_per_s: -0.1", "greater than or equal to 0"]),
        (CLEANUP, "rules: {waste_every_s: 0}", ["rules.waste_every_s: 0", "greater than 0"]),
        (CLEANUP, "rules: {threshold: 24}", ["threshold 24 can never be passed"]),
        (
            CLEANUP,
            "world: {waste: {block: slime_blok}}",
            ["world.waste.block: 'slime_blok'", "did you mean 'slime_block'?"],
        ),
    ],
)
def test_a_wrong_key_or_value_is_named_with_what_is_legal(
    base: Path, text: str, parts: list[str], tmp_path: Path
) -> None:
    line = line_for(tmp_path, f"extends: {base}\n{text}\n")
    for part in parts:
        assert part in line


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", ["is empty", "start from"]),
        ("# nothing yet\n", ["is empty", "start from"]),
        ("- a\n- b\n", ["holds list, not a mapping"]),
        (f"extends: {DOUBLE_VEIN}\nend:\n\ttime_limit_s: 3\n", ["not valid YAML at line 3", "tab"]),
        (f"extends: {DOUBLE_VEIN}\nend: {{time_limit_s: 3\n", ["not valid YAML at line"]),
        (f"extends: {DOUBLE_VEIN}\nname: a\nname: b\n", ["line 3", "'name' stands twice"]),
        (b"\x89PNG\r\n\x1a\n\x00\xff\xfe", ["cannot be read (it is not UTF-8 text)"]),
        (b"a: \x00\n", ["not valid YAML", "special characters are not allowed"]),
        ("extends: nowhere.yaml\n", ["extends: 'nowhere.yaml' is not there", "relative to this one"]),
        ("extends: mine.yaml\n", ["does a file extend itself?"]),
        ("scenario: tag\n", ["scenario: 'tag' is not registered; legal are", "double-vein"]),
        ("name: x\n", ["scenario: is missing; add it"]),
    ],
)
def test_a_file_that_is_no_scenario_is_told(content: str | bytes, parts: list[str], tmp_path: Path) -> None:
    line = line_for(tmp_path, content)
    for part in parts:
        assert part in line


def test_a_directory_is_no_scenario(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    line = refused("run", str(tmp_path / "folder.yaml"), "--out", str(tmp_path / "runs"))
    assert "folder.yaml: cannot be read (Is a directory); give the path of a YAML file" in line


def test_a_contract_that_names_an_outsider_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outsider.yaml").write_text(OUTSIDER)
    (tmp_path / "mine.yaml").write_text(
        f"extends: {DOUBLE_VEIN}\nconditions: {{mine: {{contract: given, about: mine, file: outsider.yaml}}}}\n"
    )
    line = refused("run", str(tmp_path / "mine.yaml"), "--contract", "mine", "--out", str(tmp_path / "runs"))
    assert "outsider.yaml: parties: 'Mallory' is not a player here: choose from Gizmo, Glitch" in line
    assert not (tmp_path / "runs").exists()
