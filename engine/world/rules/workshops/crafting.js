'use strict'
/**
 * Crafting: which result a grid gives. minecraft-data's recipes (shaped, also mirrored, and shapeless) are indexed once per
 * version by what lies in the grid; vanilla's rule of mending two tools of a kind is added. Rules that depend on more than
 * the kind of item (dyeing armour, banners, maps, fireworks' data) are not here.
 */

/** What stays in the grid after crafting. @type {Record<string, string>} */
const REMAINDERS = { __proto__: /** @type {any} */ (null), water_bucket: 'bucket', lava_bucket: 'bucket', milk_bucket: 'bucket', powder_snow_bucket: 'bucket', honey_bottle: 'glass_bottle', dragon_breath: 'glass_bottle' }

/** @typedef {import('../../types').Item} Item */

/** @param {any} entry an ingredient as minecraft-data writes it @returns {number} item id, -1 for nothing */
function idOf (entry) {
  if (entry === null || entry === undefined) return -1
  return typeof entry === 'object' ? (Array.isArray(entry) ? entry[0] : entry.id) ?? -1 : entry
}

/** @typedef {ReadonlyMap<string, { id: number, count: number }>} Index what lies in the grid -> the result */

/** Worlds of one version share it: it is as large as all else that a new world makes. @type {WeakMap<object, Index>} */
const indexes = new WeakMap()

/** @param {Record<string, any[]>} recipes of one version @returns {Index} */
function indexOf (recipes) {
  const known = indexes.get(recipes)
  if (known !== undefined) return known
  const index = new Map()
  for (const recipe of Object.values(recipes).flat()) {
    const result = { id: idOf(recipe.result), count: recipe.result.count ?? 1 }
    const keys = recipe.inShape ? shapedKeys(recipe.inShape.map((/** @type {any[]} */ row) => row.map(idOf))) : [shapelessKey(recipe.ingredients.map(idOf))]
    // The first of two recipes for one arrangement wins, in the order of the data: the same on every run.
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
    this.index = indexOf(data.registry.recipes)
  }

  /**
   * What a grid gives.
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

  /** Two worn tools of a kind make one with the durability of both and 5 % more. @param {Item[]} items */
  mend (items) {
    if (items.length !== 2 || items[0].type !== items[1].type) return null
    const full = this.data.registry.items[items[0].type].maxDurability
    if (!full || items.some((item) => item.count !== 1)) return null
    const left = items.reduce((sum, item) => sum + full - this.stacks.damage(item), 0) + Math.floor(full * 5 / 100)
    const damage = Math.max(0, full - left)
    return this.stacks.make(items[0].type, 1, damage ? { type: 'compound', name: '', value: { Damage: { type: 'int', value: damage } } } : null)
  }

  /**
   * Uses up one of each in the grid.
   * @param {import('../../windows/store').Store} store
   * @param {readonly number[]} slots the grid's slots
   * @param {(item: Item) => void} giveBack a remainder that has no place in the grid
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

/** Cuts empty rows and columns off the edges. @param {number[][]} rows */
function trim (rows) {
  const used = (/** @type {number[]} */ row) => row.some((id) => id >= 0)
  const ys = rows.flatMap((row, y) => (used(row) ? [y] : []))
  const xs = rows[0].flatMap((_, x) => (rows.some((row) => (row[x] ?? -1) >= 0) ? [x] : []))
  return rows.slice(ys[0], ys[ys.length - 1] + 1).map((row) => Array.from({ length: xs[xs.length - 1] - xs[0] + 1 }, (_, i) => row[xs[0] + i] ?? -1))
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
