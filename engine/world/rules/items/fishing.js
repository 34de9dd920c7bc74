'use strict'
/** A fishing rod in the hand: a first use casts it, a second brings in what bit. */
const { Bobber } = require('../../entities/bobber')

/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../types').Verdict} Verdict */

/** @param {Player} player @param {0 | 1} hand @returns {Verdict} */
function cast (player, hand) {
  const { world } = player
  const line = player.fishing
  if (line && !line.removed) {
    const wear = line.retrieve()
    if (wear > 0) player.wearSlot(player.handSlot(hand), wear)
    return { ok: true }
  }
  const rod = player.inHand(hand)
  const level = (/** @type {string} */ name) => world.stacks.enchantment(rod, name)
  player.fishing = world.enter(new Bobber(world, player, { lure: level('lure'), luck: level('luck_of_the_sea') }))
  world.stats.add(player, 'used', 'fishing_rod')
  return { ok: true }
}

module.exports = { cast }
