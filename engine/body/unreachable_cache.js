'use strict'
/**
 * Cache of goals that were found to be unreachable or reachable. Bodies try the same goals again and again, and the
 * test costs more than the rest of a search.
 *
 * @module engine/body/unreachable_cache
 */
const { LOOK_ASIDE, LOOK_UP } = require('./moves')

/** Maximum number of goals; the oldest are dropped first. */
const MAX_GOALS = 2048
/** Maximum number of changed blocks. Beyond it all goals are dropped, which only costs time. */
const MAX_CHANGES = 1 << 16
/**
 * Distance in blocks, to the sides, within which a met cell depends on blocks: a move's length and the reach of its
 * tests.
 */
const ASIDE = 2 * LOOK_ASIDE

/**
 * @typedef {import('./astar').Cell} Cell
 * @typedef {{ x1: number, x2: number, z1: number, z2: number, top: number }} Ground columns and highest block that a
 *   flood depends on
 * @typedef {{ unreachable: boolean, met: Cell[], touched: Cell[] }} Outcome of a flood: `met` are cells that the search
 *   had not seen, `touched` are cells that it had seen
 * @typedef {Outcome & { ground: Ground, changes: number }} Entry `changes`: number of changed blocks that it accounts
 *   for
 */

/** Outcomes of floods, each kept for as long as a new flood would take the same course. */
class UnreachableCache {
  /** By the goals' keys. @type {Map<string, Entry>} */
  #goals = new Map()
  /** Changed blocks: x, y and z of each. @type {number[]} */
  #changed = []

  /** @returns {number} number of cached goals */
  get size () { return this.#goals.size }

  /** Drop all goals. */
  clear () {
    this.#goals.clear()
    this.#changed = []
  }

  /** Record a changed block. @param {number} x @param {number} y @param {number} z */
  blockChanged (x, y, z) {
    if (this.#goals.size === 0) return
    if (this.#changed.length >= 3 * MAX_CHANGES) this.clear()
    else this.#changed.push(x, y, z)
  }

  /**
   * Store the outcome of a flood.
   *
   * @param {string} goal the goal's key
   * @param {Outcome} outcome
   * @param {import('./unreachable').Box[]} boxes of the goal
   * @param {number} maxDrop of the moves
   */
  store (goal, outcome, boxes, maxDrop) {
    if (this.#goals.size >= MAX_GOALS) this.#goals.delete(/** @type {string} */ (this.#goals.keys().next().value))
    const ground = groundOf(outcome.met, boxes, maxDrop)
    this.#goals.set(goal, { ...outcome, ground, changes: this.#changed.length })
  }

  /**
   * Return the outcome of a flood that would meet and touch the same cells as the stored one. The moves from touched
   * cells are known afterwards, as after a flood.
   *
   * @param {string} goal the goal's key
   * @param {import('./move_graph').MoveGraph} graph
   * @param {number} start number of the start's cell
   * @param {(cell: number) => boolean} seen true for the number of a cell that the search has seen
   * @returns {boolean | null} true if the goal is unreachable; null if that is not known
   */
  recall (goal, graph, start, seen) {
    const found = this.#goals.get(goal)
    if (found === undefined || !this.#holds(found, goal)) return null
    // A start that no move can enter is in no flood, so that its entry says nothing about it.
    if (!graph.terrain.enterable(graph.x[start], graph.y[start], graph.z[start])) return null
    const sees = (/** @type {Cell} */ { x, y, z }) => {
      const cell = graph.known(x, y, z)
      return cell >= 0 && seen(cell)
    }
    if (!found.touched.every(sees) || found.met.some(sees)) return null
    for (const { x, y, z } of found.touched) graph.from(graph.known(x, y, z))
    return found.unreachable
  }

  /**
   * Return true if no block has changed that an entry depends on; else drop the entry.
   *
   * @param {Entry} found
   * @param {string} goal
   * @returns {boolean}
   */
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
  const rise = Math.max(1, maxDrop) + LOOK_UP + 1
  return { x1: x1 - ASIDE, x2: x2 + ASIDE, z1: z1 - ASIDE, z2: z2 + ASIDE, top: top + rise }
}

module.exports = { UnreachableCache, MAX_CHANGES, MAX_GOALS }
