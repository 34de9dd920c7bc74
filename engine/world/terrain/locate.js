'use strict'
/** Search for places on survival terrain: a biome, a village, dry land to spawn. Reads outlines only, no blocks. */
const { BIOMES, GROUNDS } = require('./biomes')
const { SEA } = require('./climate')
const { SPACING } = require('./villages/plan')

/** Range and step of vanilla's /locate biome, in blocks. */
const REACH = 6400
const STEP = 32
const SPAWN_STEP = 16
const SPAWN_REACH = 4096

/**
 * Yield places on growing square rings around a centre, the centre first.
 * @param {number} x
 * @param {number} z
 * @param {number} reach
 * @param {number} step
 * @returns {Generator<[number, number]>}
 */
function * rings (x, z, reach, step) {
  yield [x, z]
  for (let r = step; r <= reach; r += step) {
    for (let d = -r; d < r; d += step) {
      yield [x + d, z - r]
      yield [x + r, z + d]
      yield [x - d, z + r]
      yield [x - r, z - d]
    }
  }
}

/** Searches on one world's land. */
class Locator {
  /**
   * @param {import('./outline').Outlines} outlines
   * @param {import('./caves').Caves} caves
   * @param {import('./villages/plan').Villages} villages
   */
  constructor (outlines, caves, villages) {
    this.outlines = outlines
    this.caves = caves
    this.villages = villages
  }

  /**
   * Return the nearest place of a biome, by the climate at every 32nd block.
   * @param {string} name
   * @param {{ x: number, z: number }} from
   * @param {number} [reach] blocks
   * @returns {{ x: number, y: number, z: number } | null} on its ground
   */
  biome (name, from, reach = REACH) {
    const wanted = BIOMES.indexOf(name)
    if (wanted < 0) return null
    for (const [rx, rz] of rings(Math.floor(from.x), Math.floor(from.z), reach, STEP)) {
      // Biomes are stored per cell of four blocks, by the cell's middle.
      const [x, z] = [(rx & ~3) + 2, (rz & ~3) + 2]
      if (this.outlines.roughly(x, z) === wanted && this.outlines.biomeAt(x, z) === wanted) {
        return { x, y: this.outlines.groundAt(x, z) + 1, z }
      }
    }
    return null
  }

  /**
   * Return the nearest village, of one style or of any.
   * @param {{ x: number, z: number }} from
   * @param {string | null} [style]
   * @returns {{ x: number, y: number, z: number } | null}
   */
  village (from, style = null) {
    const [sx, sz] = [from.x, from.z].map((v) => Math.floor(v / 16 / SPACING))
    let best = null
    for (const [x, z] of rings(sx, sz, Math.ceil(REACH / 16 / SPACING), 1)) {
      // No ring further out contains a nearer village.
      if (best && (Math.max(Math.abs(x - sx), Math.abs(z - sz)) - 1) * SPACING * 16 > best.far) break
      const village = this.villages.villageOf(x, z)
      if (!village || (style && village.style !== style)) continue
      const far = Math.hypot(village.x - from.x, village.z - from.z)
      if (!best || far < best.far) best = { far, place: { x: village.x, y: village.y + 1, z: village.z } }
    }
    return best && best.place
  }

  /**
   * Return dry, even land with grass near the origin, where players spawn.
   * @param {(x: number, y: number, z: number) => boolean} free whether nothing stands there
   * @returns {{ x: number, y: number, z: number }}
   */
  spawn (free) {
    for (const [x, z] of rings(8, 8, SPAWN_REACH, SPAWN_STEP)) {
      if (this.fit(x, z) && free(x, this.outlines.groundAt(x, z) + 1, z)) {
        return { x: x + 0.5, y: this.outlines.groundAt(x, z) + 1, z: z + 0.5 }
      }
    }
    return { x: 8.5, y: Math.max(SEA, this.outlines.groundAt(8, 8)) + 1, z: 8.5 }
  }

  /** @param {number} x @param {number} z */
  fit (x, z) {
    const ground = this.outlines.groundAt(x, z)
    const kind = GROUNDS[BIOMES[this.outlines.biomeAt(x, z)]]
    if (ground <= SEA || ground > 100 || kind.top !== 'grass_block' || kind.snow || this.caves.mouthAt(x, z)) {
      return false
    }
    return [[3, 0], [-3, 0], [0, 3],
      [0, -3]].every(([dx, dz]) => Math.abs(this.outlines.groundAt(x + dx, z + dz) - ground) <= 1)
  }
}

module.exports = { Locator, REACH }
