"""Plans: from an allocation to a schedule, and from typed terms to minimum and maximum counts to mine."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from contracts import Contract, Obligation, ScheduledAct, ScheduleStep
from contracts.expressions import Expression, conjuncts, dotted
from voyager_agents.errors import PlayerError
from voyager_agents.facts import Commons, Facts, Tool

Allocation = Mapping[str, Mapping[str, int]]
"""Player -> block -> count that the player mines."""


def schedule(facts: Facts, allocation: Allocation) -> tuple[ScheduleStep, ...]:
    """Return a schedule in which every player gets a suitable tool and mines its share; players of one tool take turns.

    Each player gets the weakest suitable tool in the chest, so that better ones are left for players who need them.
    Raises PlayerError if no tool is suitable.
    """
    left = {tool.name: tool.count for tool in facts.tools}
    shifts: dict[str, list[str]] = defaultdict(list)
    for player in facts.players:
        if sum(allocation.get(player, {}).values()) > 0:
            fitting = fitting_tools(facts, player, allocation)
            tool = next((each.name for each in fitting if left[each.name] > 0), fitting[0].name)
            left[tool] -= 1
            shifts[tool].append(player)
    steps: list[ScheduleStep] = []
    for tool, players in shifts.items():
        count = next(each.count for each in facts.tools if each.name == tool)
        for turn, player in enumerate(players):
            before = players[turn - count] if turn >= count else None
            after = players[turn + count] if turn + count < len(players) else None
            steps += _shift(_Shift(player, tool, before, after), allocation[player])
    return tuple(steps)


def fitting_tools(facts: Facts, player: str, allocation: Allocation) -> tuple[Tool, ...]:
    """Return the tools that harvest everything the player mines, weakest first.

    Raises:
        PlayerError: No tool harvests all of it.
    """
    blocks = [block for block, count in allocation[player].items() if count > 0]
    fitting = [tool for tool in facts.tools if all(tool.name in facts.ore(block).tools for block in blocks)]
    if not fitting:
        raise PlayerError(f"plan: no tool in the chest harvests {', '.join(blocks)} for {player}")
    return tuple(sorted(fitting, key=lambda tool: (len(facts.harvest(tool.name)), tool.speed, tool.name)))


@dataclass(frozen=True)
class _Shift:
    player: str
    tool: str
    before: str | None
    """Player that uses the tool before; None for the first one."""
    after: str | None
    """Player that uses the tool next; None for the last one."""


def _shift(shift: _Shift, share: Mapping[str, int]) -> list[ScheduleStep]:
    signal = f"{shift.tool}-returned".replace("_", "-")
    steps: list[ScheduleStep] = []
    if shift.before:
        steps.append(ScheduleStep(shift.player, ScheduledAct.WAIT, other=shift.before, name=signal))
    steps.append(ScheduleStep(shift.player, ScheduledAct.TAKE, item=shift.tool))
    steps += [
        ScheduleStep(shift.player, ScheduledAct.MINE, block=block, count=count)
        for block, count in share.items()
        if count > 0
    ]
    if shift.after:
        steps.append(ScheduleStep(shift.player, ScheduledAct.RETURN, item=shift.tool))
        steps.append(ScheduleStep(shift.player, ScheduledAct.SIGNAL, other=shift.after, name=signal))
    return steps


def steps_for(contract: Contract, facts: Facts | None, player: str) -> tuple[ScheduleStep, ...]:
    """Return the player's steps: the contract's schedule, or one derived from its obligations.

    Raises PlayerError for a contract without typed terms, because a player without a model cannot read text.
    """
    if contract.schedule:
        return contract.steps(player)
    if not contract.obligations:
        raise PlayerError(
            f"contract {contract.name!r} has no typed terms: a reference player cannot follow its text alone"
        )
    if facts is None:
        raise PlayerError(f"contract {contract.name!r} has no schedule: deriving one needs the scenario's facts")
    derived = schedule(facts, owed(contract, facts))
    return tuple(step for step in derived if step.party == player)


def owed(contract: Contract, facts: Facts) -> dict[str, dict[str, int]]:
    """Return the blocks that each party must mine by its obligations, e.g. `Gizmo.mined.iron_ore >= 12`."""
    shares: dict[str, dict[str, int]] = {player: {} for player in facts.players}
    for obligation in contract.obligations:
        for block, count in _least(obligation, facts).items():
            share = shares.setdefault(obligation.party, {})
            share[block] = max(share.get(block, 0), min(count, facts.ore(block).count))
    return shares


def _least(obligation: Obligation, facts: Facts) -> dict[str, int]:
    """Return block -> minimum count that the obligation demands of its own party if all others mine nothing."""
    by_item = {ore.item: ore.block for ore in facts.ores}
    blocks = {ore.block for ore in facts.ores}
    demands: dict[str, int] = {}
    nothing = dict.fromkeys(obligation.condition.names, Fraction(0))
    for comparison in conjuncts(obligation.condition.tree):
        if not (isinstance(comparison, ast.Compare) and len(comparison.ops) == 1):
            continue
        owner, scope, thing = [*(dotted(comparison.left) or "").split("."), "", ""][:3]
        block = thing if scope == "mined" else by_item.get(thing, "") if scope == "items" else ""
        if owner != obligation.party or block not in blocks:
            continue
        bound = Expression(ast.unparse(comparison.comparators[0])).number(nothing)
        match comparison.ops[0]:
            case ast.GtE() | ast.Eq():
                demands[block] = max(demands.get(block, 0), -int(-bound // 1))
            case ast.Gt():
                demands[block] = max(demands.get(block, 0), int(bound // 1) + 1)
    return demands


def quota(contract: Contract, facts: Commons, player: str) -> int | None:
    """Return the maximum number of blocks that the player may take under the contract; None for no limit.

    Limits come from the schedule, and from obligations and conditions of payments to the player that bound its own
    harvest, such as `Laura.mined.poppy <= 45`.
    """
    bounds = [
        step.count for step in contract.steps(player) if step.do is ScheduledAct.MINE and step.block == facts.crop
    ]
    own = {f"{player}.mined.{facts.crop}", f"{player}.items.{facts.item}"}
    duties = [each.condition for each in contract.obligations if each.party == player]
    bounds += [most for condition in duties for most in _bounds(condition, own)]
    terms = [each.condition for each in contract.transfers if each.payee == player]
    bounds += [most for condition in terms for most in _bounds(condition, own) if most >= 0]
    return min(bounds, default=None)


def _bounds(condition: Expression, own: set[str]) -> list[int]:
    """Return the upper bounds in a condition on the player's own counts."""
    return [most for each in conjuncts(condition.tree) if (most := _most(each, own)) is not None]


def _most(comparison: ast.expr, own: set[str]) -> int | None:
    """Return the bound of `own <= number` or `own < number`; None for any other comparison."""
    if not (isinstance(comparison, ast.Compare) and len(comparison.ops) == 1 and dotted(comparison.left) in own):
        return None
    bound = Expression(ast.unparse(comparison.comparators[0]))
    if bound.names:
        return None
    number: Fraction = bound.number({})
    match comparison.ops[0]:
        case ast.LtE() | ast.Eq():
            return int(number // 1)
        case ast.Lt():
            return -int(-number // 1) - 1
    return None
