'use strict'
/**
 * NBT values in prismarine-nbt's form: { type, value }; a list is { type: 'list', value: { type, value: [...] } } with
 * bare values. Makers of such values, and iteration over lists as tags.
 */

/** @typedef {{ type: string, value: any }} Tag */

/** @param {string} type */
const maker = (type) => (/** @type {any} */ value) => ({ type, value })

/** Return a list of tags of one type. @param {Tag[]} tags @returns {Tag} */
function list (tags) {
  return { type: 'list', value: { type: tags[0]?.type ?? 'end', value: tags.map((tag) => tag.value) } }
}

/** Convert a 64-bit integer to [high, low]. @param {bigint | number} value @returns {Tag} */
function long (value) {
  const wide = BigInt.asIntN(64, BigInt(value))
  return { type: 'long', value: [Number(BigInt.asIntN(32, wide >> 32n)), Number(BigInt.asIntN(32, wide))] }
}

/** @param {Tag} tag @returns {bigint} */
function longValue ({ value }) {
  return Array.isArray(value) ? (BigInt(value[0]) << 32n) | BigInt.asUintN(32, BigInt(value[1])) : BigInt(value)
}

/** Return the elements of a list or array as tags. @param {Tag | undefined} tag @returns {Tag[]} */
function elements (tag) {
  if (!tag) return []
  if (tag.type === 'list') return tag.value.value.map((/** @type {any} */ value) => ({ type: tag.value.type, value }))
  const inner = /** @type {Record<string, string>} */ ({ byteArray: 'byte', intArray: 'int',
    longArray: 'long' })[tag.type]
  return inner ? tag.value.map((/** @type {any} */ value) => ({ type: inner, value })) : []
}

/** Return the number in a numeric tag, or the default. @param {Tag | undefined} tag @param {number} otherwise */
function number (tag, otherwise) {
  if (!tag) return otherwise
  const value = tag.type === 'long' ? Number(longValue(tag)) : Number(tag.value)
  return Number.isFinite(value) ? value : otherwise
}

const tags = Object.freeze({
  byte: maker('byte'), short: maker('short'), int: maker('int'), float: maker('float'), double: maker('double'),
  string: maker('string'), compound: maker('compound'), list, long
})

module.exports = { tags, list, elements, number, longValue }
