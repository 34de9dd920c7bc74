'use strict'
/**
 * Leads a body along a way on which it digs and builds, one tick at a time: hands do the work, the body stands by, goes to
 * the edge, or jumps for it. After each change of a block near the way it is looked for anew, as bots on servers do, but for
 * what it dug itself: the rest of the cheapest way through a block is the cheapest still when the block is gone.
 *
 * @module engine/body/building/walk
 */
const { TOUCHING } = require('../physics')
const { FLAG } = require('../blocks')
const { Walk, STUCK_TICKS, groundPoint } = require('../walker')

/** Near enough to a cell's middle beyond the edge to put a block there, in blocks. */
const AT_EDGE = 0.4
/** Near enough to the middle of its own cell to go on. */
const CENTRED = 0.2
/** A fall is foreseen so far, in blocks. */
const FORESEEN = 8
/** Looking down at the edge, in radians. */
const DOWN = -1.421

/**
 * @typedef {import('../walker').Point & {dig: import('./moves').Cell[], put: import('./moves').Put[]}} BuildingPoint
 *
 * @typedef {object} Hands what the body's player does besides walking
 * @property {boolean} busy
 * @property {() => boolean} failed whether the last work came to nothing; asked once
 * @property {() => boolean} ready a block to build with is in the hand
 * @property {() => boolean} canBuild there is such a block at all
 * @property {() => void} take such a block into the hand
 * @property {(at: import('./moves').Cell) => void} dig
 * @property {(put: import('./moves').Put) => void} put
 * @property {(at: import('./moves').Cell) => void} open
 * @property {(on: boolean) => void} sneak
 * @property {() => void} stop
 *
 * @typedef {object} Works
 * @property {Hands} hands
 * @property {(x: number, y: number, z: number) => boolean} altered the block there is of another kind than the last search saw
 * @property {(x: number, y: number, z: number) => boolean} gone that block was dug, and nothing else is in its place
 * @property {(start: import('../walker').Point, goal: import('../astar').Goal) => import('./search').BuildingPath} find
 */

/** One walk of one body that digs and builds. */
class BuildingWalk extends Walk {
  #works
  /** Ticks of waiting to begin a piece of work. */
  #waiting = 0
  #putting = false
  /** The hands were busy in the last tick. */
  #atWork = false
  /** The middle of the cell to go back to before the next piece. @type {{x: number, z: number} | null} */
  #home = null
  /** The block that its hands break. @type {import('./moves').Cell | null} */
  #broken = null

  /**
   * @param {import('../path_finders').PathFinders} paths
   * @param {import('../physics').Body} body
   * @param {import('../astar').Goal} goal
   * @param {object} options of `Walk`
   * @param {Works} works
   */
  constructor (paths, body, goal, options, works) {
    super(paths, body, goal, options)
    this.#works = works
    body.slack = TOUCHING
  }

  /** @override */
  get builds () { return this.#putting }

  /** @override @param {import('../walker').Point} start @returns {any} */
  find (start) {
    this.#waiting = 0
    this.#broken = null
    return this.#works.find(this.#landing(start), this.goal)
  }

  /** Who jumps or falls begins from where it lands: nothing can be put against air. @param {import('../walker').Point} start */
  #landing (start) {
    const { body, space } = this
    if (body.onGround || body.inWater || body.inLava) return start
    const holds = (/** @type {number} */ y, /** @type {number} */ what) => (space.table.flagsOf(space.stateAt(start.x, y, start.z)) & what) !== 0
    for (let { y } = start; y > start.y - FORESEEN; y--) {
      if (holds(y, FLAG.WATER | FLAG.CLIMBABLE) || holds(y - 1, FLAG.SOLID)) return { ...start, y }
    }
    return start
  }

  /** @override What it digs is not there to stand on. @param {any} cell @returns {any} */
  point (cell) {
    const dug = cell.dig.some((/** @type {import('./moves').Cell} */ { x, y, z }) => x === cell.x && y === cell.y && z === cell.z)
    return { ...(dug ? groundPoint(this.space, cell) : super.point(cell)), dig: [...cell.dig], put: [...cell.put] }
  }

  /** @override @param {any} point */
  hasWork (point) { return point.dig.length > 0 || point.put.length > 0 }

  /** @override What only flows or opens changes no way; water that runs would have it looked for in every tick. */
  blockChanged (x, y, z) {
    const own = this.#broken
    const foreseen = own !== null && own.x === x && own.y === y && own.z === z && this.#works.gone(x, y, z)
    if (!foreseen && this.#works.altered(x, y, z)) super.blockChanged(x, y, z)
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
      if (hands.failed()) this.startAnew()
    }
    return this.state === 'walking' && this.#home !== null && !this.#goHome()
  }

  /** @override @param {any} point @returns {boolean} */
  work (point) {
    if (!this.hasWork(point)) return false
    if (++this.#waiting > STUCK_TICKS) {
      this.#stand()
      this.startAnew()
    } else if (point.dig.length > 0) this.#dig(point)
    else this.#put(point)
    return true
  }

  /** @param {BuildingPoint} point */
  #dig (point) {
    if (!this.body.onGround) return
    this.halt()
    this.#begin()
    this.#broken = /** @type {import('./moves').Cell} */ (point.dig.shift())
    this.#works.hands.dig(this.#broken)
  }

  /** @param {BuildingPoint} point */
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
    if (!hands.canBuild()) return this.renew()
    if (!hands.ready()) {
      this.#atWork = true
      return hands.take()
    }
    if (next.jump) {
      body.jump = true
      // Not before the block fits below the feet.
      if (body.y < next.y + 2) return
    } else if (next.dy === 0 && next.y === Math.floor(body.y) - 1 && !this.#atEdge(next)) return
    point.put.shift()
    if (next.back) this.#home = { x: next.x + 0.5, z: next.z + 0.5 }
    this.#begin()
    this.#putting = true
    hands.put(next)
  }

  #begin () {
    this.#atWork = true
    this.#waiting = 0
  }

  /** Sneak backwards to the edge until the next cell's side can be seen. @param {import('./moves').Put} put @returns {boolean} it is there */
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

  /** @returns {boolean} it is in the middle of its cell again */
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

  /** No key of the works is held any more. */
  #stand () {
    this.#putting = false
    this.body.jump = false
    this.body.back = false
    this.#works.hands.sneak(false)
  }
}

module.exports = { BuildingWalk }
