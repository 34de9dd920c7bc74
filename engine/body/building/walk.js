'use strict'
/**
 * Steering of a body along a path on which it digs and builds, one tick at a time. The hands do the work, while the
 * body waits, goes to the edge, or jumps. After a change of a block that the search has looked up a new path is
 * searched, as mineflayer-pathfinder does. A block that the body dug itself is an exception: the rest of the cheapest
 * path through a block is still the cheapest when the block is gone.
 *
 * @module engine/body/building/walk
 */
const { TOUCHING } = require('../body')
const { FLAG } = require('../blocks')
const { Walk, STUCK_TICKS, groundPoint } = require('../walker')

/** Distance to the middle of the cell beyond the edge, in blocks, at which the body places a block there. */
const AT_EDGE = 0.4
/** Distance to the middle of its own cell, in blocks, at which the body is back in it. */
const CENTRED = 0.2
/** Maximum foreseen fall, in blocks. */
const FORESEEN = 8
/** Pitch of the view at the edge, in radians. */
const DOWN = -1.421

/**
 * @typedef {import('../walker').Point & {dig: import('./moves').Cell[], put: import('./moves').Put[]}} BuildingPoint
 *
 * @typedef {object} Hands actions of the body's player besides walking
 * @property {boolean} busy
 * @property {() => boolean} failed returns true once if the last work failed
 * @property {() => boolean} ready returns true if a block to build with is in the hand
 * @property {() => boolean} canBuild returns true if the player has a block to build with
 * @property {() => void} take takes such a block into the hand
 * @property {(at: import('./moves').Cell) => void} dig
 * @property {(put: import('./moves').Put) => void} put
 * @property {(at: import('./moves').Cell) => void} open
 * @property {(on: boolean) => void} sneak
 * @property {() => void} stop
 *
 * @typedef {object} Works
 * @property {Hands} hands
 * @property {(x: number, y: number, z: number) => boolean} altered returns true if the block is of another kind than in
 *   the last search
 * @property {(x: number, y: number, z: number) => boolean} gone returns true if the block was dug and its cell is empty
 * @property {(start: import('../walker').Point, goal: import('../astar').Goal) => import('./search').BuildingPath} find
 */

/** One walk of one body that digs and builds. */
class BuildingWalk extends Walk {
  #works
  /** Ticks spent waiting for the next piece of work to begin. */
  #waiting = 0
  #placing = false
  /** True if the hands were busy in the last tick. */
  #atWork = false
  /** Middle of the cell to go back to before the next piece of work. @type {{x: number, z: number} | null} */
  #home = null
  /** The block that the hands break. @type {import('./moves').Cell | null} */
  #broken = null

  /**
   * @param {import('../path_finders').PathFinders} paths
   * @param {import('../body').Body} body
   * @param {import('../astar').Goal} goal
   * @param {import('../walker').WalkOptions} options
   * @param {Works} works
   */
  constructor (paths, body, goal, options, works) {
    super(paths, body, goal, options)
    this.#works = works
    body.slack = TOUCHING
  }

  /** @override */
  get builds () { return this.#placing }

  /** @override @param {import('../walker').Point} start @returns {import('./search').BuildingPath} */
  find (start) {
    this.#waiting = 0
    this.#broken = null
    return this.#works.find(this.#landing(start), this.goal)
  }

  /**
   * Return the cell in which a jumping or falling body lands, since nothing can be placed against air.
   *
   * @param {import('../walker').Point} start
   * @returns {import('../walker').Point}
   */
  #landing (start) {
    const { body, space } = this
    if (body.onGround || body.inWater || body.inLava) return start
    const hasFlag = (/** @type {number} */ y, /** @type {number} */ flags) =>
      (space.table.flagsOf(space.stateAt(start.x, y, start.z)) & flags) !== 0
    for (let { y } = start; y > start.y - FORESEEN; y--) {
      if (hasFlag(y, FLAG.WATER | FLAG.CLIMBABLE) || hasFlag(y - 1, FLAG.SOLID)) return { ...start, y }
    }
    return start
  }

  /**
   * A block that the body digs does not carry it.
   *
   * @override
   * @param {BuildingPoint} cell
   * @returns {BuildingPoint}
   */
  point (cell) {
    const dug = cell.dig.some(({ x, y, z }) => x === cell.x && y === cell.y && z === cell.z)
    return { ...(dug ? groundPoint(this.space, cell) : super.point(cell)), dig: [...cell.dig], put: [...cell.put] }
  }

