'use strict'
/**
 * Refusals that every world gives in the same words.
 *
 * @module skills_js/refusals
 */
const { named } = require('./bot_facade/errors')

const ALREADY_FISHING = 'the bot is fishing already; await the bot.fish() that is under way'

/** Blocks whose window opens by a click. */
const OPENS = new RegExp(`^(${[
  'chest', 'trapped_chest', 'ender_chest', 'barrel', '(\\w+_)?shulker_box', 'furnace', 'smoker', 'blast_furnace',
  'dispenser', 'dropper', 'hopper', 'brewing_stand', 'beacon', 'crafting_table', '(chipped_|damaged_)?anvil',
  'enchanting_table', 'grindstone', 'loom', 'cartography_table', 'smithing_table', 'stonecutter', 'lectern'
].join('|')})$`)

/**
 * Refuse to open a block without a window: no server answers such a click.
 *
 * @param {string} name of the block
 * @param {string} at where it stands, e.g. "(1, 2, 3)"
 * @throws {WindowNotOpened}
 */
function refuseUnlessOpens (name, at) {
  if (!OPENS.test(name)) {
    throw named(
      'WindowNotOpened',
      `${name} at ${at} is no container: open a chest, barrel, furnace or the like (findBlock(bot, "chest"))`
    )
  }
}

/** @param {string} food @returns {Error} of whoever eats when a second meal is begun */
function eatingCancelled (food) {
  return named('Cancelled', `eating ${food} was stopped: bot.consume() was called again meanwhile; await each call`)
}

module.exports = { ALREADY_FISHING, eatingCancelled, refuseUnlessOpens }
