'use strict'
/**
 * Crafting: the result of a grid. minecraft-data's recipes (shaped, also mirrored, and shapeless) are indexed once per
 * version by the contents of the grid. Vanilla's repair of two tools of a kind is added. Rules that depend on more than
 * the kind of item (dyed armour, banners, maps, data of fireworks) are missing.
 */
const { nameTable } = require('../../../name_table')

/** Items that remain in the grid after crafting. @type {Record<string, string>} */
const REMAINDERS = nameTable({ water_bucket: 'bucket', lava_bucket: 'bucket',
  milk_bucket: 'bucket', powder_snow_bucket: 'bucket', honey_bottle: 'glass_bottle', dragon_breath: 'glass_bottle' })

/** @typedef {import('../../types').Item} Item */

/** @param {any} entry ingredient in minecraft-data's format @returns {number} item id, -1 for nothing */
function idOf (entry) {
  if (entry === null || entry === undefined) return -1
  return typeof entry === 'object' ? (Array.isArray(entry) ? entry[0] : entry.id) ?? -1 : entry
}

/** @typedef {ReadonlyMap<string, { id: number, count: number }>} Index result by the contents of the grid */

/**
 * Indexes by version, shared by its worlds: an index takes as long to build as the rest of a new world.
 *
 * @type {WeakMap<object, Index>}
 */
const indexes = new WeakMap()

/** @param {Record<string, any[]>} recipes of one version @returns {Index} */
function indexOf (recipes) {
  const known = indexes.get(recipes)
  if (known !== undefined) return known
  const index = new Map()
  for (const recipe of Object.values(recipes).flat()) {
    const result = { id: idOf(recipe.result), count: recipe.result.count ?? 1 }
    const keys = recipe.inShape ? shapedKeys(recipe.inShape.map((/** @type {unknown[]} */ row) => row.map(idOf)))
      : [shapelessKey(recipe.ingredients.map(idOf))]
    // The first of two recipes for one arrangement wins, in the order of the data, which is the same on every run.
    for (const key of keys) if (!index.has(key)) index.set(key, result)
  }
  indexes.set(recipes, index)
  return index
}

/** Recipes of one version. */
class Crafting {
  /** @param {import('../../data').GameData} data @param {import('../../stacks').Stacks} stacks */
  constructor (data, stacks) {
    this.data = data
    this.stacks = stacks
  }

  /** Built for the first grid: programs that craft nothing start sooner. @returns {Index} */
  get index () {
    return indexOf(this.data.registry.recipes)
  }

  /**
   * Return the result of a grid.
   * @param {(Item | null)[]} grid row by row
   * @param {number} width
   * @returns {Item | null}
   */
  result (grid, width) {
    const ids = grid.map((item) => item?.type ?? -1)
    const filled = ids.filter((id) => id >= 0)
    if (filled.length === 0) return null
    const rows = trim(chunk(ids, width))
    const found = this.index.get(shapedKey(rows)) ?? this.index.get(shapelessKey(filled))
    if (found) return this.stacks.make(found.id, found.count)
    return this.mend(grid.filter((item) => item !== null))
  }

  /** Return the repair of two worn tools of a kind: the durability of both plus 5 %. @param {Item[]} items */
  mend (items) {
    if (items.length !== 2 || items[0].type !== items[1].type) return null
    const full = this.data.registry.items[items[0].type].maxDurability
    if (!full || items.some((item) => item.count !== 1)) return null
    const left = items.reduce((sum, item) => sum + full - this.stacks.damage(item), 0) + Math.floor(full * 5 / 100)
    const damage = Math.max(0, full - left)
    return this.stacks.make(items[0].type, 1,
      damage ? { type: 'compound', name: '', value: { Damage: { type: 'int', value: damage } } } : null)
  }

  /**
   * Consume one item of each slot of the grid.
   * @param {import('../../windows/store').Store} store
   * @param {readonly number[]} slots slots of the grid
   * @param {(item: Item) => void} giveBack receives a remainder that has no room in the grid
   */
  consume (store, slots, giveBack) {
    for (const i of slots) {
      const item = store.get(i)
      if (!item) continue
      const remainder = REMAINDERS[item.name] ? this.stacks.make(REMAINDERS[item.name]) : null
      const rest = this.stacks.withCount(item, item.count - 1)
      store.set(i, rest ?? remainder)
      if (rest && remainder) giveBack(remainder)
    }
  }
}

/** @template T @param {T[]} list @param {number} width @returns {T[][]} */
function chunk (list, width) {
  const rows = []
  for (let i = 0; i < list.length; i += width) rows.push(list.slice(i, i + width))
  return rows
}

/** Remove empty rows and columns at the edges. @param {number[][]} rows */
function trim (rows) {
  const used = (/** @type {number[]} */ row) => row.some((id) => id >= 0)
  const ys = rows.flatMap((row, y) => (used(row) ? [y] : []))
  const xs = rows[0].flatMap((_, x) => (rows.some((row) => (row[x] ?? -1) >= 0) ? [x] : []))
  return rows.slice(ys[0], ys[ys.length - 1] + 1)
    .map((row) => Array.from({ length: xs[xs.length - 1] - xs[0] + 1 }, (_, i) => row[xs[0] + i] ?? -1))
}

/** @param {number[][]} rows */
function shapedKey (rows) { return `${rows[0].length}x${rows.length}:${rows.flat().join(',')}` }

/** @param {number[][]} shape */
function shapedKeys (shape) {
  const width = Math.max(...shape.map((row) => row.length))
  const rows = trim(shape.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? -1)))
  return [shapedKey(rows), shapedKey(rows.map((row) => row.slice().reverse()))]
}

/** @param {number[]} ids */
function shapelessKey (ids) { return `any:${ids.slice().sort((a, b) => a - b).join(',')}` }

module.exports = { Crafting, REMAINDERS }
