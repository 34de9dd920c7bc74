"""Images of messages: their price, their form on the wire, their hash in records, and models that cannot see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from common.png import encode_png, png_size
from voyager_agents.errors import ImagesRefused
from voyager_agents.models import ChatMessage, Settings
from voyager_agents.models.fake_server import FakeReply, FakeServer
from voyager_agents.models.images import ModelImage, image_tokens, is_blind
from voyager_agents.models.openai_chat import OpenAIModel
from voyager_agents.models.recorded import difference, prompt_hash
from voyager_agents.models.vision_support import ASKED, named_colours, sees_pictures, stripes

PICTURE = ModelImage.of(encode_png(2, 1, bytes(6)), "low")


@pytest.mark.parametrize(
    ("model", "size", "detail", "tokens"),
    [
        # Worked examples of the providers' pages, and a picture of usual size.
        ("openai/gpt-4o", (1024, 1024), "high", 765),
        ("openai/gpt-4o", (2048, 4096), "high", 1105),
        ("openai/gpt-4o", (4096, 8192), "low", 85),
        ("openai/gpt-4o", (512, 288), "auto", 255),
        ("openai/gpt-4o-mini", (512, 288), "auto", 8500),
        ("openai/gpt-4.1-mini", (1024, 1024), "auto", 1659),
        ("openai/gpt-4.1-mini", (4000, 4000), "auto", 2489),
        ("openai/gpt-5-2026-01-01", (512, 288), "auto", 210),
        ("openai/anthropic/claude-sonnet-4", (1000, 1000), "auto", 1334),
        ("openai/claude-3-haiku", (4000, 4000), "auto", 1600),
        ("openai/gemini-2.5-flash", (384, 384), "auto", 258),
        ("openai/google/gemini-2.5-flash", (512, 288), "auto", 258),
        ("openai/gemini-2.5-pro", (1280, 720), "auto", 516),
        ("openai/Qwen/Qwen2.5-VL-7B-Instruct", (560, 280), "auto", 202),
        ("openai/nobody-knows", (512, 288), "auto", 255),
    ],
)
def test_an_image_costs_what_the_provider_says(model: str, size: tuple[int, int], detail: str, tokens: int) -> None:
    assert image_tokens(model, *size, detail) == tokens  # type: ignore[arg-type] # texts of the table


def test_models_without_sight_are_known() -> None:
    blind = ["local", "local:x.gguf", "openai/gpt-3.5-turbo", "openai/gpt-4", "openai/o3-mini", "openai/claude-2.1"]
    assert [name for name in blind if not is_blind(name)] == []
    assert [
        name for name in ("openai/gpt-4o", "openai/gpt-4-turbo", "openai/claude-3", "openai/x") if is_blind(name)
    ] == []


def test_records_hold_the_hash_of_an_image_and_not_its_bytes() -> None:
    message = ChatMessage("user", "look", images=(PICTURE,))
    told = message.to_dict()
    assert told["images"] == [{"sha256": PICTURE.sha256, "width": 2, "height": 1, "detail": "low"}]
    assert ChatMessage.from_plain(told) == message
    assert ChatMessage.from_plain({"role": "user", "content": "look"}).images == ()
    other = ChatMessage("user", "look", images=(ModelImage.of(encode_png(2, 1, bytes(5) + b"\1"), "low"),))
    plain = ChatMessage("user", "look")
    assert len({prompt_hash([message]), prompt_hash([other]), prompt_hash([plain])}) == 3
    assert PICTURE.sha256 in difference([other], [message])
    assert replace(message, images=(replace(PICTURE, tokens=10),)).size == len("look") + 40


async def test_images_arrive_as_data_urls_after_the_text() -> None:
    async with FakeServer(["fine", "fine"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, api_key="k")
        await model.complete([ChatMessage("system", "s"), ChatMessage("user", "look", images=(PICTURE,))], Settings())
        await model.complete([ChatMessage("user", "words")], Settings())
        await model.close()
        first, second = server.requests
        assert first.images == [PICTURE.data]
        assert png_size(first.images[0]) == (2, 1)
        system, user = first.messages
        assert system["content"] == "s"
        assert [part["type"] for part in user["content"]] == ["text", "image_url"]
        assert user["content"][1]["image_url"]["detail"] == "low"
        assert second.messages[0]["content"] == "words"


async def test_a_refusal_of_images_is_one_line_with_a_remedy() -> None:
    refusal = FakeReply("Invalid content type. image_url is only supported by certain models.", status=400)
    async with FakeServer([refusal]) as server:
        model = OpenAIModel("m", base_url=server.base_url, api_key="k")
        with pytest.raises(ImagesRefused, match=r"it takes no images .* leave out --see") as error:
            await sees_pictures(model, Settings())
        await model.close()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("answer", "sees"),
    [("blue, yellow, red", True), ("Blue Yellow Red.", True), ("red, yellow, blue", False), ("I cannot see", False)],
)
async def test_a_model_sees_if_it_names_the_stripes_in_order(answer: str, sees: bool) -> None:
    async with FakeServer([answer]) as server:
        model = OpenAIModel("m", base_url=server.base_url, api_key="k")
        assert await sees_pictures(model, Settings()) is sees
        await model.close()
        assert server.requests[0].images == [stripes()]


def test_the_question_shows_its_colours() -> None:
    assert png_size(stripes()) == (224, 224)
    assert named_colours(" ".join(ASKED)) == ASKED
    assert stripes(("red",)) != stripes(("blue",))


def test_bytes_that_are_no_picture_are_refused() -> None:
    with pytest.raises(ValueError, match="no PNG file"):
        ModelImage.of(b"GIF89a")
    with pytest.raises(ValueError, match="are no picture of 2 x 2 pixels"):
        encode_png(2, 2, bytes(3))
