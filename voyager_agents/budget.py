"""Hard limits on model use: dollars, tokens, calls and seconds, for all agents together and for each agent.

A call starts only if the spent amount plus the expected cost of the calls in flight is below every cap. Concurrent
calls therefore exceed a cap by no more than a single call would.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from voyager_agents.errors import BudgetError, BudgetExhausted
from voyager_agents.models import images
from voyager_agents.models.base import Usage
from voyager_agents.models.prices import Prices
from voyager_agents.models.recorded import RecordedCalls

OPTIONS = {"usd": "--max-usd", "tokens": "--max-tokens", "calls": "--max-calls", "wall": "--max-wall"}
"""Limit -> the command-line option that sets it; `wall` is in seconds."""
ALL, EACH = "all", "each"
"""Scopes beside agent names: all agents together, and each agent on its own."""
CHARS_A_TOKEN = images.CHARS_A_TOKEN
"""Rough characters per token of English text and code; used only for estimates and calls in flight."""
USUAL_ANSWER = 600
"""Assumed tokens of an answer while a call is in flight."""

Caps = Mapping[str, Mapping[str, float]]
"""Measure -> scope -> cap, e.g. `{"usd": {"all": 5.0, "Gizmo": 1.0}}`."""


@dataclass
class Spent:
    """Amounts used."""

    usd: float = 0.0
    """Cost of the calls with a known price, in dollars."""
    tokens: float = 0
    calls: float = 0
    wall: float = 0.0
    """Seconds spent waiting for answers; in scope `all`, seconds since the start instead."""

    def add(self, other: Spent, sign: int = 1) -> None:
        """Add `other`, or subtract it if `sign` is -1."""
        for measure in OPTIONS:
            setattr(self, measure, getattr(self, measure) + sign * getattr(other, measure))


@dataclass(frozen=True)
class Ticket:
    """A call that the budget admitted."""

    agent: str
    model: str
    expected: Spent
    began: float


@dataclass
class Budget:
    """Accounts of a study; refuses calls when a cap is reached."""

    caps: Caps
    prices: Prices
    clock: Callable[[], float] = time.monotonic
    spent: dict[str, Spent] = field(default_factory=lambda: {ALL: Spent()})
    """Agent, or ALL -> amounts used."""
    used_s: float = 0.0
    """Seconds that the study ran in earlier processes."""

    def __post_init__(self) -> None:
        check_caps(self.caps)
        self._began = self.clock()
        self._flying: dict[str, Spent] = {ALL: Spent()}

    async def ask(self, agent: str, model: str, chars: int) -> Ticket:
        """Reserve a call like `let`; subclasses may await another process first."""
        return self.let(agent, model, chars)

    def let(self, agent: str, model: str, chars: int) -> Ticket:
        """Admit a call whose prompt has `chars` characters. Raises BudgetExhausted if a cap is reached."""
        for measure, caps in self.caps.items():
            for scope, cap in caps.items():
                if scope in (ALL, EACH, agent):
                    self._check(measure, scope, agent, cap)
        ticket = self._ticket(agent, model, chars)
        self._book(self._flying, agent, ticket.expected)
        return ticket

    def done(self, ticket: Ticket, usage: Usage | None) -> float | None:
        """Record the end of a call and return its price in dollars, or None if the price is unknown.

        `usage` is None for a call that got no answer.
        """
        self._book(self._flying, ticket.agent, ticket.expected, -1)
        spent = Spent(wall=self.clock() - ticket.began)
        if usage is not None:
            spent.add(self._costs(ticket.model, usage))
        self._book(self.spent, ticket.agent, spent)
        price = self.prices.of(ticket.model)
        return None if usage is None or price is None else price.of(usage)

    def recall(self, agent: str, model: str, usage: Usage, wall_s: float = 0.0) -> float | None:
        """Count a call of an earlier process and return its price in dollars, or None if the price is unknown.

        Args:
            agent: The player or judge that asked.
            model: Spec of the model.
            usage: Tokens of the call.
            wall_s: Duration of the call, in seconds of wall time.
        """
        spent = self._costs(model, usage)
        spent.wall = wall_s
        self._book(self.spent, agent, spent)
        price = self.prices.of(model)
        return None if price is None else price.of(usage)

    def recall_all(self, calls: RecordedCalls) -> None:
        """Count the calls of a recorded run. Answers from a cache were free."""
        for (player, _), numbered in calls.calls.items():
            for call in (each for each in numbered.values() if not each.reply.cached):
                self.recall(player, call.model, call.reply.usage, call.wall_s)

    @property
    def wall_s(self) -> float:
        """Seconds of wall time that the study has run, including earlier processes but not the pauses between them."""
        return self.used_s + self.clock() - self._began

    @property
    def left_s(self) -> float | None:
        """Seconds left for the study; None without a limit."""
        cap = self.caps.get("wall", {}).get(ALL)
        return None if cap is None else max(0.0, cap - self.wall_s)

    def out_of_time(self) -> BudgetExhausted:
        """Return the error of a study whose time limit is reached."""
        return _exhausted("wall", ALL, "", self.caps["wall"][ALL])

    def _ticket(self, agent: str, model: str, chars: int) -> Ticket:
        usage = Usage(chars // CHARS_A_TOKEN, USUAL_ANSWER)
        return Ticket(agent, model, self._costs(model, usage), self.clock())

    def _check(self, measure: str, scope: str, agent: str, cap: float) -> None:
        if measure == "wall" and scope == ALL:
            used = self.wall_s
        else:
            whose = ALL if scope == ALL else agent
            used = sum(getattr(book.get(whose, Spent()), measure) for book in (self.spent, self._flying))
        if used >= cap:
            raise _exhausted(measure, scope, agent, cap)

    def _costs(self, model: str, usage: Usage) -> Spent:
        price = self.prices.of(model)
        return Spent(usd=price.of(usage) if price else 0.0, tokens=usage.total, calls=1)

    @staticmethod
    def _book(book: dict[str, Spent], agent: str, spent: Spent, sign: int = 1) -> None:
        for whose in (ALL, agent):
            book.setdefault(whose, Spent()).add(spent, sign)


def check_caps(caps: Caps) -> None:
    """Check that the caps are legal. Raises BudgetError."""
    for measure, scopes in caps.items():
        if measure not in OPTIONS:
            raise BudgetError(f"budget {measure!r}: choose one of {', '.join(OPTIONS)}")
        for scope, cap in scopes.items():
            if not math.isfinite(cap) or cap <= 0:
                prefix = "" if scope == ALL else f"{scope}="
                raise BudgetError(f"{OPTIONS[measure]} {prefix}{cap:g} is not legal: give a number above 0")


def _exhausted(measure: str, scope: str, agent: str, cap: float) -> BudgetExhausted:
    prefix = "" if scope == ALL else f"{scope}="
    who = f" by {agent}" if scope == EACH else ""
    limit = f"{OPTIONS[measure]} {prefix}{cap:g}"
    return BudgetExhausted(f"the budget {limit} is reached{who}: give more, and resume the run")
