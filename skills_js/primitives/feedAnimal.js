'use strict'
const { named } = require('../bot_facade/errors')
const { show, wholeCount } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')
const { mobsOf, passing, useOnMob } = require('./support/farming')

const SEEDS = ['wheat_seeds', 'beetroot_seeds', 'melon_seeds', 'pumpkin_seeds']
const MEAT = ['beef', 'porkchop', 'mutton', 'chicken', 'rabbit', 'rotten_flesh']
/** @type {Readonly<Record<string, string[]>>} what each animal is bred with */
const FOOD = Object.freeze({
  cow: ['wheat'], sheep: ['wheat'], goat: ['wheat'], mooshroom: ['wheat'], pig: ['carrot', 'potato', 'beetroot'],
  chicken: SEEDS,
  rabbit: ['carrot', 'dandelion'], wolf: MEAT, cat: ['cod', 'salmon']
})

/**
 * Feed animals with what they breed by. Two grown ones that have been fed come together and have a young one; one that
 * is fed while young grows up faster. Cows, sheep and goats eat wheat, pigs carrots, potatoes or beetroots, chickens
 * seeds.
 * @param {Bot} bot
 * @param {string} animal - cow, sheep, pig, chicken, goat, mooshroom, rabbit, wolf or cat
 * @param {number} [count=2] - animals to feed, 1 to 32
 * @returns {Promise<number>} how many ate; those that were fed lately want nothing for five minutes
 * @throws {BadArgument} no animal that can be fed
 * @throws {ItemNotInInventory} no food for it; says what the inventory holds
 * @throws {MobNotFound} none within 32 blocks
 * @throws {NotUsed} not one of them wanted to eat
 * @example await feedAnimal(bot, "cow", 2)
 */
async function feedAnimal (bot, animal, count = 2) {
  if (typeof animal !== 'string' || !Object.hasOwn(FOOD, animal)) {
    throw named('BadArgument', `animal is ${show(animal)}; give one of ${Object.keys(FOOD).join(', ')}`)
  }
  const wanted = wholeCount(count, 'count', 32)
  const food = () => FOOD[animal].map((name) => bot.inventory.findInventoryItem(name)).find((item) => item !== null)
  if (food() === undefined) {
    throw named(
      'ItemNotInInventory',
      `no food for a ${animal} (${FOOD[animal].join(', ')}); the inventory holds ${describe(itemCounts(bot))}`
    )
  }
  let fed = 0
  for (const mob of mobsOf(bot, animal)) {
    const item = food()
    if (fed >= wanted || item === undefined) break
    const before = bot.inventory.count(item.type)
    try {
      await useOnMob(bot, mob, item)
    } catch (error) {
      if (!passing(error)) throw error
    }
    if (bot.inventory.count(item.type) < before) fed++
  }
  if (fed === 0) throw named('NotUsed', `no ${animal} near ${bot.entity.position.floored()} wanted to eat`)
  return fed
}

module.exports = { feedAnimal }
