'use strict'
/**
 * The Nether and the End are far parts of the one plane of columns: the engine's x of a place says which dimension it
 * is in, and its own x counts from the middle of that part. All rules hold there as they stand; fronts tell clients of
 * the dimension by `dimensionAt`.
 */

/** @typedef {'overworld' | 'the_nether' | 'the_end'} Dimension */

/** Engine's x of each dimension's own x = 0; a multiple of 16. */
const ORIGIN = Object.freeze({ overworld: 0, the_nether: 18_000_000, the_end: 26_000_000 })
const NETHER_FROM = 14_000_000
const END_FROM = 22_000_000
/** Blocks of the overworld that one block of a dimension stands for. */
const SCALE = Object.freeze({ overworld: 1, the_nether: 8, the_end: 1 })
/** The part of the engine's height that clients of a dimension know. */
const BOUNDS = Object.freeze({ overworld: { minY: -64, height: 384 }, the_nether: { minY: 0, height: 256 },
  the_end: { minY: 0, height: 256 } })

/** @param {number} x the engine's @returns {Dimension} */
function dimensionAt (x) { return x < NETHER_FROM ? 'overworld' : x < END_FROM ? 'the_nether' : 'the_end' }

/** The engine's x in a dimension's own count. @param {number} x */
function ownX (x) { return x - ORIGIN[dimensionAt(x)] }

/**
 * Where in another dimension the same place is.
 * @param {{ x: number, y: number, z: number }} from the engine's
 * @param {Dimension} to
 * @returns {{ x: number, y: number, z: number }} the engine's
 */
function across (from, to) {
  const scale = SCALE[dimensionAt(from.x)] / SCALE[to]
  return { x: ownX(from.x) * scale + ORIGIN[to], y: from.y, z: from.z * scale }
}

module.exports = { dimensionAt, ownX, across, ORIGIN, BOUNDS, NETHER_FROM, END_FROM }
