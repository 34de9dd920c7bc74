"""Families of agents, and the decorator that makes a family of a function or a class."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, overload

from voyager_agents.agent import Action, Observation, Observer
from voyager_agents.context import AgentContext
from voyager_agents.cost import CostFunction, ImaginedRun, Range, Sizing, total
from voyager_agents.errors import AgentError, did_you_mean

AgentFactory = Callable[[Sequence[AgentContext]], Sequence[Any]]
"""Factory of the agents of all players of one family in a run: one agent per context, in the same order."""
ActFunction = Callable[[Observation, AgentContext], Awaitable[Action | str] | Action | str]
"""Function that returns the player's program for the next episode: an `Action`, or a text (see `agent`)."""
_MEASURED = ("episodes",)
"""Modes whose agents write a program in `act`. Functions can play them, and their cost can be measured."""
SAMPLE_PROGRAM = "```javascript\nasync function play (bot) {}\n```"
"""Answer of the stand-in model while the cost of an agent is measured."""
SAMPLE_TOKENS = 300
"""Completion tokens of an answer with a program, for estimates."""


def _no_kinds() -> Collection[str]:
    return ()


def _no_files(_options: Mapping[str, Any]) -> Sequence[Path]:
    return ()


def _no_roles(_options: Mapping[str, Any]) -> Collection[str]:
    return ()


@dataclass(frozen=True)
class Family:
    """Description of one kind of agents: factory, model roles, options and cost.

    The functions import their modules when they are called, so that a family costs nothing until it plays.
    """

    plays: str
    """The agents' mode of play (`dilemmas.modes.registry.MODES`)."""
    make: AgentFactory
    roles: tuple[str, ...] = ()
    """Roles of the agents' models. The first is required, the others fall back on the study's model."""
    required: Callable[[Mapping[str, Any]], Collection[str]] = _no_roles
    """Function that returns the further roles without which the agents cannot play with these options."""
    options: tuple[str, ...] = ()
    """Names of options that other families in the same game need not know."""
    check: Callable[[Mapping[str, Any]], None] | None = None
    """Function that raises a one-line AgentError for illegal options. None: no option is legal."""
    cost: CostFunction | None = None
    """Estimator of one agent's model calls in a run. Every family with roles has one."""
    negotiates: bool = True
    """True if the agents negotiate before a game (`contracts.Negotiator`, `contracts.Signer`)."""
    reads_about: bool = True
    """True if the agents read the text that is for their player alone (`AgentContext.about`)."""
    negotiation_prefix: str = ""
    """Beginning of the names of the prompts with which the agents negotiate (`voyager_agents.roles.NEGOTIATION`)."""
    conditioned: bool = False
    """True if a scenario's settings for agents (`agents:` of a condition) apply to this family."""
    prompts: tuple[str, ...] = ()
    """Names of the family's prompt files (`voyager_agents.prompts.folder.catalog`)."""
    files: Callable[[Mapping[str, Any]], Sequence[Path]] = _no_files
    """Function that returns the user's files named by the options. Records hold their hashes."""
    takes: str = ""
    """In mode `rounds`: kind of turns that the agents understand (`ScenarioSpec.TURNS`)."""
    kinds: Callable[[], Collection[str]] = _no_kinds
    """Function that returns the names of the family's kinds, the default first; empty for a family without kinds."""
    also: tuple[str, ...] = ()
    """Other modes that the agents can play unchanged."""
    by_calls: str = ""
    """Role of the model that can act by tool calls (`AgentContext.by_calls`); empty if the agents cannot."""
    sees: tuple[str, ...] = ()
    """Roles whose models are shown pictures with `--see` (`voyager_agents.eyes`). With `image` their parts read
    `Observation.shown_to(drawn=asker.drawn)`, all others the words."""
    by_file: bool = False
    """True if `NAME:FILE` names an agent of the family, with FILE as its option `file`."""
    keeps_programs: bool = False
    """In mode `episodes`: an agent keeps a successful program for the next episode. A run ends before `--episodes` if
    no agent writes a new program. An agent with a critic (`agent.Reviewer`) decides for itself."""

    @property
    def modes(self) -> tuple[str, ...]:
        """All modes that the agents can play, the family's own mode first."""
        return (self.plays, *self.also)

    def kind_names(self) -> list[str]:
        """Return the names of the family's kinds, the default first."""
        return list(self.kinds())


