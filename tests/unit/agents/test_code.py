from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voyager_agents import ReplyError
from voyager_agents.voyager.code import extract_policy

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
    ],
)
def test_every_other_reply_has_a_code_and_says_what_to_change(reply: str, code: str) -> None:
    with pytest.raises(ReplyError) as caught:
        extract_policy(reply)
    assert caught.value.code == code
    assert "give exactly one ```javascript block" in str(caught.value) or code == "too-long"


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
