'use strict'
/**
 * Searches that came to nothing, and still would: whoever cannot get somewhere tries the same again soon, and finding out that
 * there is no way takes a hundred times as long as finding one.
 *
 * @module engine/body/failures
 */

/** Searches that are remembered, the latest. */
const MOST_KEPT = 64

/**
 * @typedef {import('./astar').Goal} Goal
 * @typedef {import('./astar').Crowd} Crowd
 * @typedef {{age: number, cells: Int32Array, path: import('./astar').Path}} Failure `cells`: all that were seen, by their numbers
 */

/** Of searches over the same ways. */
class Failures {
  #ways
  /** @type {Map<string, Failure>} */
  #kept = new Map()
  #generation = 0

  /** @param {import('./ways').Ways} ways */
  constructor (ways) {
    this.#ways = ways
  }

  /** @returns {number} how many are remembered */
  get size () { return this.#kept.size }

  /**
   * What a search would find that had the same question before: the answer holds while none of the cells that it saw has other
   * moves now, and nobody stands in them.
   *
   * @param {string} question @param {Goal} goal @param {Crowd | null} crowded
   * @returns {import('./astar').Path | null} null: it is to be looked for
   */
  recall (question, goal, crowded) {
    const kept = this.#all().get(question)
    if (kept === undefined) return null
    const { x, y, z, age } = this.#ways
    if (goal.sees === true && kept.age !== age) return null
    for (const cell of kept.cells) {
      if (this.#ways.changedAt(cell) > kept.age || (crowded !== null && crowded(x[cell], y[cell], z[cell]) !== 0)) return null
    }
    return kept.path
  }

  /** @param {string} question @param {Int32Array} cells that the search saw, nobody in any of them @param {import('./astar').Path} path */
  keep (question, cells, path) {
    const all = this.#all()
    all.delete(question)
    all.set(question, { age: this.#ways.age, cells, path })
    if (all.size > MOST_KEPT) all.delete(/** @type {string} */ (all.keys().next().value))
  }

  /** @returns {Map<string, Failure>} of the cells as they are numbered now */
  #all () {
    if (this.#generation !== this.#ways.generation) this.#kept.clear()
    this.#generation = this.#ways.generation
    return this.#kept
  }
}

module.exports = { Failures, MOST_KEPT }
