'use strict'
/** Workshops by block, a line each. */
const { Work } = require('./workshop')
const { ANVIL } = require('./anvil')
const { ENCHANTING } = require('./enchanting')
const { GRINDSTONE } = require('./grindstone')
const { SMITHING } = require('./smithing')
const { STONECUTTER } = require('./stonecutter')
const { CARTOGRAPHY } = require('./cartography')
const { LOOM } = require('./loom')
const { nameTable } = require('../../../name_table')

/** @typedef {import('./workshop').Shop} Shop */

/** @type {Record<string, Shop>} */
const SHOPS = nameTable({
  anvil: ANVIL, chipped_anvil: ANVIL, damaged_anvil: ANVIL,
  enchanting_table: ENCHANTING, grindstone: GRINDSTONE, smithing_table: SMITHING,
  stonecutter: STONECUTTER, cartography_table: CARTOGRAPHY, loom: LOOM
})
const KEEP_OPEN = 8

/**
 * Open a workshop.
 * @param {import('../../player').Player} player
 * @param {import('../../types').Pos} pos
 * @returns {boolean} true if the block is a workshop
 */
function openWorkshop (player, pos) {
  const { world } = player
  const shop = SHOPS[world.stateAt(pos.x, pos.y, pos.z).name]
  if (!shop) return false
  const work = new Work(world, player, shop, { ...pos })
  work.view.valid = () => !player.dead && SHOPS[world.stateAt(pos.x, pos.y, pos.z).name] === shop &&
    player.within(pos, KEEP_OPEN)
  player.screens.open(work.view)
  work.refresh()
  return true
}

module.exports = { openWorkshop, SHOPS }
