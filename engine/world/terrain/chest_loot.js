'use strict'
/**
 * Loot of generated chests: vanilla 1.20.4's tables of dungeons and villages (minecraft.wiki, "Dungeon" and
 * "Village/Structure/Loot"). Each roll of a pool takes one entry by weight.
 */
const { nameTable } = require('../../name_table')

/** @typedef {[string, number, number?, number?]} Entry item, weight, least and most (1 when left out) */
/** @typedef {{ rolls: [number, number], entries: Entry[] }} Pool */

const TOOLS_OF_WAR = ['iron_pickaxe', 'iron_sword', 'iron_chestplate', 'iron_helmet', 'iron_leggings', 'iron_boots']

/** @type {Record<string, Pool[]>} */
const CHESTS = nameTable({
  dungeon: [
    { rolls: [1, 3], entries: [['saddle', 20], ['golden_apple', 15], ['enchanted_golden_apple', 2],
      ['music_disc_otherside', 2], ['music_disc_13', 15], ['music_disc_cat', 15], ['name_tag', 20],
      ['golden_horse_armor', 10], ['iron_horse_armor', 15], ['diamond_horse_armor', 5], ['enchanted_book', 10]] },
    { rolls: [1, 4], entries: [['iron_ingot', 10, 1, 4], ['gold_ingot', 5, 1, 4], ['bread', 20], ['wheat', 20, 1, 4],
      ['bucket', 10], ['redstone', 15, 1, 4], ['coal', 15, 1, 4], ['melon_seeds', 10, 2, 4],
      ['pumpkin_seeds', 10, 2, 4], ['beetroot_seeds', 10, 2, 4]] },
    { rolls: [3, 3], entries: [['bone', 10, 1, 8], ['gunpowder', 10, 1, 8], ['rotten_flesh', 10, 1, 8],
      ['string', 10, 1, 8]] }
  ],
  weaponsmith: [{ rolls: [3, 8],
    entries: [['diamond', 3, 1, 3], ['iron_ingot', 10, 1, 5], ['gold_ingot', 5, 1, 3], ['bread', 15, 1, 3],
    ['apple', 15, 1, 3], ...TOOLS_OF_WAR.map((name) => /** @type {Entry} */ ([name, 5])), ['obsidian', 5, 3, 7],
    ['oak_sapling', 5, 3, 7], ['saddle', 3], ['iron_horse_armor', 1], ['golden_horse_armor', 1],
    ['diamond_horse_armor', 1]] }],
  toolsmith: [{ rolls: [3, 8],
    entries: [['diamond', 1, 1, 3], ['iron_ingot', 5, 1, 5], ['gold_ingot', 1, 1, 3], ['bread', 15, 1, 3],
    ['iron_pickaxe', 5], ['coal', 1, 1, 3], ['stick', 20, 1, 3], ['iron_shovel', 5]] }],
  armorer: [{ rolls: [1, 5],
    entries: [['iron_ingot', 2, 1, 3], ['bread', 4, 1, 4], ['iron_helmet', 1], ['emerald', 1]] }],
  butcher: [{ rolls: [1, 5],
    entries: [['emerald', 1], ['porkchop', 6, 1, 3], ['wheat', 6, 1, 3], ['beef', 6, 1, 3], ['mutton', 6, 1, 3],
    ['coal', 3, 1, 3]] }],
  fletcher: [{ rolls: [1, 5],
    entries: [['emerald', 1], ['arrow', 2, 1, 3], ['feather', 6, 1, 3], ['egg', 2, 1, 3], ['flint', 6, 1, 3],
    ['stick', 6, 1, 3]] }],
  shepherd: [{ rolls: [1, 5],
    entries: [['white_wool', 6, 1, 8], ['black_wool', 3, 1, 3], ['gray_wool', 2, 1, 3], ['brown_wool', 2, 1, 3],
    ['light_gray_wool', 2, 1, 3], ['emerald', 1], ['shears', 1], ['wheat', 6, 1, 6]] }],
  mason: [{ rolls: [1, 5],
    entries: [['clay_ball', 1, 1, 3], ['flower_pot', 1], ['stone', 2], ['stone_bricks', 2], ['bread', 4, 1, 4],
    ['yellow_dye', 1], ['smooth_stone', 1], ['emerald', 1]] }],
  cartographer: [{ rolls: [1, 5],
    entries: [['map', 10, 1, 3], ['paper', 15, 1, 5], ['compass', 5], ['bread', 15, 1, 4], ['stick', 5, 1, 2]] }],
  tannery: [{ rolls: [1, 5],
    entries: [['leather', 1, 1, 3], ['leather_chestplate', 2], ['leather_boots', 2], ['leather_helmet', 2],
    ['bread', 5, 1, 4], ['leather_leggings', 2], ['saddle', 1], ['emerald', 1, 1, 4]] }],
  temple: [{ rolls: [3, 8],
    entries: [['redstone', 2, 1, 4], ['bread', 7, 1, 4], ['rotten_flesh', 7, 1, 4], ['lapis_lazuli', 1, 1, 4],
    ['gold_ingot', 1, 1, 4], ['emerald', 1, 1, 4]] }],
  fisher: [{ rolls: [1, 5],
    entries: [['emerald', 1], ['cod', 2, 1, 3], ['salmon', 1, 1, 3], ['water_bucket', 1], ['barrel', 1],
    ['wheat_seeds', 3, 1, 3], ['coal', 2, 1, 3]] }],
  plains_house: [{ rolls: [3, 8],
    entries: [['gold_nugget', 1, 1, 3], ['dandelion', 2], ['poppy', 1], ['potato', 10, 1, 7], ['bread', 10, 1, 4],
    ['apple', 10, 1, 5], ['book', 1], ['feather', 1], ['emerald', 2, 1, 4], ['oak_sapling', 5, 1, 2]] }],
  desert_house: [{ rolls: [3, 8],
    entries: [['clay_ball', 1], ['green_dye', 1], ['cactus', 10, 1, 4], ['wheat', 10, 1, 7], ['bread', 10, 1, 4],
    ['book', 1], ['dead_bush', 2, 1, 3], ['emerald', 1, 1, 3]] }],
  savanna_house: [{ rolls: [3, 8],
    entries: [['gold_nugget', 1, 1, 3], ['short_grass', 5], ['tall_grass', 5], ['bread', 10, 1, 4],
    ['wheat_seeds', 10, 1, 5], ['emerald', 2, 1, 4], ['acacia_sapling', 10, 1, 2], ['saddle', 1], ['torch', 1, 1, 2],
    ['bucket', 1]] }],
  snowy_house: [{ rolls: [3, 8],
    entries: [['blue_ice', 1], ['snow_block', 4], ['potato', 10, 1, 7], ['bread', 10, 1, 4],
    ['beetroot_seeds', 10, 1, 5], ['beetroot_soup', 1], ['furnace', 1], ['emerald', 1, 1, 4], ['snowball', 10, 1, 7],
    ['coal', 5, 1, 4]] }],
  taiga_house: [{ rolls: [3, 8],
    entries: [['iron_nugget', 1, 1, 5], ['fern', 2], ['large_fern', 2], ['potato', 10, 1, 7],
    ['sweet_berries', 5, 1, 7], ['bread', 10, 1, 4], ['pumpkin_seeds', 5, 1, 5], ['pumpkin_pie', 1],
    ['emerald', 2, 1, 4], ['spruce_sapling', 5, 1, 5], ['spruce_sign', 1], ['spruce_log', 10, 1, 5]] }]
})
const BOOK_LEVELS = Object.freeze({ low: 1, high: 3 })

