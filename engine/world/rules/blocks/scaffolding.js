'use strict'
/**
 * Scaffolding (minecraft.wiki, "Scaffolding"): it carries up to six pieces to each side, and a click on it extends it.
 */
const { FACES, facingOf } = require('../../geometry')
const { STEP } = require('./block_entities')
const { solidFace } = require('./support')
const { FallingBlock } = require('../../entities/falling')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */

/** Distance from a supported column at which scaffolding falls. */
const UNHELD = 7

/** @param {string} name of a block or an item */
function isScaffolding (name) { return name === 'scaffolding' }

/**
 * Return the distance from a position to the next supported scaffolding, or `UNHELD`.
 *
 * @param {World} world
 * @param {Pos} pos
 */
function distanceAt (world, { x, y, z }) {
  const below = world.stateAt(x, y - 1, z)
  if (!isScaffolding(below.name) && solidFace(below, 'up')) return 0
  let best = isScaffolding(below.name) ? Number(below.props.distance) : UNHELD
  for (const [dx, dz] of Object.values(STEP)) {
    const side = world.stateAt(x + dx, y, z + dz)
    if (isScaffolding(side.name)) best = Math.min(best, Number(side.props.distance) + 1)
  }
  return best
}

/** Return the properties that scaffolding has at a position. @param {World} world @param {Pos} pos */
function held (world, pos) {
  const distance = distanceAt(world, pos)
  return { distance, bottom: distance > 0 && !isScaffolding(world.stateAt(pos.x, pos.y - 1, pos.z).name) }
}

/**
 * Return the position of a placed piece: up or ahead from a clicked piece, past existing pieces.
 * @param {World} world
 * @param {import('../../player').Player} player
 * @param {import('./placing').Target} target
 * @param {Pos} usual position at which another block would be placed
 * @returns {Pos | null} null if it would fall, or has no room
 */
function placeOf (world, player, { pos, face }, usual) {
  if (!isScaffolding(world.stateAt(pos.x, pos.y, pos.z).name)) return distanceAt(world, usual) === UNHELD ? null : usual
  const [dx, dz] = STEP[facingOf(player.yaw)]
  const step = player.sneaking ? FACES[face] : face === 1 ? { x: dx, y: 0, z: dz } : FACES[1]
  const at = { x: pos.x + step.x, y: pos.y + step.y, z: pos.z + step.z }
  for (let steps = 0; steps < UNHELD && world.terrain.inside(at.x, at.y, at.z); steps += step.y === 0 ? 1 : 0) {
    const state = world.stateAt(at.x, at.y, at.z)
    if (!isScaffolding(state.name)) return state.replaceable && distanceAt(world, at) < UNHELD ? at : null
    at.x += step.x; at.y += step.y; at.z += step.z
  }
  return null
}

/**
 * Let scaffolding settle after a neighbour's change: it stays, breaks or falls.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 */
function settle (world, pos, state) {
  const props = held(world, pos)
  if (props.distance < UNHELD) world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, props))
  else if (Number(state.props.distance) < UNHELD) world.breaking.remove(pos, { drop: true })
  else {
    world.setBlock(pos.x, pos.y, pos.z, state.props.waterlogged === 'true' ? world.data.stateId('water') : 0)
    world.enter(new FallingBlock(world, { x: pos.x + 0.5, y: pos.y, z: pos.z + 0.5 },
      world.data.withProps(state.stateId, { waterlogged: false })))
  }
}

module.exports = { isScaffolding, placeOf, held, settle, distanceAt }
