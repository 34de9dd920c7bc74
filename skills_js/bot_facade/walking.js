/**
 * Implementation of bot.pathfinder and Movements. Walking neither digs nor places blocks unless the program's movements
 * do.
 */
'use strict'
const { named } = require('./errors')
const { goalData, GoalNear } = require('./goals')
const { swimAshore } = require('./swim_ashore')

/** Plain fields of a program's movements that are sent to the host; all others have no effect. */
const PLAIN = ['canDig', 'allow1by1towers', 'canOpenDoors', 'allowParkour', 'allowSprinting', 'allowEntityDetection',
  'dontCreateFlow',
  'dontMineUnderFallingBlock', 'infiniteLiquidDropdownDistance', 'maxDropDown', 'digCost', 'placeCost', 'liquidCost',
  'entityCost']
const LISTS = ['scafoldingBlocks', 'blocksCantBreak', 'blocksToAvoid', 'climbables']
/** Most times that one walk leaves water. */
const MAX_SWIMS = 3
/** Functions of mineflayer-pathfinder that weigh single blocks: they cannot cross the border. */
const AREAS = ['exclusionAreasStep', 'exclusionAreasBreak', 'exclusionAreasPlace']

/**
 * Movements of mineflayer-pathfinder, with its defaults. A program that makes one may dig, and build with dirt and
 * cobblestone; a bot whose program makes none leaves every block as it is.
 */
class Movements {
  /** @param {any} [bot] */
  constructor (bot) {
    const { blocksByName, itemsByName } = bot?.registry ?? {}
    const ids = (/** @type {any} */ table, /** @type {string[]} */ names) => table === undefined
      ? []
      : names.map((name) => table[name].id)
    this.canDig = true
    this.allow1by1towers = true
    this.canOpenDoors = false
    this.allowParkour = true
    this.allowSprinting = true
    this.allowEntityDetection = true
    this.allowFreeMotion = false
    this.dontCreateFlow = true
    this.dontMineUnderFallingBlock = true
    this.infiniteLiquidDropdownDistance = true
    this.maxDropDown = 4
    this.digCost = 1
    this.placeCost = 1
    this.liquidCost = 1
    this.entityCost = 1
    this.scafoldingBlocks = ids(itemsByName, ['dirt', 'cobblestone'])
    this.blocksCantBreak = new Set(ids(blocksByName, ['chest']))
    this.blocksToAvoid = new Set(ids(blocksByName, ['fire', 'cobweb', 'lava']))
    this.climbables = new Set(ids(blocksByName, ['ladder']))
    this.exclusionAreasStep = []
    this.exclusionAreasBreak = []
    this.exclusionAreasPlace = []
  }
}

/** @returns {Movements} the way of a bot whose program has not asked for another */
function onFoot () {
  return Object.assign(new Movements(), { canDig: false, allow1by1towers: false })
}

/** @param {any} movements @returns {any} plain data, or null for the usual way on foot */
function movementsData (movements) {
  if (movements === null || movements === undefined) return null
  for (const area of AREAS) {
    if (movements[area]?.length > 0) {
      throw named('NotSupported', `movements.${area}; use blocksToAvoid or blocksCantBreak`)
    }
  }
  const plain = PLAIN.filter((name) => movements[name] !== undefined).map((name) => [name, movements[name]])
  const lists = LISTS.flatMap((name) => {
    const list = [...movements[name] ?? []]
    return list.length === 0 && name !== 'scafoldingBlocks' ? [] : [[name, list]]
  })
  return Object.fromEntries([...plain, ...lists])
}

/**
 * @param {import('./host').Host} host
 * @param {() => any} [usual] - movements of a program that sets none; null: on foot, and every block stays as it is
 * @returns {any} bot.pathfinder
 */
function createPathfinder (host, usual = () => null) {
  /** @type {any} undefined until somebody needs them */
  let set
  const chosen = () => (set ??= usual() ?? onFoot())
  const crossing = () => set === undefined && usual() === null ? null : movementsData(chosen())
  /** @type {any} */
  let goal = null
  const walk = (/** @type {any} */ target) => host.act('goto', goalData(target), crossing())
  return {
    /** @param {any} target */
    async goto (target) {
      goal = target
      try {
        for (let swims = 0; ; swims++) {
          const problem = await walk(target).then(() => null, (/** @type {any} */ error) => error)
          if (problem === null) break
          // Who has just left the water may slip into it again.
          if (problem.name !== 'NoPath' || swims === MAX_SWIMS || !await swimAshore(host, () => goal === target)) {
            throw problem
          }
        }
      } finally {
        if (goal === target) goal = null
      }
    },
    /** @param {any} target */
    setGoal (target, dynamic = false) {
      goal = target
      host.command('setGoal', target === null ? null : goalData(target), dynamic, crossing())
    },
    /** @param {any} next */
    setMovements (next) {
      movementsData(next)
      set = next ?? undefined
    },
    stop () {
      goal = null
      host.command('stopWalking')
    },
    isMoving: () => host.read('self').walking,
    isMining: () => host.read('self').digging,
    isBuilding: () => host.read('self').building === true,
    get goal () { return goal },
    get movements () { return chosen() },
    bestHarvestTool: (/** @type {any} */ block) => {
      const { x, y, z } = block.position
      return host.read('bestTool', x, y, z).item
    },
    thinkTimeout: 5000,
    tickTimeout: 10,
    searchRadius: 64
  }
}

/**
 * @param {any} pathfinder
 * @returns {any} bot.collectBlock's way of walking to something
 */
function follow (pathfinder) {
  return {
    /** @param {any} position @param {number} range */
    to: (position, range) => {
      if (!position) throw named('BadArgument', 'give a position to walk to')
      return pathfinder.goto(new GoalNear(position.x, position.y, position.z, range))
    }
  }
}

module.exports = { Movements, createPathfinder, follow, movementsData }
