"""SNBT in the form that `data get` writes."""

from __future__ import annotations

import pytest

from dilemmas.minecraft.snbt import Tag, parse


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[]", []),
        ("{}", {}),
        ("-3b", -3),
        ("1.5f", 1.5),
        ("2L", 2),
        ("1.0E-4d", 0.0001),
        ("minecraft", "minecraft"),
        ('"a \\"b\\" \\\\ c"', 'a "b" \\ c'),
        ("'it \"is\"'", 'it "is"'),
        ("[I; 1, 2]", [1, 2]),
        ("[B;1b,2b]", [1, 2]),
        ('{Slot: 0b, id: "minecraft:iron_pickaxe", Count: 1b, tag: {Damage: 5}}',
         {"Slot": 0, "id": "minecraft:iron_pickaxe", "Count": 1, "tag": {"Damage": 5}}),
        ('{"minecraft:damage": 1, list: [{a: 1}, {a: 2}]}', {"minecraft:damage": 1, "list": [{"a": 1}, {"a": 2}]}),
    ],
)  # fmt: skip
def test_reads(text: str, value: Tag) -> None:
    assert parse(text) == value


@pytest.mark.parametrize("text", ["", "{", "[1", '"open', "{a 1}", "{a: }", "1 2", "]", "[" * 200 + "]" * 200])
def test_refuses(text: str) -> None:
    with pytest.raises(ValueError, match="SNBT"):
        parse(text)
