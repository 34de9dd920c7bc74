'use strict'
/**
 * Books and signs.
 *
 * @module skills_js/mock/backend/writing
 */
const { named } = require('../../bot_facade/errors')
const { pagesOf, signLines, titleOf } = require('../../bot_facade/writing')
const { REACH, click, show } = require('./hands')
const { HOTBAR } = require('./items')
const { eyeDistance } = require('../sight')
const { blockThere } = require('./reads')

const LAST_SLOT = 44

/** @typedef {import('../client').Client} Client */

/**
 * @param {Client} client
 * @param {number} slot of window 0; a book outside of the hot bar is brought there and back
 * @param {any} pages
 * @param {string | null} title signs the book
 * @returns {Generator<number | void, void, void>}
 * @throws {ItemNotInInventory}
 */
function * writeBook (client, slot, pages, title) {
  const { player } = client
  const written = pagesOf(pages)
  const signed = titleOf(title)
  if (slot < 0 || slot > LAST_SLOT) throw named('BadArgument', `the slot is ${slot}; give 0 to ${LAST_SLOT}`)
  if (player.slots[slot]?.name !== 'writable_book') {
    throw named(
      'ItemNotInInventory', `there is ${player.slots[slot]?.name ?? 'nothing'} in slot ${slot}, no writable_book`
    )
  }
  const there = slot < HOTBAR ? HOTBAR : slot
  swap(client, slot, there)
  const verdict = player.editBook(there - HOTBAR, written, signed ?? undefined)
  swap(client, there, slot)
  yield
  if (!verdict.ok) throw named('NotUsed', `the book in slot ${slot} was not written: ${verdict.reason}`)
}

/** @param {Client} client @param {number} from @param {number} to */
function swap (client, from, to) {
  if (from === to) return
  for (const slot of [from, to, from]) client.player.click({ windowId: 0, slot, button: 0, mode: 0 })
}

/**
 * @param {Client} client
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {any} lines
 * @param {boolean} back the side that is turned away
 * @returns {Generator<number | void, void, void>}
 * @throws {NotUsed}
 */
function * writeSign (client, x, y, z, lines, back) {
  const written = signLines(lines)
  const at = { x, y, z }
  const block = blockThere(client, x, y, z)
  if (!block.name.endsWith('sign')) throw named('NotUsed', `there is ${block.name} at ${show(at)}, no sign`)
  if (eyeDistance(client.eye, at) > REACH) {
    throw named('OutOfReach', `${block.name} at ${show(at)} is out of reach; go within 4.5 blocks first`)
  }
  yield * click(client, at)
  const verdict = client.player.editSign(at, !back, written)
  yield
  if (!verdict.ok) throw named('NotUsed', `the sign at ${show(at)} was not written: ${verdict.reason}`)
}

module.exports = { writeBook, writeSign }
