'use strict'
/**
 * Observers (minecraft.wiki, "Observer"): two ticks after a change before the face, power leaves the back for two
 * ticks.
 */
const { DIRECTIONS, beside } = require('./power')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../world').World} World */

const DELAY = 2
const PULSE = 2

/** Let an observer pulse, unless a pulse is pending. @param {World} world @param {Pos} pos */
function pulse (world, pos) {
  const turn = (/** @type {import('../../data').BlockState} */ now) => {
    const powered = now.props.powered !== 'true'
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(now.stateId, { powered }))
    if (powered) world.redstone.once(pos, 'observer', PULSE, turn)
  }
  world.redstone.once(pos, 'observer', DELAY, turn)
}

/** Let the observers that watch a changed block pulse. @param {World} world @param {Pos} pos */
function noticed (world, pos) {
  for (const [side, , , , back] of DIRECTIONS) {
    const at = beside(pos, side)
    const state = world.stateAt(at.x, at.y, at.z)
    if (state.name === 'observer' && state.props.facing === back && state.props.powered === 'false') pulse(world, at)
  }
}

module.exports = { pulse, noticed }