class FunctionAgent(Observer):
    """Agent that calls one function for each program."""

    def __init__(self, context: AgentContext, act: ActFunction) -> None:
        super().__init__(context.player)
        self._context = context
        self._act = act

    async def act(self) -> Action:
        """Return the function's program.

        Raises:
            ReplyError: The model's answer holds no program.
        """
        context = self._context
        seen = self._seen().shown_to(drawn=context.is_drawn(next(iter(context.roles), "")))
        answer = self._act(seen, context)
        action = await answer if inspect.isawaitable(answer) else answer
        if isinstance(action, Action):
            return action
        if not self._context.roles:
            return Action(action)
        from voyager_agents.voyager.code import extract_policy

        return Action(extract_policy(action))


@overload
def agent(target: ActFunction | type[Any], /) -> Family: ...


@overload
def agent(
    *,
    roles: Sequence[str] = (),
    options: Sequence[str] = (),
    plays: str = "episodes",
    cost: CostFunction | None = None,
    **declared: Any,  # noqa: ANN401 - other fields of Family, which refuses unknown names
) -> Callable[[ActFunction | type[Any]], Family]: ...


def agent(
    target: ActFunction | type[Any] | None = None,
    /,
    *,
    roles: Sequence[str] = (),
    options: Sequence[str] = (),
    plays: str = "episodes",
    cost: CostFunction | None = None,
    **declared: Any,
) -> Family | Callable[[ActFunction | type[Any]], Family]:
    """Make a family of a function or a class; a decorator, with or without arguments.

    A function gets an `Observation` and an `AgentContext` and returns the player's program: an `Action`, or a text.
    With `roles` the text is a model's answer, and its code block is the program; without roles the text is the program.
    A class is called with an `AgentContext` and has the methods of its mode (`Agent`, `TurnTaker`, `LivingAgent`).

    Args:
        target: The function or class.
        roles: Roles of the agent's models; `context.ask` uses the first.
        options: Names of the legal options (`--agents-option NAME=VALUE`).
        plays: The mode of play; a function plays `episodes`.
        cost: Estimator of the calls in a run; by default one imagined episode is measured.
        **declared: Further fields of `Family`.

    Raises:
        AgentError: A function plays another mode than `episodes`, or the cost of a mode cannot be measured.
    """

    def decorate(target: ActFunction | type[Any]) -> Family:
        build, usual = _builder(target, plays)
        if roles and cost is None and plays not in _MEASURED:
            raise AgentError(f"agents that play {plays!r} and ask models need cost=...: only episodes can be measured")
        checked = {**usual, "check": _option_check(tuple(options)), **declared}
        estimate = cost or (_measured(build, tuple(roles)) if roles else None)
        return Family(plays, lambda contexts: [*map(build, contexts)], roles=tuple(roles), cost=estimate, **checked)

    return decorate if target is None else decorate(target)


def _builder(target: ActFunction | type[Any], plays: str) -> tuple[Callable[[AgentContext], Any], Mapping[str, bool]]:
    """Return the function that makes one agent of the target, and the fields of its family that follow from it."""
    if isinstance(target, type):
        return target, {"negotiates": hasattr(target, "speak") and hasattr(target, "ratify")}
    if plays not in _MEASURED:
        raise AgentError(f"a function plays in mode 'episodes', not {plays!r}: write a class")
    act: ActFunction = target
    return lambda context: FunctionAgent(context, act), {"negotiates": False}


def _option_check(legal: tuple[str, ...]) -> Callable[[Mapping[str, Any]], None] | None:
    """Return a check that refuses all other options; None if no option is legal."""
    return (lambda options: check_names(options, legal)) if legal else None


def check_names(options: Iterable[str], legal: Sequence[str]) -> None:
    """Raise AgentError unless all names of options are legal."""
    for name in options:
        if name not in legal:
            hint = did_you_mean(name, legal)
            raise AgentError(f"agents' option {name!r} is not known{hint}: choose from {', '.join(legal)}")


def _measured(build: Callable[[AgentContext], Any], roles: tuple[str, ...]) -> CostFunction:
    """Return a cost function that measures one imagined episode on the agent's real prompts."""

    async def cost(run: ImaginedRun) -> dict[str, Range]:
        stand_ins = {role: Sizing(SAMPLE_PROGRAM, SAMPLE_TOKENS) for role in roles}
        context = replace(run.context, model=stand_ins.get, roles=roles)
        measured = build(context)
        measured.observe(run.first_observation())
        await measured.act()
        least, most = run.extent
        costs = {role: total(stand_in.asked) for role, stand_in in stand_ins.items()}
        return {role: (each.times(least), each.times(most)) for role, each in costs.items()}

    return cost
