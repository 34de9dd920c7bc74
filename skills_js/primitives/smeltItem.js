'use strict'
const { named } = require('../bot_facade/errors')
const { itemNamed, wholeCount } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')
const { comeToReach } = require('./support/reach')

const FURNACE_DISTANCE = 32
/** Ticks for an item in a furnace: 200, and a few until the server has told. */
const TICKS_PER_ITEM = 200
const LOOK_TICKS = 10
const PATIENCE_TICKS = 60

/**
 * Smelt items in the nearest furnace and take the results.
 * @param {Bot} bot
 * @param {string} itemName - what to smelt, e.g. "raw_iron"
 * @param {string} fuelName - what to burn, e.g. "coal"; a new piece is added when the fire goes out
 * @param {number} [count=1] - how many, 1 to 64; each takes 10 seconds
 * @returns {Promise<Object>} item name -> count of what came into the inventory
 * @throws {ItemNotInInventory} too few of the item, or no fuel; says what the inventory holds
 * @throws {NotSmelted} no furnace within 32 blocks, or nothing came out of it
 * @throws {NoPath} the furnace cannot be reached
 * @example await smeltItem(bot, "raw_iron", "coal", 3)
 */
async function smeltItem (bot, itemName, fuelName, count = 1) {
  const item = itemNamed(bot, itemName)
  const fuel = itemNamed(bot, fuelName)
  const wanted = wholeCount(count, 'count', 64)
  need(bot, item, wanted)
  need(bot, fuel, 1)
  const block = bot.findBlock({
    matching: ['furnace', 'blast_furnace', 'smoker'].map((name) => bot.registry.blocksByName[name].id),
    maxDistance: FURNACE_DISTANCE
  })
  if (block === null) throw named('NotSmelted', `no furnace is within ${FURNACE_DISTANCE} blocks; craft and place one`)
  await comeToReach(bot, block.position)
  const furnace = await bot.openFurnace(block)
  try {
    return await burn(bot, furnace, { item, fuel, wanted })
  } finally {
    await furnace.close()
  }
}

/**
 * @param {Bot} bot
 * @param {any} furnace - open
 * @param {{item: ItemType, fuel: ItemType, wanted: number}} what
 * @returns {Promise<Record<string, number>>}
 */
async function burn (bot, furnace, { item, fuel, wanted }) {
  if (furnace.outputItem() !== null) await furnace.takeOutput()
  if (furnace.inputItem() !== null) await furnace.takeInput()
  const before = itemCounts(bot)
  await furnace.putInput(item.id, null, wanted)
  let waited = 0
  for (let out = 0; out < wanted && waited < TICKS_PER_ITEM + PATIENCE_TICKS; waited += LOOK_TICKS) {
    if (furnace.fuelItem() === null && !furnace.fuel && bot.inventory.count(fuel.id) > 0) {
      await furnace.putFuel(fuel.id, null, 1)
    }
    await bot.waitForTicks(LOOK_TICKS)
    const now = furnace.outputItem()?.count ?? 0
    if (now > out) waited = 0
    out = now
  }
  const name = furnace.outputItem()?.name
  if (name === undefined) {
    const left = furnace.fuelItem() === null && !furnace.fuel
      ? `; ${fuel.name} may be no fuel or have run out`
      : `; ${item.name} may be nothing that smelts`
    if (furnace.inputItem() !== null) await furnace.takeInput()
    throw named('NotSmelted', `nothing came out of the furnace at ${furnace.position}${left}`)
  }
  await furnace.takeOutput()
  if (furnace.inputItem() !== null) await furnace.takeInput()
  return { [name]: (itemCounts(bot)[name] ?? 0) - (before[name] ?? 0) }
}

/**
 * @param {Bot} bot
 * @param {ItemType} item
 * @param {number} count
 * @throws {ItemNotInInventory}
 */
function need (bot, item, count) {
  const held = bot.inventory.count(item.id)
  if (held < count) {
    throw named(
      'ItemNotInInventory', `need ${count} ${item.name}, have ${held}; the inventory holds ${describe(itemCounts(bot))}`
    )
  }
}

module.exports = { smeltItem }