  /** @override @param {BuildingPoint} point */
  hasWork (point) { return point.dig.length > 0 || point.put.length > 0 }

  /**
   * A block that only flows or opens changes no path; running water would cause a search in every tick.
   *
   * @override
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  blockChanged (x, y, z) {
    const own = this.#broken
    const expected = own !== null && own.x === x && own.y === y && own.z === z && this.#works.gone(x, y, z)
    if (!expected && this.#works.altered(x, y, z)) super.blockChanged(x, y, z)
    else this.disturb()
  }

  /** @override */
  leave () {
    this.#works.hands.stop()
    this.#stand()
    super.leave()
  }

  /** @override */
  busy () {
    const { hands } = this.#works
    if (hands.busy) {
      this.#atWork = true
      return true
    }
    if (this.#atWork) {
      this.#atWork = false
      this.#broken = null
      this.#stand()
      if (hands.failed()) this.retry()
    }
    return this.state === 'walking' && this.#home !== null && !this.#goHome()
  }

  /** @override @param {BuildingPoint} point @returns {boolean} */
  work (point) {
    if (!this.hasWork(point)) return false
    if (++this.#waiting > STUCK_TICKS) {
      this.#stand()
      this.retry()
    } else if (point.dig.length > 0) this.#dig(point)
    else this.#put(point)
    return true
  }

  /** Dig the next block before a point. @param {BuildingPoint} point */
  #dig (point) {
    if (!this.body.onGround) return
    this.halt()
    this.#begin()
    this.#broken = /** @type {import('./moves').Cell} */ (point.dig.shift())
    this.#works.hands.dig(this.#broken)
  }

  /** Place the next block, or open the door, before a point. @param {BuildingPoint} point */
  #put (point) {
    const { body } = this
    const { hands } = this.#works
    const [next] = point.put
    if (this.#waiting === 1) this.halt()
    if (next.use) {
      point.put.shift()
      this.#begin()
      return hands.open(next)
    }
    if (!hands.canBuild()) return this.replan()
    if (!hands.ready()) {
      this.#atWork = true
      return hands.take()
    }
    if (next.jump) {
      body.jump = true
      // Wait until the block fits below the feet.
      if (body.y < next.y + 2) return
    } else if (next.dy === 0 && next.y === Math.floor(body.y) - 1 && !this.#atEdge(next)) return
    point.put.shift()
    if (next.back) this.#home = { x: next.x + 0.5, z: next.z + 0.5 }
    this.#begin()
    this.#placing = true
    hands.put(next)
  }

  /** Begin a piece of work. */
  #begin () {
    this.#atWork = true
    this.#waiting = 0
  }

  /**
   * Sneak backwards to the edge to see the next cell's side.
   *
   * @param {import('./moves').Put} put
   * @returns {boolean} true at the edge
   */
  #atEdge ({ x, y, z, dx, dz }) {
    const { body } = this
    const to = { x: x + dx + 0.5, y: y + 1, z: z + dz + 0.5 }
    if (Math.hypot(body.x - to.x, body.y - to.y, body.z - to.z) <= AT_EDGE) {
      body.back = false
      return true
    }
    body.yaw = Math.atan2(to.x - body.x, to.z - body.z)
    body.pitch = DOWN
    body.forward = false
    body.back = true
    this.#works.hands.sneak(true)
    return false
  }

  /** Walk back to the middle of the own cell. @returns {boolean} true if the body is there, or gives up */
  #goHome () {
    const { body } = this
    const home = /** @type {{x: number, z: number}} */ (this.#home)
    if (++this.#waiting <= STUCK_TICKS && Math.hypot(body.x - home.x, body.z - home.z) > CENTRED) {
      body.yaw = Math.atan2(body.x - home.x, body.z - home.z)
      body.forward = true
      return false
    }
    this.#home = null
    this.#waiting = 0
    this.halt()
    return true
  }

  /** Release the keys that were pressed for work. */
  #stand () {
    this.#placing = false
    this.body.jump = false
    this.body.back = false
    this.#works.hands.sneak(false)
  }
}

module.exports = { BuildingWalk }
