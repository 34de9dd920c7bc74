'use strict'
/** Block and item tags used in commands, as patterns of names: minecraft-data has no tags. */
const { nameTable } = require('../../name_table')

const SMALL_FLOWERS = ['dandelion', 'poppy', 'blue_orchid', 'allium', 'azure_bluet', '.*_tulip', 'oxeye_daisy',
  'cornflower',
  'lily_of_the_valley', 'wither_rose', 'torchflower']
const REPLACEABLE = ['air', 'cave_air', 'void_air', 'water', 'lava', 'short_grass', 'tall_grass', 'fern', 'large_fern',
  'dead_bush', 'seagrass', 'tall_seagrass', 'fire', 'soul_fire', 'snow', 'vine', 'glow_lichen', 'light']
/** @param {string[]} alternatives */
const names = (alternatives) => new RegExp(`^(${alternatives.join('|')})$`)

/** @type {Record<string, RegExp>} */
const PATTERNS = nameTable({
  logs: /^(stripped_)?(oak|spruce|birch|jungle|acacia|dark_oak|mangrove|cherry|crimson|warped)_(log|wood|stem|hyphae)$/,
  planks: /_planks$/, leaves: /_leaves$/, wool: /_wool$/, wool_carpets: /_carpet$/,
  saplings: /_sapling$|^(azalea|flowering_azalea|mangrove_propagule)$/,
  coal_ores: /^(deepslate_)?coal_ore$/, iron_ores: /^(deepslate_)?iron_ore$/,
  gold_ores: /^((deepslate|nether)_)?gold_ore$/, diamond_ores: /^(deepslate_)?diamond_ore$/,
  emerald_ores: /^(deepslate_)?emerald_ore$/, copper_ores: /^(deepslate_)?copper_ore$/,
  redstone_ores: /^(deepslate_)?redstone_ore$/, lapis_ores: /^(deepslate_)?lapis_ore$/,
  dirt: /^(dirt|grass_block|podzol|coarse_dirt|mycelium|rooted_dirt|moss_block|mud|muddy_mangrove_roots)$/,
  sand: /^(red_|suspicious_)?sand$/, fences: /_fence$/, fence_gates: /_fence_gate$/,
  doors: /_door$/, wooden_doors: /^(?!iron).*_door$/, trapdoors: /_trapdoor$/, slabs: /_slab$/, stairs: /_stairs$/,
  walls: /_wall$/, beds: /_bed$/, signs: /_sign$/, candles: /candle$/,
  crops: /^(wheat|carrots|potatoes|beetroots|melon_stem|pumpkin_stem|torchflower_crop|pitcher_crop)$/,
  small_flowers: names(SMALL_FLOWERS), flowers: names([...SMALL_FLOWERS, 'sunflower', 'lilac', 'peony', 'rose_bush']),
  stone_bricks: /^(mossy_|cracked_|chiseled_)?stone_bricks$/, ice: /ice$/, anvil: /anvil$/,
  shulker_boxes: /shulker_box$/, air: /^(cave_|void_)?air$/,
  replaceable: names(REPLACEABLE),
  pickaxes: /_pickaxe$/, axes: /(?<!pick)_?axe$/, shovels: /_shovel$/, swords: /_sword$/, hoes: /_hoe$/,
  tools: /_(pickaxe|axe|shovel|sword|hoe)$|^trident$/, coals: /^(char)?coal$/, arrows: /arrow$/, boats: /_boat$|_raft$/,
  stone_tool_materials: /^(cobblestone|blackstone|cobbled_deepslate)$/
})
const ITEM_ONLY = new Set(['pickaxes', 'axes', 'shovels', 'swords', 'hoes', 'tools', 'coals', 'arrows', 'boats',
  'stone_tool_materials'])

/** @type {WeakMap<object, Map<string, Set<string>>>} */
const cache = new WeakMap()

/**
 * Return the names in a tag, or null for an unknown tag.
 * @param {import('../data').GameData} data
 * @param {'block' | 'item'} kind
 * @param {string} full e.g. "minecraft:logs"
 * @returns {Set<string> | null}
 */
function tagMembers (data, kind, full) {
  const tag = full.replace(/^minecraft:/, '')
  if (!PATTERNS[tag] || (kind === 'block' && ITEM_ONLY.has(tag))) return null
  let known = cache.get(data)
  if (!known) cache.set(data, known = new Map())
  const key = `${kind}:${tag}`
  let members = known.get(key)
  if (!members) {
    const names = Object.keys(kind === 'block' ? data.registry.blocksByName : data.registry.itemsByName)
    known.set(key, members = new Set(names.filter((name) => PATTERNS[tag].test(name))))
  }
  return members
}

module.exports = { tagMembers }
