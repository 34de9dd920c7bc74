'use strict'
const { named } = require('../bot_facade/errors')
const { show, wholeCount } = require('./support/check')
const { gained, itemCounts } = require('./support/counts')
const { collectDrops } = require('./collectDrops')
const { comeToUse, passing, placesOf } = require('./support/farming')
const { breakBlock } = require('./support/dig')

const FLOWERS = ['dandelion', 'poppy', 'blue_orchid', 'allium', 'azure_bluet', 'red_tulip', 'orange_tulip',
  'white_tulip', 'pink_tulip',
  'oxeye_daisy', 'cornflower', 'lily_of_the_valley', 'sunflower', 'lilac', 'rose_bush', 'peony']
const SEARCH_DISTANCE = 48
const DROP_TICKS = 4
const DROP_DISTANCE = 6

/**
 * Pick flowers, the nearest first.
 * @param {Bot} bot
 * @param {string} [flower] - e.g. "poppy"; left out: any
 * @param {number} [count=1] - 1 to 64
 * @returns {Promise<Object>} item name -> count of what came into the inventory
 * @throws {BadArgument} no such flower; names those that are
 * @throws {BlockNotFound} none within 48 blocks
 * @throws {NoPath} there are some, but not one can be reached
 * @throws {InventoryFull} no room for them
 * @example const got = await pickFlower(bot, "poppy", 3)
 */
async function pickFlower (bot, flower, count = 1) {
  const any = flower === undefined || flower === null
  if (!any && !FLOWERS.includes(flower)) {
    throw named('BadArgument', `flower is ${show(flower)}; give one of ${FLOWERS.join(', ')}`)
  }
  const wanted = wholeCount(count, 'count', 64)
  const fits = (/** @type {any} */ block) => (any ? FLOWERS.includes(block.name) : block.name === flower) &&
    block.getProperties().half !== 'upper'
  const places = placesOf(bot, fits, undefined, SEARCH_DISTANCE)
  if (places.length === 0) {
    throw named('BlockNotFound', `no ${any ? 'flower' : flower} within ${SEARCH_DISTANCE} blocks`)
  }
  const before = itemCounts(bot)
  let picked = 0
  let problem = null
  for (const place of places) {
    if (picked >= wanted) break
    try {
      await comeToUse(bot, place)
      await breakBlock(bot, /** @type {Block} */ (bot.blockAt(place)))
      picked++
      await bot.waitForTicks(DROP_TICKS)
      await collectDrops(bot, DROP_DISTANCE)
    } catch (error) {
      if (!passing(error) && error.name !== 'NotBroken') throw error
      problem = error
    }
  }
  if (picked === 0 && problem !== null) throw problem
  return gained(before, itemCounts(bot))
}

module.exports = { pickFlower }
