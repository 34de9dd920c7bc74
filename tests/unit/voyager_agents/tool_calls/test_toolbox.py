"""Tools made of the primitives: schemas from their JSDoc, checked arguments, and the program of a call."""

from __future__ import annotations

import json
import re

import jsonschema
import pytest

from bridge.plugin_primitives import doc_comment
from bridge.primitive_signatures import PrimitiveParameter, PrimitiveSignature, primitive_signatures
from bridge.program_check import syntax_fault
from dilemmas.skills.docs import skill_docs
from voyager_agents.errors import ReplyError
from voyager_agents.models import ToolCall
from voyager_agents.primitive_docs import parse_primitives
from voyager_agents.tool_calls.toolbox import WITHIN_A_RUN, Toolbox, standard_toolbox

TOOLS = {tool.name: tool for tool in standard_toolbox().tools}
NO_TOOLS = {*WITHIN_A_RUN, "waitForMobRemoved"}
"""Primitives that are no tools: signals, and one that requires an entity."""


def read(name: str, arguments: str) -> str:
    """Return the label of a call."""
    use = standard_toolbox().read(ToolCall("1", name, arguments))
    assert use is not None
    return use.label


def test_every_primitive_of_the_page_is_a_tool_with_the_same_parameters() -> None:
    page = {each.name: each.signature for each in parse_primitives(skill_docs()).all}
    assert set(TOOLS) == set(page) - NO_TOOLS | {"finish"}
    for each in primitive_signatures():
        shown = [
            f"{parameter.name}{'?' if parameter.optional and parameter.default is None else ''}"
            for parameter in each.parameters
        ]
        listed = re.sub(r" = [^,)]+", "", page[each.name].partition("(")[2].removesuffix(")")).split(", ")
        assert listed[1:] == shown
    for name, tool in TOOLS.items():
        jsonschema.Draft202012Validator.check_schema(dict(tool.parameters))
        assert tool.description, name


def test_a_schema_says_what_the_jsdoc_says() -> None:
    assert TOOLS["mineBlock"].parameters == {
        "type": "object",
        "properties": {
            "name": {
                "type": "string", "maxLength": 500,
                "description": 'block name, e.g. "iron_ore" (not the item "raw_iron")',
            },
            "count": {"type": "number", "description": "blocks to mine", "default": 1},
        },
        "required": ["name"],
        "additionalProperties": False,
    }  # fmt: skip
    place = TOOLS["goTo"].parameters["properties"]["position"]
    assert (place["type"], place["required"]) == ("object", ["x", "y", "z"])
    assert TOOLS["depositItemIntoChest"].parameters["properties"]["itemsToDeposit"]["additionalProperties"] == {
        "type": "integer"
    }
    assert "callback" not in TOOLS["exploreUntil"].parameters["properties"]


@pytest.mark.parametrize(
    ("name", "arguments", "label"),
    [
        ("mineBlock", '{"name": "iron_ore", "count": 2}', 'mineBlock("iron_ore", 2)'),
        ("mineBlock", '{"count": null, "name": "iron_ore"}', 'mineBlock("iron_ore")'),
        ("sleepInBed", '{"seconds": 30}', "sleepInBed(undefined, 30)"),
        ("goTo", '{"position": {"x": 1, "y": -60, "z": 2.5}}', 'goTo({"x": 1, "y": -60, "z": 2.5})'),
        ("readClock", "", "readClock()"),
        ("harvestCrop", '{"crop": "wheat", "replant": false}', 'harvestCrop("wheat", undefined, false)'),
    ],
)
def test_arguments_come_in_the_primitives_order(name: str, arguments: str, label: str) -> None:
    assert read(name, arguments) == label


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("goto", "{}", r"there is no tool 'goto' \(did you mean 'goTo'\?\)"),
        ("waitSignal", "{}", "there is no tool 'waitSignal'"),
        ("goTo", '{"position": {"x": 1, "y": 2}}', "position: z: Field required"),
        ("goTo", '{"position": {"x": 1, "y": 2, "z": 1e999}}', "position: z: Input should be a finite number"),
        ("mineBlock", '{"name": "a", "name": "b"}', "a key is written twice"),
        ("mineBlock", '{"name": 7}', "name: Input should be a valid string"),
        ("mineBlock", '{"name": "a", "count": true}', "count: Input should be a valid number"),
        ("say", '{"text": "' + "x" * 501 + '"}', "text: String should have at most 500 characters"),
        ("giveItem", '{"player": "Nova"}', "the argument item is missing"),
        (
            "depositItemIntoChest",
            '{"chestPosition": {"x": 0, "y": 0, "z": 0}, "itemsToDeposit": {"a": 1.5}}',
            "integer",
        ),
        ("readClock", '{"bot": 1}', "there is no argument 'bot'; it takes no arguments"),
        ("readClock", "[" * 100_000, "nested too deeply"),
    ],
)
def test_illegal_calls_are_refused_with_their_fault(name: str, arguments: str, told: str) -> None:
    with pytest.raises(ReplyError, match=told):
        read(name, arguments)


@pytest.mark.parametrize("text", ['`${1}`"\\', "\u2028\n*/ //", "'); await say(bot, 'x", "</script>", "é🜁"])
def test_no_argument_leaves_its_literal(text: str) -> None:
    use = standard_toolbox().read(ToolCall("1", "say", json.dumps({"text": text})))
    assert use is not None
    assert syntax_fault(use.program) is None
    assert use.program.isascii()
    assert f"await say(bot, {json.dumps(text)})\n" in use.program


def test_a_primitive_that_requires_what_json_lacks_is_no_tool() -> None:
    function = PrimitiveParameter("fn", "Function", "", optional=False)
    assert [tool.name for tool in Toolbox([PrimitiveSignature("each", "", (function,), "")]).tools] == ["finish"]


def test_shorter_boxes_keep_the_needed_tools() -> None:
    whole = standard_toolbox()
    brief, needed = whole.shorter({"mineBlock", "goTo"})
    sizes = [sum(tool.size for tool in box.tools) for box in (whole, brief, needed)]
    assert sizes == sorted(sizes, reverse=True)
    assert [tool.name for tool in needed.tools] == ["goTo", "mineBlock", "finish"]
    assert needed.tools[0].description == "Walk until the bot stands within `range` blocks of a position."


def test_a_comment_is_read_without_its_stars() -> None:
    source = "/**\n * Do it.\n * @param {Bot} bot\n */\nasync function go (bot) {}\n"
    assert doc_comment("go", source) == "Do it.\n@param {Bot} bot"
    assert doc_comment("stop", source) == ""
