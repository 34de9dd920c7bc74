"""Models that see: pictures reach the roles that look, cost what is estimated, are stored once, resume and verify."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from accord.studies.estimate import expect
from accord.studies.fitting import Assignment
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.sight import imagined_look, imagined_tokens
from accord.studies.study import read_settings, resume_study, run_study
from accord.studies.verifying import verify
from common.png import png_size
from dilemmas.errors import UsageError
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

PROGRAM = "```javascript\nasync function play (bot) {\n  await bot.waitForTicks(1)\n}\n```"
OFFER = {"thinking": "", "message": "This.", "act": "propose", "contract": "1. Nothing."}
REVIEW = {"reasoning": "", "success": False, "critique": "Dig."}
SMALL = {"see_size": "64x36"}


def answer(request: Request) -> str:
    """Answer as a model that sees."""
    if "three vertical stripes" in request.text:
        return "blue yellow red"
    if '"success"' in request.text:
        return json.dumps(REVIEW)
    return json.dumps(OFFER) if '"act"' in request.text else PROGRAM


def settings(base_url: str, out: Path, **changes: Any) -> StudySettings:  # noqa: ANN401 - of any option
    """Return the settings of a study whose models see."""
    given: dict[str, Any] = {"world": "mock", "model": "openai/gpt-4o", "see": "both", **SMALL, **changes}
    return StudySettings(given.pop("scenario", "double-vein"), base_url=base_url, out=out, **given)


def asked(server: FakeServer) -> list[Request]:
    """Return the requests of the game, without the question before it."""
    return [each for each in server.requests if "three vertical stripes" not in each.text]


async def test_an_estimate_has_the_caption_of_a_plan_beside_that_of_the_view(tmp_path: Path) -> None:
    options, place = settings("http://127.0.0.1:1/v1", tmp_path), Assignment("voyager", "model")
    view, plan = await imagined_look(options, "Gizmo", place, "action", plan="Another picture shows a part.")
    assert plan.caption == "Another picture shows a part." != view.caption
    assert plan.image == view.image
    assert imagined_tokens(options, "Gizmo", place, "action", plan="") == 2 * view.image.tokens


async def test_negotiator_action_and_critic_see_and_the_record_keeps_each_picture_once(tmp_path: Path) -> None:
    async with FakeServer(answer) as server:
        study = settings(server.base_url, tmp_path, contracts=("negotiate",), rounds=2, episodes=2)
        found = await run_study(study)
        assert "three vertical stripes" in server.requests[0].text
        by_caption = {"sees at the start": 0, "saw at the end": 0}
        for request in asked(server):
            assert [png_size(image) for image in request.images] == [(64, 36)]
            for caption in by_caption:
                by_caption[caption] += caption in request.text
        # Two messages and two programs an episode see the start, two critics see the end.
        assert by_caption == {"sees at the start": 6, "saw at the end": 2}
        assert "The chest is at" in asked(server)[0].text
    stored = sorted((found.directory / "images").glob("*.png"))
    calls = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text().splitlines()]
    shown = {image["sha256"] for call in calls for message in call["messages"] for image in message.get("images", ())}
    assert {path.stem for path in stored} == shown
    assert len(stored) < len(calls)
    assert all(each.ok for each in verify(found.directory))
    stored[0].write_bytes(stored[0].read_bytes() + b"x")
    assert [each.question for each in verify(found.directory) if each.ok is False] == [
        "all files are there, and are what they were", "pictures are those that models were shown",
    ]  # fmt: skip


async def test_image_leaves_out_the_places_that_it_shows(tmp_path: Path) -> None:
    async with FakeServer(answer) as server:
        await run_study(settings(server.base_url, tmp_path, see="image"))
        for request in asked(server):
            assert request.images
            assert "Worth in emeralds" in request.text
            assert "The chest is at" not in request.text


@pytest.mark.parametrize(
    ("scenario", "told", "changes"),
    [
        ("build-together", "From the ground up:", {}),
        ("double-vein", "The chest is at", {"contracts": ("negotiate",)}),
        ("voyager-progress", "The nearest block of each kind", {"episodes": 1}),
    ],
)
async def test_a_role_that_gets_no_picture_keeps_the_words(
    scenario: str, told: str, changes: dict[str, Any], tmp_path: Path
) -> None:
    task = {"reasoning": "", "task": "Take stone", "goal": [{"item": "stone", "count": 1}]}

    def of_each_role(request: Request) -> str:
        return json.dumps(task) if '"goal"' in request.text else answer(request)

    learning = {"agents": "voyager", "see": "image", "episodes": 2, "rounds": 2, "time_limit_s": 1.0}
    async with FakeServer(of_each_role) as server:
        found = await run_study(settings(server.base_url, tmp_path, scenario=scenario, **{**learning, **changes}))
    by_role = set()
    for call in map(json.loads, (found.directory / "calls.jsonl").read_text().splitlines()):
        question = call["messages"][1]
        by_role.add((call["role"], bool(question.get("images")), told in question["content"]))
    seeing = ["action", "critic", *(["negotiator"] if "contracts" in changes else [])]
    assert by_role == {("curriculum", False, True), *((role, True, False) for role in seeing)}


async def test_words_alone_send_what_they_always_did(tmp_path: Path) -> None:
    async with FakeServer(answer) as server:
        found = await run_study(settings(server.base_url, tmp_path, see="words"))
        assert [each.images for each in server.requests] == [[], []]
    assert not (found.directory / "images").exists()
    assert "see" not in (found.directory / "config.yaml").read_text().split()


async def test_sight_is_a_condition_and_a_resumed_study_asks_nothing_again(tmp_path: Path) -> None:
    async with FakeServer(answer) as server:
        study = settings(server.base_url, tmp_path, see="words", vary={"see": ("words", "image", "both")})
        found = await run_study(study)
        counts = [len(each.images) for each in asked(server)]
        assert counts == [0, 0, 1, 1, 1, 1]
        # The last run breaks off after its calls were made.
        run = found.directory / "none+see=both"
        lines = (run / "events.jsonl").read_text().splitlines(keepends=True)
        cut = next(number for number, line in enumerate(lines) if '"kind": "policy_written"' in line)
        (run / "events.jsonl").write_text("".join(lines[:cut]))
        (run / "result.json").unlink()
        before = len(server.requests)
        again = await resume_study(found.directory, read_settings(found.directory))
        assert len(server.requests) == before
        assert {each["status"] for each in again.results} == {each["status"] for each in found.results}
    assert read_settings(found.directory).see_size == "64x36"


async def test_estimates_count_images_by_the_rule_of_the_model(tmp_path: Path) -> None:
    async def tokens(**changes: Any) -> int:  # noqa: ANN401 - of any option
        told: Mapping[str, Any] = await expect(settings("http://127.0.0.1:1/v1", tmp_path, **changes))
        return int(told["least"]["tokens"])

    words, low, high = await tokens(see="words"), await tokens(see_detail="low"), await tokens()
    # Two programs: 170 tokens more for the tile of each picture, and 85 and a caption for either detail.
    assert high - low == 2 * 170
    assert 2 * 85 < low - words < 2 * 85 + 60
    assert await tokens(see="image") < high


async def test_a_model_that_names_other_colours_is_refused_before_the_start(tmp_path: Path) -> None:
    async with FakeServer(lambda _request: "red red red") as server:
        with pytest.raises(
            UsageError, match="was shown a picture of coloured stripes and named others: leave out --see"
        ):
            await run_study(settings(server.base_url, tmp_path))
        assert len(server.requests) == 1
    async with FakeServer([FakeReply("unknown field image_url", status=400)]) as server:
        with pytest.raises(UsageError, match="it takes no images"):
            await run_study(settings(server.base_url, tmp_path))
    assert list(tmp_path.iterdir()) == []  # noqa: ASYNC240 - a folder of the test


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"see_size": "9x9"}, "see size: '9x9' is not legal"),
        ({"see_size": "wide"}, "see size: 'wide' is not legal"),
        ({"see_size": "2000x2000"}, "see size: '2000x2000' is not legal"),
        ({"see": "eyes"}, "see: 'eyes' is not legal; choose one of words, image, both"),
        ({"model": "local"}, "model local of Gizmo's action takes no images"),
        ({"model": "openai/gpt-3.5-turbo"}, "takes no images"),
        ({"model": None}, "no player's model looks at pictures"),
        ({"vary": {"see": ("words", "ears")}}, "see: 'ears' is not legal"),
    ],
)
def test_what_cannot_be_seen_is_refused_in_one_line(changes: dict[str, Any], told: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        StudyPlan.of(settings("http://127.0.0.1:1/v1", tmp_path, **changes))
    assert told in str(error.value)
    assert "\n" not in str(error.value)


async def test_grid_games_are_drawn_and_image_leaves_out_their_cells(tmp_path: Path) -> None:
    def stay(request: Request) -> str:
        return "blue yellow red" if "three vertical stripes" in request.text else '{"why": "", "action": "join 0"}'

    for see in ("both", "image"):
        async with FakeServer(stay) as server:
            await run_study(
                settings(server.base_url, tmp_path / see, scenario="ada-contract", world="none", agents="text", see=see,
                         time_limit_s=1.0)
            )  # fmt: skip
            requests = asked(server)
            assert requests
            assert all([png_size(image) for image in each.images] == [(64, 36)] for each in requests)
            assert all("A disc with a number is a player" in each.text for each in requests)
            assert all(("Here: " in each.text or ": event" in each.text) == (see == "both") for each in requests)


async def test_negotiators_of_grid_games_see_the_map_before_the_game_and_at_talks_in_it(tmp_path: Path) -> None:
    def speak(request: Request) -> str:
        if "three vertical stripes" in request.text:
            return "blue yellow red"
        talk = {"thinking": "", "message": "", "to": "all", "act": "pass", "action": "stay", "why": ""}
        return json.dumps(OFFER if "1. Nothing." in request.text or "propose" in request.text else talk)

    async with FakeServer(speak) as server:
        found = await run_study(
            settings(server.base_url, tmp_path, scenario="ada-contract", world="none", agents="text", rounds=4,
                     contracts=("negotiate", "negotiate+private+k=1+every=1"), episodes=1, time_limit_s=2.0)
        )  # fmt: skip
    requests = asked(server)
    moments = {"before the first step": 0, "sees now": 0}
    for request in requests:
        assert [png_size(image) for image in request.images] == [(64, 36)]
        assert "A disc with a number is a player" in request.text
        for moment in moments:
            moments[moment] += moment in request.text
    assert min(moments.values()) >= 4, moments
    events = [json.loads(line) for line in (found.directory / "negotiate" / "events.jsonl").read_text().splitlines()]
    starts = [each["data"] for each in events if each["kind"] == "picture_taken"]
    assert [each["moment"] for each in starts] == ["start"] * len({each["player"] for each in starts})
    # Each player is in the middle of its own picture.
    assert len({each["sha256"] for each in starts}) > 1


async def test_generative_agents_see_each_round(tmp_path: Path) -> None:
    async with FakeServer(answer) as server:
        await run_study(
            settings(server.base_url, tmp_path, scenario="commons-harvest", agents="generative", time_limit_s=2.0)
        )
        seeing = [each for each in asked(server) if each.images]
        assert all("sees now" in each.text for each in seeing)
        assert len({image for each in seeing for image in each.images}) >= 3


async def test_players_by_tool_calls_see_before_each_call_and_keep_one_picture(tmp_path: Path) -> None:
    def call(request: Request) -> str | FakeReply:
        if "three vertical stripes" in request.text:
            return "blue yellow red"
        said = [each for each in request.messages if each["role"] == "tool"]
        if "ready" in request.text and len(request.messages) == 1:
            return FakeReply(calls=(("ready", "{}"),))
        return "done" if len(said) > 1 else FakeReply(calls=(("readClock", "{}"),))

    async with FakeServer(call) as server:
        await run_study(settings(server.base_url, tmp_path, act="tools", agents_options={"stop": "works"}))
        playing = [each for each in asked(server) if len(each.messages) > 1]
        assert {len(each.images) for each in playing} == {1}
        assert max(len(each.messages) for each in playing) > 4
