'use strict'
/**
 * Facts about block states for a body that digs and builds. They are derived as in mineflayer-pathfinder, so that a
 * path here is a path on servers.
 *
 * @module engine/body/building/facts
 */
const loadBlock = require('prismarine-block')
const { panelSide } = require('../blocks')

/** Height below which a body walks through a block, in blocks. */
const THIN = 0.1
/** Blocks that open, whose states have different shapes. */
const OPENING = /_(door|fence_gate|trapdoor)$/
/** Blocks that a hand opens. */
const BY_HAND = /^(?!iron_).*_(door|fence_gate)$/

/**
 * @typedef {object} Fact facts about a block state
 * @property {number} type block id, 0 for air
 * @property {boolean} safe a body may be in it
 * @property {boolean} physical a body may stand on it
 * @property {boolean} liquid
 * @property {boolean} climbable
 * @property {boolean} replaceable a block may be placed in its cell
 * @property {boolean} falls true for sand and gravel
 * @property {boolean} opens true for a door or a closed gate that a hand opens
 * @property {number} panel side along which a panel stands, as a `PANEL_*` flag; 0 without a panel
 * @property {boolean} empty true if it has no boxes
 * @property {boolean} fixed true if it may not be broken
 * @property {number} top y of its highest box in the cell; 0 without boxes
 *
 * @typedef {object} Sorts block ids by kind
 * @property {number[]} avoided blocks that are never entered
 * @property {number[]} fixed blocks that are never broken, besides unbreakable ones
 * @property {number[]} climbable
 */

/** Facts by block state, filled on first use. */
class Facts {
  #registry
  #Block
  #sorts
  /** @type {Fact[]} */
  #known = []

  /** @param {import('../blocks').Registry} registry @param {Sorts} sorts */
  constructor (registry, sorts) {
    this.#registry = registry
    this.#Block = loadBlock(registry)
    this.#sorts = { avoided: new Set(sorts.avoided), fixed: new Set(sorts.fixed), climbable: new Set(sorts.climbable) }
  }

  /** Return the facts about a state. @param {number} state @returns {Fact} */
  of (state) {
    return this.#known[state] ?? (this.#known[state] = this.#learn(state))
  }

  /** @param {number} state @returns {Fact} */
  #learn (state) {
    const block = this.#Block.fromStateId(state, 0)
    // As in mineflayer-pathfinder, the block's first state decides whether it is tall or thin.
    const opening = OPENING.test(block.name)
    const firstState = Number(this.#registry.blocks[block.type].minStateId)
    const first = (opening ? block : this.#Block.fromStateId(firstState, 0)).shapes[0]
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
