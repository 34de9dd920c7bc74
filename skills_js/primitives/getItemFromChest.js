'use strict'
const { named } = require('../bot_facade/errors')
const { note } = require('../bot_facade/actions')
const { itemList } = require('./support/check')
const { withContainer } = require('./support/container')
const { countsOf, describe } = require('./support/counts')

/**
 * Walk to a chest and take items out of it. Another player may be faster: the answer is what really came into the
 * inventory.
 * @param {Bot} bot
 * @param {Vec3} chestPosition - where the chest stands
 * @param {Object} itemsToGet - item name -> count, e.g. {"iron_pickaxe": 1}
 * @returns {Promise<Object>} item name -> count obtained, 0 where nothing was
 * @throws {ItemNotInChest} nothing of all that was obtained; says what the chest holds
 * @throws {InventoryFull} no room for the first item
 * @throws {ChestNotFound} there is no chest; says where the nearest is
 * @throws {NoPath} the chest cannot be reached
 * @example const got = await getItemFromChest(bot, new Vec3(0, -60, 0), { iron_pickaxe: 1 })
 */
async function getItemFromChest (bot, chestPosition, itemsToGet) {
  const wanted = itemList(bot, itemsToGet, 'itemsToGet')
  return withContainer(bot, chestPosition, async (chest) => {
    /** @type {Record<string, number>} */
    const obtained = {}
    for (const item of wanted) {
      obtained[item.name] = await take(bot, chest, item)
    }
    const asked = Object.fromEntries(wanted.map((item) => [item.name, item.count]))
    const total = Object.values(obtained).reduce((sum, count) => sum + count, 0)
    const holds = describe(countsOf(chest.containerItems()))
    if (total === 0) {
      throw named('ItemNotInChest', `wanted ${describe(asked)}, obtained nothing; the chest holds ${holds}`)
    }
    if (wanted.some((item) => obtained[item.name] < item.count)) {
      note(bot, `wanted ${describe(asked)}, obtained ${describe(obtained)}; the chest holds ${holds}`)
    }
    return obtained
  })
}

/**
 * @param {Bot} bot
 * @param {any} chest - an open window
 * @param {{name: string, type: number, count: number}} item
 * @returns {Promise<number>} how many came into the inventory
 * @throws {InventoryFull}
 */
async function take (bot, chest, item) {
  if (countsOf(chest.containerItems())[item.name] === undefined) return 0
  try {
    return await chest.withdraw(item.type, null, item.count)
  } catch (error) {
    // Another player's hand was in the chest between our look and our click.
    if (error.name === 'ItemNotInChest') return 0
    throw error
  }
}

module.exports = { getItemFromChest }
