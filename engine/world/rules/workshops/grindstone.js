'use strict'
/**
 * Grindstones (minecraft.wiki, "Grindstone"): two items of a kind are repaired with 5 % extra; enchantments except
 * curses become experience.
 */
const { enchantmentsOf, withEnchantments } = require('./enchantments')
const { dataOf } = require('../items/item_data')

/** @typedef {import('../../types').Item} Item */

/** @param {Item} item */
const grindable = (item) =>
  item.name === 'enchanted_book' || enchantmentsOf(item).length > 0 || Boolean(/** @type {any} */ (item).maxDurability)

/** @param {import('../../world').World} world @param {string} name */
const isCurse = (world, name) => Boolean(world.registry.enchantmentsByName[name]?.curse)

/**
 * Remove enchantments except curses, and the prior-work penalty.
 *
 * @param {import('../../world').World} world
 * @param {Item} item
 * @param {number} damage
 */
function ground (world, item, damage) {
  const curses = enchantmentsOf(item).filter(({ name }) => isCurse(world, name))
  const plain = item.name === 'enchanted_book' && curses.length === 0 ? world.stacks.make('book', item.count)
    : withEnchantments(world.stacks, item, curses)
  const value = { ...dataOf(plain) }
  delete value.RepairCost
  delete value.Damage
  if (curses.length > 0) value.RepairCost = { type: 'int', value: 2 ** curses.length - 1 }
  if (damage > 0) value.Damage = { type: 'int', value: damage }
  return world.stacks.withNbt(plain, { type: 'compound', name: '', value })
}

/**
 * @param {import('../../world').World} world
 * @param {Item | null} one
 * @param {Item | null} two
 * @returns {Item | null}
 */
function grind (world, one, two) {
  const item = one ?? two
  if (!item) return null
  if (one && two) {
    const full = world.registry.itemsByName[one.name]?.maxDurability
    if (one.name !== two.name || one.count > 1 || two.count > 1 || !full) return null
    const damage = Math.max(0,
      full - (full - world.stacks.damage(one)) - (full - world.stacks.damage(two)) - Math.floor(full * 5 / 100))
    return ground(world, one, damage)
  }
  return enchantmentsOf(item).some(({ name }) => !isCurse(world, name)) ? ground(world, item, world.stacks.damage(item))
    : null
}

/**
 * Return the experience: half of the minimum cost of the removed enchantments, up to twice that by chance.
 *
 * @param {import('../../world').World} world
 * @param {(Item | null)[]} items
 * @returns {number}
 */
function experience (world, items) {
  let worth = 0
  for (const item of items) {
    for (const { name, level } of enchantmentsOf(item)) {
      const facts = world.registry.enchantmentsByName[name]
      if (facts && !facts.curse) worth += (facts.minCost.a ?? 0) * level + (facts.minCost.b ?? 0)
    }
  }
  const half = Math.ceil(worth / 2)
  return half > 0 ? half + world.random.stream('grindstones').int(0, half - 1) : 0
}

/** @type {import('./workshop').Shop} */
const GRINDSTONE = {
  menu: 'grindstone',
  title: 'container.grindstone_title',
  accepts: [grindable, grindable],
  limits: [1, 1],
  gives: true,
  refresh: (work) => work.give(grind(work.world, work.get(0), work.get(1))),
  take: (work) => {
    const points = experience(work.world, [work.get(0), work.get(1)])
    work.store.set(0, null)
    work.store.set(1, null)
    if (points > 0) work.world.popExperience(points, { x: work.pos.x + 0.5, y: work.pos.y + 0.5, z: work.pos.z + 0.5 })
  }
}

module.exports = { GRINDSTONE, grind }
