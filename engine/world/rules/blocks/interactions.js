'use strict'
/** Blocks that a click works: doors, trapdoors, gates, levers, buttons. */

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */

/** @param {BlockState} state @returns {boolean} true if a click opens it; iron doors need redstone */
function isOpenable (state) {
  return (/_(door|trapdoor|fence_gate)$/.test(state.name) && !state.name.startsWith('iron_')) ||
    state.name === 'lever' || /_button$/.test(state.name)
}

/** Return the ticks for which a button stays pressed. @param {string} name */
function buttonTicks (name) { return /^(stone|polished_blackstone)_button$/.test(name) ? 20 : 30 }

/** @param {import('../../world').World} world @param {Pos} pos @param {BlockState} state */
function toggled (world, pos, state) {
  if (state.props.open !== undefined) return open(world, pos, state, state.props.open !== 'true')
  if (state.name === 'lever') return flip(world, pos, state, state.props.powered !== 'true')
  if (state.props.powered === 'true') return
  flip(world, pos, state, true)
  world.later(buttonTicks(state.name), () => {
    const now = world.stateAt(pos.x, pos.y, pos.z)
    if (now.name === state.name) flip(world, pos, now, false)
  })
}

/** @param {import('../../world').World} world @param {Pos} pos @param {BlockState} state @param {boolean} powered */
function flip (world, pos, state, powered) {
  world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { powered }))
}

/**
 * Open or close a block, a door with both halves.
 *
 * @param {import('../../world').World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {boolean} yes
 */
function open (world, pos, state, yes) {
  world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { open: yes }))
  const mate = world.breaking.mate(state, pos)
  if (mate) world.setBlock(mate.pos.x, mate.pos.y, mate.pos.z, world.data.withProps(mate.stateId, { open: yes }))
  world.emit('sound', { name: yes ? 'block.open' : 'block.close', x: pos.x + 0.5, y: pos.y + 0.5, z: pos.z + 0.5 })
}

module.exports = { isOpenable, toggled }
