'use strict'
/** Biomes named by commands, singly or by tag. */
const { nameTable } = require('../../name_table')

/** Vanilla's biome tags that commands use most, as patterns of biome names. @type {Record<string, RegExp>} */
const TAGS = nameTable({
  is_ocean: /ocean$/, is_deep_ocean: /^deep_.*ocean$/, is_river: /river$/, is_beach: /beach$|^stony_shore$/,
  is_mountain: /^(meadow|frozen_peaks|jagged_peaks|stony_peaks|snowy_slopes|cherry_grove)$/,
  is_badlands: /badlands$/, is_hill: /^windswept_(hills|forest|gravelly_hills)$/, is_taiga: /taiga$/,
  is_jungle: /jungle$/, is_savanna: /savanna/,
  is_forest: /^(forest|flower_forest|birch_forest|old_growth_birch_forest|dark_forest|grove)$/,
  is_nether: /^(nether_wastes|soul_sand_valley|crimson_forest|warped_forest|basalt_deltas)$/,
  is_end: /^(the_end|end_highlands|end_midlands|small_end_islands|end_barrens)$/
})

/**
 * Return the names of the biomes in `text`, a name or a #tag.
 * @param {import('./source').Source} source
 * @param {string} text a biome's name, or # and a tag's
 * @returns {Set<string>}
 */
function biomesOf (source, text) {
  const { biomesByName } = source.world.registry
  const name = text.replace(/^#?(minecraft:)?/, '')
  if (!text.startsWith('#')) {
    if (!Object.hasOwn(biomesByName, name)) {
      throw source.error('argument.resource.not_found', `minecraft:${name}`, 'minecraft:worldgen/biome')
    }
    return new Set([name])
  }
  if (!TAGS[name] && name !== 'is_overworld') {
    throw source.error('argument.resource_tag.not_found', `minecraft:${name}`, 'minecraft:worldgen/biome')
  }
  const fits = (/** @type {string} */ biome) =>
    (name === 'is_overworld' ? !TAGS.is_nether.test(biome) && !TAGS.is_end.test(biome) && biome !== 'the_void'
    : TAGS[name].test(biome))
  return new Set(Object.keys(biomesByName).filter(fits))
}

module.exports = { biomesOf }
