'use strict'
/** Bare land of a column: bedrock, deepslate, stone, the biome's top layers, water, ice. */
const { MIN_Y } = require('./canvas')
const { BIOMES, GROUNDS } = require('./biomes')
const { SEA } = require('./climate')
const { unit } = require('./dice')

const LAYER = 256
/** Deepslate below, stone above, mixed in this range of y, as in vanilla 1.20.4. */
const DEEP = [0, 8]
const BEDROCK = 5
/** Maximum rise over 8 blocks at which soil stays. */
const STEEP = 22
/** y above which mountains are bare at smaller slopes. */
const HEIGHTS = 90
const SALT = Object.freeze({ bedrock: 11, deep: 12, depth: 13 })

/** @param {number} y */
const layer = (y) => (y - MIN_Y) * LAYER

/** Ground layers with the blocks of one version. */
class Grounds {
  /** @param {import('../data').GameData} data @param {number} seed */
  constructor (data, seed) {
    this.seed = seed
    const state = (/** @type {string} */ name) => data.stateId(name)
    this.bedrock = state('bedrock')
    this.deepslate = state('deepslate')
    this.stone = state('stone')
    this.water = state('water')
    this.lava = state('lava')
    this.ice = state('ice')
    this.dirt = state('dirt')
    this.grass = state('grass_block')
    this.snowyGrass = data.stateId('grass_block', { snowy: true })
    /** Ground by biome index. */
    this.kinds = BIOMES.map((name) => {
      const { top, under, base = 'stone', snow = false } = GROUNDS[name]
      return { top: snow && top === 'grass_block' ? this.snowyGrass : state(top), under: state(under),
        base: state(base), snow, wet: /ocean|river/.test(name), grassy: top === 'grass_block' || top === 'podzol' }
    })
  }

  /** @param {import('./canvas').Canvas} canvas of a single column @param {import('./outline').Outline} outline */
  fill (canvas, outline) {
    const { cells } = canvas
    const solid = Math.min(outline.low - 8, SEA)
    cells.fill(this.deepslate, 0, layer(DEEP[0] + 1))
    cells.fill(this.stone, layer(DEEP[0] + 1), layer(Math.max(solid, DEEP[1])))
    this.mixLayers(canvas)
    for (let z = 0; z < 16; z++) {
      for (let x = 0; x < 16; x++) this.post(canvas, outline, x, z, Math.max(solid, DEEP[1]))
    }
  }

  /** Draw bedrock with a ragged top, and deepslate fading into stone. @param {import('./canvas').Canvas} canvas */
  mixLayers (canvas) {
    const { cells } = canvas
    for (let at = 0; at < LAYER; at++) {
      const x = canvas.x + (at & 15)
      const z = canvas.z + (at >> 4)
      for (let dy = 0; dy < BEDROCK; dy++) {
        if (dy === 0 || unit(this.seed, x, z, SALT.bedrock + dy * 64) < 1 - dy / BEDROCK) {
          cells[dy * LAYER + at] = this.bedrock
        }
      }
      for (let y = DEEP[0] + 1; y < DEEP[1]; y++) {
        if (unit(this.seed, x, z, SALT.deep + y * 64) > y / DEEP[1]) cells[layer(y) + at] = this.deepslate
      }
    }
  }

  /**
   * Draw one place, from solid stone up.
   * @param {import('./canvas').Canvas} canvas
   * @param {import('./outline').Outline} outline
   * @param {number} x
   * @param {number} z
   * @param {number} from
   */
  post (canvas, outline, x, z, from) {
    const at = z * 16 + x
    const { cells } = canvas
    const ground = outline.ground[at]
    const kind = this.kinds[outline.biome[at]]
    const bare = outline.steep[at] > (ground > HEIGHTS ? STEEP - 6 : STEEP) && ground > SEA + 2
    const depth = 3 + Math.floor(unit(this.seed, canvas.x + x, canvas.z + z, SALT.depth) * 2)
    for (let y = from; y <= ground; y++) {
      const under = ground - y
      let state = this.stone
      if (!bare && under === 0) state = this.topOf(kind, ground)
      else if (!bare && under < depth) state = kind.under
      else if (!bare && under < depth + 3) state = kind.base
      cells[layer(y) + at] = state
    }
    for (let y = ground + 1; y <= SEA; y++) cells[layer(y) + at] = this.water
    if (kind.snow && ground < SEA) cells[layer(SEA) + at] = this.ice
  }

  /**
   * Return the top layers: no grass under water, and no sea bed on river shores.
   * @param {{ top: number, under: number, wet: boolean, grassy: boolean }} kind
   * @param {number} ground
   */
  topOf (kind, ground) {
    if (ground < SEA) return kind.grassy ? this.dirt : kind.top
    return kind.wet ? this.grass : kind.top
  }
}

module.exports = { Grounds, LAYER, layer }
