"""`accord doctor --model`: one question per role, against a fake endpoint that answers well or badly."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.cli import doctor as command
from accord.doctor import remedies
from accord.doctor.answers import Remedy, RoleAnswer, RoleRow
from accord.doctor.checks import DoctorCheck
from accord.doctor.models import ask_roles, lacking_checks, model_checks, row_checks
from accord.doctor.questions import SET_UPS, RoleQuestion, choose_questions, role_questions
from accord.studies.models import Models
from accord.studies.settings import StudySettings
from common.answers.bounds import MAX_LONGEST, longest_answer
from dilemmas.errors import UsageError
from tests.fakes.model_players import CRITIQUE, PROGRAM
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.models import Usage
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.models.local.model import MAX_FORM_ANSWER
from voyager_agents.personas.written import PERSONAS
from voyager_agents.registry import FAMILIES
from voyager_agents.roles import JUDGE, NEGOTIATOR, RATER

GOOD = {
    "action": PROGRAM,
    "critic": CRITIQUE,
    "judge": '{"transfers": [], "findings": [], "critique": "Nothing was done."}',
    "negotiator": json.dumps(
        {"thinking": "", "message": "Hi.", "act": "propose", "contract": "1. Gizmo pays Glitch 2 emeralds."}
    ),
    "choice": '{"why": "it pays", "choice": "cooperate"}',
    "goal_generation": '{"why": "", "goal": "Bake bread."}',
}
"""Part -> answer that can be read."""
HEADERS = {"x-ratelimit-limit-requests": "500", "x-ratelimit-remaining-requests": "499"}
Respond = Callable[[Request], FakeReply | str]


@pytest.fixture(scope="module")
def questions() -> list[RoleQuestion]:
    return asyncio.run(role_questions(StudySettings("double-vein", model="openai/any"))).asked


def counted(text: str, request: Request, ended: str = "stop") -> FakeReply:
    """Return the answer with plausible tokens and rate limits."""
    chars = sum(len(each["content"]) for each in request.messages)
    usage = {"prompt_tokens": chars // 4, "completion_tokens": 50, "total_tokens": chars // 4 + 50}
    choice = {"index": 0, "finish_reason": ended, "message": {"role": "assistant", "content": text}}
    return FakeReply(body=json.dumps({"model": "m", "choices": [choice], "usage": usage}), headers=HEADERS)


class Asked:
    """A model's answers to the chosen questions."""

    def __init__(self, questions: Sequence[RoleQuestion], parts: Sequence[str] = tuple(GOOD)) -> None:
        self.questions = [
            each
            for each in questions
            if each.part in parts and each.family not in ("voyager", "text", "planner", "marshal")
        ]
        self.requests: list[Request] = []
        self.rows: dict[str, RoleRow] = {}
        self.checks: dict[str, DoctorCheck] = {}
        self.tool_call = FakeReply(calls=(("ready", "{}"),))
        self.sight: FakeReply | str = "blue, yellow, red"

    def part_of(self, request: Request) -> str:
        return next(each.part for each in self.questions if each.asked.system == request.messages[0]["content"])

    def good(self, request: Request) -> FakeReply:
        return counted(GOOD[self.part_of(request)], request)

    async def of(self, respond: Respond, **settings: Any) -> Asked:  # noqa: ANN401
        def heard(request: Request) -> FakeReply | str:
            if "messages" not in request.body:
                return FakeReply("no such path", status=404)
            if "tools" in request.body:
                return self.tool_call
            if request.images:
                return self.sight
            self.requests.append(request)
            return respond(request)

        async with FakeServer(heard) as server:
            chosen = StudySettings("double-vein", model="openai/m", base_url=server.base_url, **settings)
            models = Models([chosen], chosen.budget)
            rows = await ask_roles(chosen, models.opened, self.questions, lambda _: None)
            checks = [*row_checks(rows), *await model_checks(chosen, models.opened, rows, models.budget.prices)]
            await models.close()
        self.rows = {row.question.part: row for row in rows}
        self.checks = {check.name.partition(", openai")[0]: check for check in checks}
        return self

    def outcomes(self) -> dict[str, tuple[str | None, str | None]]:
        """Return part -> outcomes with and without the schema."""
        return {
            part: (
                None if row.with_schema is None else row.with_schema.outcome,
                None if row.without is None else row.without.outcome,
            )
            for part, row in self.rows.items()
        }