/**
 * Put a table's loot into a chest, each stack into a slot of its own.
 * @param {import('../stacks').Stacks} stacks
 * @param {import('../windows/store').Store} store
 * @param {string} table key of CHESTS
 * @param {import('./dice').Dice} dice
 */
function fillChest (stacks, store, table, dice) {
  const free = Array.from({ length: store.size }, (_, i) => i)
  for (const { rolls, entries } of CHESTS[table] ?? []) {
    for (let left = dice.int(rolls[0], rolls[1]); left > 0 && free.length > 0; left--) {
      const [name, , low = 1, high = low] = dice.weighted(
        entries.map((entry) => /** @type {[Entry, number]} */ ([entry, entry[1]])))
      const slot = free.splice(dice.int(0, free.length - 1), 1)[0]
      store.set(slot, stacks.make(name, dice.int(low, high),
        name === 'enchanted_book' ? anyEnchantment(stacks, dice) : null))
    }
  }
}

/**
 * Return a random enchantment of the version at a legal level.
 * @param {import('../stacks').Stacks} stacks
 * @param {import('./dice').Dice} dice
 */
function anyEnchantment (stacks, dice) {
  const found = dice.pick(/** @type {any[]} */ (stacks.data.registry.enchantmentsArray))
  const lvl = Math.min(found.maxLevel, dice.int(BOOK_LEVELS.low, BOOK_LEVELS.high))
  const entry = { id: { type: 'string', value: `minecraft:${found.name}` }, lvl: { type: 'short', value: lvl } }
  return { type: 'compound', name: '',
    value: { StoredEnchantments: { type: 'list', value: { type: 'compound', value: [entry] } } } }
}

module.exports = { CHESTS, fillChest }
