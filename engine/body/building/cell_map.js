'use strict'
/**
 * Cells as integers of 31 bits, which V8 stores without allocating (as "small integers"). A search uses hundreds of
 * thousands of them.
 *
 * @module engine/body/building/cell_map
 */

/** Maximum distance of a cell from the start along an axis, in blocks. Within it each cell has a number of its own. */
const SPAN = 1000
const COLUMNS = 2047
const LEVELS = 511
/** The lowest y of any world. */
const LOWEST = -64

/**
 * Return the number of a cell: 11 bits for x, 11 for z and 9 for y.
 *
 * @param {number} x
 * @param {number} y -64 to 447
 * @param {number} z
 * @returns {number}
 */
function numberOf (x, y, z) {
  return (x & COLUMNS) | (z & COLUMNS) << 11 | (y - LOWEST & LEVELS) << 22
}

/** Key of an empty place; no cell has this number. */
const NONE = -1
/** Initial number of places. */
const FIRST_PLACES = 4096
/** Minimum number of places per entry. */
const SPARSE = 2

/**
 * Map from cell numbers to values. A search looks up some hundred cells at each step; open addressing in a typed array
 * takes a fraction of the time of a `Map`.
 *
 * @template T
 */
class CellMap {
  #keys = new Int32Array(FIRST_PLACES).fill(NONE)
  /** @type {T[]} */
  #values = new Array(FIRST_PLACES)
  #mask = FIRST_PLACES - 1
  size = 0

  /** @param {number} key @returns {number} place of that cell, or of the gap into which it belongs */
  #place (key) {
    const keys = this.#keys
    const mask = this.#mask
    // Multiplication spreads numbers that differ in few bits; the upper bits are mixed best.
    let at = (Math.imul(key, 0x9e3779b1) >>> 12) & mask
    while (keys[at] !== key && keys[at] !== NONE) at = (at + 1) & mask
    return at
  }

  /** @param {number} key @returns {T | undefined} */
  get (key) {
    const at = this.#place(key)
    return this.#keys[at] === key ? this.#values[at] : undefined
  }

  /** Add a value for a cell that has none. @param {number} key @param {T} value */
  add (key, value) {
    if (++this.size * SPARSE > this.#keys.length) this.#grow()
    const at = this.#place(key)
    this.#keys[at] = key
    this.#values[at] = value
  }

  /** Double the number of places. */
  #grow () {
    const keys = this.#keys
    const values = this.#values
    this.#keys = new Int32Array(2 * keys.length).fill(NONE)
    this.#values = new Array(2 * keys.length)
    this.#mask = this.#keys.length - 1
    for (let old = 0; old < keys.length; old++) {
      if (keys[old] === NONE) continue
      const at = this.#place(keys[old])
      this.#keys[at] = keys[old]
      this.#values[at] = values[old]
    }
  }
}

module.exports = { NONE, SPAN, CellMap, numberOf }
