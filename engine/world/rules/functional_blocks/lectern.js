'use strict'
/**
 * Lecterns (minecraft.wiki, "Lectern"): readers turn the pages of a book, which gives power for two ticks and changes
 * the comparator's reading.
 */
const { View } = require('../../windows/view')
const { pagesOf } = require('../items/books')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */
/** @typedef {import('../blocks/block_entities').BlockEntity} BlockEntity */

const PULSE = 2
const KEEP_OPEN = 8
/** Buttons of the window: previous page, next page, take the book; from `page` on, a page by its number. */
const BUTTONS = Object.freeze({ before: 1, next: 2, take: 3, page: 100 })

/** @param {BlockEntity} lectern */
function lengthOf (lectern) { return pagesOf(lectern.store.get(0)).length }

/** Return a comparator's reading: 1 on the first page, 15 on the last. @param {World} world @param {Pos} pos */
function read (world, pos) {
  const lectern = world.blockEntities.at(pos)
  if (!lectern?.store.get(0)) return 0
  const pages = lengthOf(lectern)
  return Math.floor((pages > 1 ? lectern.page / (pages - 1) : 1) * 14) + 1
}

/**
 * Put a book onto a lectern, or open the one that is there.
 *
 * @param {World} world
 * @param {Player} player
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {0 | 1} hand
 * @returns {boolean} true if the click was for the lectern
 */
function useLectern (world, player, pos, state, hand) {
  const lectern = world.blockEntities.at(pos)
  if (!lectern) return false
  if (state.props.has_book === 'true') return openLectern(world, player, lectern)
  const book = player.inHand(hand)
  if (!book || !/^(written|writable)_book$/.test(book.name)) return false
  lectern.page = 0
  lectern.store.set(0, world.stacks.withCount(book, 1))
  world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { has_book: true, powered: false }))
  player.consume(hand)
  return true
}

/** @param {World} world @param {Player} player @param {BlockEntity} lectern */
function openLectern (world, player, lectern) {
  const { pos, store } = lectern
  const view = new View(world.opener.info(player, 'lectern', 'container.lectern', 'lectern'),
    [{ store, index: 0, limit: 1, accepts: () => false, mayTake: () => false }], () => [])
  const tell = () => world.emit('windowProperty', { player, windowId: view.id, property: 0, value: lectern.page })
  view.valid = () => !player.dead && !lectern.removed && store.get(0) !== null && player.within(pos, KEEP_OPEN)
  view.work = /** @type {any} */ ({ view, inputs: -1, refresh: () => {},
    shop: { button: (/** @type {any} */ _work, /** @type {number} */ button) =>
    press(world, player, lectern, button) && (tell(), true) } })
  player.screens.open(view)
  tell()
  world.stats.add(player, 'custom', 'interact_with_lectern')
  return true
}

/**
 * @param {World} world
 * @param {Player} player
 * @param {BlockEntity} lectern
 * @param {number} button
 * @returns {boolean}
 */
function press (world, player, lectern, button) {
  if (button === BUTTONS.take) return take(world, player, lectern)
  const page = button >= BUTTONS.page ? button - BUTTONS.page
    : button === BUTTONS.next ? lectern.page + 1 : button === BUTTONS.before ? lectern.page - 1 : -1
  if (page < 0 || page >= lengthOf(lectern) || page === lectern.page) return false
  lectern.page = page
  const { x, y, z } = lectern.pos
  world.redstone.updateComparators(lectern.pos)
  world.setBlock(x, y, z, world.data.withProps(world.blockAt(x, y, z), { powered: true }))
  world.redstone.once(lectern.pos, 'lectern', PULSE,
    (now) => world.setBlock(x, y, z, world.data.withProps(now.stateId, { powered: false })))
  return true
}

/** @param {World} world @param {Player} player @param {BlockEntity} lectern */
function take (world, player, lectern) {
  const book = lectern.store.get(0)
  const { x, y, z } = lectern.pos
  if (!book) return false
  lectern.store.set(0, null)
  world.setBlock(x, y, z, world.data.withProps(world.blockAt(x, y, z), { has_book: false, powered: false }))
  player.giveOrDrop(book)
  return true
}

module.exports = { useLectern, read }
