from __future__ import annotations

import pytest

from bridge.item_syntax import Item, argument, predicate, stack
from dilemmas.minecraft import snbt
from tests.fakes.command_tree import is_command

BLADE = Item(
    "diamond_sword",
    name="O'Brien's \"best\" \\ blade",
    enchantments={"sharpness": 5},
    damage=3,
    unbreakable=True,
    marks={"owner": "Gizmo [1}", "round": 2},
)
VERSIONS = ["1.20.4", "1.21.4"]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_item_without_properties_is_the_same_text_everywhere(version: str) -> None:
    assert argument(Item("bread", 3), version) == "minecraft:bread"
    assert predicate(Item("minecraft:bread"), version) == "minecraft:bread"


def test_nbt_before_components() -> None:
    item = Item("diamond_sword", enchantments={"sharpness": 5}, name="X", marks={"k": 1})
    assert argument(item, "1.20.4") == (
        'minecraft:diamond_sword{k:1,Enchantments:[{id:"minecraft:sharpness",lvl:5s}],display:{Name:\'{"text":"X"}\'}}'
    )
    assert stack(Item("diamond", 3), "1.20.4", slot=0) == '{Slot:0b,id:"minecraft:diamond",Count:3b}'
    assert predicate(item, "1.20.4") == "minecraft:diamond_sword{k:1}"


@pytest.mark.parametrize("version", ["1.20.5", "1.21.4"])
def test_components_since_1_20_5(version: str) -> None:
    item = Item("diamond_sword", enchantments={"sharpness": 5}, name="X", marks={"k": 1})
    assert argument(item, version) == (
        'minecraft:diamond_sword[enchantments={levels:{"minecraft:sharpness":5}},custom_name=\'{"text":"X"}\','
        "custom_data={k:1}]"
    )
    assert stack(Item("diamond", 3, damage=1), version, slot=4) == (
        '{Slot:4b,id:"minecraft:diamond",count:3,components:{"minecraft:damage":1}}'
    )
    assert predicate(item, version) == "minecraft:diamond_sword[custom_data~{k:1}]"


@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_built_is_data_that_reads_back(version: str) -> None:
    read = snbt.parse(stack(BLADE, version, slot=1))
    assert isinstance(read, dict)
    assert (read["id"], read["Slot"], read.get("Count", read.get("count"))) == ("minecraft:diamond_sword", 1, 1)
    assert "Gizmo [1}" in str(read)


@pytest.mark.parametrize("version", VERSIONS)
def test_commands_with_items_are_in_the_command_tree_of_their_version_only(version: str) -> None:
    (other,) = set(VERSIONS) - {version}
    commands = [
        f"give Gizmo {argument(BLADE, version)} 1",
        f"item replace entity Gizmo hotbar.0 with {argument(BLADE, version)} 1",
        f"item replace block 0 -60 0 container.11 with {argument(BLADE, version)}",
        f"clear Gizmo {predicate(BLADE, version)} 0",
    ]
    assert [text for text in commands if not is_command(text, version)] == []
    assert [text for text in commands if is_command(text, other)] == []
    assert not is_command(f"{commands[0][:-3]} 1", version), "a bracket is missing"


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "Diamond Sword"},
        {"id": "bread", "count": 0},
        {"id": "bread", "count": 65},
        {"id": "bread", "damage": -1},
        {"id": "bread", "enchantments": {"sharpness": 0}},
        {"id": "bread", "enchantments": {"sharp ness": 1}},
        {"id": "bread", "marks": {"a b": 1}},
        {"id": "bread", "marks": {"Damage": 1}},
    ],
)
def test_what_no_command_could_say_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"legal|is no id"):
        Item(**wrong)  # type: ignore[arg-type]


def test_what_is_no_version_is_refused() -> None:
    with pytest.raises(ValueError, match="no Minecraft version"):
        argument(BLADE, "latest")
