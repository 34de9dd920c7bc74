'use strict'
/** Vanilla's superflat world: every column is the same. */
const { MIN_Y, HEIGHT } = require('./canvas')

/** Layers of vanilla's superflat world from the top down; everything below is empty. */
const LAYERS = ['grass_block', 'dirt', 'dirt', 'bedrock']

/** Generator of flat columns. */
class FlatTerrain {
  /**
   * @param {import('../data').GameData} data
   * @param {number} surfaceY the lowest air block's y
   */
  constructor (data, surfaceY) {
    if (!Number.isInteger(surfaceY) || surfaceY < MIN_Y + LAYERS.length || surfaceY > MIN_Y + HEIGHT - 16) {
      throw new Error(`surfaceY ${surfaceY} is not legal: use a whole number from ${MIN_Y + LAYERS.length} to ${MIN_Y +
        HEIGHT - 16}`)
    }
    this.data = data
    this.surfaceY = surfaceY
    /** True if one column stands for all. */
    this.same = true
    this.plains = data.registry.biomesByName.plains?.id ?? 0
    this.layers = LAYERS.map((name) => data.stateId(name))
    /** @type {string} */
    this.pattern = ''
  }

  /** Return a new column, parsed from a saved one: faster than setting a thousand blocks. */
  generate () {
    if (this.pattern) return this.data.Column.fromJson(this.pattern)
    const chunk = new this.data.Column({ minY: MIN_Y, worldHeight: HEIGHT })
    for (let x = 0; x < 16; x++) {
      for (let z = 0; z < 16; z++) {
        this.layers.forEach((stateId, depth) => chunk.setBlockStateId({ x, y: this.surfaceY - 1 - depth, z }, stateId))
      }
    }
    for (let y = MIN_Y; y < MIN_Y + HEIGHT; y += 4) {
      for (let x = 0; x < 16; x += 4) for (let z = 0; z < 16; z += 4) chunk.setBiome({ x, y, z }, this.plains)
    }
    this.pattern = chunk.toJson()
    return chunk
  }

  /** Nobody lives on flat land. @returns {import('./residents').Resident[]} */
  residents () { return [] }

  /** No containers come with flat land. */
  fill () {}

  /** @param {string} name @param {{ x: number, z: number }} from */
  locateBiome (name, { x, z }) {
    return name === 'plains' ? { x: Math.floor(x), y: this.surfaceY, z: Math.floor(z) } : null
  }

  /** @returns {null} */
  locateVillage () { return null }

  /** Return the place where players first stand. */
  spawn () { return { x: 0.5, y: this.surfaceY, z: 0.5 } }
}

module.exports = { FlatTerrain }
