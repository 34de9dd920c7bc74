'use strict'
/**
 * Items in the player's own hands: equipping, dropping, eating, recipes; each confirmed from the inventory afterwards.
 */
const { named } = require('../../../skills_js/bot_facade/errors')
const { eatingCancelled } = require('../../../skills_js/refusals')
const { bounded, listening } = require('./bounded')
const { isClientTimeout } = require('./pending_calls')
const { recipeData } = require('../../../skills_js/bot_facade/snapshots')
const { answered, press, pressAndCount } = require('./clicks')
const { putDown, throwAll, throwOut } = require('./planning')
const { inTurn } = require('./windows')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const DESTINATIONS = ['hand', 'off-hand', 'head', 'torso', 'legs', 'feet']
/** Tries to drop the remaining items, which another slot held by the time of the click. */
const TOSS_TRIES = 4
/** Longest meal in ms; eating takes 1.6 s. */
const EAT_MS = 4000
/** Entity status by which the server confirms that food or drink was consumed. */
const EATEN = 9
/** Last meal begun by each bot, the one that counts. @type {WeakMap<object, object>} */
const meals = new WeakMap()
/** Message by which mineflayer ends a meal when another one is begun. */
const BEGUN_AGAIN = /cancelled due to calling/

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {number} slot
 * @param {string} destination
 * @returns {Promise<void>}
 * @throws {NotEquipped}
 */
function equip (bot, signal, slot, destination) {
  checkDestination(destination)
  return inTurn(bot, async () => {
    const item = bot.inventory.slots[slot]
    if (!item) throw named('ItemNotInInventory', `slot ${slot} of the inventory is empty`)
    const hotbar = destination === 'hand' && slot >= 36 && slot <= 44
    // Choosing among the nine needs no word of the server; a click does.
    if (hotbar) await bot.equip(item, destination)
    else await clicked(bot, signal, () => bot.equip(item, destination))
    const now = bot.inventory.slots[bot.getEquipmentDestSlot(destination)]
    if (now?.type !== item.type) {
      throw named('NotEquipped', `${item.name} did not come to the ${destination}; there is ${now?.name ?? 'nothing'}`)
    }
  })
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {string} destination
 * @returns {Promise<void>}
 */
function unequip (bot, signal, destination) {
  checkDestination(destination)
  return inTurn(bot, async () => {
    if (!bot.inventory.slots[bot.getEquipmentDestSlot(destination)]) return
    await clicked(bot, signal, () => bot.unequip(destination))
  })
}

/**
 * Let mineflayer click in the inventory, and put what stays on the cursor back.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {() => Promise<any>} work
 */
async function clicked (bot, signal, work) {
  const window = bot.currentWindow ?? bot.inventory
  await answered(bot, window, work)
  await stow(bot, signal, window)
}

/** @param {LiveBot} bot @param {AbortSignal} signal @param {any} window */
async function stow (bot, signal, window) {
  const held = window.selectedItem
  if (!held) return
  const { clicks } = putDown([...window.slots], held, held.count, [window.inventoryStart, window.inventoryEnd])
  if (clicks.length > 0) await press(bot, signal, window, clicks)
}

/** @param {string} destination */
function checkDestination (destination) {
  if (!DESTINATIONS.includes(destination)) {
    throw named('BadArgument', `destination is ${JSON.stringify(destination)}; give one of ${DESTINATIONS.join(', ')}`)
  }
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {number} type
 * @param {number} count
 * @returns {Promise<number>} how many left the inventory
 */
function toss (bot, signal, type, count) {
  return inTurn(bot, async () => {
    const window = bot.currentWindow ?? bot.inventory
    const held = () => /** @type {any} */ (window).countRange(window.inventoryStart, window.inventoryEnd, type, null)
    if (held() === 0) {
      throw named(
        'ItemNotInInventory', `no ${bot.registry.items[type]?.name ?? `item ${type}`} in the inventory to drop`
      )
    }
    await stow(bot, signal, window)
    const wanted = Math.min(count, held())
    let gone = 0
    for (let tries = 0; gone < wanted && tries < TOSS_TRIES; tries++) {
      const clicks = throwOut(
        window.slots, { item: type, count: wanted - gone, from: [window.inventoryStart, window.inventoryEnd] }
      )
      if (clicks.length === 0) break
      gone -= (await pressAndCount(bot, signal, window, clicks)).get(type) ?? 0
    }
    return gone
  })
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {number} slot
 * @returns {Promise<void>}
 */
function tossSlot (bot, signal, slot) {
  return inTurn(bot, async () => {
    const window = bot.currentWindow ?? bot.inventory
    if (!window.slots[slot]) throw named('ItemNotInInventory', `slot ${slot} is empty`)
    await stow(bot, signal, window)
    await press(bot, signal, window, [throwAll(slot)])
  })
}

/**
 * Eat or drink the item in the hand.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 * @throws {CannotEat}
 * @throws {Cancelled} another meal was begun meanwhile
 */
async function consume (bot, signal) {
  const food = bot.heldItem
  if (!food) throw named('CannotEat', 'there is nothing in the hand; equip the food first')
  const before = { count: food.count, food: bot.food }
  let told = false
  const meal = {}
  meals.set(bot, meal)
  await bounded({ signal, ms: EAT_MS, what: `eating ${food.name}`, server: bot }, (resolve, reject) => {
    const refuse = (/** @type {Error & { code?: string }} */ error) => {
      if (BEGUN_AGAIN.test(error.message)) reject(eatingCancelled(food.name))
      else if (!isClientTimeout(error)) reject(named('CannotEat', `${food.name}: ${error.message}`))
    }
    bot.consume().then(resolve, refuse)
    const stop = listening(bot._client, {
      entity_status: (/** @type {any} */ { entityId, entityStatus }) => {
        if (entityId !== bot.entity.id || entityStatus !== EATEN) return
        told = true
        setImmediate(() => resolve(undefined)) // the inventory is told in the same packet burst
      }
    })
    return () => {
      stop()
      // Another meal goes on.
      if (meals.get(bot) === meal) bot.deactivateItem()
    }
  }).catch((error) => {
    throw error.name === 'TimedOut' ? named('CannotEat', `${food.name} was not eaten in ${EAT_MS / 1000} s`) : error
  })
  const now = bot.heldItem
  const eaten = told || !now || now.type !== food.type || now.count < before.count || bot.food > before.food
  if (!eaten) throw named('CannotEat', `${food.name} was not eaten; food is ${bot.food} of 20`)
}

/**
 * @param {LiveBot} bot
 * @param {number} item
 * @param {number} minCount
 * @param {boolean} table - whether a crafting table may be used
 * @param {boolean} all - whether ingredients may be missing
 * @returns {unknown[]} recipes as data
 */
function recipes (bot, item, minCount, table, all) {
  const every = bot.recipesAll(item, null, true)
  const possible = all ? bot.recipesAll(item, null, table) : bot.recipesFor(item, null, minCount, table)
  const keys = every.map((/** @type {import('prismarine-recipe').Recipe} */ recipe) => JSON.stringify(recipe))
  return possible.map((/** @type {any} */ recipe) => recipeData(recipe, keys.indexOf(JSON.stringify(recipe))))
}

module.exports = { consume, equip, recipes, toss, tossSlot, unequip }
