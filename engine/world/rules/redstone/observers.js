'use strict'
/** Observers (minecraft.wiki, "Observer"): two ticks after the block before the face changed, power comes out of the back for two ticks. */
const { DIRECTIONS, beside } = require('./power')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../world').World} World */

const DELAY = 2
const PULSE = 2

/** Have an observer pulse, unless it is about to anyway. @param {World} world @param {Pos} pos */
function pulse (world, pos) {
  const turn = (/** @type {import('../../data').BlockState} */ now) => {
    const powered = now.props.powered !== 'true'
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(now.stateId, { powered }))
    if (powered) world.redstone.once(pos, 'observer', PULSE, turn)
  }
  world.redstone.once(pos, 'observer', DELAY, turn)
}

/** A block changed: observers whose faces look at it pulse. @param {World} world @param {Pos} pos */
function noticed (world, pos) {
  for (const [side, , , , back] of DIRECTIONS) {
    const at = beside(pos, side)
    const state = world.stateAt(at.x, at.y, at.z)
    if (state.name === 'observer' && state.props.facing === back && state.props.powered === 'false') pulse(world, at)
  }
}

module.exports = { pulse, noticed }