def test_every_role_of_every_family_has_a_question(questions: list[RoleQuestion]) -> None:
    asked = {(each.family, each.role) for each in questions}
    paper = {role for family, role in asked if family == "paper"}
    for name, family in FAMILIES.items():
        # The learning agent's action and negotiator parts are those of the paper's agents.
        own = {role for each, role in asked if each == name} | (paper if name == "voyager" else set())
        assert {*family.roles} <= own, name
    assert {JUDGE, RATER, "personas"} <= {role for _, role in asked}
    parts = [(each.family, each.part) for each in questions]
    assert len(parts) == len({*parts})
    assert {"ratify", "typist", "questions", "describe", "citizen", "council", "understand", "reputation"} <= {
        p for _, p in parts
    }
    for family, prefix in (("paper", "Minecraft"), ("text", "a game on a grid")):
        bargaining = {each.part: each.asked for each in questions if each.family == family and each.role == NEGOTIATOR}
        assert {*bargaining} == {"negotiator", "ratify", "talk", "pay"}
        assert all(prefix in each.system for each in bargaining.values()), family
        assert "Deal 1 between" in bargaining["talk"].user
        assert "1: 3 emeralds to" in bargaining["pay"].user
    assert "A1" in next(each.asked.user for each in questions if each.part == "citizen")


async def test_a_family_that_lacks_a_package_is_told_and_the_others_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    # None makes the import fail like that of a package that is not installed.
    for package in ("chromadb", "sklearn"):
        monkeypatch.setitem(sys.modules, package, None)
    for module in ("hashing", "chroma"):
        monkeypatch.delitem(sys.modules, f"voyager_agents.index.{module}", raising=False)
    found = await role_questions(StudySettings("double-vein", model="openai/any"))
    assert {*SET_UPS} - {each.family for each in found.asked} == {"generative"}
    (check,) = lacking_checks(found.lacking)
    assert (check.name, check.state) == ("agents generative", "warn")
    assert "is not installed: run 'make setup-skills'" in check.found


def test_roles_are_chosen_by_role_and_by_part(questions: list[RoleQuestion]) -> None:
    assert {each.part for each in choose_questions(questions, ["rater", "ratify"])} == {
        "rate_roles", "rate_coherence", "rate_sentiments", "summarize_goals", "name_topics", "read_words",
        "rate_compliance", "ratify",
    }  # fmt: skip
    assert choose_questions(questions, []) == questions
    with pytest.raises(UsageError, match=r"--roles 'judg': no model is asked in it; choose from .*judge"):
        choose_questions(questions, ["judge", "judg"])


def test_no_form_has_room_for_an_answer_that_is_cut_off(questions: list[RoleQuestion]) -> None:
    """The ten people of a batch of personas have two short traits each, which fit as well."""
    forms = {each.part: form.schema for each in questions if (form := each.asked.settings.form) is not None}
    sizes = {part: longest_answer(schema) for part, schema in forms.items()}
    assert {part for part, size in sizes.items() if size > MAX_LONGEST} <= {PERSONAS}
    assert sizes[PERSONAS] <= MAX_FORM_ANSWER * CHARS_A_TOKEN


