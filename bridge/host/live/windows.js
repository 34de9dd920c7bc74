'use strict'
/**
 * Containers. mineflayer trusts its own clicks; two bots that take the same item both think that they have it. So items
 * are moved by clicks that the server answers with the truth (`clicks.js`), and the own inventory is what counts.
 */
const { named } = require('../../../skills_js/bot_facade/errors')
const { refuseUnlessOpens } = require('../../../skills_js/refusals')
const { bounded, listening, pause } = require('./bounded')
const { LEFT, SHIFT, pressAndCount } = require('./clicks')
const { carry } = require('./moving')
const { trackCall } = require('./pending_calls')
const { REACH, eyeDistance, point } = require('./sight')
const { windowData } = require('./snapshots')
const { halt } = require('./walk')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/**
 * Longest wait for a window to open, in ms. The server needs a tick; a second try helps if the first click fell into a
 * teleport.
 */
const OPEN_MS = 1500
const OPEN_TRIES = 2
const SYNC_MS = 3000
/** Checks of a cursor that seems to hold something, a tick apart, before it is emptied. */
const CURSOR_LOOKS = 2
const TICK_MS = 50

/** @type {WeakMap<object, Promise<any>>} one click sequence at a time per bot, or their cursors mix */
const turns = new WeakMap()

/**
 * @template T
 * @param {LiveBot} bot
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} after all clicks that were asked for earlier
 */
