from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voyager_agents import ReplyError
from voyager_agents.voyager.code import check_start, extract_policy

MAIN = "async function mine(bot) {\n  await mineBlock(bot, 'iron_ore', 2)\n}"


def block(code: str, language: str = "javascript") -> str:
    return f"```{language}\n{code}\n```"


@pytest.mark.parametrize(
    "reply",
    [
        block(MAIN),
        block(MAIN, "js"),
        block(MAIN, ""),
        block(MAIN, "JavaScript"),
        f"Explain: nothing.\nPlan:\n1. Mine.\n\n{block(MAIN)}\nThat is all.",
        f"1. Like this:\n   {block(MAIN)}",
        block(MAIN, "mjs"),
        block(MAIN, "node.js"),
        block(MAIN, "JS title='mine.js'"),
        block(MAIN, " {.javascript}"),
        f"````javascript\n{MAIN}\n````",
        f"~~~js\n{MAIN}\n~~~",
        block(MAIN) + "\n```\n",
        block("1. Mine.\n2. Leave.", "text") + "\n" + block(MAIN),
        block(MAIN) + "\n" + block('{"plan": ["mine"]}', "json"),
        block("- mine the function()", "markdown") + "\n" + block(MAIN, "js"),
        block("mine, then leave", "") + "\n" + block(MAIN, "js"),
        block("mine, then leave", "") + "\n" + block(MAIN, ""),
        f"````markdown\nMy plan.\n{block(MAIN)}\n````",
        f"\u00a0{block(MAIN)}",
        f"\ufeff{block(MAIN)}",
        f"Text\n\u200b{block(MAIN)}",
        block(MAIN).replace("\n", "\r\n"),
        f"<think>\nFirst {block('async function draft(bot) {}')}\n</think>\n{block(MAIN)}",
        f"First {block('async function draft(bot) {}')}\n</think>\n\n{block(MAIN)}<|im_end|>",
    ],
)
def test_one_function_in_one_block_is_taken(reply: str) -> None:
    assert extract_policy(reply) == MAIN + "\n"


@pytest.mark.parametrize(
    "code",
    [
        "async function f(bot) { const helper = async function (x) { return x }; await helper(1) }",
        "async function f(bot) { function inner(a, b) { return a } ; inner(1, 2) }",
        "// function fake(a) {\nasync function f(bot) {}",
        "/* function fake(a) */ async function f (bot) { }",
        "async function f(bot) { bot.chat('function x(y) { }') }",
        "async function f(bot) { bot.chat(`function x(y) {`) }",
        'async function f(bot) { bot.chat("\\"}}} function x(y) {") }',
        "const text = 'it\\'s function a(b)'\nasync function f(bot) {}",
    ],
)
def test_helpers_strings_and_comments_are_no_second_function(code: str) -> None:
    assert extract_policy(block(code)) == code + "\n"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("I would mine the iron first.", "no-block"),
        (MAIN, "no-block"),
        ("```javascript\n" + MAIN, "open-block"),
        (block(MAIN) + "\n\n" + block(MAIN), "several-blocks"),
        (block("npm install", "bash") + "\n" + block(MAIN), "several-blocks"),
        (block(MAIN + "```"), "open-block"),
        (block(MAIN) + "\n" + block("async function other(bot) {}", ""), "several-blocks"),
        (block(MAIN, "") + "\n" + block("async function other(bot) {}", ""), "several-blocks"),
        (block(MAIN) + "\n" + block("await mine(bot)"), "several-blocks"),
        (block(MAIN) + "\n" + block("print(1)", "python"), "several-blocks"),
        (block(MAIN) + "\n" + block("async function f(bot: Bot) {}", "ts"), "several-blocks"),
        (block(MAIN) + "\n```js\nasync function half(bot) {", "open-block"),
        (f"````javascript\n{MAIN}\n```", "open-block"),
        (f"````markdown\n{block(MAIN)}\n{block(MAIN)}\n````", "several-blocks"),
        (block('{"plan": "mine"}', "json"), "wrong-language"),
        ("<think>\n" + block(MAIN), "empty"),
        ("<think>\n" + block(MAIN) + "\n</think>\n", "empty"),
        ("<think>\n" + block(MAIN) + "\n</think>\nI would mine.", "no-block"),
        (f"<think>hm</think>{block(MAIN)}\n{block(MAIN)}", "several-blocks"),
        ("x" * 500_000, "too-long"),
        (block(MAIN, "typescript"), "typescript"),
        (block(MAIN, "ts"), "typescript"),
        (block(MAIN, "python"), "wrong-language"),
        (block("async function f(bot: Bot) {}"), "typescript"),
        (block("async function f(bot): Promise<void> {}"), "typescript"),
        (block("const x = 1"), "no-function"),
        (block(""), "no-function"),
        (block("const f = async (bot) => {}"), "no-function"),
        (block("myfunction (bot)"), "no-function"),
        (block(MAIN + "\n" + MAIN), "several-functions"),
        (block("function helper(a) {}\n" + MAIN), "several-functions"),
        (block("function f(bot) {}"), "wrong-signature"),
        (block("async function (bot) {}"), "wrong-signature"),
        (block("async function f() {}"), "wrong-signature"),
        (block("async function f(player) {}"), "wrong-signature"),
        (block("async function f(bot, mcData) {}"), "wrong-signature"),
        (block(MAIN + "\n//" + "x" * 50_000), "too-long"),
        (block("async function f(bot) { if (1 &lt; 2) { bot.chat('a') } }"), "html-escapes"),
        (block("async function f(bot) { bot.chat(&quot;a&quot;) }"), "html-escapes"),
        (block("async function f(bot) { return 1 &#38;&#38; 2 }"), "html-escapes"),
        (block(MAIN + "\nmodule.exports = mine"), "module"),
        (block(MAIN + "\nexports.mine = mine"), "module"),
    ],
)
def test_every_other_reply_has_a_code_and_says_what_to_change(reply: str, code: str) -> None:
    with pytest.raises(ReplyError) as caught:
        extract_policy(reply)
    assert caught.value.code == code
    assert "give exactly one ```javascript block" in str(caught.value) or code in ("too-long", "html-escapes", "module")


