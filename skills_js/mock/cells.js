'use strict'
/**
 * Cache of the block states that bodies, eyes and paths read: they read the same cells every tick, and blocks change
 * seldom.
 *
 * @module skills_js/mock/cells
 */

const SECTION_CELLS = 4096
/** Stride of section keys, across and up: no two sections of the world have the same key. */
const SECTION_STRIDE = 1 << 22
const SECTIONS_HIGH = 64
/** Number that no state has. */
const UNKNOWN = 0xffff
/** Most sections cached, 8 KB each; beyond that all are forgotten, which only costs time. */
const MAX_SECTIONS = 4096

/** Cache of a world's states; its owner must report every change. */
class Cells {
  #read
  /** @type {Map<number, Uint16Array>} */
  #sections = new Map()
  /** @type {Uint16Array} */
  #last = new Uint16Array(0)
  #lastKey = NaN

  /** @param {(x: number, y: number, z: number) => number} read the world's own answer */
  constructor (read) {
    this.#read = read
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z whole numbers, as all three
   * @returns {number}
   */
  stateAt = (x, y, z) => {
    const key = ((x >> 4) * SECTION_STRIDE + (z >> 4)) * SECTIONS_HIGH + (y >> 4)
    if (key !== this.#lastKey) this.#turnTo(key)
    const index = ((y & 15) << 8) | ((z & 15) << 4) | (x & 15)
    const known = this.#last[index]
    if (known !== UNKNOWN) return known
    return (this.#last[index] = this.#read(x, y, z))
  }

  /**
   * Forget a cell that has changed.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  forget (x, y, z) {
    const section = this.#sections.get(((x >> 4) * SECTION_STRIDE + (z >> 4)) * SECTIONS_HIGH + (y >> 4))
    if (section !== undefined) section[((y & 15) << 8) | ((z & 15) << 4) | (x & 15)] = UNKNOWN
  }

  /** @param {number} key */
  #turnTo (key) {
    let section = this.#sections.get(key)
    if (section === undefined) {
      if (this.#sections.size >= MAX_SECTIONS) this.#sections.clear()
      this.#sections.set(key, section = new Uint16Array(SECTION_CELLS).fill(UNKNOWN))
    }
    this.#last = section
    this.#lastKey = key
  }
}

module.exports = { Cells, MAX_SECTIONS }
