/**
 * Well-formed text. Half of a character beyond U+FFFF (`'\ud800'`, or honest code such as `'...'[0]`) has no place in
 * UTF-8: it would fail wherever it is finally written, or change on its way through one world and not through another.
 * So text from programs is made well-formed at the border.
 */
'use strict'

/** Pattern of such a half in JSON; whole characters are written as themselves. */
const ESCAPED = /\\ud[89a-f]/i

/**
 * @param {any} value - plain data
 * @returns {any} the same with U+FFFD for every lone surrogate, in keys too
 */
function wellFormed (value) {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toWellFormed(), wellFormed(part)]))
}

/**
 * @param {string} json
 * @returns {any} what it says, its texts well-formed
 */
function readJson (json) {
  const value = JSON.parse(json)
  return ESCAPED.test(json) || !json.isWellFormed() ? wellFormed(value) : value
}

module.exports = { readJson, wellFormed }
