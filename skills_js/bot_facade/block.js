/** Blocks, items and entities as policies see them: snapshots, with mineflayer's names. */
'use strict'
const { refuseMembers } = require('./documented')
const { seal } = require('./harden')
const { Vec3 } = require('./vec3')

/** Block as it was when it was read. */
class Block {
  #host
  /**
   * @param {import('./host').Host} host
   * @param {any} state - the static facts of the block's state
   * @param {Vec3 | null} position - null for a block of no place, as matchers get to see
   */
  constructor (host, state, position) {
    this.#host = host
    const { properties, ...facts } = state
    Object.assign(this, facts)
    this._properties = properties
    this.position = position
  }

  /** @returns {any} {id, name}; null for a block of no place */
  get biome () {
    if (this.position === null) return null
    const { x, y, z } = this.position
    return this.#host.read('biomeAt', x, y, z)
  }

  /** @returns {boolean} */
  get isWaterlogged () { return this._properties.waterlogged === true }

  /** @returns {Record<string, any>} e.g. {facing: 'north'} */
  getProperties () { return { ...this._properties } }

  /**
   * @param {number | null} [itemType] - what is held
   * @returns {boolean} whether breaking it with that gives its drops
   */
  canHarvest (itemType) {
    const tools = /** @type {any} */ (this).harvestTools
    return tools === null || tools === undefined || Boolean(itemType && tools[itemType])
  }

  /**
   * @param {number | null} [itemType] - what is held; left out: what the bot holds now
   * @returns {number} ms to break it
   */
  digTime (itemType = null) {
    const { x, y, z } = /** @type {Vec3} */ (this.position)
    return this.#host.read('digTime', x, y, z, itemType)
  }
}

/** Source of blocks; the facts of a state are read once. */
class BlockSource {
  /** @param {import('./host').Host} host */
  constructor (host) {
    this.host = host
    /** @type {Map<number, any>} */
    this.states = new Map()
  }

  /**
   * @param {number} state
   * @param {Vec3 | null} position
   * @returns {Block}
   */
  make (state, position) {
    let facts = this.states.get(state)
    if (facts === undefined) {
      facts = this.host.read('blockState', state)
      this.states.set(state, facts)
    }
    return new Block(this.host, facts, position)
  }

  /**
   * @param {any} point - anything with x, y and z
   * @returns {Block | null} null where the land is not loaded
   */
  at (point) {
    const position = new Vec3(Math.floor(point.x), Math.floor(point.y), Math.floor(point.z))
    const state = this.host.read('blockAt', position.x, position.y, position.z)
    return state === null ? null : this.make(state, position)
  }
}

/** Item in a slot. */
class Item {
  /** @param {any} data */
  constructor (data) {
    this.type = data.type
    this.name = data.name
    this.count = data.count
    this.stackSize = data.stackSize
    this.customName = null
    this.repairCost = 0
    Object.assign(this, data)
  }
}

refuseMembers(Block.prototype, 'block')
refuseMembers(Item.prototype, 'item')
seal(Block, Item)

module.exports = { Block, BlockSource, Item }
