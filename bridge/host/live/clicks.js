'use strict'
/**
 * Clicks answered by the whole window: none is believed before the server has shown its effect. The clicks of one call
 * leave in one write, so that other players hardly come between them. They stand between two clicks that do nothing:
 * the difference of the own inventory between these is what the clicks moved, whatever others put in, took out or
 * dropped meanwhile.
 */
/** @type {any} */
const loadItem = require('prismarine-item')
const { named } = require('../../../skills_js/bot_facade/errors')
const { bounded } = require('./bounded')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const ANSWER_MS = 3000
/** State that no window has, so that the server answers the click with the whole window. */
const UNKNOWN_STATE = -1
const OUTSIDE = -999
const LEFT = 0
const RIGHT = 1
const PLAIN = 0
const SHIFT = 1
/** Click mode of the drop key: button 0 drops one item, button 1 the stack. */
const THROW = 4
/** End of a drag that never began: a click without effect. */
const NOTHING = Object.freeze({ slot: OUTSIDE, button: 2, mode: 5 })

/**
 * @typedef {{ slot: number, button: number, mode: number }} Click
 * @typedef {Map<number, number>} Counts item id -> count
 */

/**
 * Click, and read the effect from the server. A cancel waits for the answers, or they would be taken for later ones.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {any} window
 * @param {Click[]} clicks - at least one
 * @param {(answer: number) => void} [heard] - after each answer, counted from 0
 * @returns {Promise<void>}
 * @throws {Cancelled}
 * @throws {TimedOut}
 * @throws {WindowClosed}
 */
async function press (bot, signal, window, clicks, heard = () => {}) {
  const told = `setWindowItems:${window.id}`
  await bounded({
    signal: new AbortController().signal, ms: ANSWER_MS, what: 'waiting for the server to click', server: bot
  }, (resolve, reject) => {
    let answers = 0
    const answered = () => {
      heard(answers)
      if (++answers === clicks.length) resolve(undefined)
    }
    const closed = (/** @type {any} */ other) => {
      if (other === window) reject(named('WindowClosed', 'the window was closed by the server'))
    }
    bot.on(told, answered)
    bot.on('windowClose', closed)
    send(bot, window, clicks)
    return () => {
      bot.removeListener(told, answered)
      bot.removeListener('windowClose', closed)
    }
  })
  if (signal.aborted) throw named('Cancelled', 'moving items was stopped')
}

/**
 * Send clicks in one write.
 * @param {LiveBot} bot
 * @param {any} window
 * @param {Click[]} clicks
 */
function send (bot, window, clicks) {
  const nothing = loadItem(bot.registry).toNotch(null)
  const { socket } = bot._client
  socket?.cork?.()
  for (const { slot, button, mode } of clicks) {
    bot._client.write('window_click', {
      windowId: window.id, stateId: UNKNOWN_STATE, slot, mouseButton: button, mode, changedSlots: [],
      cursorItem: nothing
    })
  }
  // The packets are made in this turn of the event loop and the next.
  if (typeof socket?.cork === 'function') setImmediate(() => socket.uncork())
}

/**
 * Click, and count what the player gained or lost by it.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {import('prismarine-windows').Window} window
 * @param {Click[]} clicks
 * @param {() => void} [look] - sees the window as it was just before the first of them
 * @returns {Promise<Counts>} what came (or, below 0, left) by these clicks, the cursor's stack included
 * @throws {Cancelled}
 * @throws {TimedOut}
 * @throws {WindowClosed}
 */
async function pressAndCount (bot, signal, window, clicks, look = () => {}) {
  /** @type {Counts} */
  let before = new Map()
  await press(bot, signal, window, [NOTHING, ...clicks, NOTHING], (answer) => {
    if (answer > 0) return
    before = ownItems(window)
    look()
  })
  const gained = ownItems(window)
  for (const [type, count] of before) gained.set(type, (gained.get(type) ?? 0) - count)
  return gained
}

/** @param {any} window @returns {Counts} what the player has, the cursor's stack included */
function ownItems (window) {
  /** @type {Counts} */
  const counts = new Map()
  for (const item of [...window.slots.slice(window.inventoryStart, window.inventoryEnd), window.selectedItem]) {
    if (item) counts.set(item.type, (counts.get(item.type) ?? 0) + item.count)
  }
  return counts
}

/**
 * Let mineflayer click with every click answered as well. If it continued before the last answer, it would see the
 * window as it was between two clicks and move something else.
 * @param {LiveBot} bot
 * @param {import('prismarine-windows').Window} window
 * @param {() => Promise<any>} work - of mineflayer, that clicks in this window
 * @returns {Promise<void>} once every click is answered
 * @throws {TimedOut}
 */
async function answered (bot, window, work) {
  const told = `setWindowItems:${window.id}`
  const client = bot._client
  const { write } = client
  let open = 0
  let hear = () => {}
  const count = () => { open--; hear() }
  client.write = (/** @type {string} */ name, /** @type {Record<string, unknown>} */ params) => {
    const click = name === 'window_click'
    if (click) open++
    return write.call(client, name, click ? { ...params, stateId: UNKNOWN_STATE } : params)
  }
  bot.on(told, count)
  try {
    await work().finally(() => { client.write = write })
    if (open > 0) {
      await bounded({
        signal: new AbortController().signal, ms: ANSWER_MS, what: 'waiting for the server to click', server: bot
      }, (resolve) => {
        hear = () => { if (open <= 0) resolve(undefined) }
        return () => {}
      })
    }
  } finally {
    bot.removeListener(told, count)
  }
}

module.exports = { LEFT, PLAIN, RIGHT, SHIFT, THROW, answered, press, pressAndCount }
