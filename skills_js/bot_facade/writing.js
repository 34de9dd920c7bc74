'use strict'
/**
 * Limits of text in books and on signs: as much as vanilla's client sends, in visible characters.
 *
 * @module skills_js/bot_facade/writing
 */
const { named } = require('./errors')
const { CAPS } = require('./host_api')

const SIGN_LINES = 4
/** Characters that are removed: control characters except the end of a line, and the section sign, which colours. */
const UNWRITTEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00a7]/g

/**
 * @param {any} pages - texts
 * @returns {string[]} what of them can be written
 * @throws {BadArgument} no list of texts
 * @throws {LimitExceeded} too many or too long
 */
function pagesOf (pages) {
  if (!Array.isArray(pages) || !pages.every((page) => typeof page === 'string')) {
    throw named('BadArgument', 'pages is no list of texts; give one text for each page')
  }
  if (pages.length > CAPS.bookPages) {
    throw named('LimitExceeded', `${pages.length} pages; a book takes at most ${CAPS.bookPages}`)
  }
  const long = pages.findIndex((page) => page.length > CAPS.pageChars)
  if (long >= 0) {
    throw named(
      'LimitExceeded', `page ${long + 1} has ${pages[long].length} characters; a page takes at most ${CAPS.pageChars}`
    )
  }
  return pages.map((page) => page.toWellFormed().replace(UNWRITTEN, ''))
}

/**
 * @param {string | null | undefined} title
 * @returns {string | null} null: the book is not signed
 * @throws {BadArgument}
 */
function titleOf (title) {
  if (title === null || title === undefined) return null
  const written = title.toWellFormed().replace(UNWRITTEN, '').replace(/\n/g, ' ').trim()
  if (written === '' || written.length > CAPS.titleChars) {
    throw named('BadArgument', `the title has ${written.length} characters; give 1 to ${CAPS.titleChars}`)
  }
  return written
}

/**
 * @param {any} lines - texts
 * @returns {string[]} four
 * @throws {BadArgument}
 * @throws {LimitExceeded}
 */
function signLines (lines) {
  if (!Array.isArray(lines) || !lines.every((line) => typeof line === 'string')) {
    throw named('BadArgument', 'the text of a sign is up to four lines')
  }
  if (lines.length > SIGN_LINES) {
    throw named('LimitExceeded', `${lines.length} lines; a sign takes at most ${SIGN_LINES}`)
  }
  if (lines.some((line) => line.length > CAPS.signLineChars)) {
    throw named('LimitExceeded', `a line of a sign takes at most ${CAPS.signLineChars} characters`)
  }
  const written = lines.map((line) => line.toWellFormed().replace(UNWRITTEN, '').replace(/\n/g, ' '))
  return [...written, '', '', '', ''].slice(0, SIGN_LINES)
}

module.exports = { pagesOf, signLines, titleOf }
