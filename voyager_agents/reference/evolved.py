"""Player whose program was inherited in a population (`accord generations`)."""

from __future__ import annotations

from voyager_agents.agent import Action, Observer


class EvolvedPlayer(Observer):
    """Player that plays one given program in every episode."""

    def __init__(self, name: str, program: str) -> None:
        super().__init__(name)
        self._program = program

    async def act(self) -> Action:
        """Return the program."""
        return Action(self._program, "inherited")
