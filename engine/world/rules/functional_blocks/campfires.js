'use strict'
/**
 * Campfires (minecraft.wiki, "Campfire"): they cook four items at a time, 30 seconds each, and cool down twice as fast.
 */

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */
/** @typedef {import('../blocks/block_entities').BlockEntity} BlockEntity */

const PLACES = 4
const COOK_TICKS = 600
const COOLING = 2

/** @param {string} name of a block */
function isCampfire (name) { return name === 'campfire' || name === 'soul_campfire' }

/**
 * Lay food on a campfire by hand.
 *
 * @param {World} world
 * @param {import('../../player').Player} player
 * @param {Pos} pos
 * @param {BlockState} _state
 * @param {0 | 1} hand
 * @returns {boolean} true if the click was for the campfire
 */
function useCampfire (world, player, pos, _state, hand) {
  const item = player.inHand(hand)
  const entity = world.blockEntities.at(pos)
  if (!item || !entity || !world.smelting.result(item, 'smoker')) return false
  const place = entity.store.slots.indexOf(null)
  if (place < 0) return false
  entity.store.set(place, world.stacks.withCount(item, 1))
  entity.cooking[place] = 0
  world.stats.add(player, 'custom', 'interact_with_campfire')
  player.consume(hand)
  world.emit('blockEntity', pos)
  return true
}

/** Advance a campfire by one tick. @param {World} world @param {BlockEntity} entity */
function tickCampfire (world, entity) {
  const { pos, store, cooking } = entity
  const lit = world.stateAt(pos.x, pos.y, pos.z).props.lit === 'true'
  for (let place = 0; place < PLACES; place++) {
    const item = store.get(place)
    if (!item) continue
    cooking[place] = lit ? cooking[place] + 1 : Math.max(0, cooking[place] - COOLING)
    if (cooking[place] < COOK_TICKS) continue
    const recipe = world.smelting.result(item, 'smoker')
    cooking[place] = 0
    store.set(place, null)
    world.popItem(recipe ? world.stacks.make(recipe.result) : item, pos)
    world.emit('blockEntity', pos)
  }
}

/** Let hay below a campfire raise its smoke. @param {World} world @param {Pos} pos @param {BlockState} state */
function settleCampfire (world, pos, state) {
  const signal = world.stateAt(pos.x, pos.y - 1, pos.z).name === 'hay_block'
  world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { signal_fire: signal }))
}

module.exports = { isCampfire, useCampfire, tickCampfire, settleCampfire, PLACES, COOK_TICKS }
