'use strict'
/** Handlers of fillbiome and place. */
const { CommandError } = require('../reader')
const { corners } = require('../areas')
const { biomesOf } = require('../biomes')
const { placeFeature, FEATURES } = require('../../terrain/features')
const { placeStructure, STRUCTURES } = require('../../terrain/structures')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../../types').Pos} Pos */

/** Side of a biome cell, in blocks. */
const CELL = 4

/** @param {number} value */
const toCell = (value) => value & ~(CELL - 1)

/** @type {Handler} */
function fillbiome (args, source) {
  const { world } = source
  const [a, b] = corners(source, args.get('from'), args.get('to'))
  const [low, high] = [a, b].map((pos) => ({ x: toCell(pos.x), y: toCell(pos.y), z: toCell(pos.z) }))
  const volume = (high.x - low.x + 1) * (high.y - low.y + 1) * (high.z - low.z + 1)
  const most = Number(world.rules.commandModificationBlockLimit)
  if (volume > most) throw source.error('commands.fillbiome.toobig', most, volume)
  const [name] = biomesOf(source, String(args.get('biome')))
  const filter = args.has('filter') ? biomesOf(source, args.get('filter')) : null
  const { id } = world.registry.biomesByName[name]
  /** @type {Map<string, { cx: number, cz: number }>} */
  const columns = new Map()
  let count = 0
  for (let x = low.x; x <= high.x; x += CELL) {
    for (let z = low.z; z <= high.z; z += CELL) {
      for (let y = low.y; y <= high.y; y += CELL) {
        if (filter && !filter.has(world.biomeAt(x, y, z))) continue
        world.terrain.setBiome(x, y, z, id)
        columns.set(`${x >> 4},${z >> 4}`, { cx: x >> 4, cz: z >> 4 })
        count++
      }
    }
  }
  world.emit('biomes', { columns: [...columns.values()] })
  source.say('commands.fillbiome.success.count', count, low.x, low.y, low.z, high.x, high.y, high.z)
  return count
}

/** @param {import('../tree').Arguments} args @param {Source} source @returns {Pos} */
function placeOf (args, source) {
  if (args.has('pos')) return source.block(args.get('pos'))
  return { x: Math.floor(source.pos.x), y: Math.floor(source.pos.y), z: Math.floor(source.pos.z) }
}

/** @param {string} name */
function withoutNamespace (name) { return name.replace(/^minecraft:/, '') }

/** @type {Record<string, Handler>} */
const WORDS = nameTable({
  feature: (args, source) => {
    const name = withoutNamespace(args.get('feature'))
    const pos = placeOf(args, source)
    if (!FEATURES.includes(name)) {
      throw new CommandError(`This world cannot place the feature ${name}: it has ${FEATURES.join(', ')}`)
    }
    if (!placeFeature(source.world, name, pos)) throw source.error('commands.place.feature.failed')
    source.say('commands.place.feature.success', `minecraft:${name}`, pos.x, pos.y, pos.z)
    return 1
  },
  structure: (args, source) => {
    const name = withoutNamespace(args.get('structure'))
    const pos = placeOf(args, source)
    if (!STRUCTURES.includes(name)) {
      throw new CommandError(`This world cannot place the structure ${name}: it has ${STRUCTURES.join(', ')}`)
    }
    if (!placeStructure(source.world, name, pos)) {
      throw new CommandError(`This world cannot place ${name} here: villages need generated land above the sea level`)
    }
    source.say('commands.place.structure.success', `minecraft:${name}`, pos.x, pos.y, pos.z)
    return 1
  },
  jigsaw: (args) => {
    const pool = withoutNamespace(args.get('pool'))
    throw new CommandError(`This world has no template pools (${pool}): place a structure or use setblock and fill`)
  },
  template: (args) => {
    const name = withoutNamespace(args.get('template'))
    throw new CommandError(`This world has no structure templates (${name}): use clone, or setblock and fill`)
  }
})

/** @type {Handler} */
function place (args, source) { return WORDS[args.word(1)](args, source) }

module.exports = { fillbiome, place }
