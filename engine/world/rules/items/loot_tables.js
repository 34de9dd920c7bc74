'use strict'
/** Vanilla's loot tables by name, as far as this world supports them: blocks, entities, fishing, chests. */
const { CHESTS, fillChest } = require('../../terrain/chest_loot')
const { Dice } = require('../../terrain/dice')
const { fishingCatch, catchOf, CATCHES } = require('./fishing_loot')
const { KINDS } = require('../../entities/kinds')
const { mobLoot } = require('../mobs/mob_loot')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../world').World} World */

/** Names of chest tables that differ from vanilla's names. @type {Record<string, string>} */
const CHEST_NAMES = nameTable({ 'chests/simple_dungeon': 'dungeon' })
const CHEST_SLOTS = 256

/** @param {string} table @returns {string | null} key of CHESTS */
function chestOf (table) {
  const name = CHEST_NAMES[table] ?? /^chests\/village\/village_(\w+)$/.exec(table)?.[1] ?? ''
  return CHESTS[name] ? name : null
}

/** @param {World} world @param {string} name key of CHESTS @returns {Item[]} */
function chestLoot (world, name) {
  /** @type {Item[]} */
  const items = []
  const store = { size: CHEST_SLOTS, set: (/** @type {number} */ _slot, /** @type {Item} */ item) => items.push(item) }
  fillChest(world.stacks, /** @type {any} */ (store), name,
    new Dice(world.random.stream('loot command').int(0, 0x7fffffff)))
  return items
}

/**
 * Draw the items of a loot table.
 * @param {World} world
 * @param {string} full such as "minecraft:entities/pig"
 * @param {{ tool?: Item | null }} [options]
 * @returns {Item[] | null} null if this world does not have the table
 */
function lootFrom (world, full, { tool = null } = {}) {
  const table = full.replace(/^minecraft:/, '')
  const [folder, name = ''] = table.split('/')
  const random = world.random.stream('loot command')
  if (folder === 'blocks' && Object.hasOwn(world.registry.blocksByName, name)) {
    return world.loot.blockDrops(world.data.state(world.data.stateId(name)), tool, random)
  }
  if (folder === 'entities' && KINDS[name]) {
    return mobLoot(world, KINDS[name].drops, { looting: world.stacks.enchantment(tool, 'looting'), random })
  }
  if (table === 'gameplay/fishing') {
    return [fishingCatch(world, { luck: world.stacks.enchantment(tool, 'luck_of_the_sea'), open: true, random })]
  }
  const kind = /^gameplay\/fishing\/(fish|junk|treasure)$/.exec(table)?.[1]
  if (kind && kind in CATCHES) return [catchOf(world, /** @type {'fish'} */ (kind), 0, random)]
  const chest = chestOf(table)
  return chest ? chestLoot(world, chest) : null
}

module.exports = { lootFrom }
