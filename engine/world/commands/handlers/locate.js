'use strict'
/** Handler of locate: biomes and villages of generated land. */

/** @typedef {import('../commands').Handler} Handler */

/** Vanilla's names of villages. */
const VILLAGES = new Set(['#minecraft:village', 'minecraft:village_plains', 'minecraft:village_desert',
  'minecraft:village_savanna', 'minecraft:village_snowy', 'minecraft:village_taiga'])

/** @type {Handler} */
function locate (args, source) {
  if (args.is('biome')) return biome(full(args.get('biome')), source)
  if (args.is('structure')) return structure(full(args.get('structure')), source)
  throw source.error('commands.locate.poi.not_found', full(args.get('poi')))
}

/** @param {string} name */
function full (name) { return name.replace(/^(#?)(?!#?\w+:)/, '$1minecraft:') }

/** @param {string} name @param {import('../source').Source} source */
function biome (name, source) {
  const { world, pos } = source
  if (!name.startsWith('#') && !world.registry.biomesByName[name.replace('minecraft:', '')]) {
    throw source.error('argument.resource.not_found', name, 'minecraft:worldgen/biome')
  }
  const found = world.terrain.generator.locateBiome?.(name.replace('minecraft:', ''), pos) ?? null
  if (!found) throw source.error('commands.locate.biome.not_found', name)
  return replyFound('biome', name, found, source, found.y)
}

/** @param {string} name @param {import('../source').Source} source */
function structure (name, source) {
  if (!VILLAGES.has(name) && !source.world.terrain.generated) {
    throw source.error('commands.locate.structure.not_found', name)
  }
  if (name === 'minecraft:stronghold' && source.world.terrain.generator.locateStronghold) {
    return replyFound('structure', name, source.world.terrain.generator.locateStronghold(source.pos), source, '~')
  }
  const style = VILLAGES.has(name) && !name.startsWith('#') ? name.replace('minecraft:village_', '') : null
  const found = VILLAGES.has(name) ? source.world.terrain.generator.locateVillage?.(source.pos, style) ?? null : null
  if (!found) throw source.error('commands.locate.structure.not_found', name)
  return replyFound('structure', name, found, source, '~')
}

/**
 * @param {string} what
 * @param {string} name
 * @param {{ x: number, z: number }} found
 * @param {import('../source').Source} source
 * @param {number | string} y
 */
function replyFound (what, name, found, source, y) {
  const far = Math.floor(Math.hypot(found.x - source.pos.x, found.z - source.pos.z))
  source.say(`commands.locate.${what}.success`, name,
    `[${source.world.data.text('chat.coordinates', found.x, y, found.z)}]`, far)
  return far
}

module.exports = { locate }
