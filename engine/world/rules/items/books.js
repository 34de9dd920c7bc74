'use strict'
/** Books: writing pages into a book and quill, and signing it (minecraft.wiki, "Book and Quill" and "Written Book"). */
const { tags, elements } = require('../../nbt/values')
const { plainText } = require('../../stacks')
const { dataOf } = require('./item_data')

/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../types').Verdict} Verdict */

/** Maximum number of pages, and of characters in a page, of a 1.20.4 client; maximum length of a valid title. */
const PAGES = 100
const PAGE_LENGTH = 1024
const TITLE_LENGTH = 32
const OFFHAND = 40

/** @param {Item | null | undefined} item */
function tagOf (item) { return dataOf(item) }

/**
 * Return the pages of a book as plain text, or an empty list for any other item.
 *
 * @param {Item | null | undefined} item
 * @returns {string[]}
 */
function pagesOf (item) {
  const pages = elements(tagOf(item).pages).map((page) => String(page.value))
  return item?.name === 'written_book' ? pages.map((page) => plainText(page)) : pages
}

/**
 * @param {Item | null | undefined} item
 * @returns {{ title: string, author: string } | null} title and author of a signed book
 */
function signatureOf (item) {
  if (item?.name !== 'written_book') return null
  const { title, author } = tagOf(item)
  return { title: String(title?.value ?? ''), author: String(author?.value ?? '') }
}

/** @param {string[]} pages @param {string | undefined} title @returns {string} reason of a refusal, or "" */
function objection (pages, title) {
  if (!Array.isArray(pages) || pages.length > PAGES) return `a book takes up to ${PAGES} pages`
  if (pages.some((page) => typeof page !== 'string' || page.length > PAGE_LENGTH)) {
    return `a page takes up to ${PAGE_LENGTH} characters`
  }
  if (title !== undefined && (title.trim() === '' || title.length > TITLE_LENGTH)) {
    return `a title takes 1 to ${TITLE_LENGTH} characters`
  }
  return ''
}

/**
 * Write into the book and quill in a slot, or sign it.
 * @param {Player} player
 * @param {number} slot 0 to 8 of the hot bar, 40 for the off-hand
 * @param {string[]} pages
 * @param {string} [title] signs the book
 * @returns {Verdict}
 */
function editBook (player, slot, pages, title) {
  const { stacks } = player.world
  const index = slot === OFFHAND ? 45 : slot >= 0 && slot <= 8 && Number.isInteger(slot) ? 36 + slot : -1
  const book = index < 0 ? null : player.store.get(index)
  const reason = player.dead || book?.name !== 'writable_book' ? 'there is no book and quill' : objection(pages, title)
  if (reason) {
    player.screens.resend()
    return { ok: false, reason }
  }
  const kept = pages.map((page) => tags.string(title === undefined ? page : JSON.stringify({ text: page })))
  const signature = title === undefined ? {} : { author: tags.string(player.name), title: tags.string(title) }
  const nbt = tags.compound({ ...tagOf(book), ...signature, pages: tags.list(kept) })
  player.store.set(index, stacks.make(title === undefined ? 'writable_book' : 'written_book', 1, nbt))
  // The client has already written its own copy and waits for the server's.
  player.screens.sendSlot(index)
  return { ok: true }
}

module.exports = { editBook, pagesOf, signatureOf, PAGES, PAGE_LENGTH }
