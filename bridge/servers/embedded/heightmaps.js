'use strict'
/** Heightmaps of columns for clients: where rain stops, and where the highest block is. */

const ACROSS = 256
/** Bits of a height, which is 0 to 384 above the bottom of the world. */
const BITS = 9
const PER_LONG = Math.floor(64 / BITS)

/**
 * @param {any} column prismarine-chunk's
 * @param {(stateId: number) => boolean} counts
 * @returns {number[]} by z * 16 + x: how far above the bottom of the world the first free block over the highest
 *   counted one is
 */
function heights (column, counts) {
  let top = column.sections.length - 1
  while (top > 0 && column.sections[top].solidBlockCount === 0) top--
  return Array.from({ length: ACROSS }, (_, at) => {
    for (let y = top * 16 + 15; y >= 0; y--) {
      if (counts(column.sections[y >> 4].data.get((y & 15) << 8 | at))) return y + 1
    }
    return 0
  })
}

/**
 * Pack heights into 64-bit words of seven, as in the protocol.
 * @param {number[]} list
 * @returns {[number, number][]} high and low half of each
 */
function packed (list) {
  const longs = []
  for (let first = 0; first < list.length; first += PER_LONG) {
    let long = 0n
    for (let i = Math.min(first + PER_LONG, list.length) - 1; i >= first; i--) {
      long = long << BigInt(BITS) | BigInt(list[i])
    }
    longs.push(/** @type {[number, number]} */ ([
      Number(BigInt.asIntN(32, long >> 32n)), Number(BigInt.asIntN(32, long))
    ]))
  }
  return longs
}

/** Maker of heightmaps for one version. */
class Heightmaps {
  /** @param {any} data minecraft-data */
  constructor (data) {
    this._solid = new Uint8Array(data.blocksArray.reduce(
      (/** @type {number} */ most, /** @type {any} */ block) => Math.max(most, block.maxStateId), 0
    ) + 1)
    for (const block of data.blocksArray) {
      if (block.boundingBox === 'block' ||
        /^(water|lava|bubble_column|kelp|kelp_plant|seagrass|tall_seagrass)$/.test(block.name)) {
        this._solid.fill(1, block.minStateId, block.maxStateId + 1)
      }
    }
  }

  /** @param {any} column @returns {object} NBT */
  of (column) {
    const of = (/** @type {(stateId: number) => boolean} */ counts) => ({
      type: 'longArray', value: packed(heights(column, counts))
    })
    return {
      type: 'compound',
      value: { MOTION_BLOCKING: of((id) => this._solid[id] === 1), WORLD_SURFACE: of((id) => id !== 0) }
    }
  }
}

module.exports = { Heightmaps, heights, packed }
