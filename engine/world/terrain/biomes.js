'use strict'
/** Biomes by climate, and their ground blocks. */
const { SEA } = require('./climate')
const { nameTable } = require('../../name_table')

/** @typedef {import('./climate').Climate} Climate */
/**
 * @typedef {object} Ground
 * @property {string} top block on top
 * @property {string} under the few blocks below it
 * @property {string} [base] under these, before stone
 * @property {boolean} [snow] snow lies on it, and water freezes
 */

/** @type {Ground} */
const GRASS = { top: 'grass_block', under: 'dirt' }
/** @type {Ground} */
const SNOWY = { top: 'grass_block', under: 'dirt', snow: true }
/** @type {Ground} */
const SAND = { top: 'sand', under: 'sand', base: 'sandstone' }
/** @type {Ground} */
const ROCK = { top: 'stone', under: 'stone' }
/** @type {Ground} */
const BED = { top: 'gravel', under: 'gravel' }
/** @type {Ground} */
const SANDY_BED = { top: 'sand', under: 'sand' }

/** All biomes of the generator. @type {Record<string, Ground>} */
const GROUNDS = nameTable({
  plains: GRASS, sunflower_plains: GRASS, forest: GRASS, flower_forest: GRASS, birch_forest: GRASS, dark_forest: GRASS,
  meadow: GRASS,
  cherry_grove: GRASS, savanna: GRASS, jungle: GRASS, bamboo_jungle: GRASS, taiga: GRASS, swamp: GRASS,
  windswept_hills: GRASS, windswept_forest: GRASS,
  old_growth_spruce_taiga: { top: 'podzol', under: 'dirt' }, desert: SAND, beach: SAND,
  snowy_beach: { ...SAND, snow: true }, snowy_plains: SNOWY, snowy_taiga: SNOWY,
  grove: { top: 'snow_block', under: 'dirt', snow: true },
  snowy_slopes: { top: 'snow_block', under: 'snow_block', snow: true },
  jagged_peaks: { top: 'snow_block', under: 'stone', snow: true },
  stony_peaks: ROCK, stony_shore: ROCK, river: SANDY_BED, frozen_river: { ...SANDY_BED, snow: true },
  ocean: BED, deep_ocean: BED, cold_ocean: BED, deep_cold_ocean: BED, frozen_ocean: { ...BED, snow: true },
  lukewarm_ocean: SANDY_BED, deep_lukewarm_ocean: SANDY_BED, warm_ocean: SANDY_BED
})
/** Names of the biomes; the index in this list is the generator's number of a biome. */
const BIOMES = Object.freeze(Object.keys(GROUNDS))
/** @type {Record<string, number>} */
const INDEX = Object.fromEntries(BIOMES.map((name, i) => [name, i]))

/** Lowland biomes: rows from cold to hot, columns from dry to humid. */
const LOWLAND = [
  ['snowy_plains', 'snowy_plains', 'snowy_plains', 'snowy_taiga', 'snowy_taiga'],
  ['plains', 'plains', 'forest', 'taiga', 'old_growth_spruce_taiga'],
  ['plains', 'plains', 'forest', 'birch_forest', 'dark_forest'],
  ['savanna', 'savanna', 'forest', 'jungle', 'jungle'],
  ['desert', 'desert', 'desert', 'desert', 'desert']
]
const WARM_STEPS = [-0.42, -0.16, 0.17, 0.42]
const HUMID_STEPS = [-0.3, -0.08, 0.12, 0.3]
/** Variants of biomes where the `odd` field is high. @type {Record<string, string>} */
const VARIANTS = nameTable({ plains: 'sunflower_plains', forest: 'flower_forest',
  jungle: 'bamboo_jungle', meadow: 'cherry_grove', windswept_hills: 'windswept_forest' })
const ODD = 0.3

/** Return the number of steps below a value. @param {number[]} steps @param {number} value */
function rank (steps, value) {
  let i = 0
  while (i < steps.length && value >= steps[i]) i++
  return i
}

/** @param {Climate} climate */
function seaOf ({ inland, warm }) {
  const deep = inland < -0.32
  const kind = rank(WARM_STEPS, warm)
  if (kind === 0) return 'frozen_ocean'
  if (kind === 1) return deep ? 'deep_cold_ocean' : 'cold_ocean'
  if (kind === 2) return deep ? 'deep_ocean' : 'ocean'
  if (kind === 3 || deep) return deep ? 'deep_lukewarm_ocean' : 'lukewarm_ocean'
  return 'warm_ocean'
}

/** @param {Climate} climate @param {number} ground */
function heightsOf ({ warm }, ground) {
  if (ground >= 142) return warm > 0.3 ? 'stony_peaks' : 'jagged_peaks'
  if (ground >= 116) return warm < 0.05 ? 'snowy_slopes' : 'stony_peaks'
  if (warm < -0.16) return 'grove'
  return warm < 0.17 ? 'meadow' : 'windswept_hills'
}

/** @param {Climate} climate */
function lowlandOf (climate) {
  const warmth = rank(WARM_STEPS, climate.warm)
  const wet = climate.worn > 0.27 && climate.humid > 0.14 && climate.inland > 0.03 && climate.inland < 0.4
  if (wet && climate.warm > -0.2 && warmth < 4 && climate.height < 65) return 'swamp'
  return LOWLAND[warmth][rank(HUMID_STEPS, climate.humid)]
}

/** @param {Climate} climate @param {number} ground y of the highest solid block */
function nameOf (climate, ground) {
  const { inland, warm, mountain, river } = climate
  if (ground < SEA) {
    if (inland < -0.09) return seaOf(climate)
    const marsh = lowlandOf(climate)
    if (river < 0.05 && marsh === 'swamp') return marsh
    return warm < WARM_STEPS[0] ? 'frozen_river' : 'river'
  }
  if (inland < -0.03 && ground <= SEA + 3) {
    if (climate.worn < -0.25) return 'stony_shore'
    return warm < WARM_STEPS[0] ? 'snowy_beach' : 'beach'
  }
  return mountain > 0.45 && ground > 88 ? heightsOf(climate, ground) : lowlandOf(climate)
}

/**
 * Return the biome of a climate.
 * @param {Climate} climate
 * @param {number} ground
 * @returns {number} index into BIOMES
 */
function biomeOf (climate, ground) {
  const name = nameOf(climate, ground)
  return INDEX[climate.odd > ODD ? VARIANTS[name] ?? name : name]
}

module.exports = { BIOMES, GROUNDS, INDEX, biomeOf }
