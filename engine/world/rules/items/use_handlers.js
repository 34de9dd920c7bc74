'use strict'
/**
 * Dispatch of uses: a click on a block by hand, an item used in the air, a placed block. Each rule adds a line here.
 */
const { isSign } = require('../functional_blocks/signs')
const { isBed } = require('../functional_blocks/beds')
const { cast } = require('./fishing')
const { tune } = require('../functional_blocks/note_blocks')
const { fillBottle } = require('../brewing/potions')
const { throwEye } = require('./ender_eye')
const { boost } = require('../players/gliding')
const { launch } = require('./placing_entities')
const { useComposter } = require('../functional_blocks/composters')
const { useCampfire } = require('../functional_blocks/campfires')
const { useLectern } = require('../functional_blocks/lectern')
const { useJukebox } = require('../functional_blocks/jukebox')
const { switchMode, lengthen } = require('../redstone/diodes')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../types').Verdict} Verdict */
/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../world').World} World */

/**
 * Blocks that take an item from the hand.
 *
 * @type
 *   {Record<string, (world: World, player: Player, pos: Pos, state: import('../../data').BlockState, hand: 0 | 1) =>
 *   boolean>}
 */
const TAKERS = nameTable({ composter: useComposter, campfire: useCampfire,
  soul_campfire: useCampfire, lectern: useLectern, jukebox: useJukebox })
/**
 * Redstone components that a click changes.
 *
 * @type {Record<string, (world: World, pos: Pos, state: import('../../data').BlockState) => void>}
 */
const TURNED = nameTable({ repeater: lengthen, comparator: switchMode,
  daylight_detector: (world, pos, state) => world.redstone.sensors.invert(pos, state) })

/**
 * @param {World} world
 * @param {Player} player
 * @param {Pos} pos
 * @param {import('../../data').BlockState} state
 * @param {0 | 1} hand
 * @returns {boolean} true if the click was for the block
 */
function useByHand (world, player, pos, state, hand) {
  const take = TAKERS[state.name]
  if (take) return take(world, player, pos, state, hand)
  if (state.name === 'note_block') {
    tune(world, pos, state)
    return true
  }
  const turn = TURNED[state.name]
  if (turn) {
    turn(world, pos, state)
    return true
  }
  if (isSign(state.name)) return world.signs.use(player, pos)
  if (state.name === 'end_portal_frame' && state.props.eye === 'false' && player.heldItem?.name === 'ender_eye') {
    world.portals.eye(player, 0, pos, state)
    return true
  }
  if (isBed(state.name)) {
    world.beds.use(player, pos, state)
    return true
  }
  return false
}

/**
 * @param {Player} player
 * @param {0 | 1} hand
 * @param {Item} item
 * @returns {Verdict | null} null if the item has no use here
 */
function useInAir (player, hand, item) {
  if (item.name === 'written_book') {
    player.world.emit('openBook', { player, hand })
    return { ok: true }
  }
  if (item.name === 'writable_book') return { ok: true }
  if (item.name === 'glass_bottle') return fillBottle(player, hand)
  if (item.name === 'ender_eye') return throwEye(player, hand)
  if (item.name === 'firework_rocket') return boost(player, hand, item)
  return item.name === 'fishing_rod' ? cast(player, hand) : launch(player, hand, item)
}

/** Handle a block that a player has placed. @param {World} world @param {Player} player @param {Pos} at */
function placed (world, player, at) {
  if (isSign(world.stateAt(at.x, at.y, at.z).name)) world.signs.open(player, at, true)
}

module.exports = { useByHand, useInAir, placed }
