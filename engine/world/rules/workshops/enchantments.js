'use strict'
/** Enchantments on stacks: reading, writing, allowed items and exclusions. The table is minecraft-data's. */
const { dataOf } = require('../items/item_data')

/** @typedef {import('prismarine-registry').Registry} Registry */
/** @typedef {import('../../types').Item} Item */
/** @typedef {{ name: string, level: number }} Enchantment */

/** Return the key of a stack's enchantments: books store them. @param {Item} item */
const keyOf = (item) => item.name === 'enchanted_book' ? 'StoredEnchantments' : 'Enchantments'

/** @param {Item | null} item @returns {Enchantment[]} */
function enchantmentsOf (item) {
  /** @type {Record<string, import('../../nbt/values').Tag | undefined>[]} */
  const list = item ? dataOf(item)[keyOf(item)]?.value?.value ?? [] : []
  return list.map((entry) =>
    ({ name: String(entry?.id?.value).replace(/^minecraft:/, ''),
    level: Math.max(0, Math.min(255, Number(entry?.lvl?.value) || 0)) }))
}

/**
 * Return a stack with these enchantments only.
 * @param {import('../../stacks').Stacks} stacks
 * @param {Item} item
 * @param {Enchantment[]} list
 * @returns {Item}
 */
function withEnchantments (stacks, item, list) {
  const value = { ...dataOf(item) }
  delete value[keyOf(item)]
  if (list.length > 0) {
    const entries = list.map(({ name, level }) =>
      ({ id: { type: 'string', value: `minecraft:${name}` }, lvl: { type: 'short', value: level } }))
    value[keyOf(item)] = { type: 'list', value: { type: 'compound', value: entries } }
  }
  return stacks.withNbt(item, { type: 'compound', name: '', value })
}

/**
 * @param {Registry} registry
 * @param {string} name of an enchantment
 * @param {Item} item
 * @returns {boolean} true if the item may have the enchantment
 */
function belongsOn (registry, name, item) {
  return (registry.itemsByName[item.name]?.enchantCategories ??
    []).includes(registry.enchantmentsByName[name]?.category)
}

/**
 * Return true if two enchantments may be on one item. minecraft-data lists some exclusions on one side only.
 *
 * @param {Registry} registry
 * @param {string} a
 * @param {string} b
 * @returns {boolean}
 */
function compatible (registry, a, b) {
  const excludes = (/** @type {string} */ one, /** @type {string} */ other) =>
    registry.enchantmentsByName[one]?.exclude.includes(other)
  return a !== b && !excludes(a, b) && !excludes(b, a)
}

module.exports = { enchantmentsOf, withEnchantments, belongsOn, compatible }
