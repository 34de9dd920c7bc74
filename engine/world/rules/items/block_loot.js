'use strict'
/**
 * Loot of blocks. minecraft-data's `drops` are right for most blocks; its `blockLoot` is wrong (two diamonds from an
 * ore, no mushrooms). Loot that depends on chance, age or the tool is therefore listed here, after vanilla's loot
 * tables.
 */
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../random').RandomStream} RandomStream */
/**
 * @typedef {object} LootContext
 * @property {import('../../data').BlockState} state
 * @property {RandomStream} random
 * @property {number} fortune level
 * @property {string} tool item name, "" for a bare hand
 */
/** @typedef {(context: LootContext) => [string, number][]} Rule */

/**
 * Drop an item with Fortune as for ores: the number times 1 + max(0, U{-1..level}).
 *
 * @param {string} item
 * @param {number} low
 * @param {number} high
 * @returns {Rule}
 */
const ore = (item, low = 1, high = 1) => ({ random, fortune }) => {
  const count = random.int(low, high)
  return [[item, fortune > 0 ? count * (Math.max(0, random.int(0, fortune + 1) - 1) + 1) : count]]
}

/**
 * Drop U{low..high} items plus up to `bonus` per level of Fortune, at most `limit`.
 *
 * @param {string} item
 * @param {number} low
 * @param {number} high
 * @param {number} bonus
 * @param {number} limit
 * @returns {Rule}
 */
const some = (item, low, high, bonus = 0, limit = 64) => ({ random, fortune }) =>
  [[item, Math.min(limit, Math.max(0,
    random.int(low, high) + (fortune && bonus ? random.int(0, bonus * fortune) : 0)))]]

/** @param {...Rule} rules @returns {Rule} */
const all = (...rules) => (context) => rules.flatMap((rule) => rule(context))

/**
 * Drop an item by chance.
 *
 * @param {string} item
 * @param {number[]} chances by level of Fortune
 * @param {number} low
 * @param {number} high
 * @returns {Rule}
 */
const maybe = (item, chances, low = 1, high = 1) => ({ random, fortune }) =>
  random.chance(chances[Math.min(fortune, chances.length - 1)]) ? [[item, random.int(low, high)]] : []

/** @type {Rule} */
const none = () => []

/** Drop as many items as a property of the block says. @param {string} item @param {string} prop @returns {Rule} */
const byCount = (item, prop) => ({ state }) => [[item, Number(state.props[prop])]]

/** Drop 1 item plus Fortune + 3 attempts at p = 4/7. @param {string} item @returns {Rule} */
const harvest = (item) => ({ random, fortune }) => [[item, 1 + tries(random, fortune + 3, 0.5714286)]]

/** @param {RandomStream} random @param {number} n @param {number} p */
function tries (random, n, p) {
  let hits = 0
  for (let i = 0; i < n; i++) if (random.chance(p)) hits++
  return hits
}

/** @param {number} age @param {Rule} ripe @param {Rule} young @returns {Rule} */
const ripe = (age, ripe, young) => (context) => (Number(context.state.props.age) >= age ? ripe : young)(context)

const SAPLING = [0.05, 0.0625, 0.083333336, 0.1]
const JUNGLE = [0.025, 0.027777778, 0.03125, 0.041666668]
const STICKS = [0.02, 0.022222223, 0.025, 0.033333335]
const APPLE = [0.005, 0.0055555557, 0.00625, 0.008333334]
const sticks = maybe('stick', STICKS, 1, 2)
/** @param {string} sapling @param {number[]} chances */
const leaves = (sapling, chances = SAPLING) => all(maybe(sapling, chances), sticks)
/** @param {string} item @returns {Rule} */
const one = (item) => () => [[item, 1]]
/** @type {Rule} */
const grassSeeds = ({ random, fortune }) =>
  (random.chance(0.125) ? [['wheat_seeds', 1 + (fortune ? random.int(0, 2 * fortune) : 0)]] : [])
/** @param {string} seeds @returns {Rule} */
const stem = (seeds) => ({ state, random }) => [[seeds, tries(random, 3, (Number(state.props.age ?? 7) + 1) / 15)]]
/**
 * Drop an item from one half of a two-block plant or door.
 *
 * @param {string} item
 * @param {string} half
 * @returns {Rule}
 */
const halfOf = (item, half) => ({ state }) => (state.props.half === half ? [[item, 1]] : [])

