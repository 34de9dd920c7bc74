"""Requests and answers of many tasks, in an order that the machine's speed has no part in.

Tasks that ask the mock world at the same time are answered over a pipe, piece by piece. Were each task woken as its
piece comes, luck would say who asks next, and so what happens in the world. So the requests of all tasks go out
together, once nobody is about to make another, and what comes back is told together, once all of it is there.

A world may live in several processes, its regions. There is one exchange for all of them: nothing is told while any of
them owes an answer, and then in the order of the regions, whichever was quicker.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from bridge.errors import BridgeError, HostError
from bridge.mock.backlog import Backlog, Said
from bridge.mock.pacer import SETTLE_TURNS, about_to_run
from bridge.text import read_json
from bridge.wire import Json

TIME = "advance"
"""The one request that takes long. What is asked for meanwhile goes out at once and makes it end early."""
NUDGE = "now"
"""Asked of regions in which time passes while another one is asked for something: it makes them end early, too."""
_said = json.JSONEncoder().encode
_READY = 0
"""The number of the first answer, which nobody asked for: the process takes requests. That of region n is -n."""


class Exchange:
    """The requests to the processes of one world. `write` sends bytes to that of a region, `receive` takes each line
    that it says; regions have numbers from 0.

    `hear` gets each batch of events (seams.md, section 2), `run_ended` the results of a run by its number, both before
    the answer to the request that brought them about; `time_passed` gets the tick that was reached, before anybody
    hears of what happened until then. `error_of` makes an error of what the other side says is one.

    Time may end earlier in one region than in another. The clock stands where the last of them stands, and what the
    others have told of later moments is kept until then.
    """

    def __init__(
        self,
        write: Callable[[int, bytes], None],
        hear: Callable[[list[dict[str, Json]]], None],
        run_ended: Callable[[int, dict[str, Json]], None],
        time_passed: Callable[[int], None],
        error_of: Callable[[dict[str, str]], BridgeError],
        regions: int = 1,
    ) -> None:
        self._write = write
        self._hear = hear
        self._run_ended = run_ended
        self._time_passed = time_passed
        self._error_of = error_of
        self._last = _READY
        self._answers: dict[int, asyncio.Future[Json]] = {}
        self._outgoing: list[tuple[int, dict[str, Json]]] = []
        """Region and request."""
        self._under_way: dict[int, tuple[int, str]] = {}
        """Number -> region and verb of what was sent and is not answered."""
        self._said: list[list[Said]] = [[] for _ in range(regions)]
        self._ages = [0] * regions
        """How old each region's world is."""
        self._reached: set[int] = set()
        """Regions in which time has passed, of which nothing is told yet."""
        self._backlog = Backlog()
        self._planned = False
        self._turns = 0
        self.lost: HostError | None = None
        """Why nobody answers any more."""

    def waiting(self, region: int = 0) -> bool:
        """Whether an answer of that region is due."""
        return any(asked == region for asked, _ in self._under_way.values())

    @property
    def age(self) -> int:
        """Where the clock stands: no region is younger."""
        return min(self._ages)

    def lags(self, region: int, until: int | None) -> bool:
        """Whether time is to pass in that region, so that the world gets that old: it is younger, and nobody has
        anything to do there first. The only region always is asked."""
        if len(self._ages) == 1:
            return True
        return (until is None or self._ages[region] < until) and not self._backlog.ends(region)

    def ready(self, region: int = 0) -> asyncio.Future[Json]:
        """Done when the process of that region has said that it takes requests."""
        ready: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers[_READY - region] = ready
        return ready

    def ask(self, verb: str, fields: dict[str, Json], region: int = 0) -> asyncio.Future[Json]:
        """Make a request; it goes out even if nobody waits for its answer any more."""
        self._outgoing.append((region, self._request(verb, fields)))
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers[self._last] = answer
        self._turns = 0
        self._plan()
        return answer

    def receive(self, line: bytes, region: int = 0) -> None:
        """Take what the process of that region says; tell it to everybody when no answer is missing."""
        said = read_json(line)
        if "alive" in said:
            return
        self._said[region].append(said)
        if "events" in said or "run" in said:
            return
        _, verb = self._under_way.pop(said.setdefault("id", _READY - region), (region, ""))
        if verb == TIME and said["ok"]:
            value = said["value"]
            self._ages[region] = value["age"] if isinstance(value, dict) else value
            self._reached.add(region)
        if not self._under_way:
            self._tell()
            self._plan()

    def rewind(self) -> None:
        """All regions are as new: tell what is left of the old ones, and the clock stands at 0."""
        for each in self._backlog.due(None):
            self._pass_on(each)
        self._ages = [0] * len(self._ages)

    def fail(self, error: HostError) -> None:
        """A process is gone, and with it the world: tell what was said before, then fail all that is not answered."""
        self.lost = self.lost or error
        self._tell()
        for each in self._backlog.due(None):
            self._pass_on(each)
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(HostError(str(self.lost)))
        self._answers.clear()
        self._outgoing.clear()
        self._under_way.clear()

    def _request(self, verb: str, fields: dict[str, Json]) -> dict[str, Json]:
        self._last += 1
        return {"id": self._last, "verb": verb, **fields}

    def _plan(self) -> None:
        """Look in the loop's next turn whether it is time to send."""
        if self._planned or not self._outgoing or any(verb != TIME for _, verb in self._under_way.values()):
            return
        self._planned = True
        asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        """Send when no task is about to run, or none has asked for anything for `SETTLE_TURNS` turns of the loop."""
        loop = asyncio.get_running_loop()
        others = about_to_run(loop)
        self._turns += 1
        if self._turns < SETTLE_TURNS and (others is None or len(others) > 0):
            loop.call_soon(self._look)
            return
        self._planned = False
        outgoing, self._outgoing = self._outgoing, []
        self._note(outgoing)
        nudges = self._nudges()
        self._note(nudges)
        lines: dict[int, list[bytes]] = {}
        for region, request in [*outgoing, *nudges]:
            lines.setdefault(region, []).append(_said(request).encode() + b"\n")
        for region, texts in lines.items():
            self._write(region, b"".join(texts))

    def _note(self, outgoing: list[tuple[int, dict[str, Json]]]) -> None:
        self._under_way.update((request["id"], (region, request["verb"])) for region, request in outgoing)

    def _nudges(self) -> list[tuple[int, dict[str, Json]]]:
        """For regions in which time passes while somebody waits for another one's answer."""
        passing = {region for region, verb in self._under_way.values() if verb == TIME}
        asked = {region for region, verb in self._under_way.values() if verb != TIME}
        return [(region, self._request(NUDGE, {})) for region in sorted(passing - asked)] if asked else []

    def _tell(self) -> None:
        """Everything at once: tasks are woken in the order in which they asked, in one turn of the loop."""
        said, self._said = self._said, [[] for _ in self._said]
        reached, self._reached = self._reached, set()
        if reached:
            self._time_passed(self.age)
        for each in said[0] if len(said) == 1 else self._in_order(said, reached):
            self._pass_on(each)

    def _in_order(self, said: list[list[Said]], reached: set[int]) -> list[Said]:
        """What the clock has reached, then answers. A run that was ended by a request is over at once."""
        ends: list[Said] = []
        answers: list[Said] = []
        for region, lines in enumerate(said):
            for each in lines:
                if "events" in each or ("run" in each and region in reached):
                    self._backlog.keep(region, each)
                else:
                    (ends if "run" in each else answers).append(each)
        return [*self._backlog.due(self.age), *ends, *sorted(answers, key=lambda each: int(each["id"]))]

    def _pass_on(self, said: Said) -> None:
        if "events" in said:
            self._hear(said["events"])
        elif "run" in said:
            self._run_ended(said["run"], said["results"])
        else:
            self._answer(said)

    def _answer(self, said: Said) -> None:
        answer = self._answers.pop(said["id"], None)
        if answer is None or answer.done():
            return
        if said.get("ready") or said["ok"]:
            answer.set_result(said.get("value"))
        else:
            answer.set_exception(self._error_of(said["error"]))
