"""Players of a public good such as Cleanup, which differ in how they divide their time between harvest and waste.

    harvester                harvests only
    cleaner                  cleans only
    alternator               cleans and harvests in turns; half of the players clean while the others harvest
    conditional-cooperator   like the alternator, while it sees others at the waste during its harvest
    splitter                 selfish baseline: mostly harvests and sometimes cleans, as if it were alone
    steward                  follows the contract's schedule, in turns if there is more than one task

All are pure functions; differences between equal players come from the seed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from contracts import ScheduledAct
from voyager_agents.agent import Action, Observation
from voyager_agents.errors import PlayerError
from voyager_agents.facts import PublicGood
from voyager_agents.reference.greedy import PlayerState
from voyager_agents.reference.policies import literal, program
from voyager_agents.reference.requirements import public_good

TURN_TICKS = 600
"""Ticks per turn of alternating players: 30 s."""
CLEANS_S = (3, 12)
"""Minimum and maximum seconds that a splitter cleans without a break."""
HARVESTS_S = (30, 70)
"""Minimum and maximum seconds that a splitter harvests without a break."""
EAGER = 1 / 2
"""Share of splitters that start with the harvest."""
BATCH = 3
"""Blocks worked on between two checks of the time."""
FORGIVING = 1 / 4
"""Share of its harvest time in which a conditional cooperator must see another player at the waste."""


def harvester(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that only harvests."""
    facts = public_good("harvester", observation)
    return _action("harvests", observation, facts, _forever(facts.crop)), state


def cleaner(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that only cleans."""
    facts = public_good("cleaner", observation)
    return _action("cleans", observation, facts, _forever(facts.waste)), state


def alternator(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that cleans and harvests in turns; every other player starts with the waste."""
    facts = public_good("alternator", observation)
    return _action("alternates", observation, facts, _turns(_shifts(facts, observation.player))), state


def conditional_cooperator(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that alternates while it sees others at the waste, and otherwise only harvests."""
    facts = public_good("conditional-cooperator", observation)
    shifts = _shifts(facts, observation.player)
    others = [name for name in facts.players if name != observation.player]
    lines = [
        f"const shifts = {literal(shifts)}",
        "let trusting = true",
        "for (let turn = 0; ; turn++) {",
        f"  const job = trusting ? shifts[turn % shifts.length] : {literal(facts.crop)}",
        f"  const watch = job === {literal(facts.crop)} ? await harvestAndWatch(turn) : null",
        "  if (watch === null) await until((turn + 1) * turnTicks, () => work(job))",
        f"  else trusting = watch >= {FORGIVING:g}",
        "}",
    ]
    watching = [
        "// The share of looks at which another player was nearer to the waste than to the harvest.",
        "const harvestAndWatch = async (turn) => {",
        "  let looks = 0",
        "  let seen = 0",
        "  await until((turn + 1) * turnTicks, async () => {",
        f"    await work({literal(facts.crop)})",
        "    looks++",
        f"    const places = {literal(others)}.map((name) => bot.players[name]?.entity?.position).filter(Boolean)",
        "    if (places.some((at) => at.distanceTo(commons) < at.distanceTo(field))) seen++",
        "  })",
        "  return looks === 0 ? 1 : seen / looks",
        "}",
    ]
    return _action("alternates if others do", observation, facts, [*watching, *lines]), state


def splitter(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that mostly harvests and sometimes cleans, as if no other player existed."""
    facts = public_good("splitter", observation)
    draw = random.Random(f"splitter:{state.seed}:{observation.player}:{observation.episode}")
    cleans, harvests = draw.randint(*CLEANS_S), draw.randint(*HARVESTS_S)
    parts = [(cleans, facts.waste), (harvests, facts.crop)]
    if draw.random() < EAGER:
        parts.reverse()
    work = [f"  await during({seconds * 20}, () => work({literal(block)}))" for seconds, block in parts]
    words = " and ".join(f"{block} for {seconds} s" for seconds, block in parts)
    return _action(f"goes for {words}, and again", observation, facts, ["for (;;) {", *work, "}"]), state


def steward(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that follows the contract's schedule: it works at one kind of block, or at several in turns.

    Raises:
        PlayerError: There is no contract, or its schedule names a block that is neither crop nor waste.
    """
    facts = public_good("steward", observation)
    contract = observation.contract
    if contract is None:
        raise PlayerError("steward: there is no contract to follow: choose a condition with one, or splitter")
    shifts = [step.block for step in contract.steps(observation.player) if step.do is ScheduledAct.MINE]
    unknown = sorted(set(shifts) - {facts.crop, facts.waste})
    if unknown or not shifts:
        asked = f"{unknown[0]!r}" if unknown else "nothing"
        where = f"contract {contract.name!r}: schedule"
        raise PlayerError(f"{where}: {observation.player} mines {asked}; legal are {facts.crop} and {facts.waste}")
    lines = _forever(shifts[0]) if len(shifts) == 1 else _turns(shifts)
    return _action(f"follows {contract.name}", observation, facts, lines), state


def _shifts(facts: PublicGood, player: str) -> list[str]:
    first, then = (facts.waste, facts.crop) if facts.players.index(player) % 2 == 0 else (facts.crop, facts.waste)
    return [first, then]


def _forever(block: str) -> list[str]:
    return [f"for (;;) await work({literal(block)})"]


def _turns(shifts: Sequence[str]) -> list[str]:
    return [
        f"const shifts = {literal(list(shifts))}",
        "for (let turn = 0; ; turn++) {",
        "  await until((turn + 1) * turnTicks, () => work(shifts[turn % shifts.length]))",
        "}",
    ]


def _action(verb: str, observation: Observation, facts: PublicGood, lines: Sequence[str]) -> Action:
    thought = f"{observation.player} {verb}"
    return Action(program(f"steward_{observation.player}", thought, [*_tools(facts), *lines]), thought)


def _tools(facts: PublicGood) -> list[str]:
    """Return code that declares `field`, `commons`, `work(block)`, `until(tick, job)` and `during(ticks, job)`.

    Ticks count from the program's start.
    """
    return [
        f"const field = new Vec3({', '.join(map(str, facts.field))})",
        f"const commons = new Vec3({', '.join(map(str, facts.commons))})",
        f"const turnTicks = {TURN_TICKS}",
        "const begun = bot.time.age",
        "const until = async (tick, job) => {",
        "  while (bot.time.age - begun < tick) await job()",
        "}",
        "const during = (ticks, job) => until(bot.time.age - begun + ticks, job)",
        "// Where nothing is to be done, or others are faster, wait at the place for more.",
        "const work = async (name) => {",
        "  try {",
        f"    await mineBlock(bot, name, {BATCH})",
        "    return",
        "  } catch (error) {",
        "    const taken = ['BlockNotFound', 'BlockGone', 'NotBroken']",
        "    const away = ['NoPath', 'NotReached', 'OutOfReach', 'TimedOut']",
        "    if (![...taken, ...away].includes(error.name)) throw error",
        "  }",
        "  try {",
        f"    await goTo(bot, name === {literal(facts.crop)} ? field : commons, 4)",
        "  } catch (error) {",
        "    if (!['NoPath', 'NotReached', 'TimedOut'].includes(error.name)) throw error",
        "  }",
        "  await bot.waitForTicks(10)",
        "}",
    ]
