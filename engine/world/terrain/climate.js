'use strict'
/**
 * Climate of a place: continentalness, erosion, temperature, humidity, rivers, and height of the ground. Fields as in
 * vanilla 1.18 and later; our own numbers, and biomes about two thirds as wide as vanilla's.
 */
const { flatNoise, smooth, bend } = require('./noise')

/** y of the highest block of water in seas and rivers: vanilla's sea level is 63. */
const SEA = 62
/** Height of the land without hills, by continentalness. @type {[number, number][]} */
const LAND = [[-1, 28], [-0.5, 36], [-0.32, 44], [-0.18, 54], [-0.11, 61], [-0.07, 63.4], [0, 65.5], [0.2, 69],
  [0.5, 76], [1, 86]]
/** Half the width of a river, in units of the river field. */
const RIVER = 0.035
/** Height of flat ground in wet lowland (swamps). */
const MARSH = 62.6

/**
 * @typedef {object} Climate
 * @property {number} inland below -0.11 is sea, above 0 is no coast
 * @property {number} worn high for plains, low for mountains
 * @property {number} warm
 * @property {number} humid
 * @property {number} odd tells variants of a biome apart
 * @property {number} mountain 0 to 1
 * @property {number} river 0 beside to 1 in the middle of a river
 * @property {number} height of the ground, not rounded
 */

/** The climate of one world. */
class Climates {
  /** @param {string} seed */
  constructor (seed) {
    this.warpX = flatNoise(seed, 'warp x', 190, 2)
    this.warpZ = flatNoise(seed, 'warp z', 190, 2)
    this.continents = flatNoise(seed, 'continents', 1300, 4)
    this.erosion = flatNoise(seed, 'erosion', 800, 3)
    this.temperature = flatNoise(seed, 'temperature', 1000, 2)
    this.humidity = flatNoise(seed, 'humidity', 640, 2)
    this.oddness = flatNoise(seed, 'oddness', 420, 2)
    this.rivers = flatNoise(seed, 'rivers', 760, 3)
    this.hills = flatNoise(seed, 'hills', 170, 3)
    this.peaks = flatNoise(seed, 'peaks', 330, 4)
  }

  /**
   * @param {number} x
   * @param {number} z
   * @returns {Climate}
   */
  at (x, z) {
    const wx = x + 38 * this.warpX(x, z)
    const wz = z + 38 * this.warpZ(x, z)
    const inland = this.continents(wx, wz) + 0.16
    const worn = this.erosion(wx, wz)
    const warm = this.temperature(wx, wz) * 1.1
    const humid = this.humidity(wx, wz) * 1.25
    const odd = this.oddness(x, z)
    const mountain = smooth(0.06, 0.4, -worn) * smooth(0.03, 0.26, inland)
    const flat = smooth(0.1, 0.5, worn)
    const dry = bend(LAND, inland) + this.hills(x, z) * (2 + 9 * (1 - flat)) * smooth(-0.12, 0.08, inland) +
      this.rise(x, z, mountain)
    const bed = this.bed(wx, wz, inland, mountain)
    const marsh = smooth(0.2, 0.34, worn) * smooth(0.08, 0.2, humid) * smooth(0, 0.06, inland) *
      (1 - smooth(0.3, 0.45, inland)) * smooth(-0.3, -0.18, warm)
    const wet = dry + (MARSH + this.hills(z * 3, x * 3) * 1.6 - dry) * marsh
    return { inland, worn, warm, humid, odd, mountain, river: bed.river,
      height: wet + (60.5 - 4 * bed.river - wet) * bed.valley }
  }

  /** Return the height that mountains add. @param {number} x @param {number} z @param {number} mountain */
  rise (x, z, mountain) {
    if (mountain === 0) return 0
    const ridge = 1 - Math.abs(this.peaks(x, z)) * 1.8
    return mountain * (14 + 88 * Math.max(0, ridge) ** 2)
  }

  /**
   * Return the depth within a river, and within its valley.
   * @param {number} wx
   * @param {number} wz
   * @param {number} inland
   * @param {number} mountain
   */
  bed (wx, wz, inland, mountain) {
    const far = Math.abs(this.rivers(wx, wz))
    const land = smooth(-0.16, -0.08, inland) * (1 - smooth(0.25, 0.6, mountain))
    return { river: (1 - smooth(RIVER * 0.35, RIVER, far)) * land,
      valley: (1 - smooth(RIVER * 0.8, RIVER * 2.6, far)) * land }
  }
}

module.exports = { Climates, SEA }