/** @type {Record<string, Rule>} */
const RULES = nameTable({
  red_mushroom_block: some('red_mushroom', -6, 2), brown_mushroom_block: some('brown_mushroom', -6, 2),
  mushroom_stem: none,
  coal_ore: ore('coal'), diamond_ore: ore('diamond'), emerald_ore: ore('emerald'), iron_ore: ore('raw_iron'),
  gold_ore: ore('raw_gold'), copper_ore: ore('raw_copper', 2, 5),
  lapis_ore: ore('lapis_lazuli', 4, 9), redstone_ore: some('redstone', 4, 5, 1), nether_quartz_ore: ore('quartz'),
  nether_gold_ore: ore('gold_nugget', 2, 6),
  amethyst_cluster: (c) => (c.tool.endsWith('_pickaxe') ? ore('amethyst_shard', 4, 4)(c) : [['amethyst_shard', 2]]),
  gravel: (c) => (c.random.chance([0.1, 0.14285715, 0.25, 1][Math.min(3, c.fortune)]) ? [['flint', 1]]
    : [['gravel', 1]]),
  gilded_blackstone: (c) =>
    (c.random.chance([0.1, 0.14285715, 0.25, 1][Math.min(3, c.fortune)]) ? [['gold_nugget', c.random.int(2, 5)]]
    : [['gilded_blackstone', 1]]),
  oak_leaves: all(leaves('oak_sapling'), maybe('apple', APPLE)),
  dark_oak_leaves: all(leaves('dark_oak_sapling'), maybe('apple', APPLE)), birch_leaves: leaves('birch_sapling'),
  spruce_leaves: leaves('spruce_sapling'), acacia_leaves: leaves('acacia_sapling'),
  cherry_leaves: leaves('cherry_sapling'), jungle_leaves: leaves('jungle_sapling', JUNGLE),
  azalea_leaves: leaves('azalea'), flowering_azalea_leaves: leaves('flowering_azalea'), mangrove_leaves: sticks,
  glowstone: some('glowstone_dust', 2, 4, 1, 4), sea_lantern: some('prismarine_crystals', 2, 3, 1, 5),
  melon: some('melon_slice', 3, 7, 1, 9),
  clay: some('clay_ball', 4, 4), snow_block: some('snowball', 4, 4), snow: byCount('snowball', 'layers'),
  bookshelf: some('book', 3, 3), ender_chest: some('obsidian', 8, 8),
  composter: all(one('composter'), ({ state }) => (state.props.level === '8' ? [['bone_meal', 1]] : [])),
  campfire: some('charcoal', 2, 2), soul_campfire: one('soul_soil'), dead_bush: some('stick', 0, 2),
  cobweb: one('string'),
  short_grass: grassSeeds, fern: grassSeeds, tall_grass: (c) => (c.state.props.half === 'lower' ? grassSeeds(c) : []),
  large_fern: (c) => (c.state.props.half === 'lower' ? grassSeeds(c) : []),
  wheat: ripe(7, all(one('wheat'), harvest('wheat_seeds')), one('wheat_seeds')),
  beetroots: ripe(3, all(one('beetroot'), harvest('beetroot_seeds')), one('beetroot_seeds')),
  carrots: ripe(7, all(one('carrot'), harvest('carrot')), one('carrot')),
  potatoes: ripe(7, all(one('potato'), harvest('potato'), maybe('poisonous_potato', [0.02])), one('potato')),
  nether_wart: ripe(3, some('nether_wart', 2, 4, 1), one('nether_wart')),
  cocoa: ripe(2, some('cocoa_beans', 3, 3), one('cocoa_beans')),
  sweet_berry_bush: ripe(3, some('sweet_berries', 2, 3, 1), ripe(2, some('sweet_berries', 1, 2, 1), none)),
  melon_stem: stem('melon_seeds'), pumpkin_stem: stem('pumpkin_seeds'),
  attached_melon_stem: stem('melon_seeds'), attached_pumpkin_stem: stem('pumpkin_seeds'),
  torchflower_crop: one('torchflower_seeds'),
  cave_vines: (c) => (c.state.props.berries === 'true' ? [['glow_berries', 1]] : []),
  cave_vines_plant: (c) => (c.state.props.berries === 'true' ? [['glow_berries', 1]] : []),
  twisting_vines: maybe('twisting_vines', [0.33, 0.55, 0.77, 1]),
  weeping_vines: maybe('weeping_vines', [0.33, 0.55, 0.77, 1]),
  chorus_plant: some('chorus_fruit', 0, 1), chorus_flower: none, candle: byCount('candle', 'candles'),
  sea_pickle: byCount('sea_pickle', 'pickles'), pink_petals: byCount('pink_petals', 'flower_amount')
})

/** Blocks that drop nothing without Silk Touch or shears. */
const NOTHING = new RegExp(
  `^(${['(?!tinted)(.*_)?glass(_pane)?', 'ice', 'packed_ice', 'blue_ice', 'frosted_ice', 'vine', 'glow_lichen',
  'seagrass', 'tall_seagrass', 'hanging_roots', 'nether_sprouts', 'spawner', 'bee_nest',
  'budding_amethyst', '(small|medium|large)_amethyst_bud', 'turtle_egg', 'infested_.*', 'cake', '(.*_)?candle_cake',
  '(soul_)?fire', 'powder_snow', 'sculk.*', 'reinforced_deepslate', 'suspicious_.*', 'frogspawn', 'water', 'lava',
  'nether_portal', 'end_portal', 'end_gateway', 'moving_piston', 'piston_head', 'bubble_column', 'light', 'barrier',
  '(chain_|repeating_)?command_block', 'structure_(block|void)', 'jigsaw', 'bedrock', 'end_portal_frame',
  'chiseled_bookshelf'].join('|')})$`)

