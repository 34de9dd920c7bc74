"""Players of repeated games that write programs: the same kind of option in every stage.

always-cooperate    its most cooperative option
always-defect       its most selfish option
"""

from __future__ import annotations

from voyager_agents.agent import Action, Observation
from voyager_agents.facts import StageGame
from voyager_agents.reference.greedy import PlayerState
from voyager_agents.reference.policies import literal, program
from voyager_agents.reference.requirements import stage_game
from voyager_agents.stage_games.contracts import sustains

TICKS = 20
LATE = 15
"""Ticks after a stage's start when the previous stage has certainly been counted."""
PAPER = "paper"


def always_cooperate(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that always chooses the most cooperative option."""
    facts = stage_game("always-cooperate", observation)
    return _action("cooperates", observation.player, facts, cooperates=True), state


def always_defect(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that always chooses the most selfish option."""
    facts = stage_game("always-defect", observation)
    return _action("defects", observation.player, facts, cooperates=False), state


def in_its_interest(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that cooperates if the contract makes cooperation pay, and otherwise defects."""
    facts = stage_game("reference", observation)
    pays = observation.contract is not None and sustains(facts.law, observation.contract, observation.player)
    return (always_cooperate if pays else always_defect)(observation, state)


def _action(verb: str, player: str, facts: StageGame, *, cooperates: bool) -> Action:
    thought = f"{player} {verb} in every stage"
    numbers = _numbers(facts, player, cooperates=cooperates)
    cells = [None if number is None else list(facts.devices[player][number]) for number in numbers]
    lines = [
        f"const cells = {literal(cells)}",
        "const begun = bot.time.age",
        f"const stageTicks = {round(facts.stage_s * TICKS)}",
        f"const use = {USES[facts.by]}",
        "for (let stage = 0; ; stage++) {",
        f"  while (bot.time.age - begun < stage * stageTicks + {LATE}) await bot.waitForTicks(1)",
        "  const cell = cells[stage % cells.length]",
        "  if (cell === null) continue",
        "  try {",
        "    await use(new Vec3(...cell))",
        "  } catch (error) {",
        "    const missed = ['NoPath', 'NotReached', 'TimedOut', 'ItemNotInInventory', 'ChestFull']",
        "    if (!missed.includes(error.name)) throw error",
        "  }",
        "}",
    ]
    return Action(program(f"{verb}_{player}", thought, lines), thought)


def _numbers(facts: StageGame, player: str, *, cooperates: bool) -> list[int | None]:
    """Return the number of the option for each stage, the same in every role; None if the player never has one."""
    law = facts.law
    found: list[int | None] = []
    for stage in range(len(law.stages)):
        number = None
        for roles in law.situations():
            options = law.options(stage, player, roles)
            if options and number is None:
                option = (law.kind if cooperates else law.selfish)(stage, player, roles)
                number = options.index(option)
        found.append(number)
    return found


USES = {
    "plates": "(at) => goTo(bot, at, 0)",
    "chests": f"(at) => depositItemIntoChest(bot, at, {{ {PAPER}: 1 }})",
    "levers": "async (at) => { await bot.lookAt(at.offset(0.5, 0.2, 0.5)); await bot.activateBlock(bot.blockAt(at)) }",
}
"""Device -> JavaScript function that uses the device at a position."""
