'use strict'
const { GoalNear } = require('../bot_facade/goals')
const { named } = require('../bot_facade/errors')
const { wholeCount } = require('./support/check')
const { gained, itemCounts } = require('./support/counts')
const { heldItem, openAbove, passing, placesOf } = require('./support/farming')

const SHORE = 4
const CATCH_TICKS = 40
const MAX_SHORES = 8

/**
 * Fish at the nearest water with a fishing rod of the inventory. A bite takes 5 to 30 seconds.
 * @param {Bot} bot
 * @param {number} [count=1] - times to cast the rod, 1 to 16
 * @returns {Promise<Object>} item name -> count of what came into the inventory
 * @throws {ItemNotInInventory} no fishing rod; craft one of three sticks and two strings
 * @throws {BlockNotFound} no open water within 32 blocks
 * @throws {NoPath} no shore can be reached
 * @throws {TimedOut} nothing bit
 * @example const got = await fish(bot, 2)
 */
async function fish (bot, count = 1) {
  const casts = wholeCount(count, 'count', 16)
  heldItem(bot, 'fishing_rod')
  const waters = placesOf(bot, (block) => block.name === 'water', (block) => openAbove(bot, block.position))
  if (waters.length === 0) throw named('BlockNotFound', 'no open water within 32 blocks')
  const water = await comeToShore(bot, waters)
  const before = itemCounts(bot)
  for (let cast = 0; cast < casts; cast++) {
    await bot.equip(heldItem(bot, 'fishing_rod'), 'hand')
    await bot.lookAt(water.offset(0.5, 0.9, 0.5), true)
    await bot.fish()
    await bot.waitForTicks(CATCH_TICKS)
  }
  return gained(before, itemCounts(bot))
}

/**
 * @param {Bot} bot
 * @param {any[]} waters - nearest first
 * @returns {Promise<any>} the water that the bot stands near to
 */
async function comeToShore (bot, waters) {
  let problem = null
  for (const water of waters.slice(0, MAX_SHORES)) {
    if (bot.entity.position.distanceTo(water) <= SHORE) return water
    try {
      await bot.pathfinder.goto(new GoalNear(water.x, water.y + 1, water.z, SHORE - 1))
      return water
    } catch (error) {
      if (!passing(error)) throw error
      problem = error
    }
  }
  throw problem ?? named('NoPath', 'no shore can be reached')
}

module.exports = { fish }
