'use strict'
/** Note blocks (minecraft.wiki, "Note Block"): a click raises the note; an attack or redstone power plays it. */

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */

const NOTES = 25

/** @param {import('../../world').World} world @param {Pos} pos @param {BlockState} state */
function play (world, pos, state) {
  if (!world.stateAt(pos.x, pos.y + 1, pos.z).air) return
  world.emit('blockAction', { ...pos, action: 0, param: 0, blockId: state.id })
  world.emit('sound', { name: `block.note_block.${state.props.instrument}`, x: pos.x + 0.5, y: pos.y + 0.5,
    z: pos.z + 0.5, volume: 3, pitch: 2 ** ((Number(state.props.note) - 12) / 12) })
}

/** Handle a click by hand. @param {import('../../world').World} world @param {Pos} pos @param {BlockState} state */
function tune (world, pos, state) {
  const stateId = world.data.withProps(state.stateId, { note: (Number(state.props.note) + 1) % NOTES })
  world.setBlock(pos.x, pos.y, pos.z, stateId)
  play(world, pos, world.data.state(stateId))
}

/**
 * Handle a change of power.
 *
 * @param {import('../../world').World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {boolean} power
 */
function powered (world, pos, state, power) {
  if (String(power) === state.props.powered) return
  const stateId = world.data.withProps(state.stateId, { powered: power })
  world.setBlock(pos.x, pos.y, pos.z, stateId)
  if (power) play(world, pos, world.data.state(stateId))
}

module.exports = { play, tune, powered }
