'use strict'
/**
 * Moving items between the own inventory and a container that others use at the same time. Counted is what entered or
 * left the own inventory by own clicks. If somebody else interfered between two clicks, the count shows it: missing
 * items are moved, surplus ones and those of others go back.
 */
const { named } = require('../../../skills_js/bot_facade/errors')
const { pause } = require('./bounded')
const { pressAndCount } = require('./clicks')
const { pickAndPut, putDown, shiftOut } = require('./planning')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/**
 * @typedef {import('./planning').Range} Range
 * @typedef {import('./clicks').Click} Click
 * @typedef {{ window: any, item: number, count: number, slots: Range, out: boolean }} Order
 *   slots: those of the container; out: from there to the player
 */

/** Checks of a container that is empty, or full, before that is believed: another player may be holding a stack. */
const LOOKS = 3
/** Clicks in a row without effect. Each time another player was faster, so others do make progress. */
const IN_VAIN = 12
/** Most calls for one order. */
const AT_MOST = 100
const TICK_MS = 50

/**
 * Move items until all are moved, or all that is there or fits.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {Order} order
 * @param {() => Promise<void>} sync - asks the server for the window
 * @returns {Promise<number>} how many came into the own inventory, or went out of it; 0 where nothing was there or
 *   fitted
 * @throws {Cancelled}
 * @throws {TimedOut} other hands changed the container all the time
 * @throws {WindowClosed}
 */
async function carry (bot, signal, order, sync) {
  /** @type {Map<number, number>} item id -> what we have gained by our clicks */
  const net = new Map()
  const moved = () => (order.out ? 1 : -1) * (net.get(order.item) ?? 0)
  let looks = 1
  let vain = 0
  for (let calls = 0; calls < AT_MOST && vain < IN_VAIN; calls++) {
    const clicks = next(order, net)
    if (clicks === null) return moved()
    if (clicks.length === 0) {
      if (looks++ === LOOKS) return moved()
      await pause(signal, TICK_MS, 'moving items')
      await sync()
      continue
    }
    const gained = await pressAndCount(bot, signal, order.window, clicks)
    vain = [...gained.values()].some((count) => count !== 0) ? 0 : vain + 1
    for (const [type, count] of gained) net.set(type, (net.get(type) ?? 0) + count)
  }
  if (moved() > 0) return moved()
  throw named(
    'TimedOut',
    `no ${bot.registry.items[order.item].name} was moved: others changed the container all the time; try again`
  )
}

/**
 * @param {Order} order
 * @param {Map<number, number>} net
 * @returns {Click[] | null} what to do next; empty where nothing can be done as it looks, null when all is done
 */
function next (order, net) {
  const { window } = order
  const own = ownSlots(window)
  if (window.selectedItem) return stow(window, own)
  const [item, gained] = astray(order, net) ?? [order.item, net.get(order.item) ?? 0]
  const missing = (item !== order.item ? 0 : order.out ? order.count : -order.count) - gained
  if (missing === 0) return null
  // Of the own inventory we know all: what it lacks need not be looked for again.
  if (missing > 0 ? !hasRoom(window, own, item) : !holds(window, own, item)) return null
  return missing > 0
    ? pickAndPut(window.slots, { item, count: missing, from: order.slots, to: own })
    : giveOut(order, item, -missing)
}

/** @param {import('prismarine-windows').Window} window @returns {Range} the player's part */
function ownSlots (window) {
  return [window.inventoryStart, window.inventoryEnd]
}

/**
 * Find items of others that came along because the slot meant held them by the time of the click. A single slot of a
 * furnace is not refilled, since the intended item is there now.
 * @param {Order} order
 * @param {Map<number, number>} net
 * @returns {[number, number] | undefined}
 */
function astray ({ window, item, slots }, net) {
  if (!isWhole(window, slots)) return undefined
  return [...net].find(([type, count]) => type !== item && count !== 0)
}

/** @param {import('prismarine-windows').Window} window @param {Range} slots */
function isWhole (window, slots) {
  return slots[0] === 0 && slots[1] === window.inventoryStart
}

/**
 * @param {Order} order
 * @param {number} item
 * @param {number} count
 * @returns {Click[]}
 */
function giveOut ({ window, slots }, item, count) {
  const load = { item, count, from: ownSlots(window), to: slots }
  const chest = isWhole(window, slots) && shiftsInto(window)
  if (!chest) return pickAndPut(window.slots, load)
  return hasRoom(window, slots, item) ? shiftOut(window.slots, load) : []
}

/**
 * Return true if a shift-click moves items into the container; in other windows it sorts by kind or moves them within
 * the inventory.
 * @param {import('prismarine-windows').Window} window
 */
function shiftsInto (window) {
  return /^minecraft:(generic_\d|shulker_box|hopper)/.test(String(window.type))
}

/** @param {import('prismarine-windows').Window} window @param {Range} slots @param {number} item */
function hasRoom (window, slots, item) {
  return window.slots.slice(...slots)
    .some((/** @type {any} */ there) => !there || (there.type === item && there.count < there.stackSize))
}

/** @param {import('prismarine-windows').Window} window @param {Range} slots @param {number} item */
function holds (window, slots, item) {
  return window.slots.slice(...slots).some((/** @type {any} */ there) => there?.type === item)
}

/**
 * Move what another player's click left on the cursor into the inventory, or else into the container; what finds no
 * room falls to the player's feet when the window is closed.
 * @param {any} window
 * @param {Range} own
 * @returns {Click[]}
 */
function stow (window, own) {
  const held = window.selectedItem
  for (const range of [own, /** @type {Range} */ ([0, window.inventoryStart])]) {
    const { clicks } = putDown([...window.slots], held, held.count, range)
    if (clicks.length > 0) return clicks
  }
  return []
}

module.exports = { carry }