async def test_a_model_that_answers_in_form_is_read_with_and_without_schema(
    questions: list[RoleQuestion], tmp_path: Path
) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("m: {prompt: 1, completion: 2}\n")
    asked = Asked(questions)
    await asked.of(asked.good, prices=prices, sampling={"judge.temperature": "0", "top_p": "0.9"})
    assert asked.outcomes() == {part: (None if part == "action" else "read", "read") for part in GOOD}
    assert len(asked.requests) == 2 * len(GOOD) - 1
    forms = [each.body["response_format"]["type"] for each in asked.requests if "response_format" in each.body]
    assert forms == ["json_schema"] * (len(GOOD) - 1)
    assert {each.body["top_p"] for each in asked.requests} == {0.9}
    assert all(not row.remedy.text for row in asked.rows.values())
    assert "schema 5" in asked.checks["ways of asking"].found
    assert asked.checks["tokenizer"].found.startswith("none")
    assert "limit-requests 500" in asked.checks["rate limits"].found
    usd = sum(sum(len(each["content"]) for each in request.messages) // 4 + 100 for request in asked.requests) / 1e6
    assert f"{usd:.6f} USD" in asked.checks["price"].found


@pytest.mark.parametrize(
    ("text", "ended", "outcome", "remedy"),
    [
        ("[thinking] hm [contract] nothing", "stop", "unreadable", "--answers words"),
        ("I'm sorry, I cannot help with that.", "stop", "refused", "--prompts"),
        ('{"reasoning": "and so on', "length", "cut-off", "raise --sampling critic.max_tokens"),
        ("", "length", "cut-off", "50 tokens were not enough"),
        ('{"reasoning": "", "success": "perhaps", "critique": ""}', "stop", "unreadable", "critic.temperature"),
    ],
)
async def test_an_unusable_answer_is_told_with_its_kind_and_a_remedy(
    questions: list[RoleQuestion], text: str, ended: str, outcome: str, remedy: str
) -> None:
    asked = Asked(questions, ["critic", "choice"])

    def respond(request: Request) -> FakeReply:
        return counted(text, request, ended) if asked.part_of(request) == "critic" else asked.good(request)

    await asked.of(respond)
    assert asked.outcomes() == {"critic": (outcome, outcome), "choice": ("read", "read")}
    check = asked.checks["critic"]
    assert (check.state, remedy in check.remedy, "\n" in check.found) == ("warn", True, False)
    assert "choice" not in asked.checks


async def test_an_endpoint_that_reads_better_without_schema_is_asked_in_words(questions: list[RoleQuestion]) -> None:
    asked = Asked(questions, ["critic"])
    await asked.of(lambda request: counted("{}", request) if "response_format" in request.body else asked.good(request))
    assert asked.outcomes() == {"critic": ("unreadable", "read")}
    assert asked.rows["critic"].remedy.short == "--answers words"


async def test_an_endpoint_that_takes_no_form_is_asked_once_in_words(questions: list[RoleQuestion]) -> None:
    asked = Asked(questions, ["critic"])
    refused = FakeReply("response_format is not supported", status=400)
    await asked.of(lambda request: refused if "response_format" in request.body else asked.good(request))
    assert asked.outcomes() == {"critic": (None, "read")}
    assert "words 1" in asked.checks["ways of asking"].found


async def test_a_prompt_that_was_cut_is_seen_by_its_tokens(questions: list[RoleQuestion]) -> None:
    asked = Asked(questions, ["action"])
    await asked.of(lambda _: GOOD["action"])
    check = asked.checks["action"]
    assert (check.state, "OLLAMA_CONTEXT_LENGTH" in check.remedy) == ("warn", True)
    assert "of about" in check.found


async def test_an_endpoint_without_token_counts_is_reported(questions: list[RoleQuestion]) -> None:
    asked = Asked(questions, ["action"])
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": GOOD["action"]}}
    await asked.of(lambda _: FakeReply(body=json.dumps({"choices": [choice]})))
    assert (asked.checks["tokens"].state, "action" in asked.checks) == ("warn", False)
    assert "--max-calls" in asked.checks["tokens"].remedy


@pytest.mark.parametrize(
    "refusal",
    [
        "request (9725 tokens) exceeds the available context size (4096 tokens)",
        "This model's maximum context length is 4096 tokens.",
    ],
)
async def test_a_prompt_that_is_too_long_ends_nothing(questions: list[RoleQuestion], refusal: str) -> None:
    asked = Asked(questions)

    def respond(request: Request) -> FakeReply:
        long = sum(len(each["content"]) for each in request.messages) > 16_000
        return FakeReply(refusal, status=400) if long else asked.good(request)

    await asked.of(respond)
    assert asked.outcomes() == {part: ("read", "read") for part in GOOD} | {"action": (None, "too long")}
    check = asked.checks["action"]
    assert (check.state, check.remedy.startswith("try --prompts compact")) == ("fail", True)
    await asked.of(respond, prompts=Path("compact"))
    assert asked.checks["action"].remedy.startswith("raise the server's context")


@pytest.mark.parametrize(
    ("answer", "told", "remedy"),
    [
        (FakeReply("no", status=401), "the key was refused", ""),
        (FakeReply("no", status=404), "no such model", ""),
        (FakeReply("Unsupported parameter: 'max_tokens'", status=400), "400", "max_completion_tokens=N"),
        (FakeReply("'temperature' does not support 0.1", status=400), "400", "--sampling temperature=default"),
    ],
)
async def test_an_endpoint_that_never_answers_is_asked_twice(
    questions: list[RoleQuestion], answer: FakeReply, told: str, remedy: str
) -> None:
    asked = Asked(questions)
    await asked.of(lambda _: answer)
    assert len(asked.requests) == 2
    states = [row.answer.outcome for row in asked.rows.values()]
    assert states.count("not asked") == len(GOOD) - 1 - (states.count("no answer") == 2)
    assert {check.state for check in asked.checks.values()} == {"fail"}
    assert all(told in check.found and remedy in check.remedy for check in asked.checks.values())
    assert len(asked.checks) == 2, "one line for the answers, and one for all roles that were not asked"


async def test_an_endpoint_that_has_answered_is_asked_on(questions: list[RoleQuestion]) -> None:
    asked = Asked(questions)
    await asked.of(lambda request: asked.good(request) if len(asked.requests) == 1 else FakeReply("no", status=404))
    assert len(asked.requests) == 2 * len(GOOD) - 1


async def test_a_slow_answer_is_warned_of(questions: list[RoleQuestion], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remedies, "SLOW_S", -1.0)
    asked = Asked(questions, ["choice"])
    await asked.of(asked.good)
    assert (asked.checks["choice"].state, "smaller model" in asked.checks["choice"].remedy) == ("warn", True)


async def test_a_replay_is_no_model_to_ask() -> None:
    with pytest.raises(UsageError, match="a replay asks no model"):
        await command._ask(StudySettings("double-vein", model="replay:somewhere"), [])


def test_the_command_shows_a_table_and_gives_the_rows_as_data(
    questions: list[RoleQuestion], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[StudySettings, Sequence[str]]] = []
    critic = next(each for each in questions if each.part == "critic")
    with_schema = RoleAnswer("unreadable", "no JSON", "schema", Usage(500, 20), 1.25)
    row = RoleRow(critic, "openai/m", with_schema, RoleAnswer("read"), Remedy("--answers words", "ask in words"))

    async def ask(settings: StudySettings, roles: Sequence[str]) -> tuple[list[RoleRow], list[DoctorCheck]]:
        asked.append((settings, roles))
        return [row], row_checks([row])

    monkeypatch.setattr(command, "_ask", ask)
    url = "http://127.0.0.1:1/v1"
    assert command.doctor(model="openai/m", base_url=[url], roles="critic,judge", as_json=True) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["roles"][0] | {"without_schema": None} == {
        "family": "paper", "role": "critic", "part": "critic", "model": "openai/m", "change": "ask in words",
        "with_schema": {"outcome": "unreadable", "fault": "no JSON", "way": "schema", "prompt_tokens": 500,
                        "completion_tokens": 20, "seconds": 1.25},
        "without_schema": None,
    }  # fmt: skip
    assert [each["state"] for each in told["checks"]] == ["warn"]
    assert asked[0][1] == ["critic", "judge"]
    assert asked[0][0] == replace(asked[0][0], model="openai/m", base_url=url)
    command.doctor(model="openai/m", base_url=[url])
    shown = capsys.readouterr().out
    assert ["critic", "unreadable", "read", "500+20", "1.2", "--answers", "words"] in [
        line.split() for line in shown.splitlines()
    ]
    assert "warn critic, openai/m: unreadable: no JSON -> ask in words" in shown


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (FakeReply(calls=(("ready", "{}"),)), "makes them: players can act by --act tools"),
        (FakeReply("I am ready."), "makes none when it is asked for one"),
        (FakeReply("tool_choice: tools are not supported", status=400), "the endpoint takes no tools"),
        (FakeReply("bad sampling", status=400), "not known: model openai/m"),
    ],
)
async def test_the_doctor_tells_whether_a_model_makes_tool_calls(
    questions: list[RoleQuestion], reply: FakeReply, told: str
) -> None:
    asked = Asked(questions, ("critic",))
    asked.tool_call = reply
    await asked.of(asked.good)
    assert asked.checks["tool calls"].found.startswith(told)
    assert asked.checks["tool calls"].state == "info"


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("blue, yellow, red", "sees them: players can see by --see"),
        ("a nice picture", "named other colours than a picture shows"),
        (FakeReply("image_url is not supported", status=400), "the endpoint takes none: players see by words"),
    ],
)
async def test_the_doctor_tells_whether_a_model_sees(
    reply: FakeReply | str, told: str, questions: list[RoleQuestion]
) -> None:
    asked = Asked(questions[:1])
    asked.sight = reply
    await asked.of(asked.good)
    assert asked.checks["pictures"].found == told


