'use strict'
/**
 * Navigation of mobs: straight ahead, and around obstacles by the bots' path search when stuck. All mobs of a world
 * share one path cache, made when the first mob is stuck.
 */
const { blockTable } = require('../../body/blocks')
const { PathFinders } = require('../../body/path_finders')
const { length2 } = require('../../lengths')

/** Ticks without progress until a search, and ticks for which its path is kept. */
const STUCK_TICKS = 10
const KEEP_TICKS = 100
/** Minimum ticks between two searches, and after a search without result. */
const REST_TICKS = 60
const VAIN_TICKS = 200
/** Maximum cells of one search. */
const MAX_CELLS = 600
/** A mob drops at most three blocks and does not jump over gaps. */
const MOVES = Object.freeze({ maxDrop: 3, parkour: false, sprinting: false })
const SPAN = 32

/** @type {WeakMap<import('../world').World, PathFinders>} */
const known = new WeakMap()

/** @param {import('../world').World} world @returns {PathFinders} */
function pathsOf (world) {
  let paths = known.get(world)
  if (!paths) {
    const made = new PathFinders(
      { stateAt: (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => world.blockAt(x, y, z),
      table: blockTable(world.registry) })
    world.on('block', ({ x, y, z }) => made.forget(x, y, z))
    known.set(world, paths = made)
  }
  return paths
}

/** Navigation of one mob. */
class Wayfinder {
  /** @param {import('./mobs').Mob} mob */
  constructor (mob) {
    this.mob = mob
    /** @type {{ x: number, y: number, z: number }[]} */
    this.cells = []
    this.until = 0
    this.notBefore = 0
    /** Smallest distance to the goal so far, and the age at which it was reached. */
    this.nearest = Infinity
    this.nearestAge = 0
    /** @type {{ x: number, z: number }} */
    this.goal = { x: NaN, z: NaN }
  }

  /**
   * Return the next place to walk to on the way to a goal.
   * @param {import('./mobs').Goal} goal
   * @returns {{ x: number, z: number }}
   */
  toward (goal) {
    const { mob } = this
    if (!(length2(goal.x - this.goal.x, goal.z - this.goal.z) < 3)) this.reset(goal)
    if (this.cells.length > 0 && mob.age <= this.until) return this.along(goal)
    const far = length2(goal.x - mob.x, goal.z - mob.z)
    if (far < this.nearest - 0.2) {
      this.nearest = far
      this.nearestAge = mob.age
    }
    const stuck = mob.age - this.nearestAge >= STUCK_TICKS
    // A stuck wanderer drops its goal; a mob that must arrive searches a path.
    if (stuck && goal.pace === undefined) mob.goal = null
    else if (stuck && mob.age >= this.notBefore && far > 1.2) this.search(goal)
    return this.cells.length > 0 ? this.along(goal) : goal
  }

  /** @param {{ x: number, z: number }} goal */
  reset (goal) {
    this.goal = { x: goal.x, z: goal.z }
    this.cells = []
    this.nearest = Infinity
    this.nearestAge = this.mob.age
  }

  /** @param {import('./mobs').Goal} goal */
  along (goal) {
    const { mob } = this
    const cell = this.cells[0]
    if (length2(cell.x + 0.5 - mob.x, cell.z + 0.5 - mob.z) > 0.45) return { x: cell.x + 0.5, z: cell.z + 0.5 }
    this.cells.shift()
    if (this.cells.length === 0) this.nearest = Infinity
    return this.cells.length > 0 ? { x: this.cells[0].x + 0.5, z: this.cells[0].z + 0.5 } : goal
  }

  /** @param {import('./mobs').Goal} goal */
  search (goal) {
    const { mob } = this
    const start = { x: Math.floor(mob.x), y: Math.floor(mob.y + 0.1), z: Math.floor(mob.z) }
    const to = { x: Math.floor(goal.x), y: Math.floor(goal.y ?? mob.y), z: Math.floor(goal.z) }
    this.notBefore = mob.age + REST_TICKS
    this.nearestAge = mob.age
    if (Math.abs(to.x - start.x) > SPAN || Math.abs(to.z - start.z) > SPAN) return
    const away = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
      length2(x - to.x, z - to.z) + Math.abs(y - to.y) / 2
    const path = pathsOf(mob.world).finder(MOVES)
      .find(start, { estimate: away,
      reached: (x, y, z) => Math.abs(x - to.x) <= 1 && Math.abs(z - to.z) <= 1 && Math.abs(y - to.y) <= 2 },
      { maxCells: MAX_CELLS })
    if (path.status !== 'found') this.notBefore = mob.age + VAIN_TICKS
    if (path.status === 'none' && path.cells.length === 0) return
    this.cells = path.cells
    this.until = mob.age + KEEP_TICKS
  }
}

module.exports = { Wayfinder }
