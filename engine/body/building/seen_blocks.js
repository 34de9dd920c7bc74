'use strict'
/**
 * Blocks and other bodies as one search looks them up.
 *
 * @module engine/body/building/seen_blocks
 */
const { SPAN, CellMap, numberOf } = require('./cell_map')

const BESIDE = Object.freeze([[0, 1, 0], [-1, 0, 0], [1, 0, 0], [0, 0, -1], [0, 0, 1]])
/** Bits of a bucket's index. Most buckets contain no other body, which makes the common answer fast. */
const BUCKET_BITS = 14
/** Distance from the start, in blocks, within which other bodies are located at first; few searches get further. */
const NEARBY = 96

/**
 * @typedef {object} Rules
 * @property {boolean} canDig
 * @property {boolean} towers may place blocks below itself
 * @property {boolean} opens may open doors and gates
 * @property {boolean} parkour may leap over gaps
 * @property {boolean} sprinting may leap farther
 * @property {boolean} detects takes other bodies into account
 * @property {boolean} guardsFlow digs no block that holds a liquid back
 * @property {boolean} guardsFalls digs no block below one that falls
 * @property {boolean} dives may drop from any height into water
 * @property {number} maxDrop in blocks
 * @property {number} digCost
 * @property {number} placeCost
 * @property {number} liquidCost
 * @property {number} entityCost
 */

/** @param {number} cell number of a cell @returns {number} index of its bucket */
function bucketOf (cell) { return Math.imul(cell, 0x9e3779b1) >>> (32 - BUCKET_BITS) }

/** A block that a search has looked up, with what it found out about the block. */
class SeenBlock {
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} state
   * @param {import('./facts').Fact} fact
   */
  constructor (x, y, z, state, fact) {
    this.x = x; this.y = y; this.z = z
    this.state = state
    this.fact = fact
    this.height = y + fact.top
    /** 1 if the block may be broken, 0 if not, -1 if that is not known yet. */
    this.gives = -1
  }
}

/** The blocks that one search has looked up, and the other bodies around its start. */
class SeenBlocks {
  /** Blocks looked up in this search; moves look up the same blocks many times. @type {CellMap<SeenBlock>} */
  #seen = new CellMap()
  /** 1 for buckets that contain another body. */
  #crowded = new Uint8Array(1 << BUCKET_BITS)
  /** Bounds of the square in which other bodies have been located. */
  #west = 0
  #east = 0
  #north = 0
  #south = 0

  /**
   * @param {import('../physics').Space} space
   * @param {import('./facts').Facts} facts
   * @param {Rules} rules
   * @param {object} around
   * @param {(state: number) => number} around.digMs returns the time to dig a block with the best tool at hand
   * @param {{x: number, z: number}} around.start
   * @param {(reach: number) => Map<number, number>} around.crowd returns the number of other bodies by cell number,
   *   within a distance from the start along both axes
   * @param {number} around.lowest y of the world's lowest block
   */
  constructor (space, facts, rules, { digMs, start, crowd, lowest }) {
    this.space = space
    this.facts = facts
    this.rules = rules
    this.lowest = lowest
    this.start = start
    this.crowdWithin = crowd
    /** @type {Map<number, number>} */
    this.crowd = new Map()
    if (rules.detects) this.#locateOthers(NEARBY)
    else this.#bound(Infinity)
    /** @type {Map<number, number>} */
    const digCosts = new Map()
    this.digCostOf = (/** @type {number} */ state) => {
      let cost = digCosts.get(state)
      if (cost === undefined) digCosts.set(state, cost = (1 + 3 * digMs(state) / 1000) * rules.digCost)
      return cost
    }
  }

  /** Look up a block. @param {number} x @param {number} y @param {number} z @returns {SeenBlock} */
  at (x, y, z) {
    const key = numberOf(x, y, z)
    let block = this.#seen.get(key)
    if (block === undefined) {
      const state = this.space.stateAt(x, y, z)
      this.#seen.add(key, block = new SeenBlock(x, y, z, state, this.facts.of(state)))
    }
    return block
  }

  /**
   * Return true if the search has looked up a block that is of another kind now.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {boolean}
   */
  altered (x, y, z) {
    const seen = this.#seen.get(numberOf(x, y, z))
    return seen !== undefined && seen.fact.type !== this.facts.of(this.space.stateAt(x, y, z)).type
  }

  /**
   * Return true if a looked-up block was dug and its cell is empty, as the search expected, and record that.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {boolean}
   */
  gone (x, y, z) {
    const fact = this.facts.of(this.space.stateAt(x, y, z))
    const seen = this.#seen.get(numberOf(x, y, z))
    if (seen === undefined || fact.type !== 0) return false
    Object.assign(seen, { state: 0, fact, height: y, gives: -1 })
    return true
  }

  /** Locate other bodies within a distance from the start. @param {number} reach */
  #locateOthers (reach) {
    this.crowd = this.crowdWithin(reach)
    for (const cell of this.crowd.keys()) this.#crowded[bucketOf(cell)] = 1
    this.#bound(reach < SPAN ? reach : Infinity)
  }

  /** Set the bounds of the square in which other bodies have been located. @param {number} reach */
  #bound (reach) {
    this.#west = this.start.x - reach
    this.#east = this.start.x + reach
    this.#north = this.start.z - reach
    this.#south = this.start.z + reach
  }

  /** @param {number} x @param {number} y @param {number} z @returns {number} number of other bodies in a cell */
  others (x, y, z) {
    if (x < this.#west || x > this.#east || z < this.#north || z > this.#south) this.#locateOthers(SPAN)
    const cell = numberOf(x, y, z)
    return this.#crowded[bucketOf(cell)] === 0 ? 0 : this.crowd.get(cell) ?? 0
  }

  /** @param {SeenBlock} block @returns {boolean} true if it is firm and carries another body, which would fall */
  carriesOthers (block) {
    return block.fact.physical && this.others(block.x, block.y + 1, block.z) > 0
  }

  /** @param {SeenBlock} block @returns {boolean} true if the rules allow breaking the block */
  breakable (block) {
    if (block.gives < 0) block.gives = this.#mayBreak(block) ? 1 : 0
    return block.gives === 1
  }

  /** @param {SeenBlock} block @returns {boolean} */
  #mayBreak (block) {
    const { rules } = this
    const { x, y, z } = block
    if (!rules.canDig || block.fact.fixed) return false
    if (rules.guardsFlow) {
      for (const [dx, dy, dz] of BESIDE) if (this.at(x + dx, y + dy, z + dz).fact.liquid) return false
    }
    return !rules.guardsFalls || (!this.at(x, y + 1, z).fact.falls && this.others(x, y + 1, z) === 0)
  }
}

module.exports = { SeenBlock, SeenBlocks }
