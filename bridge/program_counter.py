"""Number of programs run by each bot, which seeds a program's random numbers independently of other bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from bridge.errors import BridgeError
from bridge.plugin_primitives import with_primitives
from bridge.programs import Calls, posted
from bridge.wire import Json


class ProgramCounter:
    """Running programs of a world's bots, and the number that each bot has started."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._begun: Counter[str] = Counter()
        self._running: dict[str, int] = {}

    def begin(self, bots: Iterable[str]) -> dict[str, int]:
        """Return bot -> which of its programs this is, from 1.

        Raises BridgeError when one of them runs a program already.
        """
        wanted = list(bots)
        busy = next((bot for bot in wanted if bot in self._running), None)
        if busy is not None:
            raise BridgeError(f"{busy} is running a policy already")
        self._begun.update(wanted)
        numbers = {bot: self._begun[bot] for bot in wanted}
        self._running.update(numbers)
        return numbers

    def jobs(self, policies: Mapping[str, str], numbers: Mapping[str, int]) -> list[dict[str, Json]]:
        """Return the programs with their seeds, as the Node side takes them; it adds the bot's name to the seed."""
        return [
            {"bot": bot, "source": posted(whole := with_primitives(source)), "seed": f"{self._seed}/{numbers[bot]}"}
            # Calls of plugins' primitives are a program like any other.
            | ({"calls": source.to_dict()} if isinstance(source, Calls) and whole is source else {})
            for bot, source in policies.items()
        ]

    def heard(self, kind: str, data: Mapping[str, Json]) -> None:
        """An event of the world: a bot whose program has ended may run the next, though others of its run go on."""
        if kind == "policy" and data["state"] == "ended":
            self._running.pop(data["bot"], None)

    def ended(self, numbers: Mapping[str, int]) -> None:
        """Nothing of that run goes on."""
        for bot, number in numbers.items():
            if self._running.get(bot) == number:
                del self._running[bot]

    def refused(self, numbers: Mapping[str, int]) -> None:
        """Take back the numbers of a run that never began."""
        self.ended(numbers)
        self._begun.subtract(numbers.keys())
