'use strict'
/**
 * Books and signs.
 */
const { named } = require('../../../skills_js/bot_facade/errors')
const { pagesOf, signLines, titleOf } = require('../../../skills_js/bot_facade/writing')
const { bounded, listening } = require('./bounded')
const { trackCall } = require('./pending_calls')
const { REACH, eyeDistance, point } = require('./sight')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const LAST_SLOT = 44
const BOOK_MS = 10_000
/** Longest wait for the server to show the page of a sign, in ms. */
const PAGE_MS = 3000
const LOOK_MS = 3000

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {{ slot: number, pages: any, title: string | null }} what
 * @returns {Promise<void>} when the server has told of the written book
 * @throws {ItemNotInInventory}
 */
async function writeBook (bot, signal, { slot, pages, title }) {
  const written = pagesOf(pages)
  const signed = titleOf(title)
  if (slot < 0 || slot > LAST_SLOT) throw named('BadArgument', `the slot is ${slot}; give 0 to ${LAST_SLOT}`)
  const there = bot.inventory.slots[slot]
  if (there?.name !== 'writable_book') {
    throw named('ItemNotInInventory', `there is ${there?.name ?? 'nothing'} in slot ${slot}, no writable_book`)
  }
  await bounded({ signal, ms: BOOK_MS, what: 'writing the book', server: bot }, (resolve, reject) => {
    const work = signed === null ? bot.writeBook(slot, written) : bot.signBook(slot, written, bot.username, signed)
    trackCall(bot, work).then(() => resolve(undefined), (/** @type {Error} */ error) =>
      reject(named('NotUsed', `the book in slot ${slot} was not written: ${error.message}`)))
  })
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {[number, number, number]} at
 * @param {{ lines: any, back: boolean }} what
 * @returns {Promise<void>}
 * @throws {NotUsed}
 */
async function writeSign (bot, signal, at, { lines, back }) {
  const written = signLines(lines)
  const position = point(...at)
  const block = bot.blockAt(position)
  if (!block?.name.endsWith('sign')) {
    throw named('NotUsed', `there is ${block?.name ?? 'no loaded land'} at ${position}, no sign`)
  }
  if (eyeDistance(bot, position) > REACH) {
    throw named('OutOfReach', `${block.name} at ${position} is out of reach; go within 4.5 blocks first`)
  }
  await bounded(
    { signal, ms: LOOK_MS, what: 'turning the head' },
    (resolve, reject) => { bot.lookAt(position.offset(0.5, 0.5, 0.5), true).then(resolve, reject) }
  )
  const shown = bounded({ signal, ms: PAGE_MS, what: 'opening the sign', server: bot }, (resolve) => {
    const stop = listening(bot._client, { open_sign_entity: () => resolve(undefined) })
    trackCall(bot, bot.activateBlock(block)).catch(() => {})
    return stop
  })
  await shown.catch((error) => { throw error.name === 'TimedOut'
    ? named('NotUsed', `the sign at ${position} was not written: the server did not open it`)
    : error })
  const [text1, text2, text3, text4] = written
  bot._client.write('update_sign', { location: position, isFrontText: !back, text1, text2, text3, text4 })
}

module.exports = { writeBook, writeSign }
