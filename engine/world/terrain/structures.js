'use strict'
/** Structures placed by command: villages on generated land, and rooms with an end portal. */
const { paint } = require('./features')
const { drawStrongholds } = require('./strongholds')
const { Dice } = require('./dice')
const { dimensionAt } = require('../dimensions')
const { SEA } = require('./climate')

/** @typedef {import('../world').World} World */
/** @typedef {import('../types').Pos} Pos */

const STYLES = ['plains', 'desert', 'savanna', 'snowy', 'taiga']
const STRUCTURES = Object.freeze([...STYLES.map((style) => `village_${style}`), 'stronghold'])
/** Columns from the middle of a village to its edge. */
const VILLAGE_COLUMNS = 3

/** @param {World} world @param {string} style @param {Pos} pos */
function village (world, style, { x, z }) {
  const generator =
    /** @type {import('./survival').SurvivalTerrain} */ (/** @type {unknown} */ (world.terrain.generator))
  if (!generator.villages || dimensionAt(x) !== 'overworld') return false
  const y = generator.outlines.groundAt(x, z)
  if (y <= SEA) return false
  const dice = new Dice(world.random.stream('place').int(0, 0x7fffffff))
  const across = dice.chance(0.5)
  const made = { x, z, y, style, across, buildings: generator.villages.layOut(x, z, across, dice) }
  return paint(world, { cx: (x >> 4) - VILLAGE_COLUMNS, cz: (z >> 4) - VILLAGE_COLUMNS,
    across: 2 * VILLAGE_COLUMNS + 1 }, (canvas) => generator.builder.draw(canvas, made)) > 0
}

/**
 * @param {World} world
 * @param {string} name one of STRUCTURES
 * @param {Pos} pos
 * @returns {boolean} true if the land can have it there
 */
function placeStructure (world, name, pos) {
  if (name !== 'stronghold') return village(world, name.replace('village_', ''), pos)
  const seed = world.random.stream('place').int(0, 0x7fffffff)
  return paint(world, { cx: (pos.x >> 4) - 1, cz: (pos.z >> 4) - 1, across: 3 },
    (canvas) => drawStrongholds(canvas, world.data, seed, [pos])) > 0
}

module.exports = { placeStructure, STRUCTURES }
