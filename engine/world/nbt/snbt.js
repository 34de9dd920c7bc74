'use strict'
/** SNBT, the text form of NBT in commands: parser, and writer in the style of /data get. */
const { tags, list, longValue } = require('./values')
const { nameTable } = require('../../name_table')

/** @typedef {import('./values').Tag} Tag */
/** @typedef {import('../commands/reader').Reader} Reader */

const DEPTH_LIMIT = 512
/** @type {[RegExp, (text: string) => Tag | null][]} */
const NUMBERS = [
  [/^[-+]?(?:0|[1-9]\d*)b$/i, (s) => whole(s.slice(0, -1), 'byte', -128, 127)],
  [/^[-+]?(?:0|[1-9]\d*)s$/i, (s) => whole(s.slice(0, -1), 'short', -32768, 32767)],
  [/^[-+]?(?:0|[1-9]\d*)l$/i, (s) => tags.long(BigInt(s.slice(0, -1)))],
  [/^[-+]?(?:0|[1-9]\d*)$/, (s) => whole(s, 'int', -2147483648, 2147483647)],
  [/^[-+]?(?:\d+\.?|\d*\.\d+)(?:e[-+]?\d+)?f$/i, (s) => tags.float(Math.fround(Number(s.slice(0, -1))))],
  [/^[-+]?(?:\d+\.?|\d*\.\d+)(?:e[-+]?\d+)?d$/i, (s) => tags.double(Number(s.slice(0, -1)))],
  [/^[-+]?(?:\d+\.|\d*\.\d+)(?:e[-+]?\d+)?$/i, (s) => tags.double(Number(s))]
]

/** @param {string} text @param {string} type @param {number} low @param {number} high @returns {Tag | null} */
function whole (text, type, low, high) {
  const value = Number(text)
  return value >= low && value <= high ? { type, value } : null
}

/** Parse a tag at the reader's position. @param {Reader} reader @param {number} [depth] @returns {Tag} */
function readTag (reader, depth = 0) {
  reader.skipSpace()
  if (depth > DEPTH_LIMIT) throw reader.error('argument.nbt.expected.value')
  const c = reader.peek()
  if (c === '') throw reader.error('argument.nbt.expected.value')
  if (c === '{') return readCompound(reader, depth)
  if (c === '[') return readList(reader, depth)
  if (c === '"' || c === '\'') return tags.string(reader.quoted())
  return bareValue(reader)
}

/** @param {Reader} reader @returns {Tag} */
function bareValue (reader) {
  const start = reader.at
  const word = reader.bareWord()
  if (!word) {
    reader.at = start
    throw reader.error('argument.nbt.expected.value')
  }
  for (const [pattern, make] of NUMBERS) {
    const made = pattern.test(word) ? make(word) : null
    if (made) return made
  }
  if (word === 'true' || word === 'false') return tags.byte(word === 'true' ? 1 : 0)
  return tags.string(word)
}

/** @param {Reader} reader @param {number} [depth] @returns {Tag} */
function readCompound (reader, depth = 0) {
  reader.expect('{')
  /** @type {Record<string, Tag>} */
  const value = {}
  reader.skipSpace()
  while (reader.peek() !== '}') {
    reader.skipSpace()
    const start = reader.at
    const key = reader.peek() === '"' || reader.peek() === '\'' ? reader.quoted() : reader.bareWord()
    if (!key) {
      reader.at = start
      throw reader.error('argument.nbt.expected.key')
    }
    reader.skipSpace()
    reader.expect(':')
    const tag = readTag(reader, depth + 1)
    Object.defineProperty(value, key, { value: tag, enumerable: true, configurable: true, writable: true })
    reader.skipSpace()
    if (reader.peek() !== ',') break
    reader.at++
    reader.skipSpace()
  }
  reader.expect('}')
  return tags.compound(value)
}

/** @param {Reader} reader @param {number} depth @returns {Tag} */
function readList (reader, depth) {
  const kind = reader.text[reader.at + 2] === ';' ? reader.text[reader.at + 1] : ''
  if (kind) return readArray(reader, kind, depth)
  reader.expect('[')
  reader.skipSpace()
  /** @type {Tag[]} */
  const items = []
  while (reader.peek() !== ']') {
    const start = reader.at
    const item = readTag(reader, depth + 1)
    if (items.length && item.type !== items[0].type) {
      reader.at = start
      throw reader.error('argument.nbt.list.mixed', item.type, items[0].type)
    }
    items.push(item)
    reader.skipSpace()
    if (reader.peek() !== ',') break
    reader.at++
    reader.skipSpace()
  }
  reader.expect(']')
  return list(items)
}

/** @param {Reader} reader @param {string} kind @param {number} depth @returns {Tag} */
function readArray (reader, kind, depth) {
  const type = /** @type {Record<string, string>} */ ({ B: 'byte', I: 'int', L: 'long' })[kind]
  if (!type) throw reader.error('argument.nbt.array.invalid', kind)
  reader.at += 3
  const values = []
  reader.skipSpace()
  while (reader.peek() !== ']') {
    const item = readTag(reader, depth + 1)
    if (item.type !== type) throw reader.error('argument.nbt.array.mixed', item.type, `${type} array`)
    values.push(item.value)
    reader.skipSpace()
    if (reader.peek() !== ',') break
    reader.at++
    reader.skipSpace()
  }
  reader.expect(']')
  return { type: `${type}Array`, value: values }
}

/** Format a number like Java: 20.0, 1.0E10. @param {number} value */
function decimal (value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e7 || size < 1e-3)) {
    const [digits, power] = value.toExponential().split('e')
    return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(power)}`
  }
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

/** Return the shortest decimal of a 32-bit number. @param {number} value */
function floatText (value) {
  const single = Math.fround(value)
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(single.toPrecision(digits))
    if (Math.fround(short) === single) return decimal(short)
  }
  return decimal(single)
}

/** @type {Record<string, (value: any) => string>} */
const WRITERS = nameTable({
  byte: (v) => `${v}b`, short: (v) => `${v}s`, int: (v) => String(v),
  long: (v) => `${longValue({ type: 'long', value: v })}L`, float: (v) => `${floatText(v)}f`,
  double: (v) => `${decimal(v)}d`, string: quote
})

/** @param {string} text */
function quote (text) {
  const mark = text.includes('"') && !text.includes('\'') ? '\'' : '"'
  return mark + text.replace(/\\/g, '\\\\').replaceAll(mark, `\\${mark}`) + mark
}

/** Format a tag like /data get. @param {Tag} tag @returns {string} */
function writeTag ({ type, value }) {
  if (type === 'compound') {
    return `{${Object.entries(value)
      .map(([key, tag]) => `${/^[A-Za-z0-9._+-]+$/.test(key) ? key
      : quote(key)}: ${writeTag(/** @type {Tag} */ (tag))}`).join(', ')}}`
  }
  if (type === 'list') {
    return `[${value.value.map((/** @type {unknown} */ v) => writeTag({ type: value.type, value: v })).join(', ')}]`
  }
  const letter = /** @type {Record<string, string>} */ ({ byteArray: 'B', intArray: 'I', longArray: 'L' })[type]
  if (letter) return `[${letter}; ${value.map((/** @type {unknown} */ v) => WRITERS[type.slice(0, -5)](v)).join(', ')}]`
  return WRITERS[type](value)
}

module.exports = { readTag, readCompound, writeTag, decimal, floatText }
