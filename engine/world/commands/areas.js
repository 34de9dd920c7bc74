'use strict'
/** Blocks and boxes of blocks named by commands. */
const { containerNbt } = require('../nbt/items')
const { matches } = require('../nbt/path')

/** @typedef {import('./source').Source} Source */
/** @typedef {import('./things').BlockText} BlockText */
/** @typedef {import('../types').Pos} Pos */

/**
 * Return true if the block at `pos` is of a wanted kind.
 * @param {import('../world').World} world
 * @param {Pos} pos
 * @param {BlockText} wanted
 */
function isBlock (world, pos, wanted) {
  const state = world.stateAt(pos.x, pos.y, pos.z)
  if (!wanted.names.has(state.name) ||
    !Object.entries(wanted.props).every(([key, value]) => state.props[key] === value)) {
    return false
  }
  if (!wanted.nbt) return true
  const entity = world.blockEntities.at(pos)
  return entity !== null && matches(wanted.nbt, containerNbt(entity))
}

/**
 * Return the lower and the upper corner of a box.
 * @param {Source} source
 * @param {any} from
 * @param {any} to
 * @returns {[Pos, Pos, number]}
 */
function corners (source, from, to) {
  const [a, b] = [source.block(from), source.block(to)]
  const low = { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), z: Math.min(a.z, b.z) }
  const high = { x: Math.max(a.x, b.x), y: Math.max(a.y, b.y), z: Math.max(a.z, b.z) }
  return [low, high, (high.x - low.x + 1) * (high.y - low.y + 1) * (high.z - low.z + 1)]
}

/**
 * Yield every place of a box: x fastest, then y, then z, as in vanilla.
 * @param {Pos} low
 * @param {Pos} high
 * @param {import('../terrain/terrain').Terrain | null} [full] sections of its that are all air are passed over
 */
function * places (low, high, full = null) {
  for (let z = low.z; z <= high.z; z++) {
    for (let y = low.y; y <= high.y; y++) {
      for (let x = low.x; x <= high.x; x++) {
        if (full !== null && full.empty(x, y, z)) x |= 15
        else yield { x, y, z }
      }
    }
  }
}

module.exports = { corners, isBlock, places }
