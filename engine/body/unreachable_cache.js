'use strict'
/**
 * Goals that were found to be enclosed, or in the open: bodies try the same goals again and again, and to find it out costs more than all
 * else of a search.
 *
 * @module engine/body/unreachable_cache
 */
const { LOOK_ASIDE, LOOK_UP } = require('./moves')

/** Goals that are remembered; of more the oldest are forgotten. */
const MAX_GOALS = 2048
/** Changed blocks that are remembered; with more of them all goals are forgotten, which only costs time. */
const MAX_CHANGES = 1 << 16
/** How far beside a cell that a flood met there are blocks that it depends on: moves come from so far, and look as far themselves. */
const ASIDE = 2 * LOOK_ASIDE

/**
 * @typedef {import('./astar').Cell} Cell
 * @typedef {{ x1: number, x2: number, z1: number, z2: number, top: number }} Ground columns, and the highest block, that it depends on
 * @typedef {{ enclosed: boolean, met: Cell[], touched: Cell[], ground: Ground, changes: number }} Enclosure what a flood came to: `met` are cells
 *   that the search had not seen, `touched` those that it had; `changes` counts the changed blocks that it knows of
 */

/** What floods from the goals' sides came to, for as long as one would go the same way again. */
class UnreachableCache {
  /** By the goals' keys. @type {Map<string, Enclosure>} */
  #goals = new Map()
  /** Where blocks have changed: x, y and z of each. @type {number[]} */
  #changed = []

  /** @returns {number} goals that are remembered */
  get size () { return this.#goals.size }

  /** Nothing holds any more. */
  clear () {
    this.#goals.clear()
    this.#changed = []
  }

  /** @param {number} x @param {number} y @param {number} z of a block that has changed */
  changed (x, y, z) {
    if (this.#goals.size === 0) return
    if (this.#changed.length >= 3 * MAX_CHANGES) this.clear()
    else this.#changed.push(x, y, z)
  }

  /**
   * @param {string} goal its key
   * @param {boolean} enclosed
   * @param {Cell[]} met
   * @param {Cell[]} touched
   * @param {import('./unreachable').Box[]} boxes of the goal
   * @param {number} maxDrop of the moves
   */
  keep (goal, enclosed, met, touched, boxes, maxDrop) {
    if (this.#goals.size >= MAX_GOALS) this.#goals.delete(/** @type {string} */ (this.#goals.keys().next().value))
    this.#goals.set(goal, { enclosed, met, touched, ground: groundOf(met, boxes, maxDrop), changes: this.#changed.length })
  }

  /**
   * What a flood would come to that meets and touches the same cells as the last one. Moves from those that it touches are known afterwards,
   * as if there had been one.
   *
   * @param {string} goal its key
   * @param {import('./move_graph').MoveGraph} ways
   * @param {number} start of the search, by its number
   * @param {(cell: number) => boolean} seen whether the search has, by the cell's number
   * @returns {boolean | null} whether the goal is enclosed; null where that is not known
   */
  told (goal, ways, start, seen) {
    const found = this.#goals.get(goal)
    if (found === undefined || !this.#holds(found, goal)) return null
    // In a cell like any other the start is met or touched, or is none of the flood's.
    if (!ways.terrain.enterable(ways.x[start], ways.y[start], ways.z[start])) return null
    const sees = (/** @type {Cell} */ { x, y, z }) => {
      const cell = ways.known(x, y, z)
      return cell >= 0 && seen(cell)
    }
    if (!found.touched.every(sees) || found.met.some(sees)) return null
    for (const { x, y, z } of found.touched) ways.from(ways.known(x, y, z))
    return found.enclosed
  }

  /** @param {Enclosure} found @param {string} goal @returns {boolean} no block has changed that it depends on; else it is forgotten */
  #holds (found, goal) {
    const { x1, x2, z1, z2, top } = found.ground
    const changed = this.#changed
    for (let at = found.changes; at < changed.length; at += 3) {
      const x = changed[at]; const z = changed[at + 2]
      if (x < x1 || x > x2 || z < z1 || z > z2 || changed[at + 1] > top) continue
      this.#goals.delete(goal)
      return false
    }
    found.changes = changed.length
    return true
  }
}

/** @param {Cell[]} met @param {import('./unreachable').Box[]} boxes @param {number} maxDrop @returns {Ground} */
function groundOf (met, boxes, maxDrop) {
  let x1 = Infinity; let x2 = -Infinity; let z1 = Infinity; let z2 = -Infinity; let top = -Infinity
  const reach = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
    x1 = Math.min(x1, x); x2 = Math.max(x2, x)
    z1 = Math.min(z1, z); z2 = Math.max(z2, z)
    top = Math.max(top, y)
  }
  for (const { x, y, z } of met) reach(x, y, z)
  for (const [ax, , az, bx, by, bz] of boxes) {
    reach(ax, by, az)
    reach(bx, by, bz)
  }
  return { x1: x1 - ASIDE, x2: x2 + ASIDE, z1: z1 - ASIDE, z2: z2 + ASIDE, top: top + Math.max(1, maxDrop) + LOOK_UP + 1 }
}

module.exports = { UnreachableCache, MAX_CHANGES, MAX_GOALS }
