'use strict'
/** Building materials by village style, and furniture by building. */

/**
 * @typedef {object} Style
 * @property {string} wood of doors, fences, stairs
 * @property {string} wall
 * @property {string} corner
 * @property {string} floor
 * @property {string} base of foundations
 * @property {string} roof stairs of the roof
 * @property {string} top blocks of the roof
 * @property {string} bed its colour
 * @property {[string, number][]} crops of its farms
 */

/** @type {Record<string, Style>} */
const STYLES = {
  plains: { wood: 'oak', wall: 'oak_planks', corner: 'oak_log', floor: 'oak_planks', base: 'cobblestone',
    roof: 'oak_stairs', top: 'oak_planks', bed: 'white',
    crops: [['wheat', 5], ['carrots', 2], ['potatoes', 2], ['beetroots', 1]] },
  desert: { wood: 'jungle', wall: 'smooth_sandstone', corner: 'cut_sandstone', floor: 'sandstone', base: 'sandstone',
    roof: 'sandstone_stairs', top: 'smooth_sandstone', bed: 'green', crops: [['wheat', 3], ['beetroots', 2]] },
  savanna: { wood: 'acacia', wall: 'acacia_planks', corner: 'acacia_log', floor: 'orange_terracotta',
    base: 'cobblestone', roof: 'acacia_stairs', top: 'acacia_planks', bed: 'orange',
    crops: [['wheat', 3], ['melon_stem', 1]] },
  taiga: { wood: 'spruce', wall: 'spruce_planks', corner: 'spruce_log', floor: 'spruce_planks', base: 'cobblestone',
    roof: 'spruce_stairs', top: 'spruce_planks', bed: 'blue',
    crops: [['wheat', 3], ['potatoes', 2], ['pumpkin_stem', 1]] },
  snowy: { wood: 'spruce', wall: 'spruce_planks', corner: 'stripped_spruce_log', floor: 'spruce_planks',
    base: 'cobblestone', roof: 'spruce_stairs', top: 'spruce_planks', bed: 'red',
    crops: [['wheat', 2], ['beetroots', 1], ['potatoes', 2]] }
}

/**
 * Furniture along the back wall, from one side to the other; null leaves a place free.
 * @type {Record<string, (string | null)[]>}
 */
const FURNITURE = {
  house: ['bed', null, 'crafting_table', null, 'chest'],
  weaponsmith: ['grindstone', 'furnace', null, 'lava_cauldron', 'chest'],
  toolsmith: ['smithing_table', null, 'crafting_table', null, 'chest'],
  armorer: ['blast_furnace', null, 'anvil', null, 'chest'],
  butcher: ['smoker', null, 'furnace', null, 'chest'], fletcher: ['fletching_table', null, 'hay_block', null, 'chest'],
  shepherd: ['loom', 'white_wool', 'yellow_wool', 'brown_wool', 'chest'],
  mason: ['stonecutter', null, 'bricks', 'terracotta', 'chest'],
  cartographer: ['cartography_table', null, 'bookshelf', null, 'chest'],
  library: ['bookshelf', 'bookshelf', 'lectern', 'bookshelf', 'bookshelf'],
  tannery: ['cauldron', null, 'crafting_table', null, 'chest'],
  temple: ['brewing_stand', null, 'candle', null, 'chest'], fisher: ['barrel', null, 'barrel', null, 'chest']
}

module.exports = { STYLES, FURNITURE }
