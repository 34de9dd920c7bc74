"""The page's process beside a study with people: words go from a seat to the study, and its news to that seat alone."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import pytest

from accord.cli.watch import Watching
from accord.viewer.serving import bind, network_address
from dilemmas.errors import UsageError
from dilemmas.people import HumanPlayers, PageVenue
from voyager_agents.human.agents import HumanAgent
from voyager_agents.human.connection import ChatLine, HumanContext
from voyager_agents.human.grid_view import GridChoice, GridOption, GridView


class Screens:
    """World of people's screens, which takes any command and is never lost."""

    watching = ()

    def __init__(self, people: HumanPlayers) -> None:
        self.people = people

    async def commands(self, texts: list[str]) -> list[str]:
        return ["" for _ in texts]

    def hear_whisper(self, name: str, text: str) -> None:
        self.people.sessions[name].record_words(ChatLine(text, "Judy"))


def say(address: str, words: str, question: int = 1) -> tuple[int, Any]:
    """Write a line on a seat's page, as an answer to a question."""
    return post(address, "say", {"words": words, "question": question})


def post(address: str, path: str, body: object) -> tuple[int, Any]:
    """Send an object of a seat's page."""
    origin = "/".join(address.split("/")[:3])
    headers = {"Content-Type": "application/json", "Origin": origin}
    asked = urllib.request.Request(f"{address}api/{path}", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(asked) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def seat(address: str) -> Any:  # noqa: ANN401 - the page's data
    with urllib.request.urlopen(f"{address}api/seat") as answer:
        return json.load(answer)


def network() -> str:
    """Return this machine's address in its network; empty if it is in none."""
    try:
        return network_address()
    except UsageError:
        return ""


def reply_of(address: str) -> int:
    """Return the status of a page's response; 0 if nothing listens at the address."""
    try:
        with urllib.request.urlopen(address) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code
    except urllib.error.URLError as error:
        if not isinstance(error.reason, ConnectionRefusedError):
            raise
        return 0


async def seat_until(address: str, part: str) -> Any:  # noqa: ANN401
    """Return a seat's content once it contains a text."""
    while part not in json.dumps(found := await asyncio.to_thread(seat, address)):
        pass
    return found


async def test_words_go_both_ways_between_the_study_and_each_seat() -> None:
    people = HumanPlayers(["Glitch", "Golem"], "Judy")
    people.venue = Screens(people)
    # The links of an invitation are used wherever the machine has an address in a network.
    machine = network()
    with Watching(people=["Glitch", "Golem"], invite=bool(machine)) as watching:
        glitch, golem = watching.seats["Glitch"], watching.seats["Golem"]
        assert len({watching.address, glitch, golem}) == 3
        check_hosts(watching, machine)
        async with watching.hearing():
            watching.seated(people)
            status, told = await asyncio.to_thread(say, glitch, "too early")
            assert (status, "nobody waits" in told["error"]) == (409, True)
            await people.sessions["Glitch"].send_text("mark-of-glitch")
            agent = HumanAgent("Glitch", HumanContext(people.sessions["Glitch"], "Judy"))
            ratifying = asyncio.create_task(agent.ratify(_Sheet()))  # type: ignore[arg-type] # what is shown of a sheet
            shown = await seat_until(glitch, "Gizmo pays 3 emeralds.")
            assert (shown["question"]["answers"], shown["open"]) == (["yes", "no"], True)
            assert shown["question"]["number"] == 1
            status, told = await asyncio.to_thread(say, glitch, "yes", 0)
            assert (status, "that question is over" in told["error"]) == (409, True)
            assert (await asyncio.to_thread(say, glitch, "no, too much"))[0] == 200
            found = await ratifying
            assert (found.ratified, found.reason) == (False, "too much")
            assert people.sessions["Golem"].heard() == []
            await people.sessions["Golem"].send_text("mark-of-golem")
            assert "mark-of-glitch" not in json.dumps(await seat_until(golem, "mark-of-golem"))
        status, told = await asyncio.to_thread(say, glitch, "too late")
        assert status == 409
        assert (await asyncio.to_thread(seat, glitch))["ended"] == "over"


async def test_a_grid_game_goes_both_ways_between_the_study_and_a_seat() -> None:
    people = HumanPlayers(["Glitch"], "Judy")
    session = people.sessions["Glitch"]
    PageVenue(people)
    view = GridView(3, 9, "miner", "", "", "", "", b"PNG", actions=(GridOption("up", "up"), GridOption("stay", "stay")))

    def act(action: str, step: int = 3) -> tuple[int, Any]:
        return post(address, "input", {"inputs": [{"do": "act", "step": step, "action": action}]})

    with Watching(people=["Glitch"], kind="grid") as watching:
        address = watching.seats["Glitch"]
        async with watching.hearing():
            watching.seated(people)
            gathering = asyncio.create_task(people.gather(["Glitch", "Golem"]))
            await seat_until(address, '"game": true')
            assert not gathering.done()
            assert await asyncio.to_thread(post, address, "enter", {}) == (200, {"state": "in"})
            await gathering
            choosing = asyncio.create_task(session.choose(view))
            await asyncio.sleep(0)
            assert (await asyncio.to_thread(act, "fly"))[0] == 409
            assert (await asyncio.to_thread(act, "up", 2))[0] == 409
            assert not choosing.done()
            assert await asyncio.to_thread(act, "up") == (200, {})
            assert await choosing == GridChoice("up")
            status, told = await asyncio.to_thread(act, "up")
            assert (status, "no choice in this step" in told["error"]) == (409, True)
            assert (await asyncio.to_thread(post, address, "leave", {}))[0] == 200
            again = asyncio.create_task(session.choose(view))
            await seat_until(address, '"here": false')
            assert (again.done(), session.here) == (False, False)
            again.cancel()


async def test_a_study_that_breaks_off_or_is_killed_ends_as_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    with Watching(people=["Glitch"]) as watching:
        sent: list[object] = []
        with monkeypatch.context() as patched:
            patched.setattr(watching, "_send", sent.append)
            with pytest.raises(KeyError, match="a crash"):
                await _crash(watching)
        assert {"seat": "Glitch", "question": None, "ended": "broken"} in sent
        address = watching.seats["Glitch"]
        assert (await asyncio.to_thread(seat, address))["ended"] is None
        waiting = asyncio.create_task(seat_until(address, '"broken"'))
        assert watching._process.stdin is not None
        watching._process.stdin.close()
        assert (await waiting)["ended"] == "broken"


async def _crash(watching: Watching) -> None:
    async with watching.hearing():
        raise KeyError("a crash")


def test_without_an_invitation_no_other_address_of_this_machine_answers() -> None:
    if not (machine := network()):
        pytest.skip("this machine is in no network")
    with bind(None) as opened:
        host, port = opened.getsockname()
        assert (host, reply_of(f"http://{machine}:{port}/")) == ("127.0.0.1", 0)


def check_hosts(watching: Watching, machine: str) -> None:
    """Check that seats are served where people were invited, and the study's own page on this machine alone."""
    own, seats = urlsplit(watching.address), [urlsplit(each) for each in watching.seats.values()]
    assert {own.hostname} == {"127.0.0.1"}
    assert {each.hostname for each in seats} == {machine or "127.0.0.1"}
    assert [reply_of(each) for each in (watching.address, *watching.seats.values())] == [200, 200, 200]
    if machine:
        assert reply_of(f"http://{machine}:{own.port}{own.path}") == 0
        assert reply_of(f"http://{seats[0].netloc}{own.path}") == 404


class _Sheet:
    text = "Gizmo pays 3 emeralds."
