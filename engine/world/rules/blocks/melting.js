'use strict'
/** Melting of ice that a player breaks (minecraft.wiki, "Ice"): it leaves water if something carries the water. */
const { dimensionAt } = require('../../dimensions')

/**
 * Return the state that remains of a block that a player broke.
 * @param {import('../../world').World} world
 * @param {import('../../types').Pos} pos
 * @param {import('../../data').BlockState} state
 * @param {import('../../types').Item | null} tool
 */
function leftOf (world, pos, state, tool) {
  if (!/^(frosted_)?ice$/.test(state.name) || world.stacks.enchantment(tool, 'silk_touch') > 0 ||
    dimensionAt(pos.x) === 'the_nether') {
    return 0
  }
  const below = world.stateAt(pos.x, pos.y - 1, pos.z)
  return below.liquid || below.shapes.length > 0 ? world.data.stateId('water') : 0
}

module.exports = { leftOf }
