'use strict'
/**
 * Items in the player's own hands: equipping, dropping, eating; each confirmed from the inventory afterwards.
 *
 * @module skills_js/mock/backend/items
 */
const { named } = require('../../bot_facade/errors')
const { eatingCancelled } = require('../../refusals')
const { OWN_END, OWN_START, inventoryData, windowData } = require('./snapshots')
const { OUTSIDE, closeOpen, emptyCursor, survey } = require('./windows')

const DESTINATIONS = Object.freeze(['hand', 'off-hand', 'head', 'torso', 'legs', 'feet'])
/** @type {Record<string, number>} */
const WORN = Object.freeze({ head: 5, torso: 6, legs: 7, feet: 8, 'off-hand': 45 })
const HOTBAR = 36
const HOTBAR_END = 45
/** Longest meal in ticks; eating takes 1.6 s. */
const EAT_TICKS = 80
/** Last meal begun by each player, the one that counts. @type {WeakMap<object, object>} */
const meals = new WeakMap()

/** @typedef {import('../client').Client} Client */

/** @param {Client} client @param {string} destination @returns {number} its slot in window 0 */
function slotFor (client, destination) {
  if (!DESTINATIONS.includes(destination)) {
    throw named('BadArgument', `destination is ${JSON.stringify(destination)}; give one of ${DESTINATIONS.join(', ')}`)
  }
  return destination === 'hand' ? HOTBAR + client.player.heldSlot : WORN[destination]
}

/**
 * @param {Client} client
 * @param {number} slot
 * @param {number} button
 * @param {number} mode a click in the own inventory
 */
function press (client, slot, button, mode) {
  client.player.click({ windowId: 0, slot, button, mode })
}

/**
 * @param {Client} client
 * @param {number} slot of window 0
 * @param {string} destination
 * @returns {Generator<number | void, void, void>}
 * @throws {NotEquipped}
 */
function * equip (client, slot, destination) {
  const { player } = client
  slotFor(client, destination)
  const item = player.slots[slot]
  if (!item) throw named('ItemNotInInventory', `slot ${slot} of the inventory is empty`)
  if (slot === slotFor(client, destination)) return
  if (destination === 'hand' && slot >= HOTBAR && slot < HOTBAR_END) {
    player.holdSlot(slot - HOTBAR)
    return
  }
  closeOpen(client)
  if (destination === 'hand') player.holdSlot(freeHotbarSlot(client))
  swap(client, slot, slotFor(client, destination))
  yield
  const now = player.slots[slotFor(client, destination)]
  if (now?.type !== item.type) {
    throw named('NotEquipped', `${item.name} did not come to the ${destination}; there is ${now?.name ?? 'nothing'}`)
  }
}

/** @param {Client} client @returns {number} an empty one of the nine, else the one in the hand, 0 to 8 */
function freeHotbarSlot (client) {
  const empty = client.player.slots.findIndex((/** @type {any} */ item, /** @type {number} */ slot) => slot >= HOTBAR &&
    slot < HOTBAR_END && item === null)
  return empty < 0 ? client.player.heldSlot : empty - HOTBAR
}

/** @param {Client} client @param {number} from @param {number} to exchange two slots by three clicks */
function swap (client, from, to) {
  press(client, from, 0, 0)
  press(client, to, 0, 0)
  if (client.player.windowView(0)?.carried) press(client, from, 0, 0)
  emptyCursor(client, 0, [OWN_START, OWN_END])
}

/**
 * @param {Client} client
 * @param {string} destination
 * @returns {Generator<number | void, void, void>}
 */
function * unequip (client, destination) {
  const slot = slotFor(client, destination)
  if (!client.player.slots[slot]) return
  closeOpen(client)
  if (destination === 'hand') {
    const free = client.player.slots.findIndex((/** @type {any} */ item, /** @type {number} */ at) => at >= HOTBAR &&
      at < HOTBAR_END && item === null)
    if (free >= 0) {
      client.player.holdSlot(free - HOTBAR)
      return
    }
  }
  press(client, slot, 0, 0)
  emptyCursor(client, 0, [OWN_START, HOTBAR])
  yield
}

/**
 * @param {Client} client
 * @param {number} type
 * @param {number} count
 * @returns {Generator<number | void, number, void>} how many left the inventory
 */
function * toss (client, type, count) {
  const window = windowData(client) ?? inventoryData(client)
  const facts = client.simulation.world.registry.items[type]
  const own = [window.inventoryStart, window.inventoryEnd]
  const before = survey(window, own, type, 64).count
  if (before === 0) throw named('ItemNotInInventory', `no ${facts?.name ?? `item ${type}`} in the inventory to drop`)
  let left = Math.min(count, before)
  const click = (/** @type {number} */ slot, /** @type {number} */ button) =>
    client.player.click({ windowId: window.id, slot, button, mode: 0 })
  const look = () => /** @type {any} */ (client.player.windowView(window.id))
  for (let slot = own[0]; slot < own[1] && left > 0; slot++) {
    const stack = look().items[slot]
    if (stack?.type !== type) continue
    click(slot, 0)
    const gone = Math.min(left, stack.count)
    if (gone === stack.count) click(OUTSIDE, 0)
    else for (let each = 0; each < gone; each++) click(OUTSIDE, 1)
    if (look().carried) click(slot, 0)
    left -= gone
  }
  const after = survey(windowData(client) ?? inventoryData(client), own, type, 64).count
  yield
  return before - after
}

/**
 * @param {Client} client
 * @param {number} slot
 * @returns {Generator<number | void, void, void>}
 */
function * tossSlot (client, slot) {
  const window = windowData(client) ?? inventoryData(client)
  if (!window.slots[slot]) throw named('ItemNotInInventory', `slot ${slot} is empty`)
  client.player.click({ windowId: window.id, slot, button: 0, mode: 0 })
  client.player.click({ windowId: window.id, slot: OUTSIDE, button: 0, mode: 0 })
  yield
}

/**
 * Eat or drink the item in the hand.
 * @param {Client} client
 * @returns {Generator<number | void, void, void>}
 * @throws {CannotEat}
 * @throws {Cancelled} another meal was begun meanwhile
 */
function * consume (client) {
  const { player } = client
  const food = player.heldItem
  if (!food) throw named('CannotEat', 'there is nothing in the hand; equip the food first')
  const { type, name, count } = food
  const hunger = player.food
  const meal = {}
  meals.set(client, meal)
  const verdict = player.useItem(0)
  if (!verdict.ok) throw named('CannotEat', `${name}: ${verdict.reason ?? 'the server did not let it be eaten'}`)
  try {
    for (let tick = 0; player.usingItem && tick < EAT_TICKS; tick++) {
      yield
      if (meals.get(client) !== meal) throw eatingCancelled(name)
    }
  } finally {
    if (player.usingItem && meals.get(client) === meal) player.releaseItem()
  }
  yield
  const now = player.heldItem
  const eaten = !now || now.type !== type || now.count < count || player.food > hunger
  if (!eaten) throw named('CannotEat', `${name} was not eaten; food is ${player.food} of 20`)
}

module.exports = { HOTBAR, consume, equip, slotFor, toss, tossSlot, unequip }
