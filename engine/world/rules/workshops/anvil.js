'use strict'
/**
 * Anvils (minecraft.wiki, "Anvil mechanics"): repair with material or another item of the kind, combined enchantments,
 * names. The price is in levels; 40 and more is too expensive; one use in 8 damages the anvil.
 */
const { enchantmentsOf, withEnchantments, belongsOn, compatible } = require('./enchantments')
const { dataOf } = require('../items/item_data')

/** @typedef {import('prismarine-registry').Registry} Registry */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('./enchantments').Enchantment} Enchantment */
/**
 * `used`: consumed items of the second slot, 0 for all.
 *
 * @typedef {{ item: Item | null, cost: number, used: number }} Outcome
 */

const TOO_EXPENSIVE = 40
const WEAR = 0.12
const LONGEST_NAME = 50
/** Control characters and the section sign, which chat refuses too. */
const ILLEGAL = /[\u0000-\u001f\u007f\u00a7]/g
/** Price of a level of an enchantment by its weight (rarity). @type {Record<number, number>} */
const PRICES = { 10: 1, 5: 2, 2: 4, 1: 8 }
/** @type {Record<string, string>} */
const WORN = { anvil: 'chipped_anvil', chipped_anvil: 'damaged_anvil' }
/** @type {Outcome} */
const NOTHING = Object.freeze({ item: null, cost: 0, used: 0 })

/** @param {Item | null} item */
const priorWork = (item) => Math.max(0, Number(dataOf(item).RepairCost?.value) || 0)

/**
 * @param {import('../../world').World} world
 * @param {Item} item
 * @param {Record<string, any>} changes of its data; undefined removes a key
 */
function changed (world, item, changes) {
  const value = { ...dataOf(item), ...changes }
  for (const key of Object.keys(changes)) if (changes[key] === undefined) delete value[key]
  return world.stacks.withNbt(item, { type: 'compound', name: '', value })
}

/** @param {import('../../world').World} world @param {Item} item @param {number} used lost durability */
function damaged (world, item, used) {
  return changed(world, item, { Damage: used > 0 ? { type: 'int', value: used } : undefined })
}

/**
 * Repair an item with its material: a quarter of the durability and one level each.
 * @param {import('../../world').World} world @param {Item} left @param {Item} right @param {number} full
 * @returns {{ item: Item, cost: number, used: number } | null}
 */
function mended (world, left, right, full) {
  let wear = world.stacks.damage(left)
  let used = 0
  for (let part = Math.min(wear, Math.floor(full / 4)); part > 0 &&
    used < right.count; part = Math.min(wear, Math.floor(full / 4))) {
    wear -= part
    used++
  }
  return used === 0 ? null : { item: damaged(world, left, wear), cost: used, used }
}

/**
 * Combine two items of a kind: the durability of both plus 12 %, for two levels.
 * @param {import('../../world').World} world @param {Item} left @param {Item} right @param {number} full
 */
function fused (world, left, right, full) {
  const { stacks } = world
  const wear = Math.max(0, stacks.damage(left) - (full - stacks.damage(right)) - Math.floor(full * 12 / 100))
  return wear < stacks.damage(left) ? { item: damaged(world, left, wear), cost: 2 } : { item: left, cost: 0 }
}

/**
 * Combine the enchantments of two items.
 * @param {Registry} registry @param {Item} left @param {Item} right @param {boolean} creative
 * @returns {{ list: Enchantment[], cost: number, fits: boolean }} `fits`: false if none of the second item's may be on
 *   the first
 */
function joined (registry, left, right, creative) {
  const list = enchantmentsOf(left)
  const book = right.name === 'enchanted_book'
  let cost = 0
  let some = false
  let misfit = false
  for (const { name, level } of enchantmentsOf(right)) {
    const facts = registry.enchantmentsByName[name]
    if (!facts) continue
    const mine = list.find((each) => each.name === name)
    const clashes = list.filter((each) => each.name !== name && !compatible(registry, each.name, name)).length
    cost += clashes
    if (clashes > 0 || !(creative || left.name === 'enchanted_book' || belongsOn(registry, name, left))) {
      misfit = true
      continue
    }
    some = true
    const raised = Math.min(facts.maxLevel, mine?.level === level ? level + 1 : Math.max(level, mine?.level ?? 0))
    if (mine) mine.level = raised
    else list.push({ name, level: raised })
    cost += Math.max(1, book ? Math.floor(PRICES[facts.weight] / 2) : PRICES[facts.weight]) * raised
  }
  return { list, cost, fits: some || !misfit }
}

