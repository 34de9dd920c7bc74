'use strict'
/** The highest block of a column, by vanilla's four height maps. */
const { nameTable } = require('../../name_table')

/** @typedef {import('../data').BlockState} BlockState */

/** Tests of blocks by height map. @type {Record<string, (state: BlockState) => boolean>} */
const COUNTS = nameTable({
  world_surface: (state) => !state.air,
  ocean_floor: (state) => state.shapes.length > 0,
  motion_blocking: (state) => state.shapes.length > 0 || state.liquid,
  motion_blocking_no_leaves: (state) => (state.shapes.length > 0 || state.liquid) && !state.name.endsWith('_leaves')
})
const HEIGHTMAPS = Object.freeze(Object.keys(COUNTS))

/**
 * Return the y on top of the highest block that counts, or the world's bottom.
 * @param {import('../world').World} world
 * @param {number} x
 * @param {number} z
 * @param {string} heightmap one of HEIGHTMAPS
 * @param {number} [below] only blocks under this y count
 * @returns {number}
 */
function surfaceAt (world, x, z, heightmap, below = Infinity) {
  const counts = COUNTS[heightmap]
  for (let y = Math.min(below, world.minY + world.height) - 1; y >= world.minY; y--) {
    if (counts(world.data.state(world.terrain.peek(x, y, z)))) return y + 1
  }
  return world.minY
}

module.exports = { surfaceAt, HEIGHTMAPS }