function inTurn (bot, work) {
  const turn = (turns.get(bot) ?? Promise.resolve()).then(work, work)
  turns.set(bot, turn.catch(() => {}))
  return turn
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {number[]} at
 * @returns {Promise<any>} the window as data
 * @throws {WindowNotOpened}
 */
async function openBlock (bot, signal, at) {
  const position = point(at[0], at[1], at[2])
  const block = bot.blockAt(position)
  if (block === null || block.type === 0) {
    throw named('ChestNotFound', `there is ${block?.name ?? 'no loaded land'} at ${position}, nothing to open`)
  }
  refuseUnlessOpens(block.name, String(position))
  const distance = eyeDistance(bot, position)
  if (distance > REACH) {
    throw named('OutOfReach', `${block.name} at ${position} is ${distance.toFixed(1)} blocks away; go within 4.5 first`)
  }
  const window = await open(bot, signal, `${block.name} at ${position}`, async () => {
    await bot.lookAt(position.offset(0.5, 0.5, 0.5), true)
    await bot.activateBlock(block)
  })
  return windowData(window, position)
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {number} id
 * @returns {Promise<any>} the window as data
 */
async function openEntity (bot, signal, id) {
  const entity = bot.entities[id]
  if (!entity) throw named('EntityGone', 'the entity to open is no longer there')
  return windowData(await open(bot, signal, String(entity.name), () => bot.activateEntity(entity)))
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {string} what
 * @param {() => Promise<void>} click
 * @returns {Promise<any>} mineflayer's window
 */
async function open (bot, signal, what, click) {
  halt(bot)
  if (bot.currentWindow) bot.closeWindow(bot.currentWindow)
  const meters = new Meters(bot)
  try {
    const window = await opened(bot, signal, what, click)
    meters.keep(window)
    return window
  } catch (error) {
    meters.stop()
    throw error
  }
}

/** Fire and progress of a furnace, which the server tells from the moment in which its window opens. */
class Meters {
  #stop
  /** @type {number[]} */
  #values = []
  /** @type {{ list: any[] | null }} the trades of a villager, once they were told */
  #trades = { list: null }

  /** @param {LiveBot} bot */
  constructor (bot) {
    this.bot = bot
    this.#stop = listening(bot._client, {
      craft_progress_bar: (/** @type {any} */ { property, value }) => { this.#values[property] = value },
      trade_list: (/** @type {any} */ { trades }) => {
        this.#trades.list = trades.map((/** @type {any} */ trade) => ({ ...trade }))
      }
    })
  }

  /** @param {any} window - hear of it until it closes */
  keep (window) {
    burning.set(window, this.#values)
    offered.set(window, this.#trades)
    // mineflayer waits after clicks for what its own trades bring about; ours are told by the window's true contents.
    if (/merchant|villager/.test(window.type)) window.selectedTrade ??= { tradeDisabled: true }
    this.bot.once('windowClose', () => this.stop())
  }

  stop () {
    this.#stop()
  }
}

/** @type {WeakMap<object, number[]>} a furnace's meters: fire left, of how much, progress, of how much (in ticks) */
const burning = new WeakMap()

/** @type {WeakMap<object, { list: any[] | null }>} */
const offered = new WeakMap()

/**
 * @param {any} window
 * @returns {{ properties?: Record<number, number>, packets?: any[] }} what a workshop shows by numbers, and a
 *   villager's trades as its packet has them
 */
function shownBy (window) {
  const values = burning.get(window) ?? []
  const list = offered.get(window)?.list
  return {
    ...(values.length > 0 ? { properties: Object.fromEntries(Object.entries(values)) } : {}),
    ...(list ? { packets: list } : {})
  }
}

/**
 * @param {any} window
 * @returns {{ fuel: number | null, progress: number | null }} shares from 0 to 1
 */
function burningOf (window) {
  const [fuel, totalFuel, progress, total] = burning.get(window) ?? []
  const share = (/** @type {number | undefined} */ part, /** @type {number | undefined} */ whole) =>
    part === undefined || !whole ? null : part / whole
  return { fuel: fuel === 0 ? 0 : share(fuel, totalFuel), progress: progress === 0 ? 0 : share(progress, total) }
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {string} what
 * @param {() => Promise<void>} click
 * @returns {Promise<any>} mineflayer's window
 */
async function opened (bot, signal, what, click) {
  for (let tries = 1; ; tries++) {
    try {
      return await bounded({ signal, ms: OPEN_MS, what: `opening ${what}`, server: bot }, (resolve, reject) => {
        bot.once('windowOpen', resolve)
        trackCall(bot, click()).catch(reject)
        return () => bot.removeListener('windowOpen', resolve)
      })
    } catch (error) {
      if (error.name !== 'TimedOut') throw error
      if (tries === OPEN_TRIES) {
        throw named(
          'WindowNotOpened', `${what} did not open in ${OPEN_TRIES * OPEN_MS / 1000} s; is something on top of it?`
        )
      }
    }
  }
}

/**
 * @param {LiveBot} bot
 * @param {number} id
 * @returns {any} mineflayer's window
 * @throws {WindowClosed}
 */
function current (bot, id) {
  const window = bot.currentWindow
  if (window === null || window.id !== id) throw named('WindowClosed', 'the container is no longer open; open it again')
  return window
}

/**
 * Ask the server for the window's true contents; items left on the cursor go into the inventory.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {any} window
 */
async function sync (bot, signal, window) {
  const ask = () => bounded({
    signal, ms: SYNC_MS, what: 'asking the server for the window\'s contents', server: bot
  }, (resolve, reject) => {
    // mineflayer's own wait cannot be given up, so we listen ourselves and let its promise end unheard.
    bot.once(`setWindowItems:${window.id}`, resolve)
    bot._syncWindow(window).catch(reject)
    return () => bot.removeListener(`setWindowItems:${window.id}`, resolve)
  })
  await ask()
  // Answers to earlier clicks may come before this one's: what they show on the cursor lies elsewhere by now.
  for (let looks = 0; window.selectedItem && looks < CURSOR_LOOKS; looks++) {
    await pause(signal, TICK_MS, 'asking the server for the window\'s contents')
    await ask()
  }
  if (!window.selectedItem) return
  await bot.putSelectedItemRange(window.inventoryStart, window.inventoryEnd, window, null)
  await ask()
}

/**
 * @param {import('prismarine-windows').Window} window
 * @param {number} start
 * @param {number} end
 * @returns {string} the contents in words
 */
function contents (window, start, end) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const item of window.slots.slice(start, end)) if (item) counts[item.name] = (counts[item.name] ?? 0) + item.count
  return Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing'
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {{ id: number, item: number, count: number, out: boolean }} what - out: from the container to the player
 * @returns {Promise<number>} how many came into the own inventory or went out of it, whatever others moved meanwhile
 */
function move (bot, signal, { id, item, count, out }) {
  if (count < 1) throw named('BadArgument', `the count is ${count}; give a whole number of at least 1`)
  const type = bot.registry.items[item]
  if (!type) throw named('UnknownName', `there is no item with id ${item}`)
  return inTurn(bot, async () => {
    const window = current(bot, id)
    const moved = await carry(
      bot, signal, { window, item, count, out, slots: [0, window.inventoryStart] }, () => sync(bot, signal, window)
    )
    if (moved > 0) return moved
    const [from, to] = out ? [0, window.inventoryStart] : [window.inventoryStart, window.inventoryEnd]
    if (window.countRange(from, to, item, null) > 0) {
      throw named(
        out ? 'InventoryFull' : 'ChestFull', `no room for ${type.name} in ${out ? 'the inventory' : 'the chest'}`
      )
    }
    throw named(
      out ? 'ItemNotInChest' : 'ItemNotInInventory',
      `no ${type.name} came: ${out ? 'the chest' : 'the inventory'} holds ${contents(window, from, to)}`
    )
  })
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {{ id: number, slot: number, item: number, count: number }} what
 */
function putInto (bot, signal, { id, slot, item, count }) {
  return inTurn(bot, async () => {
    const window = current(bot, id)
    const type = bot.registry.items[item]
    const held = window.countRange(window.inventoryStart, window.inventoryEnd, item, null)
    if (!type || held === 0) {
      throw named(
        'ItemNotInInventory',
        `no ${type?.name ?? `item ${item}`} in the inventory, which holds ` +
          contents(window, window.inventoryStart, window.inventoryEnd)
      )
    }
    const moved = await carry(
      bot, signal, { window, item, count, out: false, slots: [slot, slot + 1] }, () => sync(bot, signal, window)
    )
    if (moved <= 0) throw named('ChestFull', `slot ${slot} did not take ${type.name}`)
  })
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {{ id: number, slot: number }} what
 */
function takeFrom (bot, signal, { id, slot }) {
  return inTurn(bot, async () => {
    const window = current(bot, id)
    if (!window.slots[slot]) throw named('ItemNotInChest', `slot ${slot} is empty`)
    /** @type {any} what lay there when the click came: another hand may have been faster */
    let there = null
    const clicks = [{ slot, button: LEFT, mode: SHIFT }]
    const gained = await pressAndCount(bot, signal, window, clicks, () => { there = window.slots[slot] })
    if (there === null) throw named('ItemNotInChest', `slot ${slot} is empty: another player was faster`)
    if ((gained.get(there.type) ?? 0) <= 0) {
      throw named('InventoryFull', `${there.name} did not come into the inventory`)
    }
  })
}

/**
 * @param {LiveBot} bot
 * @param {number} id
 */
function close (bot, id) {
  return inTurn(bot, async () => {
    if (bot.currentWindow?.id === id) await bot.closeWindow(bot.currentWindow)
  })
}

module.exports = { burningOf, shownBy, close, current, inTurn, move, openBlock, openEntity, putInto, sync, takeFrom }
