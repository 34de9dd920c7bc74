"""The page's process beside a study with people: words go from a seat to the study, and its news to that seat alone."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

from accord.cli.watch import Watching
from dilemmas.minecraft.people import HumanPlayers
from voyager_agents.human.agents import HumanAgent
from voyager_agents.human.connection import ChatLine, HumanContext


class Screens:
    """World of people's screens, which takes any command."""

    def __init__(self, people: HumanPlayers) -> None:
        self.people = people

    async def commands(self, texts: list[str]) -> list[str]:
        return ["" for _ in texts]

    def hear_whisper(self, name: str, text: str) -> None:
        self.people.sessions[name].record_words(ChatLine(text, "Judy"))


def say(address: str, words: str) -> tuple[int, Any]:
    """Write a line on a seat's page."""
    origin = "/".join(address.split("/")[:3])
    headers = {"Content-Type": "application/json", "Origin": origin}
    asked = urllib.request.Request(f"{address}api/say", json.dumps({"words": words}).encode(), headers)
    try:
        with urllib.request.urlopen(asked) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def seat(address: str) -> Any:  # noqa: ANN401 - the page's data
    with urllib.request.urlopen(f"{address}api/seat") as answer:
        return json.load(answer)


async def seat_until(address: str, part: str) -> Any:  # noqa: ANN401
    """Return a seat's content once it contains a text."""
    while part not in json.dumps(found := await asyncio.to_thread(seat, address)):
        pass
    return found


async def test_words_go_both_ways_between_the_study_and_each_seat() -> None:
    people = HumanPlayers(["Glitch", "Golem"], "Judy")
    people.world = Screens(people)
    with Watching(people=["Glitch", "Golem"]) as watching:
        glitch, golem = watching.seats["Glitch"], watching.seats["Golem"]
        assert len({watching.address, glitch, golem}) == 3
        async with watching.hearing():
            watching.seated(people)
            status, told = await asyncio.to_thread(say, glitch, "too early")
            assert (status, "nobody waits" in told["error"]) == (409, True)
            await people.sessions["Glitch"].send_text("mark-of-glitch")
            agent = HumanAgent("Glitch", HumanContext(people.sessions["Glitch"], "Judy"))
            ratifying = asyncio.create_task(agent.ratify(_Sheet()))  # type: ignore[arg-type] # what is shown of a sheet
            shown = await seat_until(glitch, "Gizmo pays 3 emeralds.")
            assert (shown["question"]["answers"], shown["open"]) == (["yes", "no"], True)
            assert (await asyncio.to_thread(say, glitch, "no, too much"))[0] == 200
            found = await ratifying
            assert (found.ratified, found.reason) == (False, "too much")
            await people.sessions["Golem"].send_text("mark-of-golem")
            assert "mark-of-glitch" not in json.dumps(await seat_until(golem, "mark-of-golem"))
        status, told = await asyncio.to_thread(say, glitch, "too late")
        assert status == 409


class _Sheet:
    text = "Gizmo pays 3 emeralds."
