/** bot.pathfinder and Movements. Walking neither digs nor places blocks unless the policy asks for it itself. */
'use strict'
const { named } = require('./errors')
const { goalData, GoalFollow, GoalNear } = require('./goals')

/** How a policy may change the way of walking; the other fields of mineflayer-pathfinder's have no effect. */
class Movements {
  constructor () {
    /** Break blocks that are in the way. mineflayer-pathfinder's default is true: here a silent dig could take ore. */
    this.canDig = false
    /** Place dirt or cobblestone to climb and to bridge. */
    this.allow1by1towers = false
    this.allowParkour = true
    this.allowSprinting = true
    this.maxDropDown = 4
    this.canOpenDoors = false
    this.scafoldingBlocks = []
    this.blocksCantBreak = new Set()
    this.blocksToAvoid = new Set()
  }
}

/** @param {any} movements @returns {any} plain data, or null for the defaults */
function movementsData (movements) {
  if (movements === null || movements === undefined) return null
  const { canDig, allow1by1towers, allowParkour, allowSprinting, maxDropDown, canOpenDoors } = movements
  return {
    canDig: canDig === true,
    canPlace: allow1by1towers === true || (Array.isArray(movements.scafoldingBlocks) && movements.scafoldingBlocks.length > 0),
    allowParkour: allowParkour !== false,
    allowSprinting: allowSprinting !== false,
    maxDropDown: Number.isInteger(maxDropDown) ? maxDropDown : 4,
    canOpenDoors: canOpenDoors === true
  }
}

/**
 * @param {import('./host').Host} host
 * @returns {any} bot.pathfinder
 */
function createPathfinder (host) {
  /** @type {any} */
  let movements = null
  /** @type {any} */
  let goal = null
  return {
    async goto (target) {
      goal = target
      try {
        await host.act('goto', goalData(target), movementsData(movements))
      } finally {
        if (goal === target) goal = null
      }
    },
    setGoal (target, dynamic = false) {
      goal = target
      host.command('setGoal', target === null ? null : goalData(target), dynamic, movementsData(movements))
    },
    setMovements (next) { movements = next },
    stop () {
      goal = null
      host.command('stopWalking')
    },
    isMoving: () => host.read('self').walking,
    isMining: () => host.read('self').digging,
    isBuilding: () => false,
    get goal () { return goal },
    get movements () { return movements ?? new Movements() },
    bestHarvestTool: (block) => {
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
 * @returns {any} bot.collectBlock's and bot.pvp's way of walking after something
 */
function follow (pathfinder) {
  return {
    /** @param {any} entity @param {number} range */
    entity: (entity, range) => pathfinder.setGoal(new GoalFollow(entity, range), true),
    /** @param {any} position @param {number} range */
    to: (position, range) => {
      if (!position) throw named('BadArgument', 'give a position to walk to')
      return pathfinder.goto(new GoalNear(position.x, position.y, position.z, range))
    }
  }
}

module.exports = { Movements, createPathfinder, follow, movementsData }
