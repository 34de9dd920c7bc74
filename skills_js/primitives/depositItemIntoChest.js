'use strict'
const { named } = require('../bot_facade/errors')
const { note } = require('../bot_facade/actions')
const { itemList } = require('./support/check')
const { withContainer } = require('./support/container')
const { describe, itemCounts } = require('./support/counts')

/**
 * Walk to a chest and put items into it. The answer is what really went in.
 * @param {Bot} bot
 * @param {Vec3} chestPosition - where the chest stands
 * @param {Object} itemsToDeposit - item name -> count, e.g. {"iron_pickaxe": 1}
 * @returns {Promise<Object>} item name -> count put in
 * @throws {ItemNotInInventory} nothing of all that is in the inventory; says what it holds
 * @throws {ChestFull} nothing fitted in
 * @throws {ChestNotFound} there is no chest; says where the nearest is
 * @throws {NoPath} the chest cannot be reached
 * @example await depositItemIntoChest(bot, new Vec3(0, -60, 0), { iron_pickaxe: 1 })
 */
async function depositItemIntoChest (bot, chestPosition, itemsToDeposit) {
  const wanted = itemList(bot, itemsToDeposit, 'itemsToDeposit')
  const asked = Object.fromEntries(wanted.map((item) => [item.name, item.count]))
  if (wanted.every((item) => bot.inventory.count(item.type) === 0)) {
    throw named(
      'ItemNotInInventory',
      `no ${wanted.map((item) => item.name).join(', ')} to put in; the inventory holds ${describe(itemCounts(bot))}`
    )
  }
  return withContainer(bot, chestPosition, async (chest) => {
    /** @type {Record<string, number>} */
    const placed = {}
    for (const item of wanted) {
      const held = Math.min(bot.inventory.count(item.type), item.count)
      placed[item.name] = held === 0 ? 0 : await put(chest, item.type, held)
    }
    if (Object.values(placed).every((count) => count === 0)) {
      throw named('ChestFull', `the chest at ${chest.position} took nothing of ${describe(asked)}: it is full`)
    }
    if (wanted.some((item) => placed[item.name] < item.count)) {
      note(bot, `asked to put in ${describe(asked)}, put in ${describe(placed)}`)
    }
    return placed
  })
}

/**
 * @param {any} chest - an open window
 * @param {number} type
 * @param {number} count
 * @returns {Promise<number>} how many went in
 */
async function put (chest, type, count) {
  try {
    return await chest.deposit(type, null, count)
  } catch (error) {
    if (error.name === 'ChestFull') return 0
    throw error
  }
}

module.exports = { depositItemIntoChest }
