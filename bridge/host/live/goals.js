'use strict'
/** Goals and movements: mineflayer-pathfinder's objects made of the facade's plain data. */
const { goals } = require('mineflayer-pathfinder')
const { DoorMovements } = require('../bots/doors')
const { named } = require('../../../skills_js/bot_facade/errors')
const { rulesOf } = require('../../../skills_js/bot_facade/movement_rules')
const { EYE_HEIGHT, point, seesBlock } = require('./sight')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** Deepest nesting of goals. */
const MAX_DEPTH = 4

/** Goal of standing where a face of the block is seen and within reach. */
class GoalReach extends goals.Goal {
  /**
   * @param {LiveBot} bot
   * @param {any} position - the block's
   * @param {number} reach - from the eye to the block's middle
   */
  constructor (bot, position, reach) {
    super()
    this.bot = bot
    this.position = position
    this.reach = reach
  }

  /** @param {any} node */
  heuristic (node) {
    const dx = Math.abs(node.x - this.position.x)
    const dz = Math.abs(node.z - this.position.z)
    return Math.max(0, Math.hypot(dx, dz, node.y - this.position.y) - this.reach)
  }

  /** @param {any} node */
  isEnd (node) {
    const eye = point(node.x + 0.5, node.y + EYE_HEIGHT, node.z + 0.5)
    const middle = this.position.offset(0.5, 0.5, 0.5)
    return eye.distanceTo(middle) <= this.reach && seesBlock(this.bot, eye, this.position, this.reach)
  }
}

/** Goal of standing where a block can be placed at the position: near, and not in its place. */
class GoalPlace extends goals.Goal {
  /** @param {any} position @param {number} range */
  constructor (position, range) {
    super()
    this.position = position
    this.range = range
  }

  /** @param {any} node */
  heuristic (node) {
    return Math.max(0, this.position.distanceTo(node) - this.range)
  }

  /** @param {any} node */
  isEnd (node) {
    const inside = node.x === this.position.x && node.z === this.position.z &&
      (node.y === this.position.y || node.y + 1 === this.position.y)
    return !inside && this.position.distanceTo(node) <= this.range
  }
}

/** @type {Record<string, (bot: any, data: any, depth: number) => any>} */
const KINDS = {
  block: (_bot, { x, y, z }) => new goals.GoalBlock(x, y, z),
  near: (_bot, { x, y, z, range }) => new goals.GoalNear(x, y, z, range),
  xz: (_bot, { x, z }) => new goals.GoalXZ(x, z),
  nearXZ: (_bot, { x, z, range }) => new goals.GoalNearXZ(x, z, range),
  y: (_bot, { y }) => new goals.GoalY(y),
  getToBlock: (_bot, { x, y, z }) => new goals.GoalGetToBlock(x, y, z),
  reach: (bot, { x, y, z, reach }) => new GoalReach(bot, point(x, y, z).floored(), reach),
  place: (_bot, { x, y, z, range }) => new GoalPlace(point(x, y, z).floored(), range),
  follow: (bot, { id, range }) => {
    const entity = bot.entities[id]
    if (!entity) throw named('EntityGone', 'the entity to follow is no longer there')
    return new goals.GoalFollow(entity, range)
  },
  any: (bot, {
    goals: list
  }, depth) => new goals.GoalCompositeAny(list.map((/** @type {any} */ data) => toGoal(bot, data, depth + 1))),
  all: (bot, {
    goals: list
  }, depth) => new goals.GoalCompositeAll(list.map((/** @type {any} */ data) => toGoal(bot, data, depth + 1))),
  not: (bot, { goal }, depth) => new goals.GoalInvert(toGoal(bot, goal, depth + 1))
}

/**
 * @param {LiveBot} bot
 * @param {any} data - of the bot facade's goals.js
 * @param {number} [depth]
 * @returns {any} a goal of mineflayer-pathfinder
 */
function toGoal (bot, data, depth = 0) {
  const make = typeof data?.kind === 'string' && Object.hasOwn(KINDS, data.kind) ? KINDS[data.kind] : undefined
  const lists = data?.goals === undefined || (Array.isArray(data.goals) && data.goals.length <= 64)
  const finite = ['x', 'y', 'z', 'range', 'reach'].every((key) => data?.[key] === undefined ||
    Number.isFinite(data[key]))
  if (make === undefined || !lists || !finite || depth > MAX_DEPTH) {
    throw named('BadArgument', 'the goal is of an unknown kind, or nested too deeply')
  }
  return make(bot, data, depth)
}

/** @type {WeakMap<object, any>} making Movements looks at every block of the game: once per bot */
const made = new WeakMap()

/**
 * Return movements for a walk: a copy of the bot's with a few fields of its own, kept only for that walk, since a
 * program may ask for any number.
 * @param {LiveBot} bot
 * @param {any} data - of the bot facade's Movements; null for the usual way: neither digging nor placing
 * @returns {any} Movements
 * @throws {BadArgument}
 */
function toMovements (bot, data) {
  const known = made.get(bot) ?? new DoorMovements(bot)
  made.set(bot, known)
  const rules = rulesOf(bot.registry, data)
  return Object.assign(Object.create(DoorMovements.prototype), known, {
    canDig: rules.canDig,
    allow1by1towers: rules.towers,
    canOpenDoors: rules.opens,
    allowParkour: rules.parkour,
    allowSprinting: rules.sprinting,
    allowEntityDetection: rules.detects,
    dontCreateFlow: rules.guardsFlow,
    dontMineUnderFallingBlock: rules.guardsFalls,
    infiniteLiquidDropdownDistance: rules.dives,
    maxDropDown: rules.maxDrop,
    digCost: rules.digCost,
    placeCost: rules.placeCost,
    liquidCost: rules.liquidCost,
    entityCost: rules.entityCost,
    scafoldingBlocks: rules.scaffolding,
    blocksCantBreak: new Set([...known.blocksCantBreak, ...rules.fixed]),
    blocksToAvoid: new Set(rules.avoided),
    climbables: new Set(rules.climbable)
  })
}

module.exports = { toGoal, toMovements }
