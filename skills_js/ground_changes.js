'use strict'
/**
 * Blocks that players have mined or placed between two samples. The current block is read when the sample is taken: if
 * the server did not allow a change, the block that still stands is reported.
 *
 * @module skills_js/ground_changes
 */
const { partsOf } = require('./block_text')

/** Blocks that a player looks through, as in `dilemmas/minecraft/ground.py` for the map. */
const UNSEEN = new Set(['air', 'cave_air', 'void_air', 'barrier', 'light', 'structure_void'])
/** Game seconds from the first change to the sample that reports it. */
const SAMPLE_S = 1
/** Most places of a sample; more are only counted. */
const MAX_PLACES = 256
/** Most places watched after a player's work, for later changes. */
const MAX_WATCHED = 50_000

/** @typedef {{ x: number, y: number, z: number }} Place */
/**
 * @typedef {(seer: string, x: number, y: number, z: number) => string | null} BlockAt the block there as that player
 *   has it (`block_text.js`); null for unknown
 */
/**
 * @typedef {{ low: number, high: number, highest?: (x: number, z: number) => number }} Reach lowest height of a world,
 *   and the first above it; `highest` tells the height above which a column holds nothing, where that is known sooner
 *   than by looking
 */
/** @typedef {[number, number, number, string]} Row x, y, z, block */
/**
 * @typedef {{ changed: Record<string, Row[]>, tops: Row[], left_out: number, states?: Row[] }} Sample `tops`: the
 *   highest block that is seen of each column; `states`: texts of changed blocks that do not stand as usual, and of
 *   blocks that stand differently now without being of another kind, which `changed` leaves out
 */

/** Changes since the last sample. */
class GroundChanges {
  /** Player and observer of each touched place. @type {Map<string, { player: string, seer: string, place: Place }>} */
  #touched = new Map()
  #leftOut = 0
  /** Places at which players have worked, and what was last reported of each. @type {Map<string, string>} */
  #watched = new Map()

  /** True if there is nothing to report. */
  get empty () { return this.#touched.size === 0 }

  /** @param {string} player who has mined or placed @param {Place} place in whole blocks */
  touch (player, { x, y, z }) {
    const key = `${x},${y},${z}`
    if (this.#watched.size < MAX_WATCHED && !this.#watched.has(key)) this.#watched.set(key, '')
    this.#put(key, player, player, { x, y, z })
  }

  /**
   * Process a change of a block, by anybody: it is reported if a player has worked there before and the block looks
   * different now, so that regrowth is seen.
   * @param {string} seer
   * @param {Place} place
   */
  change (seer, { x, y, z }) {
    if (this.#watched.size === 0) return
    const key = `${x},${y},${z}`
    if (this.#watched.has(key) && !this.#touched.has(key)) this.#put(key, '', seer, { x, y, z })
  }

  /** @param {string} key @param {string} player @param {string} seer @param {Place} place */
  #put (key, player, seer, place) {
    if (this.#touched.size < MAX_PLACES || this.#touched.has(key)) this.#touched.set(key, { player, seer, place })
    else this.#leftOut++
  }

  /**
   * Return the blocks at these places now, or null for nothing new; all is forgotten then.
   * @param {BlockAt} blockAt
   * @param {Reach} reach
   * @returns {Sample | null}
   */
  sample (blockAt, reach) {
    /** @type {Map<string, Row[]>} */
    const changed = new Map()
    /** @type {Map<string, Row>} */
    const tops = new Map()
    /** @type {Row[]} */
    const states = []
    let leftOut = this.#leftOut
    for (const [key, { player, seer, place: { x, y, z } }] of this.#touched) {
      const block = blockAt(seer, x, y, z)
      if (block === null) {
        leftOut++
        continue
      }
      const before = this.#watched.get(key)
      if (player === '' && before === block) continue
      if (before !== undefined) this.#watched.set(key, block)
      const { name, state } = partsOf(block)
      const turned = player === '' && Boolean(before) && partsOf(String(before)).name === name
      if (state || turned) states.push([x, y, z, block])
      if (turned) continue
      const rows = changed.get(player) ?? []
      changed.set(player, rows)
      rows.push([x, y, z, name])
      if (!tops.has(`${x},${z}`)) tops.set(`${x},${z}`, top(x, z, (height) => blockAt(seer, x, height, z), reach))
    }
    this.#touched.clear()
    this.#leftOut = 0
    if (changed.size === 0 && states.length === 0 && leftOut === 0) return null
    const found = { changed: Object.fromEntries(changed), tops: [...tops.values()], left_out: leftOut }
    return states.length ? { ...found, states } : found
  }
}

/**
 * Return the highest visible block of a column; without any, the bottom without a name.
 * @param {number} x
 * @param {number} z
 * @param {(y: number) => string | null} blockAt
 * @param {Reach} reach
 * @returns {Row}
 */
function top (x, z, blockAt, { low, high, highest }) {
  for (let y = highest?.(x, z) ?? high - 1; y >= low; y--) {
    const block = blockAt(y)
    if (block === null) continue
    const { name } = partsOf(block)
    if (!UNSEEN.has(name)) return [x, y, z, name]
  }
  return [x, low, z, '']
}

module.exports = { GroundChanges, MAX_PLACES, SAMPLE_S }
