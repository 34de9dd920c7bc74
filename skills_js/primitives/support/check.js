/** Argument checks of all primitives: the value, what is legal, and the nearest legal names. */
'use strict'
const { Vec3 } = require('../../bot_facade/vec3')
const { named } = require('../../bot_facade/errors')
const { nearestNames } = require('../../bot_facade/nearest_names')

/**
 * @param {any} value
 * @returns {string} the value as a short piece of text for a message
 */
function show (value) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40))
  if (value !== null && typeof value === 'object') return value instanceof Vec3 ? String(value) : 'an object'
  return String(value).slice(0, 40)
}

/**
 * @param {any} table - one of mcData's `...ByName` tables
 * @param {any} name
 * @param {string} kind - 'block', 'item' or 'mob', for the message
 * @returns {any} the entry of that name
 * @throws {UnknownName}
 */
function entryNamed (table, name, kind) {
  if (typeof name !== 'string') {
    throw named('BadArgument', `the ${kind}'s name is ${show(name)}; give a text such as "iron_ore"`)
  }
  const plain = name.startsWith('minecraft:') ? name.slice('minecraft:'.length) : name
  const entry = table[plain]
  if (entry !== undefined) return entry
  const near = nearestNames(plain, Object.keys(table))
  throw named('UnknownName', `there is no ${kind} ${show(name)}; nearest names: ${near.join(', ')}`)
}

/**
 * @param {Bot} bot
 * @param {any} name
 * @returns {any} mcData's entry of that block
 */
const blockNamed = (bot, name) => entryNamed(bot.registry.blocksByName, name, 'block')

/**
 * @param {Bot} bot
 * @param {any} name
 * @returns {any} mcData's entry of that item
 */
const itemNamed = (bot, name) => entryNamed(bot.registry.itemsByName, name, 'item')

/**
 * @param {any} value
 * @param {string} what - the argument's name
 * @param {number} [most]
 * @returns {number} a whole number from 1 to `most`
 * @throws {BadArgument}
 */
function wholeCount (value, what, most = 2304) {
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw named('BadArgument', `${what} is ${show(value)}; give a whole number from 1 to ${most}`)
}

/**
 * @param {any} value
 * @param {string} what - the argument's name
 * @param {number} least
 * @param {number} most
 * @returns {number}
 * @throws {BadArgument}
 */
function within (value, what, least, most) {
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw named('BadArgument', `${what} is ${show(value)}; give a number from ${least} to ${most}`)
}

/**
 * Return a position from anything that policies pass: a Vec3, {x, y, z}, a block or an entity.
 * @param {any} value
 * @param {string} what - the argument's name
 * @returns {any} a Vec3 of its own
 * @throws {BadArgument}
 */
function asPosition (value, what) {
  const point = value !== null && typeof value === 'object' && value.position ? value.position : value
  const fine = point !== null && typeof point === 'object' && [point.x, point.y, point.z].every(Number.isFinite)
  if (!fine) throw named('BadArgument', `${what} is ${show(value)}; give a Vec3, {x, y, z}, a block or an entity`)
  if (Math.abs(point.x) > 3e7 || Math.abs(point.z) > 3e7 || point.y < -2048 || point.y > 2048) {
    throw named('BadArgument', `${what} is (${point.x}, ${point.y}, ${point.z}), which is outside the world`)
  }
  return new Vec3(point.x, point.y, point.z)
}

/**
 * Return the wanted items in Voyager's form: an object of item name -> count.
 * @param {Bot} bot
 * @param {any} items
 * @param {string} what - the argument's name
 * @returns {Array<{name: string, type: number, count: number}>}
 * @throws {BadArgument} when it is no such object, or names nothing
 */
function itemList (bot, items, what) {
  const example = '{"iron_pickaxe": 1}'
  if (items === null || typeof items !== 'object' || Array.isArray(items)) {
    throw named('BadArgument', `${what} is ${show(items)}; give item names with counts, such as ${example}`)
  }
  const list = Object.keys(items).map((key) => {
    const entry = itemNamed(bot, key)
    return { name: entry.name, type: entry.id, count: wholeCount(items[key], `${what}["${key}"]`) }
  })
  if (list.length === 0) throw named('BadArgument', `${what} is empty; give item names with counts, such as ${example}`)
  return list
}

module.exports = { asPosition, blockNamed, entryNamed, itemList, itemNamed, show, wholeCount, within }
