'use strict'
/**
 * Cache of the places of some kinds of blocks, by section, valid until something in the column changes: bots search for
 * the same few kinds again and again, and most land stays as it is.
 *
 * @module skills_js/mock/backend/known_places
 */

/**
 * Most kinds of searches remembered. With more of them, or with more sections and cells in total, everything is
 * forgotten, which only costs time.
 */
const MAX_KINDS = 128
const MAX_HELD = 1 << 21
/** Most cells of one section: a kind that fills a section is searched anew each time. */
const MAX_CELLS = 512

/**
 * @typedef {import('../../../engine/world/terrain/terrain').ColumnInfo} Info
 * @typedef {import('./find_blocks').States} States
 * @typedef {{ may: boolean, cells: Uint16Array | null }} Known of a section: whether its palette has one of the states;
 *   and in which cells they are, in the order in which they are come by, where that is remembered
 * @typedef {{ info: Info, revision: number, sections: (Known | undefined)[] }} Column as of that revision
 * @typedef {{ states: States, columns: Map<Info, Column> }} Kind of look: what is looked for, and what was found
 */

/** Places known in one world. */
class KnownPlaces {
  /** @type {Map<string, Kind>} */
  #kinds = new Map()
  #held = 0

  /**
   * @param {string} key one for each set of states
   * @param {() => States} states
   * @returns {Kind} for the next look alone
   */
  kind (key, states) {
    let kind = this.#kinds.get(key)
    if (kind !== undefined) return kind
    kind = { states: states(), columns: new Map() }
    if (this.#kinds.size >= MAX_KINDS) this.#clear()
    this.#kinds.set(key, kind)
    return kind
  }

  /** @param {Kind} kind @param {Info} info @returns {Column} what is known of it, as it is now */
  column (kind, info) {
    let column = kind.columns.get(info)
    if (column === undefined || column.revision !== info.revision) {
      if (++this.#held > MAX_HELD) this.#clear()
      kind.columns.set(info, column = { info, revision: info.revision, sections: [] })
    }
    return column
  }

  /** @param {Known} known @param {number[]} cells all in which the states are */
  keep (known, cells) {
    if (cells.length > MAX_CELLS) return
    this.#held += cells.length
    known.cells = Uint16Array.from(cells)
  }

  #clear () {
    this.#held = 0
    for (const { columns } of this.#kinds.values()) columns.clear()
    this.#kinds.clear()
  }
}

/** @type {WeakMap<object, KnownPlaces>} */
const known = new WeakMap()

/** @param {object} world the engine @returns {KnownPlaces} */
function knownPlaces (world) {
  let places = known.get(world)
  if (places === undefined) known.set(world, places = new KnownPlaces())
  return places
}

module.exports = { MAX_CELLS, MAX_HELD, MAX_KINDS, knownPlaces }