def test_a_place_with_an_escape_is_named() -> None:
    with pytest.raises(ReplyError, match=r"^line 2 has the HTML escape &gt;: write the character itself$"):
        extract_policy(block("async function f(bot) {\n  return '&amp;' &gt; 1\n}"))


IMPORTING = """import { Vec3 } from 'vec3'
import mineflayer from 'mineflayer'
async function main (bot) { bot.chat('x') }"""
"""From a public report: mineflayer's TypeScript examples (#3095) import at the top."""
UNSTARTABLE = [
    (IMPORTING, "line 1, column 1: a program has no import or export lines", "write async function main (bot)"),
    ("export default async function f(bot) {}", "line 1, column 1", "a program has no import or export lines"),
    ("export async function f(bot) {}", "line 1, column 1", "a program has no import or export lines"),
    (
        "async function f(bot) {\n  bot.chat(\u201chi\u201d)\n}",
        "line 2, column 12: Unexpected character",
        "straight quotes",
    ),
    (
        "async function f(bot) {\n  bot.chat(\u2018hi\u2019)\n}",
        "line 2, column 12: Unexpected character",
        "straight quotes",
    ),
    ("async function f(bot) {\n  let\u200b a = 1\n}", "line 2, column 6: Unexpected character 'U+200B'", "as ASCII"),
    (
        "async function f(bot) {\n  const n: number = 1\n}",
        "line 2, column 10: Unexpected token in `const n: n",
        "types",
    ),
    ("async function f(bot) { let v = bot as Bot }", "line 1", "without types"),
    ("async function f(bot) { return }\n}", "line 2, column 1: Unexpected token", "plain JavaScript"),
    ("async function f(bot) { bot.chat('a) }", "Unterminated string constant", "close every text"),
    ("async function f(bot) { let a = 1; let a = 2 }", "'a' has already been declared", "plain JavaScript"),
    ("async function f(bot) { for (const b of c) await }", "Unexpected token", "plain JavaScript"),
    ("await 1\nasync function f(bot) {}", "line 1", "plain JavaScript"),
    ("interface A { b: string }\nasync function f(bot) {}", "line 1", "without types"),
]


@pytest.mark.parametrize(("source", "place", "hint"), UNSTARTABLE)
def test_what_keeps_a_program_from_starting_is_told_with_its_place(source: str, place: str, hint: str) -> None:
    with pytest.raises(ReplyError) as caught:
        check_start(extract_policy(block(source)))
    assert caught.value.code == "syntax"
    assert place in str(caught.value)
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "source", [MAIN, "'use strict'\n" + MAIN, "async function f(bot) { bot.chat('\u201chi\u201d &lt;') }"]
)
def test_a_program_that_can_start_passes(source: str) -> None:
    check_start(extract_policy(block(source)))


def taken(reply: str) -> str | None:
    try:
        return extract_policy(reply)
    except ReplyError:
        return None


PIECES = st.lists(
    st.sampled_from(
        ["```", "```js\n", "\n```\n", MAIN, "function", "(bot)", "{", "}", "'", "`", "//", "/*", "\n", "async "]
    ),
    max_size=10,
).map("".join)


@given(PIECES)
def test_any_reply_is_one_program_or_a_named_error(reply: str) -> None:
    source = taken(reply)
    assert source is None or ("function" in source and "```" not in source)
