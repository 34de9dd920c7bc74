'use strict'
/** Sponges (minecraft.wiki, "Sponge"): they absorb the water around them, and dry in the Nether. */
const { FACES } = require('../../geometry')
const { dimensionAt } = require('../../dimensions')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */

/** Maximum number of absorbed blocks of water, and distance of the last of them in steps. */
const DRINKS = 64
const STEPS = 6
const WATER_PLANTS = /^(kelp|kelp_plant|seagrass|tall_seagrass)$/

/**
 * Let a sponge absorb water; it becomes wet if there was any.
 *
 * @param {import('../../world').World} world
 * @param {Pos} pos
 */
function absorb (world, pos) {
  const seen = new Set([`${pos.x},${pos.y},${pos.z}`])
  const queue = [{ pos, steps: 0 }]
  let drunk = 0
  for (let i = 0; i < queue.length && drunk < DRINKS; i++) {
    const from = queue[i]
    if (i > 0 && !drink(world, from.pos)) continue
    if (i > 0) drunk++
    if (from.steps === STEPS) continue
    for (const step of FACES) {
      const next = { x: from.pos.x + step.x, y: from.pos.y + step.y, z: from.pos.z + step.z }
      const key = `${next.x},${next.y},${next.z}`
      if (seen.has(key)) continue
      seen.add(key)
      queue.push({ pos: next, steps: from.steps + 1 })
    }
  }
  if (drunk === 0) return
  world.setBlock(pos.x, pos.y, pos.z, world.data.stateId('wet_sponge'))
  world.emit('sound', { name: 'block.sponge.absorb', x: pos.x + 0.5, y: pos.y + 0.5, z: pos.z + 0.5 })
}

/**
 * Remove the water from a position.
 *
 * @param {import('../../world').World} world
 * @param {Pos} pos
 * @returns {boolean} true if there was any
 */
function drink (world, pos) {
  if (!world.terrain.inside(pos.x, pos.y, pos.z)) return false
  const state = world.stateAt(pos.x, pos.y, pos.z)
  if (state.props.waterlogged === 'true') {
    return world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { waterlogged: false }))
  }
  if (state.name !== 'water' && !WATER_PLANTS.test(state.name)) return false
  if (state.name !== 'water') world.breaking.drop(state, pos, null)
  return world.setBlock(pos.x, pos.y, pos.z, 0)
}

/**
 * Dry a wet sponge in a dimension where water evaporates.
 *
 * @param {import('../../world').World} world
 * @param {Pos} pos
 */
function dry (world, pos) {
  if (dimensionAt(pos.x) === 'the_nether') world.setBlock(pos.x, pos.y, pos.z, world.data.stateId('sponge'))
}

module.exports = { absorb, dry }
