'use strict'
/**
 * Unpacked sections of prismarine-chunk: 4096 states as plain numbers, which are several times as fast to read as
 * palette and bits. A section is unpacked at its first read and updated by later writes.
 */
const { unpack } = require('./packing')

const CELLS = 4096
/** Maximum number of unpacked sections, of 8 KB each; beyond it all are dropped, which only costs time. */
const MAX_SECTIONS = 8192
/** Sections around a player: with fewer per player they would be unpacked again all the time. */
const SECTIONS_A_PLAYER = 512

/** @typedef {(Uint16Array | null)[]} Opened a column's sections, from the bottom; null where not laid open */

/** The unpacked sections of one world. */
class Dense {
  /** @param {number} [most] of them */
  constructor (most = MAX_SECTIONS) {
    this.minLimit = this.limit = most
    /** Columns with sections of more than one state. @type {Set<Opened>} */
    this.columns = new Set()
    this.count = 0
    /** Shared arrays for sections of a single state, by state. @type {Map<number, Uint16Array>} */
    this.plain = new Map()
  }

  /** Adapt the limit to the number of players. @param {number} players */
  setPlayerCount (players) { this.limit = Math.max(this.minLimit, players * SECTIONS_A_PLAYER) }

  /**
   * @param {{ chunk: any, cells: Opened }} column
   * @param {number} index of its section
   * @returns {Uint16Array} states by y * 256 + z * 16 + x, not to be written to
   */
  unpackSection ({ chunk, cells }, index) {
    const { data } = chunk.sections[index]
    return (cells[index] = data.value === undefined ? this.own(cells, data) : this.same(data.value))
  }

  /** @param {number} state */
  same (state) {
    let section = this.plain.get(state)
    if (section === undefined) this.plain.set(state, section = new Uint16Array(CELLS).fill(state))
    return section
  }

  /** @param {Opened} cells @param {object} data prismarine-chunk's container of more states than one */
  own (cells, data) {
    if (this.count >= this.limit) this.dropAll()
    this.count++
    this.columns.add(cells)
    return unpack(data, new Uint16Array(CELLS))
  }

  /**
   * Update a state that was set.
   * @param {Opened} cells
   * @param {number} x
   * @param {number} up blocks above the lowest
   * @param {number} z
   * @param {number} state
   */
  put (cells, x, up, z, state) {
    const section = cells[up >> 4]
    if (section === null) return
    if (this.isPlain(section)) cells[up >> 4] = null
    else section[(up & 15) << 8 | (z & 15) << 4 | (x & 15)] = state
  }

  /** @param {Uint16Array} section */
  isPlain (section) { return this.plain.get(section[0]) === section }

  /** Drop a column. @param {Opened} cells */
  dropColumn (cells) {
    if (!this.columns.delete(cells)) return
    for (const section of cells) if (section !== null && !this.isPlain(section)) this.count--
    cells.fill(null)
  }

  /** Drop all unpacked sections. */
  dropAll () {
    for (const cells of this.columns) cells.fill(null)
    this.columns.clear()
    this.count = 0
  }
}

module.exports = { Dense }
