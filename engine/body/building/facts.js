'use strict'
/**
 * What a body that digs and builds has to know about a block state, reckoned as mineflayer-pathfinder reckons it, so that
 * a way here is a way there.
 *
 * @module engine/body/building/facts
 */
const loadBlock = require('prismarine-block')
const { panelSide } = require('../blocks')

/** Sides of blocks that stand taller than a block are not walked on, thinner ones than this are walked through. */
const THIN = 0.1
/** Blocks whose shape depends on whether they are open: each state is looked at by itself. */
const OPENING = /_(door|fence_gate|trapdoor)$/
/** Opened by hand. */
const BY_HAND = /^(?!iron_).*_(door|fence_gate)$/

/**
 * @typedef {object} Fact of a block state
 * @property {number} type the block's number, 0 for air
 * @property {boolean} safe a body may be in it
 * @property {boolean} physical a body may stand on it
 * @property {boolean} liquid
 * @property {boolean} climbable
 * @property {boolean} replaceable a block may be put in its place
 * @property {boolean} falls sand and gravel
 * @property {boolean} opens a door, or a closed gate, that a hand opens
 * @property {number} panel the side along which a panel stands, one of `PANEL_*`; 0: none
 * @property {boolean} empty has no boxes
 * @property {boolean} fixed may not be broken
 * @property {number} top of its highest box, 0 without boxes
 *
 * @typedef {object} Sorts names of blocks that are of a kind, by their numbers
 * @property {number[]} avoided never entered
 * @property {number[]} fixed never broken, besides those that nobody can break
 * @property {number[]} climbable
 */

/** Facts by state, filled on first use. */
class Facts {
  #registry
  #Block
  #sorts
  /** @type {Fact[]} */
  #known = []

  /** @param {any} registry prismarine-registry @param {Sorts} sorts */
  constructor (registry, sorts) {
    this.#registry = registry
    this.#Block = loadBlock(registry)
    this.#sorts = { avoided: new Set(sorts.avoided), fixed: new Set(sorts.fixed), climbable: new Set(sorts.climbable) }
  }

  /** @param {number} state @returns {Fact} */
  of (state) {
    return this.#known[state] ?? (this.#known[state] = this.#learn(state))
  }

  /** @param {number} state @returns {Fact} */
  #learn (state) {
    const block = this.#Block.fromStateId(state, 0)
    // Whether a block is tall or thin is told by the first of its states, as mineflayer-pathfinder tells it.
    const opening = OPENING.test(block.name)
    const first = (opening ? block : this.#Block.fromStateId(this.#registry.blocks[block.type].minStateId, 0)).shapes[0]
    const panel = opening ? panelSide(block.shapes) : 0
    const open = opening && first === undefined
    const climbable = this.#sorts.climbable.has(block.type)
    const physical = block.boundingBox === 'block' && !(first?.[4] > 1) && !open && panel === 0
    const passed = block.boundingBox === 'empty' || climbable || open || (first !== undefined && first[4] < THIN)
    const liquid = block.name === 'water' || block.name === 'lava'
    return {
      type: block.type,
      safe: passed && !this.#sorts.avoided.has(block.type),
      physical,
      liquid,
      climbable,
      replaceable: (liquid || ['air', 'cave_air', 'void_air'].includes(block.name)) && !physical,
      falls: block.name === 'sand' || block.name === 'gravel',
      opens: BY_HAND.test(block.name) && block.shapes.length > 0,
      panel: this.#sorts.avoided.has(block.type) ? 0 : panel,
      empty: first === undefined,
      fixed: block.type === 0 || !block.diggable || this.#sorts.fixed.has(block.type),
      top: Math.max(0, ...block.shapes.map((/** @type {number[]} */ shape) => shape[4]))
    }
  }
}

module.exports = { BY_HAND, OPENING, Facts }
