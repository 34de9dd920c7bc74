'use strict'
const { named } = require('../bot_facade/errors')
const { wholeCount } = require('./support/check')
const { heldItem, mobsOf, passing, useOnMob } = require('./support/farming')

/**
 * Milk the nearest cow into buckets of the inventory.
 * @param {Bot} bot
 * @param {number} [count=1] - buckets to fill, 1 to 16; one cow fills them all
 * @returns {Promise<number>} buckets that were filled
 * @throws {ItemNotInInventory} no empty bucket; craft one of three iron ingots
 * @throws {MobNotFound} no cow within 32 blocks
 * @throws {NotUsed} no milk came: calves have none
 * @example await milkCow(bot)
 */
async function milkCow (bot, count = 1) {
  const wanted = wholeCount(count, 'count', 16)
  heldItem(bot, 'bucket')
  const before = bot.inventory.count('milk_bucket')
  const filled = () => bot.inventory.count('milk_bucket') - before
  for (const mob of mobsOf(bot, 'cow')) {
    try {
      for (let last = -1; filled() > last && filled() < wanted && bot.inventory.count('bucket') > 0;) {
        last = filled()
        await useOnMob(bot, mob, heldItem(bot, 'bucket'))
      }
    } catch (error) {
      if (!passing(error)) throw error
    }
    if (filled() >= wanted || bot.inventory.count('bucket') === 0) break
  }
  if (filled() === 0) throw named('NotUsed', `no milk came of any cow near ${bot.entity.position.floored()}`)
  return filled()
}

module.exports = { milkCow }
