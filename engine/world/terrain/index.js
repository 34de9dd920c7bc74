'use strict'
/** Terrain of a world by kind: flat, or survival land by seed. */
const { Terrain, MIN_Y, HEIGHT, WORLD_EDGE } = require('./terrain')
const { FlatTerrain } = require('./flat')

/** Kinds of terrain. */
const TERRAINS = Object.freeze(['flat', 'survival'])

/**
 * @param {import('../data').GameData} data
 * @param {{ terrain: string, seed: string, surfaceY: number }} options
 * @returns {Terrain}
 */
function makeTerrain (data, { terrain, seed, surfaceY }) {
  if (!TERRAINS.includes(terrain)) {
    throw new Error(`terrain ${JSON.stringify(terrain)} is not legal: use one of ${TERRAINS.join(', ')}`)
  }
  const realm = (/** @type {string} */ name) =>
    name === 'the_nether' ? new (require('./nether').NetherTerrain)(data, seed)
    : new (require('./end').EndTerrain)(data, seed)
  if (terrain === 'flat') return new Terrain(new FlatTerrain(data, surfaceY), realm)
  const { SurvivalTerrain } = require('./survival')
  return new Terrain(new SurvivalTerrain(data, seed), realm)
}

module.exports = { makeTerrain, Terrain, TERRAINS, MIN_Y, HEIGHT, WORLD_EDGE }
