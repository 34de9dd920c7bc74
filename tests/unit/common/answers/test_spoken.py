"""Forms of models' answers from different servers (thoughts, marks, line ends), for every parser of answers."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.answers.reading import MAX_ANSWER, json_of
from common.answers.spoken import CodeBlock, code_blocks, only_thoughts, spoken
from contracts import library_contract
from contracts.judges.language import verdict_form
from contracts.messages import parse_turn

ANSWER = "The answer.\n  It has two lines."
DRAFT = 'I could say {"a": 0} or\n```js\nasync function draft(bot) {}\n```\n[message] no'
FORMS: dict[str, str] = {
    "as it is": "{answer}",
    "think tags (DeepSeek, Qwen)": "<think>\n{draft}\n</think>\n\n{answer}",
    "the closing tag alone (vLLM without a parser)": "{draft}\n</think>\n\n{answer}",
    "the closing tag behind the thoughts": "{draft} Done.</think>{answer}",
    "empty thoughts (Qwen, no_think)": "<think>\n\n</think>\n\n{answer}",
    "thinking tags": "<thinking>{draft}</thinking>\n{answer}",
    "thought tags": "<thought>\n{draft}\n</thought>\n{answer}",
    "reasoning and response (Granite)": "<reasoning>{draft}</reasoning>\n<response>{answer}</response>",
    "think and answer (R1)": "<think>{draft}</think>\n<answer>\n{answer}\n</answer>",
    "Magistral": "[THINK]{draft}[/THINK]{answer}",
    "Kimi": "\u25c1think\u25b7{draft}\u25c1/think\u25b7{answer}",
    "Seed": "<seed:think>{draft}</seed:think>{answer}",
    "Command A": "<|START_THINKING|>{draft}<|END_THINKING|><|START_RESPONSE|>{answer}<|END_RESPONSE|>",
    "thoughts twice": "<think>{draft}</think>\n<think>\n{draft}\n</think>\n{answer}",
    "thoughts about thoughts": "<think>first <think> then\n{draft}\n</think>\n{answer}",
    "a stray closing tag": "<think>{draft}</think>\n{answer}\n</think>",
    "harmony (gpt-oss)": (
        "<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final<|message|>{answer}<|return|>"
    ),
    "harmony with a form": (
        "<|start|>assistant<|channel|>analysis<|message|>{draft}<|end|>"
        "<|start|>assistant<|channel|>final <|constrain|>json<|message|>{answer}"
    ),
    "harmony with commentary": (
        "<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>commentary<|message|>{draft}<|end|>"
        "<|start|>assistant<|channel|>final<|message|>{answer}<|end|>"
    ),
    "harmony without its marks": "analysisWe have to choose. {draft}assistantfinal{answer}",
    "end of turn (Qwen)": "{answer}<|im_end|>",
    "end of turn (Llama)": "<|start_header_id|>assistant<|end_header_id|>\n\n{answer}<|eot_id|>",
    "end of text": "<s> {answer}</s>\n",
    "end of turn (Gemma)": "{answer}<end_of_turn>\n",
    "byte-order mark": "\ufeff{answer}",
    "byte-order mark behind thoughts": "<think>{draft}</think>\n\ufeff{answer}\u200b",
    "empty lines": "\n \n{answer}\n\n",
}


def sent(form: str, answer: str) -> str:
    return FORMS[form].replace("{draft}", DRAFT).replace("{answer}", answer)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_what_is_spoken_is_the_answer_in_every_form(form: str, line_end: str) -> None:
    answer = sent(form, ANSWER).replace("\n", line_end)
    assert spoken(answer) == ANSWER
    assert spoken(spoken(answer)) == ANSWER
    assert not only_thoughts(answer)


@pytest.mark.parametrize("form", FORMS)
def test_json_and_messages_are_read_in_every_form(form: str) -> None:
    for fence in ("{}", "```json\n{}\n```", "```\n{}\n```", "~~~JSON\n{}\n~~~", "````json\n{}\n````"):
        assert json_of(sent(form, fence.replace("{}", '{"a": 1}'))) == {"a": 1}
    turn = parse_turn(sent(form, "[thinking] secret\n[message] [contract] Share. [contract end]"), ("A", "B"), "c")
    assert (turn.thought, turn.proposal and turn.proposal.text) == ("secret", "Share.")


@pytest.mark.parametrize("form", [each for each in FORMS if "{draft}" in FORMS[each]])
def test_thoughts_of_any_length_leave_room_for_an_answer(form: str) -> None:
    long = FORMS[form].replace("{draft}", "hm " * MAX_ANSWER).replace("{answer}", "[message] [accept 1]")
    assert parse_turn(long, ("A", "B"), "c").accepts


@pytest.mark.parametrize(
    "answer",
    [
        "<think>\nhm",
        "<think>\nhm\n</think>",
        "hm\n</think>\n",
        "<think>" + DRAFT,
        "<|channel|>analysis<|message|>hm",
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=f<|message|>{}<|call|>",
        "[THINK]hm",
    ],
)
def test_thoughts_alone_say_nothing(answer: str) -> None:
    assert spoken(answer) == ""
    assert only_thoughts(answer)
    with pytest.raises(ValueError, match="thoughts and nothing after them"):
        json_of(answer)
    with pytest.raises(ValueError, match="is not one JSON object"):
        verdict_form(library_contract("double_vein_1")).parse(answer)


@pytest.mark.parametrize(
    "text",
    [
        "bot.chat('<think>')",
        'bot.chat("</think>")',
        "bot.chat(`</think> is a tag`)",
        "I think that <think> is a tag, and so on.",
        "    indented\n  less",
        "analysis of the assistant",
        "finally: < or >",
    ],
)
def test_a_text_without_thoughts_stays_as_it_is(text: str) -> None:
    assert spoken(text) == text


def test_a_tag_in_json_is_data() -> None:
    said = {"why": "he wrote </think> and\n<think>", "a": 'x"</think>"'}
    assert json_of(json.dumps(said)) == said
    assert json_of("<think>hm</think>" + json.dumps({"why": "he wrote </think>"})) == {"why": "he wrote </think>"}


def test_code_blocks_end_with_their_own_fence() -> None:
    text = "a\n````md\n```js\nx\n```\n````\n~~~ {.JS #main}\ny\n```\n~~~\nb\n  ```  python title='z'\n  z\n```"
    blocks, outside = code_blocks(text)
    assert blocks == [
        CodeBlock("md", "```js\nx\n```\n", closed=True),
        CodeBlock("js", "y\n```\n", closed=True),
        CodeBlock("python", "  z\n", closed=True),
    ]
    assert outside == "a\nb"


def test_a_fence_that_nothing_follows_is_no_block() -> None:
    assert code_blocks("```js\nx\n```\n```\n") == ([CodeBlock("js", "x\n", closed=True)], "")
    assert code_blocks("```js\nx") == ([CodeBlock("js", "x\n", closed=False)], "")


@pytest.mark.parametrize(
    "piece",
    ["<think>", "</think>", "\n<think>", " ", "\n", "<s>", "</s>", "```\n", "'</think>'", "<|channel|>a", "\ufeff\n"],
)
def test_reading_takes_time_in_proportion_to_the_length(piece: str) -> None:
    def seconds(times: int) -> float:
        began = time.process_time()
        code_blocks(spoken(piece * times + "x"))
        return time.process_time() - began

    # A parser that rescans everything for each piece would take 100 times as long.
    assert seconds(40_000) < 40 * max(seconds(4_000), 0.01)


PIECES = [
    "<think>",
    "</think>",
    "\n",
    "```",
    "~~~",
    "js",
    "{",
    "'",
    '"',
    " ",
    "\r\n",
    "<|channel|>final<|message|>",
    "a",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_answer_can_be_read(answer: str) -> None:
    text = spoken(answer)
    assert "\r" not in text
    code_blocks(text)
