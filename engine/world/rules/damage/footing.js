'use strict'
/** Block that carries a body. */

/**
 * Return the block below a body's middle, or at an edge the nearest one that carries the body.
 * @param {import('../../entities/entity').Entity} body
 * @param {number} depth below the feet, in blocks
 */
function supportOf ({ world, x, y, z, width }, depth) {
  const level = Math.floor(y - depth)
  const below = world.stateAt(Math.floor(x), level, Math.floor(z))
  if (below.shapes.length > 0) return below
  let nearest = Infinity
  let found = below
  const r = width / 2
  for (let cx = Math.floor(x - r); cx < x + r; cx++) {
    for (let cz = Math.floor(z - r); cz < z + r; cz++) {
      const state = world.stateAt(cx, level, cz)
      const far = (cx + 0.5 - x) ** 2 + (cz + 0.5 - z) ** 2
      if (state.shapes.length === 0 || far >= nearest) continue
      nearest = far
      found = state
    }
  }
  return found
}

module.exports = { supportOf }
