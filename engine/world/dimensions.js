'use strict'
/**
 * Dimensions as parts of one plane of columns: the Nether and the End lie far away along x, and the engine's x of a
 * place tells its dimension. All rules hold there unchanged; fronts show clients the dimension of `dimensionAt` and its
 * own x.
 */

/** @typedef {'overworld' | 'the_nether' | 'the_end'} Dimension */

/** Engine x of each dimension's origin; a multiple of 16. */
const ORIGIN = Object.freeze({ overworld: 0, the_nether: 18_000_000, the_end: 26_000_000 })
const NETHER_FROM = 14_000_000
const END_FROM = 22_000_000
/** Overworld blocks per block of the dimension. */
const SCALE = Object.freeze({ overworld: 1, the_nether: 8, the_end: 1 })
/** Vertical bounds of each dimension that clients know. */
const BOUNDS = Object.freeze({ overworld: { minY: -64, height: 384 }, the_nether: { minY: 0, height: 256 },
  the_end: { minY: 0, height: 256 } })

/** @param {number} x the engine's @returns {Dimension} */
function dimensionAt (x) { return x < NETHER_FROM ? 'overworld' : x < END_FROM ? 'the_nether' : 'the_end' }

/** Convert the engine's x to the dimension's own x. @param {number} x */
function ownX (x) { return x - ORIGIN[dimensionAt(x)] }

/**
 * Return the position in another dimension that corresponds to `from`.
 * @param {{ x: number, y: number, z: number }} from the engine's
 * @param {Dimension} to
 * @returns {{ x: number, y: number, z: number }} the engine's
 */
function across (from, to) {
  const scale = SCALE[dimensionAt(from.x)] / SCALE[to]
  return { x: ownX(from.x) * scale + ORIGIN[to], y: from.y, z: from.z * scale }
}

module.exports = { dimensionAt, ownX, across, ORIGIN, BOUNDS, NETHER_FROM, END_FROM }
