'use strict'
/** Handler of loot: from a table, a block, a body or the water, to the world or an inventory. */
const { CommandError } = require('../reader')
const { lootFrom } = require('../../rules/items/loot_tables')
const { blockSlot, playerSlot } = require('./items')
const { Mob } = require('../../entities/mobs')
const { nameTable } = require('../../../name_table')

const TABLES = 'blocks/NAME, entities/NAME, gameplay/fishing, chests/simple_dungeon and chests/village/village_NAME'

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../tree').Arguments} Arguments */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../windows/store').Store} Store */
/** @typedef {{ items: Item[], table: string | null }} Drawn `table`: for the reply, when that names it */

/** @param {Source} source @param {string} table @param {Item | null} tool @returns {Item[]} */
function fromTable (source, table, tool = null) {
  const items = lootFrom(source.world, table, { tool })
  if (!items) {
    throw new CommandError(`This world does not have the loot table ${table}: it has ${TABLES}`)
  }
  return items
}

/**
 * Return the tool of a `mine` or `fish` source.
 * @param {Arguments} args
 * @param {Source} source
 * @returns {Item | null}
 */
function toolOf (args, source) {
  if (args.has('tool')) return source.world.stacks.make(args.get('tool').name, 1, args.get('tool').nbt)
  if (!args.is('mainhand') && !args.is('offhand')) return null
  if (!source.entity?.living) throw source.error('commands.drop.no_held_items')
  return source.player?.inHand(args.is('offhand') ? 1 : 0) ?? null
}

/** Sources of loot by word. @type {Record<string, (args: Arguments, source: Source) => Drawn>} */
const SOURCES = nameTable({
  fish: (args, source) => ({ items: fromTable(source, args.get('loot_table'), toolOf(args, source)), table: null }),
  loot: (args, source) => ({ items: fromTable(source, args.get('loot_table')), table: null }),
  kill: (args, source) => {
    const target = args.get('target').one(source)
    if (!(target instanceof Mob)) throw source.error('commands.drop.no_loot_table', target.displayName)
    const held = source.player?.heldItem ?? null
    const looting = source.world.stacks.enchantment(held, 'looting')
    return { items: target.drawLoot(looting, source.world.random.stream('loot command')),
      table: `minecraft:entities/${target.type}` }
  },
  mine: (args, source) => {
    const { world } = source
    const { x, y, z } = source.block(args.get('pos'))
    const state = world.stateAt(x, y, z)
    return { items: world.loot.blockDrops(state, toolOf(args, source), world.random.stream('loot command')),
      table: `minecraft:blocks/${state.name}` }
  }
})

/**
 * Targets of loot by word; each returns the items that arrived.
 * @type {Record<string, (args: Arguments, source: Source, items: Item[]) => Item[]>}
 */
const TARGETS = nameTable({
  give: (args, source, items) => {
    const players = args.get('players').some(source)
    for (const player of players) {
      for (const item of items) player.giveOrDrop(item)
      player.screens.sync()
    }
    return items
  },
  spawn: (args, source, items) => {
    const at = source.resolve(args.get('targetPos'))
    for (const item of items) source.world.spawnItem(item, at)
    return items
  },
  insert: (args, source, items) => {
    const pos = source.block(args.get('targetPos'))
    const entity = source.world.blockEntities.at(pos)
    if (!entity?.container) throw source.error('commands.item.target.not_a_container', pos.x, pos.y, pos.z)
    return items.filter((item) => insert(source, entity.store, item))
  },
  replace: (args, source, items) => {
    const slots = args.word(2) === 'block' ? blockSlots(args, source, items.length)
      : entitySlots(args, source, items.length)
    for (const run of slots) run.forEach(({ store, index }, i) => store.set(index, items[i] ?? null))
    return items
  }
})

/**
 * Put a stack where it fits.
 * @param {Source} source
 * @param {Store} store
 * @param {Item} item
 * @returns {boolean} true if any of it went in
 */
function insert ({ world: { stacks } }, store, item) {
  let left = item.count
  for (let i = 0; i < store.size && left > 0; i++) {
    const there = store.get(i)
    if (there && !stacks.same(there, item)) continue
    const room = Math.min(left, item.stackSize - (there?.count ?? 0))
    if (room <= 0) continue
    store.set(i, stacks.withCount(item, (there?.count ?? 0) + room))
    left -= room
  }
  return left < item.count
}

/** Return the name of the slot `by` places further on. @param {string} name @param {number} by */
function further (name, by) { return by === 0 ? name : name.replace(/\d+$/, (digits) => String(Number(digits) + by)) }

/**
 * @param {Arguments} args
 * @param {Source} source
 * @param {number} count
 * @returns {{ store: Store, index: number }[][]}
 */
function blockSlots (args, source, count) {
  return [Array.from({ length: args.get('count', count) },
    (_, i) => blockSlot(source, args.get('targetPos'), further(args.get('slot'), i), 'target'))]
}

/**
 * @param {Arguments} args
 * @param {Source} source
 * @param {number} count
 * @returns {{ store: Store, index: number }[][]}
 */
function entitySlots (args, source, count) {
  const slot = args.get('slot')
  const length = /\d$/.test(slot) ? args.get('count', count) : 1
  const runs = args.get('entities').some(source)
    .map((/** @type {any} */ entity) =>
    ('store' in entity ? Array.from({ length }, (_, i) => playerSlot(entity, further(slot, i))).filter(Boolean) : []))
  if (runs.every((/** @type {unknown[]} */ run) => run.length === 0)) {
    throw source.error('commands.item.target.no_such_slot', slot)
  }
  return runs
}

/** Return the index of the step that names the loot's source. @param {Arguments} args */
function sourceAt (args) { return args.word(1) !== 'replace' ? 3 : args.has('count') ? 6 : 5 }

/** @type {Handler} */
function loot (args, source) {
  const { items: drawn, table } = SOURCES[args.word(sourceAt(args))](args, source)
  const items = TARGETS[args.word(1)](args, source, drawn)
  const named = table ? '_with_table' : ''
  const from = table ? [table] : []
  if (items.length === 1) {
    source.say(`commands.drop.success.single${named}`, items[0].count, source.world.stacks.label(items[0]), ...from)
  } else {
    source.say(`commands.drop.success.multiple${named}`, items.length, ...from)
  }
  return items.length
}

module.exports = { loot }
