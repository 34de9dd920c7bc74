"""Living player that takes no part in a society, as a stand-in for an absent player."""

from __future__ import annotations

from voyager_agents.realtime_agent import Body, Clock

REST_S = 3600.0
"""Game seconds between two wake-ups; a wake-up has no effect."""


class LivingBystander:
    """Agent (`voyager_agents.realtime_agent.LivingAgent`) that stands where it spawned and says nothing."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def live(self, body: Body, clock: Clock) -> None:
        """Do nothing until cancelled."""
        while True:
            await clock.sleep(REST_S)
