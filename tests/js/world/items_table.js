'use strict'
/**
 * Table of the ways to items, as data for planners: `node tests/js/world/items_table.js` rewrites the table of the
 * explorers from the walk over everything obtainable (`obtainable.js`).
 */
const fs = require('node:fs')
const path = require('node:path')
const { Walk } = require('./obtainable')

const FILE = path.join(__dirname, '../../../voyager_agents/piano/rule_based/progression/items.json')
/** Tools to try on a block, the poorest first; the first that gives an item is noted. */
const TOOLS = ['', 'wooden_pickaxe', 'stone_pickaxe', 'iron_pickaxe', 'diamond_pickaxe', 'wooden_shovel', 'shears']
const TRIES = 40
const RARE = 300

/**
 * @param {any} walk after its run
 * @returns {Record<string, Record<string, string>>} item -> block -> the poorest tool
 */
function drops (walk) {
  /** @type {Record<string, Record<string, string>>} */
  const found = {}
  for (const [id] of walk.blocks) {
    const state = walk.world.data.state(id)
    if (state.hardness < 0) continue
    for (const tool of TOOLS) {
      const held = tool === '' ? null : walk.world.stacks.make(tool)
      const tries = /leaves|grass|fern|gravel|stem/.test(state.name) ? RARE : TRIES
      for (let i = 0; i < tries; i++) {
        for (const item of walk.world.loot.blockDrops(state, held, walk.random)) {
          found[item.name] ??= {}
          found[item.name][state.name] ??= tool
        }
      }
    }
  }
  return found
}

/** @param {any} walk @returns {Record<string, any[]>} item -> its recipes, of what is obtainable */
function recipes (walk) {
  const { items, recipes } = walk.world.registry
  const id = (/** @type {any} */ entry) =>
    (Array.isArray(entry) ? entry[0] : typeof entry === 'object' && entry ? entry.id : entry) ?? -1
  /** @type {Record<string, any[]>} */
  const found = {}
  for (const recipe of /** @type {any[]} */ (Object.values(recipes).flat())) {
    const needed = (recipe.inShape ? recipe.inShape.flat()
      : recipe.ingredients).map(id).filter((/** @type {number} */ n) => n >= 0)
    const names = needed.map((/** @type {number} */ n) => items[n].name)
    if (!names.every((/** @type {string} */ name) => walk.items.has(name))) continue
    const wide = recipe.inShape &&
      (recipe.inShape.length > 2 || recipe.inShape.some((/** @type {any[]} */ row) => row.length > 2))
    /** @type {Record<string, number>} */
    const parts = {}
    for (const name of names.sort()) parts[name] = (parts[name] ?? 0) + 1
    const made = items[id(recipe.result)].name
    const entry = { gives: recipe.result.count ?? 1, table: Boolean(wide || needed.length > 4), of: parts }
    found[made] ??= []
    if (!found[made].some((each) => JSON.stringify(each) === JSON.stringify(entry))) found[made].push(entry)
  }
  return found
}

/** @param {any} walk @returns {Record<string, string[]>} item -> the mobs that it drops from */
function mobs (walk) {
  /** @type {Record<string, string[]>} */
  const found = {}
  for (const [type, kind] of Object.entries(walk.kinds).filter(([name]) => walk.met.has(name))) {
    for (const [name, , most] of /** @type {any} */ (kind).drops ?? []) {
      if (most > 0 && walk.items.has(name)) found[name] = [...(found[name] ?? []), type]
    }
  }
  return found
}

/** @param {any} walk @returns {any} the table */
function table (walk) {
  const sorted = (/** @type {Record<string, any>} */ from) =>
    Object.fromEntries(Object.keys(from).sort().map((key) => [key, from[key]]))
  /** @type {Record<string, string>} */
  const smelts = {}
  for (const [what, { result }] of walk.world.smelting.recipes) if (walk.items.has(what)) smelts[what] = result
  return {
    ways: sorted(Object.fromEntries(walk.items)),
    recipes: sorted(recipes(walk)),
    smelts: sorted(smelts),
    drops: sorted(drops(walk)),
    mobs: sorted(mobs(walk)),
    others: walk.world.registry.itemsArray.map((/** @type {any} */ item) => item.name)
      .filter((/** @type {string} */ name) => name !== 'air' && !walk.items.has(name)).sort()
  }
}

/** @param {any} made @returns {string} the table as it lies in the file: a line an entry */
function text (made) {
  const parts = Object.entries(made).map(([name, part]) => {
    const rows = Array.isArray(part) ? [part.map((each) => JSON.stringify(each)).join(', ')]
      : Object.entries(part).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    const [open, close] = Array.isArray(part) ? '[]' : '{}'
    return `${JSON.stringify(name)}: ${open}\n${rows.join(',\n')}\n${close}`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}

/** @returns {any} a walk that was made */
function walked () {
  const walk = new Walk(1)
  walk.run()
  return walk
}

if (require.main === module) fs.writeFileSync(FILE, text(table(walked())))
module.exports = { FILE, table, text }
