'use strict'
/**
 * Outline of a column: ground height and biome of each of its 256 places. Cheap, and a function of seed and place
 * alone, so that plants near a border can query the land on the other side.
 */
const { Climates, SEA } = require('./climate')
const { biomeOf } = require('./biomes')
const { flatNoise } = require('./noise')

/** Maximum number of cached outlines; beyond it the older half is dropped. */
const MAX_OUTLINES = 4096
/** Distance of two samples of the climate, in blocks. */
const STEP = 4
const GRID = 16 / STEP + 1
/** Steps around a corner whose lowest ground bounds caves. */
const MARGIN = 2

/**
 * @typedef {object} Outline
 * @property {Int16Array} ground y of the highest solid block, by z * 16 + x
 * @property {Uint8Array} biome index into BIOMES, by z * 16 + x
 * @property {Uint8Array} steep how much the ground rises over 8 blocks, by z * 16 + x
 * @property {Float32Array} corners 5 x 5: height of the ground at every fourth block, by z * 5 + x
 * @property {number} low the lowest ground
 * @property {number} high the highest ground
 */

/** Outlines of one world. */
class Outlines {
  /** @param {string} seed */
  constructor (seed) {
    this.climates = new Climates(seed)
    this.rough = flatNoise(seed, 'rough', 22)
    /** @type {Map<string, Outline>} */
    this.kept = new Map()
  }

  /** @param {number} cx @param {number} cz @returns {Outline} */
  at (cx, cz) {
    const key = `${cx},${cz}`
    let outline = this.kept.get(key)
    if (!outline) {
      if (this.kept.size >= MAX_OUTLINES) {
        for (const old of [...this.kept.keys()].slice(0, MAX_OUTLINES / 2)) this.kept.delete(old)
      }
      this.kept.set(key, outline = this.make(cx, cz))
    }
    return outline
  }

  /** Return the y of the highest solid block of the bare land. @param {number} x @param {number} z */
  groundAt (x, z) { return this.at(x >> 4, z >> 4).ground[(z & 15) * 16 + (x & 15)] }

  /** Return the biome's index in BIOMES. @param {number} x @param {number} z */
  biomeAt (x, z) { return this.at(x >> 4, z >> 4).biome[(z & 15) * 16 + (x & 15)] }

  /**
   * Return the biome's index in BIOMES from the climate of one place: quick, and nearly always right.
   * @param {number} x
   * @param {number} z
   */
  roughly (x, z) {
    const climate = this.climates.at(x, z)
    return biomeOf(climate, Math.floor(climate.height))
  }

  /**
   * Return the lowest ground around each corner of a column's grid, below which caves stay.
   * @param {number} cx
   * @param {number} cz
   * @returns {Float32Array} 5 x 5, by z * 5 + x
   */
  roof (cx, cz) {
    const span = GRID + 2 * MARGIN
    const heights = new Float32Array(span * span)
    for (let z = 0; z < span; z++) {
      for (let x = 0; x < span; x++) {
        const [gx, gz] = [x - MARGIN + 4, z - MARGIN + 4]
        heights[z * span + x] = this.at(cx - 1 + (gx >> 2), cz - 1 + (gz >> 2)).corners[(gz & 3) * GRID + (gx & 3)]
      }
    }
    const roof = new Float32Array(GRID * GRID).fill(Infinity)
    for (let i = 0; i < GRID * GRID; i++) {
      const first = Math.floor(i / GRID) * span + i % GRID
      for (let d = 0; d < 25; d++) roof[i] = Math.min(roof[i], heights[first + Math.floor(d / 5) * span + d % 5])
    }
    return roof
  }

  /** @param {number} cx @param {number} cz @returns {Outline} */
  make (cx, cz) {
    /** @type {import('./climate').Climate[]} */
    const grid = []
    for (let i = 0; i < GRID * GRID; i++) {
      grid.push(this.climates.at(cx * 16 + i % GRID * STEP, cz * 16 + Math.floor(i / GRID) * STEP))
    }
    const outline = { ground: new Int16Array(256), biome: new Uint8Array(256), steep: new Uint8Array(256),
      corners: Float32Array.from(grid, ({ height }) => height), low: 999, high: -999 }
    const climate = { ...grid[0] }
    for (let z = 0; z < 16; z++) {
      for (let x = 0; x < 16; x++) {
        const corner = (z >> 2) * GRID + (x >> 2)
        mixInto(climate, [grid[corner], grid[corner + 1], grid[corner + GRID], grid[corner + GRID + 1]], (x & 3) / STEP,
          (z & 3) / STEP)
        const rough = this.rough(cx * 16 + x, cz * 16 + z)
        climate.height += rough * (0.7 + 1.8 * climate.mountain)
        place(outline, z * 16 + x, climate,
          Math.abs(grid[corner + 1].height - grid[corner].height) +
          Math.abs(grid[corner + GRID].height - grid[corner].height))
      }
    }
    return outline
  }
}

/**
 * Interpolate between four corners.
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} d
 * @param {number} fx
 * @param {number} fz
 */
function between (a, b, c, d, fx, fz) {
  const near = a + (b - a) * fx
  return near + (c + (d - c) * fx - near) * fz
}

/**
 * Interpolate the climate between four corners, into `into`.
 * @param {import('./climate').Climate} into
 * @param {import('./climate').Climate[]} corners
 * @param {number} fx
 * @param {number} fz
 */
function mixInto (into, [a, b, c, d], fx, fz) {
  into.inland = between(a.inland, b.inland, c.inland, d.inland, fx, fz)
  into.worn = between(a.worn, b.worn, c.worn, d.worn, fx, fz)
  into.warm = between(a.warm, b.warm, c.warm, d.warm, fx, fz)
  into.humid = between(a.humid, b.humid, c.humid, d.humid, fx, fz)
  into.odd = between(a.odd, b.odd, c.odd, d.odd, fx, fz)
  into.mountain = between(a.mountain, b.mountain, c.mountain, d.mountain, fx, fz)
  into.river = between(a.river, b.river, c.river, d.river, fx, fz)
  into.height = between(a.height, b.height, c.height, d.height, fx, fz)
}

/**
 * @param {Outline} outline
 * @param {number} at
 * @param {import('./climate').Climate} climate
 * @param {number} rise over 4 blocks each way
 */
function place (outline, at, climate, rise) {
  const ground = Math.floor(climate.height)
  outline.ground[at] = ground
  outline.steep[at] = Math.min(255, rise * 2)
  outline.biome[at] = biomeOf(climate, ground)
  if (ground < outline.low) outline.low = ground
  if (ground > outline.high) outline.high = ground
}

module.exports = { Outlines, SEA }
