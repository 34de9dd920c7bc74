'use strict'
/**
 * Redstone of one world: driven by changes. A block that changed wakes the receivers that its power may reach, two blocks far; they ask
 * anew what comes to them when their update is due. Where no component stands, a change costs two look-ups in a table.
 */
const { receiverOf } = require('./receivers')
const { sourceOf } = require('./power')
const { Plates } = require('./plates')
const { parted } = require('./pistons')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */

const UNKNOWN = 0
const NOTHING = 1
const COMPONENT = 2
const RECEIVER = 3
/** Blocks that a component's power reaches through another one, at most. */
const REACH = 2

/** Redstone in one world. */
class Redstone {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    /** What each block is to redstone, by block id. */
    this.kinds = new Uint8Array(world.registry.blocksArray.length + 1)
    this.plates = new Plates(world)
  }

  /** @param {BlockState} state */
  kindOf (state) {
    const known = this.kinds[state.id]
    if (known !== UNKNOWN) return known
    return this.kinds[state.id] = receiverOf(state.name) ? RECEIVER : sourceOf(state) || state.name === 'piston_head' ? COMPONENT : NOTHING
  }

  /** Whether power means something to a block. @param {BlockState} state */
  hears (state) { return this.kindOf(state) === RECEIVER }

  /** A block changed. @param {Pos} pos @param {BlockState} before @param {BlockState} after */
  changed (pos, before, after) {
    const [was, is] = [this.kindOf(before), this.kindOf(after)]
    if (was === NOTHING && is === NOTHING) return
    if (before.name.includes('piston')) parted(this.world, pos, before, after)
    this.plates.changed(pos, before.name, after.name)
    this.wake(pos)
  }

  /** @param {Pos} pos */
  wake ({ x, y, z }) {
    for (let dx = -REACH; dx <= REACH; dx++) {
      for (let dy = -REACH; dy <= REACH; dy++) {
        for (let dz = -REACH; dz <= REACH; dz++) {
          if (Math.abs(dx) + Math.abs(dy) + Math.abs(dz) > REACH) continue
          if (this.hears(this.world.stateAt(x + dx, y + dy, z + dz))) this.world.updates.schedule({ x: x + dx, y: y + dy, z: z + dz }, 1)
        }
      }
    }
  }

  /** A block's update is due. @param {Pos} pos @param {BlockState} state */
  update (pos, state) { if (this.hears(state)) receiverOf(state.name)?.(this.world, pos, state) }
}

module.exports = { Redstone }