/** Blocks that Silk Touch drops as themselves, besides those that always do. */
const SILK =
  new RegExp(
    '(^|_)(ore|leaves|glass|glass_pane|ice|mushroom_block|nylium|bookshelf|coral|coral_fan|coral_block|' +
    'amethyst_bud|campfire)$|^(stone|deepslate|grass_block|podzol|mycelium|gravel|glowstone|sea_lantern|melon|' +
    'clay|snow|snow_block|mushroom_stem|cobweb|ender_chest|gilded_blackstone|amethyst_cluster|bee_nest|' +
    'turtle_egg|.*sculk.*)$')
const SHEARED = /_leaves$|^(short_grass|fern|dead_bush|vine|glow_lichen|seagrass|hanging_roots|nether_sprouts|cobweb)$/

/** Experience from broken ores: minimum and maximum. @type {Record<string, [number, number]>} */
const EXPERIENCE = nameTable({ coal_ore: [0, 2], diamond_ore: [3, 7], emerald_ore: [3, 7],
  lapis_ore: [2, 5], redstone_ore: [1, 5], nether_quartz_ore: [2, 5], nether_gold_ore: [0, 1], spawner: [15, 43],
  sculk: [1, 1] })

/**
 * Return true if breaking a block with a tool drops items.
 *
 * @param {import('../../data').BlockState} state
 * @param {Item | null} tool
 * @returns {boolean}
 */
function harvestable (state, tool) {
  return !state.harvestTools || !!(tool && state.harvestTools[tool.type])
}

/** Block loot of one version. */
class Loot {
  /** @param {import('../../data').GameData} data @param {import('../../stacks').Stacks} stacks */
  constructor (data, stacks) {
    this.data = data
    this.stacks = stacks
  }

  /**
   * Return the items that a block drops.
   * @param {import('../../data').BlockState} state
   * @param {Item | null} tool
   * @param {RandomStream} random
   * @returns {Item[]}
   */
  blockDrops (state, tool, random) {
    if (state.air || !harvestable(state, tool)) return []
    const pairs = this.whole(state, tool) ??
      this.usual({ state, random, fortune: this.stacks.enchantment(tool, 'fortune'), tool: tool?.name ?? '' })
    return pairs.filter(([, n]) => n > 0).map(([name, n]) => this.stacks.make(name, n))
  }

  /**
   * Return the block itself, if the tool collects it whole.
   *
   * @param {import('../../data').BlockState} state
   * @param {Item | null} tool
   * @returns {[string, number][] | null}
   */
  whole (state, tool) {
    const name = state.name.replace('_wall_fan', '_fan')
    if (!this.data.registry.itemsByName[name]) return null
    if (tool?.name === 'shears' && SHEARED.test(name)) return [[name, 1]]
    if (tool?.name === 'shears' && (name === 'tall_grass' || name === 'large_fern')) {
      return state.props.half === 'lower' ? [[name === 'tall_grass' ? 'short_grass' : 'fern', 2]] : []
    }
    return SILK.test(name) && this.stacks.enchantment(tool, 'silk_touch') ? [[name, 1]] : null
  }

  /** @param {LootContext} context @returns {[string, number][]} */
  usual (context) {
    const { state } = context
    const rule = RULES[state.name] ?? RULES[state.name.replace(/^deepslate_(?=.*_ore$)/, '')]
    if (rule) return rule(context)
    if (NOTHING.test(state.name)) return []
    if (state.props.type === 'double' && state.name.endsWith('_slab')) return [[state.name, 2]]
    if (state.name.endsWith('_candle')) return [[state.name, Number(state.props.candles)]]
    if (state.name.endsWith('_bed')) return state.props.part === 'head' ? [[state.name, 1]] : []
    if (state.props.half === 'upper') return []
    if (state.props.half === 'lower' && this.data.registry.itemsByName[state.name]) {
      return halfOf(state.name, 'lower')(context)
    }
    return state.drops.map((id) => [this.data.registry.items[id]?.name, 1]).filter(([name]) => name !== undefined)
      .map(([name, n]) => [String(name), Number(n)])
  }

  /**
   * Return the experience points of a broken block.
   *
   * @param {import('../../data').BlockState} state
   * @param {Item | null} tool
   * @param {RandomStream} random
   */
  experience (state, tool, random) {
    const bounds = EXPERIENCE[state.name.replace(/^deepslate_/, '')]
    if (!bounds || !harvestable(state, tool) || this.stacks.enchantment(tool, 'silk_touch')) return 0
    return random.int(bounds[0], bounds[1])
  }
}

module.exports = { Loot, harvestable, RULES }
