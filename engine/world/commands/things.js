'use strict'
/** Blocks and items in commands: name, #tag, [state=value], {nbt}. */
const { readCompound } = require('../nbt/snbt')
const { propertyOf, valuesOf } = require('../data')
const { tagMembers } = require('./tags')

/** @typedef {import('./reader').Reader} Reader */
/** @typedef {import('../data').GameData} GameData */
/** @typedef {import('../nbt/values').Tag} Tag */
/**
 * @typedef {{ names: Set<string>, label: string, props: Record<string, string>, stateId: number, nbt: Tag | null }}
 *   BlockText
 */
/** @typedef {{ names: Set<string> | null, name: string, label: string, nbt: Tag | null }} ItemText */

/** @param {Reader} reader @param {GameData} data @param {boolean} predicate tags are legal @returns {BlockText} */
function readBlock (reader, data, predicate) {
  const start = reader.at
  const tagged = reader.peek() === '#'
  if (tagged && !predicate) throw reader.error('argument.block.tag.disallowed')
  if (tagged) reader.at++
  const full = reader.location()
  const name = full.replace(/^minecraft:/, '')
  const members = tagged ? tagMembers(data, 'block', full) : null
  if (tagged && !members) throw reader.errorAt(start, 'arguments.block.tag.unknown', full)
  if (!tagged && !Object.hasOwn(data.registry.blocksByName, name)) {
    reader.at = start
    throw reader.errorAt(start, 'argument.block.id.invalid', full)
  }
  const info = tagged ? null : data.registry.blocksByName[name]
  const props = reader.peek() === '[' ? readProperties(reader, info, full) : {}
  const nbt = reader.peek() === '{' ? readCompound(reader) : null
  return { names: members ?? new Set([name]), label: full, props,
    stateId: info ? data.withProps(info.defaultState, props) : 0, nbt }
}

/**
 * @param {Reader} reader
 * @param {any} info null for tags: anything goes
 * @param {string} full
 * @returns {Record<string, string>}
 */
function readProperties (reader, info, full) {
  reader.expect('[')
  /** @type {Record<string, string>} */
  const props = {}
  reader.skipSpace()
  while (reader.peek() !== ']') {
    reader.skipSpace()
    const start = reader.at
    const name = reader.phrase()
    const found = info && propertyOf(info, name)
    if (info && !found) throw reader.errorAt(start, 'argument.block.property.unknown', full, name)
    if (Object.hasOwn(props, name)) throw reader.errorAt(start, 'argument.block.property.duplicate', name, full)
    reader.skipSpace()
    if (reader.peek() !== '=') throw reader.error('argument.block.property.novalue', name, full)
    reader.at++
    reader.skipSpace()
    const at = reader.at
    const value = reader.phrase()
    if (found && !valuesOf(found.state).includes(value)) {
      throw reader.errorAt(at, 'argument.block.property.invalid', full, value, name)
    }
    props[name] = value
    reader.skipSpace()
    if (reader.peek() !== ',') break
    reader.at++
  }
  if (reader.peek() !== ']') throw reader.error('argument.block.property.unclosed')
  reader.at++
  return props
}

/** @param {Reader} reader @param {GameData} data @param {boolean} predicate tags and * are legal @returns {ItemText} */
function readItem (reader, data, predicate) {
  const start = reader.at
  const tagged = reader.peek() === '#'
  if (tagged && !predicate) throw reader.error('argument.item.tag.disallowed')
  if (tagged) reader.at++
  const full = reader.location()
  const name = full.replace(/^minecraft:/, '')
  const members = tagged ? tagMembers(data, 'item', full) : null
  if (tagged && !members) throw reader.errorAt(start, 'arguments.item.tag.unknown', full)
  if (!tagged && !Object.hasOwn(data.registry.itemsByName, name)) {
    reader.at = start
    throw reader.errorAt(start, 'argument.item.id.invalid', full)
  }
  const nbt = reader.peek() === '{' ? readCompound(reader) : null
  return { names: members ?? new Set([name]), name, label: full, nbt }
}

module.exports = { readBlock, readItem }
