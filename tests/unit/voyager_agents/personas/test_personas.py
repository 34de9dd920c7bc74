"""Personas in the paper's form, from files and from a seed; errors in files take one line."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from accord.cli.app import run
from voyager_agents import Budget, Model, load_prices, open_model
from voyager_agents.budget import ALL
from voyager_agents.errors import PersonaError
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.models.paying import PaidModels
from voyager_agents.personas import Spot, generate, load_personas
from voyager_agents.personas.written import PERSONAS, write_traits

PAPER = {
    "name": "Loyd",
    "traits": ["You are independent and prefer to work solo."],
    "location_memories": ["The square is at 630, 64, 428."],
    "spawn_location": {"x": 640.5, "y": 64.5, "z": 420.5},
    "inventory": {"diamond": 16},
    "community_goal": "To survive.",
}


def test_a_persona_of_the_paper_is_read_from_yaml_and_json(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(PAPER))
    (tmp_path / "more.yaml").write_text("- {name: Ada, spawn_location: {x: 1, y: 64, z: -1}}\n")
    loyd, ada = load_personas([tmp_path / "one.json", tmp_path / "more.yaml"])
    assert {key: loyd.to_dict()[key] for key in PAPER} == PAPER
    assert loyd.spawn_location.cell == (640, 64, 420)
    assert ada.inventory == {}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"spawn_location": None}, "spawn_location"),
        ({"name": "A name that is too long"}, "name"),
        ({"inventory": {"diamond": 0}}, "inventory.diamond"),
        ({"kindness": 2}, "kindness"),
        ({"mood": 1}, "mood: is not a known key; legal are name, traits"),
    ],
)
def test_what_is_no_persona_is_told_with_file_and_key(tmp_path: Path, change: dict[str, object], told: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({**PAPER, **change}))
    with pytest.raises(PersonaError) as error:
        load_personas([path])
    assert told in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_without_a_spawn_there_is_no_persona(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({key: value for key, value in PAPER.items() if key != "spawn_location"}))
    with pytest.raises(PersonaError, match=r"\('Loyd'\): spawn_location: is missing; write spawn_location: \{x: "):
        load_personas([path])


def test_five_hundred_follow_from_their_seed_and_differ() -> None:
    spawns = [Spot(x=0.5, y=64, z=0.5)]
    made = generate(500, 3, spawns, inventories=True)
    assert made == generate(500, 3, spawns, inventories=True)
    assert made[:30] == generate(30, 3, spawns, inventories=True)
    assert made != generate(500, 4, spawns, inventories=True)
    assert len({each.name for each in made}) == 500
    assert len({each.traits for each in made}) > 200
    assert all(2 <= len(each.inventory) <= 4 and len(each.traits) == 4 for each in made)
    assert min(each.extroversion for each in made) < 0.05
    assert max(each.extroversion for each in made) > 0.95


def test_the_command_makes_shows_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "people.yaml"
    assert run(["personas", "--count", "4", "--seed", "2", "--at", "1,64,2", "--out", str(out)]) == 0
    assert "4 personas" in capsys.readouterr().out
    assert run(["personas", str(out), "--json"]) == 0
    names = [each["name"] for each in json.loads(capsys.readouterr().out)]
    assert names == [each.name for each in load_personas([out])]
    assert run(["personas", "village"]) == 0
    assert "independent" in capsys.readouterr().out
    for arguments, told in (
        (["personas", "double-vein"], "nobody lives there"),
        (["personas", "--count", "0"], "count is 0"),
        (["personas", "--at", "here"], "is no place: give X,Y,Z"),
    ):
        assert run(arguments) == 2
        said = capsys.readouterr().err
        assert told in said
        assert said.count("\n") == 1


def paid(model: Model, budget: Budget) -> PaidModels:
    return PaidModels("openai/x", {"openai/x": model}, budget, PERSONAS)


def traits_of(people: list[dict[str, Any]]) -> str:
    names = [each["name"] for each in people]
    found = [{"name": name, "traits": [f"You think of {name} first.", "You hum."]} for name in names]
    return json.dumps({"people": found})


def asked_for(request: Request) -> list[dict[str, Any]]:
    data = request.messages[1]["content"].split("\n", 1)[1].rsplit("\n", 1)[0]
    found: list[dict[str, Any]] = json.loads(data)["people"]
    return found


async def test_a_model_writes_traits_and_all_else_is_the_seeds() -> None:
    made = generate(12, 3, [Spot(x=0.5, y=64, z=0.5)], inventories=True)
    async with FakeServer(lambda request: traits_of(asked_for(request))) as server:
        model = open_model("openai/x", base_url=server.base_url)
        found = await write_traits(made, paid(model, Budget({}, load_prices())))
        await model.close()
    assert [each.traits[0] for each in found.personas] == [f"You think of {each.name} first." for each in made]
    assert [each.model_copy(update={"traits": ()}) for each in found.personas] == [
        each.model_copy(update={"traits": ()}) for each in made
    ]
    assert (found.calls, found.tabled) == (2, [])


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda text: "Here they are!", "not one JSON object"),
        (lambda text: text.replace("You hum.", "Hums."), "write one sentence that begins with You"),
        (lambda text: text.replace('"You hum."', '"You \\u001b[31m hum."'), "write one sentence that begins with You"),
        (lambda text: text.replace('"name"', '"nom"'), "people.0"),
        (lambda text: json.dumps({"people": []}), "were asked for"),
    ],
)
async def test_whom_an_answer_cannot_be_read_for_has_traits_of_the_table(wrong: Any, told: str) -> None:  # noqa: ANN401
    made = generate(12, 3, [Spot(x=0.5, y=64, z=0.5)])

    def answer(request: Request) -> str:
        people = asked_for(request)
        return wrong(traits_of(people)) if len(people) == 10 else traits_of(people)  # type: ignore[no-any-return]

    async with FakeServer(answer) as server:
        model = open_model("openai/x", base_url=server.base_url)
        found = await write_traits(made, paid(model, Budget({}, load_prices())))
        await model.close()
    assert found.personas[:10] == made[:10]
    assert found.tabled == [each.name for each in made[:10]]
    assert [each.traits[1] for each in found.personas[10:]] == ["You hum."] * 2
    assert found.calls == 3
    assert all(told in fault for fault in found.faults)


async def test_a_budget_ends_the_asking_and_the_rest_has_traits_of_the_table() -> None:
    made = generate(12, 3, [Spot(x=0.5, y=64, z=0.5)])
    async with FakeServer(lambda request: traits_of(asked_for(request))) as server:
        model = open_model("openai/x", base_url=server.base_url)
        found = await write_traits(made, paid(model, Budget({"calls": {ALL: 1}}, load_prices())))
        await model.close()
    assert (found.calls, len(found.tabled)) == (1, 2)
    assert found.personas[10:] == made[10:]


async def test_the_command_asks_a_model_and_says_what_it_took(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with FakeServer(lambda request: traits_of(asked_for(request))) as server:
        url, out = server.base_url, tmp_path / "people.yaml"
        arguments = ["personas", "--count", "3", "--model", "openai/x", "--base-url", url, "--out", str(out)]
        assert await asyncio.to_thread(run, arguments) == 0
    told = capsys.readouterr()
    assert "openai/x: 1 calls" in told.err
    assert "price unknown" in told.err
    assert [each.traits[1] for each in load_personas([out])] == ["You hum."] * 3

    def confident(request: Request) -> str:
        sure = {"small": 0.4, "large": None}[request.body["model"]]
        traits = json.loads(traits_of(asked_for(request)))
        return json.dumps(traits if sure is None else {**traits, "confidence": sure})

    async with FakeServer(confident) as server:
        spec = "cascade:openai/small::openai/large::confidence=0.5"
        arguments = ["personas", "--count", "3", "--model", spec, "--base-url", server.base_url, "--out", str(out)]
        assert await asyncio.to_thread(run, arguments) == 0
        assert [each.body["model"] for each in server.requests] == ["small", "large"]
    assert f"{spec}: 2 calls" in (told := capsys.readouterr().err)
    assert "answers by openai/large: 1" in told
    for arguments, why in (
        (["personas", "village", "--model", "openai/x"], "writes traits of new ones only"),
        (["personas", "--model", "openai/x", "--base-url", url, "--max-usd", "1"], "no price is known"),
        (["personas", "--model", "nobody"], "unknown model 'nobody'"),
        (["personas", "--model", "cascade:openai/x"], "give 2 to 4 different models"),
    ):
        assert run(arguments) == 2
        assert why in capsys.readouterr().err
