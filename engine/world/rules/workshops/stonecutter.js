'use strict'
/**
 * Stonecutters (minecraft.wiki, "Stonecutter"). Results follow from the names of each family of stone. A button of the
 * window chooses among the results, which are in the order of their names, as in vanilla.
 */

/**
 * [input, bases cut from it]. A base's stairs (1), slabs (2) and walls (1) can be cut as well.
 *
 * @type {[string, string[]][]}
 */
const FAMILIES = [
  ['stone', ['stone', 'stone_bricks', 'chiseled_stone_bricks']],
  ['stone_bricks', ['stone_bricks', 'chiseled_stone_bricks']], ['smooth_stone', ['smooth_stone']],
  ['cobblestone', ['cobblestone']],
  ['mossy_cobblestone', ['mossy_cobblestone']], ['mossy_stone_bricks', ['mossy_stone_bricks']],
  ['granite', ['granite', 'polished_granite']], ['polished_granite', ['polished_granite']],
  ['diorite', ['diorite', 'polished_diorite']], ['polished_diorite', ['polished_diorite']],
  ['andesite', ['andesite', 'polished_andesite']], ['polished_andesite', ['polished_andesite']],
  ['cobbled_deepslate', ['cobbled_deepslate', 'polished_deepslate', 'deepslate_bricks', 'deepslate_tiles',
    'chiseled_deepslate']], ['polished_deepslate', ['polished_deepslate', 'deepslate_bricks', 'deepslate_tiles']],
  ['deepslate_bricks', ['deepslate_bricks', 'deepslate_tiles']], ['deepslate_tiles', ['deepslate_tiles']],

  ['sandstone', ['sandstone', 'cut_sandstone', 'chiseled_sandstone']], ['smooth_sandstone', ['smooth_sandstone']],
  ['cut_sandstone', ['cut_sandstone']],
  ['red_sandstone', ['red_sandstone', 'cut_red_sandstone', 'chiseled_red_sandstone']],
  ['smooth_red_sandstone', ['smooth_red_sandstone']], ['cut_red_sandstone', ['cut_red_sandstone']],
  ['prismarine', ['prismarine']], ['prismarine_bricks', ['prismarine_bricks']],
  ['dark_prismarine', ['dark_prismarine']],
  ['nether_bricks', ['nether_bricks', 'chiseled_nether_bricks']], ['red_nether_bricks', ['red_nether_bricks']],
  ['bricks', ['bricks']], ['mud_bricks', ['mud_bricks']],
  ['blackstone', ['blackstone', 'polished_blackstone', 'polished_blackstone_bricks', 'chiseled_polished_blackstone']],
  ['polished_blackstone', ['polished_blackstone', 'polished_blackstone_bricks', 'chiseled_polished_blackstone']],
  ['polished_blackstone_bricks', ['polished_blackstone_bricks']], ['basalt', ['polished_basalt']],
  ['end_stone', ['end_stone', 'end_stone_bricks']], ['end_stone_bricks', ['end_stone_bricks']],
  ['purpur_block', ['purpur_block', 'purpur_pillar']],
  ['quartz_block', ['quartz_block', 'chiseled_quartz_block', 'quartz_pillar', 'quartz_bricks']],
  ['smooth_quartz', ['smooth_quartz']]
]
/** A block of copper is cut into four. */
const STAGES = Object.freeze(['', 'exposed_', 'weathered_', 'oxidized_'])

/** @typedef {import('prismarine-registry').Registry} Registry */
/** @typedef {{ name: string, count: number }} Cut */

/** Return a base's name without the end that its stairs and slabs lack. @param {string} name */
const stem = (name) => name.replace(/_block$/, '').replace(/(brick|tile)s$/, '$1')

/** @param {Registry} registry @returns {Map<string, Cut[]>} sorted results by input */
function cuts (registry) {
  /** @type {Map<string, Map<string, number>>} */
  const found = new Map()
  const add = (/** @type {string} */ from, /** @type {string} */ name, /** @type {number} */ count) => {
    if (from === name || !registry.itemsByName[from] || !registry.itemsByName[name]) return
    if (!found.has(from)) found.set(from, new Map())
    const list = /** @type {Map<string, number>} */ (found.get(from))
    if (!list.has(name)) list.set(name, count)
  }
  const family = (/** @type {string} */ from, /** @type {string} */ base, /** @type {number} */ times) => {
    add(from, base, times)
    add(from, `${stem(base)}_stairs`, times)
    add(from, `${stem(base)}_slab`, 2 * times)
    add(from, `${stem(base)}_wall`, times)
  }
  for (const [from, bases] of FAMILIES) for (const base of bases) family(from, base, 1)
  for (const wax of ['', 'waxed_']) {
    for (const stage of STAGES) {
      const block = stage === '' ? `${wax}copper_block` : `${wax}${stage}copper`
      family(block, `${wax}${stage}cut_copper`, 4)
      family(`${wax}${stage}cut_copper`, `${wax}${stage}cut_copper`, 1)
    }
  }
  return new Map([...found].map(([from, list]) =>
    [from, [...list].map(([name, count]) => ({ name, count })).sort((a, b) => (a.name < b.name ? -1 : 1))]))
}

/** @type {WeakMap<object, Map<string, Cut[]>>} */
const tables = new WeakMap()

/** @param {import('../../world').World} world @returns {Map<string, Cut[]>} */
function cutsOf (world) {
  const data = world.data
  if (!tables.has(data)) tables.set(data, cuts(world.registry))
  return /** @type {Map<string, Cut[]>} */ (tables.get(data))
}

/** @type {import('./workshop').Shop} */
const STONECUTTER = {
  menu: 'stonecutter',
  title: 'container.stonecutter',
  accepts: [() => true],
  gives: true,
  refresh: (work) => {
    const { state, world } = work
    const item = work.get(0)
    const list = item ? cutsOf(world).get(item.name) ?? [] : []
    if (state.from !== item?.name) state.chosen = -1
    state.from = item?.name
    const cut = list[state.chosen]
    work.give(cut ? world.stacks.make(cut.name, cut.count) : null)
    work.show(0, state.chosen)
  },
  button: (work, index) => {
    const item = work.get(0)
    if (!item || !cutsOf(work.world).get(item.name)?.[index]) return false
    work.state.chosen = index
    work.refresh()
    return true
  },
  take: (work, taken) => {
    work.world.stats.add(work.player, 'crafted', taken.name, taken.count)
    work.use(0)
  }
}

module.exports = { STONECUTTER, cutsOf }
