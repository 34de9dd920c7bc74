'use strict'
/** Loot of dying bodies. */

/** @typedef {import('../../types').Item} Item */

/**
 * Draw the items of a body's loot.
 * @param {import('../../world').World} world
 * @param {readonly [string, number, number][]} drops item, minimum and maximum number
 * @param {{ looting?: number, random: import('../../random').RandomStream, cooked?: Record<string, string> | null }}
 *   how `cooked`: items that a burning body drops instead of others
 * @returns {Item[]}
 */
function mobLoot (world, drops, { looting = 0, random, cooked = null }) {
  /** @type {Item[]} */
  const items = []
  for (const [name, low, high] of drops) {
    const count = random.int(low, high) + (looting && high > low ? random.int(0, looting) : 0)
    if (count > 0) items.push(world.stacks.make(cooked?.[name] ?? name, count))
  }
  return items
}

module.exports = { mobLoot }