/**
 * Combine two stacks, before naming.
 * @param {import('../../world').World} world @param {Item} left @param {Item} right @param {boolean} creative
 * @returns {{ item: Item, cost: number, used: number } | null}
 */
function combined (world, left, right, creative) {
  const { registry } = world
  const facts = registry.itemsByName[left.name]
  const full = facts?.maxDurability ?? 0
  if (full && (facts.repairWith ?? []).includes(right.name)) return mended(world, left, right, full)
  const book = right.name === 'enchanted_book' && enchantmentsOf(right).length > 0
  if (!book && (left.name !== right.name || !full)) return null
  const both = full && !book ? fused(world, left, right, full) : { item: left, cost: 0 }
  const { list, cost, fits } = joined(registry, left, right, creative)
  if (!fits) return null
  return { item: withEnchantments(world.stacks, both.item, list),
    cost: left.count > 1 ? TOO_EXPENSIVE : both.cost + cost, used: 0 }
}

/**
 * @param {import('../../world').World} world
 * @param {Item} item
 * @param {string | null} name null keeps the name
 * @returns {{ item: Item, cost: number }}
 */
function named (world, item, name) {
  if (name === null) return { item, cost: 0 }
  const display = { ...dataOf(item).display?.value }
  if (name.trim() === '') {
    if (!display.Name) return { item, cost: 0 }
    delete display.Name
  } else {
    if (name === world.stacks.displayName(item)) return { item, cost: 0 }
    display.Name = { type: 'string', value: JSON.stringify({ text: name }) }
  }
  return { item: changed(world, item,
    { display: Object.keys(display).length > 0 ? { type: 'compound', value: display } : undefined }), cost: 1 }
}

/**
 * Return the result of an anvil.
 * @param {import('../../world').World} world
 * @param {Item | null} left
 * @param {Item | null} right
 * @param {{ name: string | null, creative: boolean }} how
 * @returns {Outcome}
 */
function forge (world, left, right, { name, creative }) {
  if (!left) return NOTHING
  const work = right ? combined(world, left, right, creative) : { item: left, cost: 0, used: 0 }
  if (!work) return NOTHING
  const label = named(world, work.item, name)
  const spent = work.cost + label.cost
  if (spent <= 0) return NOTHING
  const onlyName = label.cost === spent
  const before = Math.max(priorWork(left), priorWork(right))
  let cost = spent + priorWork(left) + priorWork(right)
  if (onlyName && cost >= TOO_EXPENSIVE) cost = TOO_EXPENSIVE - 1
  if (cost >= TOO_EXPENSIVE && !creative) return { item: null, cost, used: 0 }
  const after = onlyName ? before : before * 2 + 1
  return { item: changed(world, label.item,
    { RepairCost: after > 0 || dataOf(label.item).RepairCost ? { type: 'int', value: after }
    : undefined }), cost, used: work.used }
}

/** @type {import('./workshop').Shop} */
const ANVIL = {
  menu: 'anvil',
  title: 'container.repair',
  accepts: [() => true, () => true],
  gives: true,
  refresh: (work) => {
    const outcome = forge(work.world, work.get(0), work.get(1),
      { name: work.state.name ?? null, creative: work.player.gamemode === 'creative' })
    work.state.outcome = outcome
    work.give(outcome.item)
    work.show(0, outcome.cost)
  },
  mayTake: ({ player, state }) =>
    state.outcome.cost > 0 && (player.gamemode === 'creative' || player.experience.level >= state.outcome.cost),
  take: (work) => {
    const { player, state, world } = work
    const { cost, used } = state.outcome
    if (player.gamemode !== 'creative') player.addLevels(-cost)
    work.store.set(0, null)
    if (used > 0) work.use(1, used)
    else work.store.set(1, null)
    wearAnvil(world, work)
  },
  rename: (work, name) => {
    work.state.name = name.replace(ILLEGAL, '').slice(0, LONGEST_NAME)
    work.refresh()
  }
}

/** @param {import('../../world').World} world @param {import('./workshop').Work} work */
function wearAnvil (world, { player, pos }) {
  const state = world.stateAt(pos.x, pos.y, pos.z)
  if (player.gamemode === 'creative' || !world.random.stream('anvils').chance(WEAR)) return
  world.setBlock(pos.x, pos.y, pos.z,
    WORN[state.name] ? world.data.stateId(WORN[state.name], { facing: state.props.facing }) : 0)
}

module.exports = { ANVIL, forge }
