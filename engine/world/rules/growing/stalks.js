'use strict'
/** Sugar cane, cactus and bamboo (wiki: "Sugar Cane", "Cactus", "Bamboo"), and the effect of bone meal on them. */
const { canStay } = require('../blocks/support')
const { GROWING_LIGHT, setAge } = require('./crops')

/** @typedef {import('../../world').World} World */
/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('./index').Tick} Tick */

/** Maximum height of cane and cactus, in blocks, and random ticks between two blocks. */
const STALK_HEIGHT = 3
const STALK_AGE = 15
const BAMBOO_HEIGHT = 16

/**
 * Return the number of blocks of a name below a position (or above, by `step`).
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {string} name
 * @param {number} step
 * @param {number} most
 */
function run (world, pos, name, step, most) {
  let count = 0
  while (count < most && world.stateAt(pos.x, pos.y + step * (count + 1), pos.z).name === name) count++
  return count
}

/** @type {Tick} */
function stalk (world, pos, state) {
  if (!world.stateAt(pos.x, pos.y + 1, pos.z).air ||
    run(world, pos, state.name, -1, STALK_HEIGHT) + 1 >= STALK_HEIGHT) {
    return
  }
  const age = Number(state.props.age)
  if (age < STALK_AGE) return setAge(world, pos, state, age + 1)
  const above = { x: pos.x, y: pos.y + 1, z: pos.z }
  const young = world.data.state(world.data.stateId(state.name))
  world.setBlock(above.x, above.y, above.z, young.stateId)
  setAge(world, pos, state, 0)
  if (!canStay(world, above, young)) world.updates.schedule(above, 1)
}

/** @type {Tick} */
function bamboo (world, pos, state, random) {
  const ready = state.props.stage === '0' && random.int(0, 2) === 0 && world.stateAt(pos.x, pos.y + 1, pos.z).air &&
    world.light.raw(pos.x, pos.y + 1, pos.z) >= GROWING_LIGHT
  if (ready) growBamboo(world, pos, random)
}

/** @type {Tick} */
function shoot (world, pos, _state, random) {
  if (random.int(0, 2) === 0 && world.light.raw(pos.x, pos.y + 1, pos.z) >= GROWING_LIGHT) growShoot(world, pos)
}

/** Turn a shoot into a stem of two blocks. @param {World} world @param {Pos} pos @returns {boolean} */
function growShoot (world, pos) {
  if (!world.stateAt(pos.x, pos.y + 1, pos.z).air) return false
  world.setBlock(pos.x, pos.y, pos.z, world.data.stateId('bamboo'))
  return world.setBlock(pos.x, pos.y + 1, pos.z, world.data.stateId('bamboo', { leaves: 'small' }))
}

/**
 * Let the top of a stem grow by one block; its leaves move up. A stem ends at 16 blocks, and from 12 on with a chance
 * of 1/4.
 * @param {World} world
 * @param {Pos} pos of its top
 * @param {import('../../random').RandomStream} random
 * @returns {boolean}
 */
function growBamboo (world, pos, random) {
  const top = world.stateAt(pos.x, pos.y, pos.z)
  const height = run(world, pos, 'bamboo', -1, BAMBOO_HEIGHT) + 1
  if (height >= BAMBOO_HEIGHT || top.props.stage === '1' || !world.stateAt(pos.x, pos.y + 1, pos.z).air) return false
  const below = world.stateAt(pos.x, pos.y - 1, pos.z)
  const second = world.stateAt(pos.x, pos.y - 2, pos.z)
  const bare = below.name !== 'bamboo' || below.props.leaves === 'none'
  if (!bare) {
    world.setBlock(pos.x, pos.y - 1, pos.z, world.data.withProps(below.stateId, { leaves: 'small' }))
    if (second.name === 'bamboo') {
      world.setBlock(pos.x, pos.y - 2, pos.z, world.data.withProps(second.stateId, { leaves: 'none' }))
    }
  }
  const age = top.props.age === '1' || second.name === 'bamboo' ? 1 : 0
  const stage = (height >= 11 && random.chance(0.25)) || height === BAMBOO_HEIGHT - 1 ? 1 : 0
  return world.setBlock(pos.x, pos.y + 1, pos.z,
    world.data.stateId('bamboo', { age, stage, leaves: bare ? 'small' : 'large' }))
}

/** @type {Record<string, Tick>} */
const TICKS = { sugar_cane: stalk, cactus: stalk, bamboo, bamboo_sapling: shoot }

module.exports = { TICKS, growBamboo, growShoot, run, BAMBOO_HEIGHT }
