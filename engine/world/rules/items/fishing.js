'use strict'
/** Fishing rods: the first use casts the line, the second reels in the catch. */
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