async def test_each_model_of_a_cascade_is_asked_and_those_before_the_last_for_their_confidence(
    questions: list[RoleQuestion],
) -> None:
    asked = Asked(questions, ("critic", "choice"))
    requests: list[Request] = []

    def answer(request: Request) -> FakeReply | str:
        if "messages" not in request.body or "tools" in request.body or request.images:
            return FakeReply("nothing here", status=400)
        requests.append(request)
        system = request.messages[0]["content"]
        part = next(each.part for each in asked.questions if system.startswith(each.asked.system))
        if "confidence" in system.removeprefix(next(e.asked.system for e in asked.questions if e.part == part)):
            if part == "choice" and "response_format" not in request.body:
                return f"{GOOD[part]}\nconfidence: 0.5"
            return json.dumps({**json.loads(GOOD[part]), "confidence": 0.5 if part == "choice" else "high"})
        return GOOD[part]

    async with FakeServer(answer) as server:
        spec = "cascade:openai/small::openai/large::confidence=0.8"
        chosen = StudySettings("double-vein", model=spec, base_url=server.base_url)
        models = Models([chosen], chosen.budget)
        rows = await ask_roles(chosen, models.opened, asked.questions, lambda _: None)
        checks = await model_checks(chosen, models.opened, rows, models.budget.prices)
        await models.close()
    assert [(row.question.part, row.model) for row in rows] == [
        (each.part, model) for each in asked.questions for model in ("openai/small", "openai/large")
    ]
    assert {row.model: row.answer.stated for row in rows if row.question.part == "choice"} == {
        "openai/small": True, "openai/large": None,
    }  # fmt: skip
    assert all(row.answer.outcome == "read" for row in rows), rows
    assert {request.body["model"] for request in requests} == {"small", "large"}
    (told,) = (each for each in checks if each.name.startswith("confidence"))
    choices = sum(each.part == "choice" for each in asked.questions)
    assert (told.name, told.found) == (
        "confidence, openai/small", f"stated in {2 * choices} of {2 * len(asked.questions)} answers",
    )  # fmt: skip
    assert "the other answers go on" in told.remedy
    assert {"ways of asking, openai/small", "ways of asking, openai/large"} <= {each.name for each in checks}
