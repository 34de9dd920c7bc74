'use strict'
/**
 * A simple Nether (minecraft.wiki, "The Nether"): bedrock at y = 127 and 0, caverns between, lava up to y = 31, ores,
 * glowstone, five biomes, fungi, and fortresses. A function of seed and place.
 */
const { Canvas, ON, MIN_Y, HEIGHT } = require('./canvas')
const { Packer } = require('./packing')
const { flatNoise, solidNoise } = require('./noise')
const { diceAt } = require('./dice')
const { hash } = require('../random')
const { drawFortress } = require('./fortresses')

const ROOF = 127
const LAVA = 31
/** Cells between two samples of the noise. */
const STEP = 4
const RISE = 8
const SALT = 7000
/** Biomes and their ground blocks. */
const BIOMES = Object.freeze(['nether_wastes', 'soul_sand_valley', 'crimson_forest', 'warped_forest', 'basalt_deltas'])
const GROUND = Object.freeze(['netherrack', 'soul_sand', 'crimson_nylium', 'warped_nylium', 'blackstone'])
/** Veins: name, attempts per column, size, lowest and highest y. @type {[string, number, number, number, number][]} */
const VEINS = [['nether_quartz_ore', 16, 14, 10, 117], ['nether_gold_ore', 10, 10, 10, 117],
  ['ancient_debris', 1, 3, 8, 24], ['magma_block', 4, 24, 26, 36], ['gravel', 2, 24, 5, 41],
  ['soul_sand', 2, 20, 20, 60], ['blackstone', 2, 24, 5, 31]]

/** Generator of the Nether's columns. */
class NetherTerrain {
  /** @param {import('../data').GameData} data @param {string} seed */
  constructor (data, seed) {
    this.data = data
    this.seed = hash(seed, 666)
    this.caverns = solidNoise(seed, 'nether caverns')
    this.rough = solidNoise(seed, 'nether rough')
    this.kinds = flatNoise(seed, 'nether biomes', 220, 2)
    this.wets = flatNoise(seed, 'nether biomes 2', 260, 2)
    this.packer = new Packer(data)
    this.cells = new Uint16Array(256 * HEIGHT)
    this.ids = BIOMES.map((name) => data.registry.biomesByName[name].id)
    this.states = Object.fromEntries(['netherrack', 'bedrock', 'lava', 'glowstone', 'soul_soil', 'basalt',
      'crimson_stem', 'warped_stem', 'nether_wart_block', 'warped_wart_block', 'shroomlight', 'crimson_fungus',
      'warped_fungus', 'crimson_roots', 'warped_roots', 'brown_mushroom', 'red_mushroom', 'bone_block', ...GROUND,
      ...VEINS.map(([name]) => name)].map((name) => [name, data.stateId(name)]))
  }

  /** Return the index of a place's biome. @param {number} x @param {number} z */
  biome (x, z) {
    const [a, b] = [this.kinds(x, z), this.wets(x, z)]
    if (Math.abs(a) < 0.18 && Math.abs(b) < 0.35) return 0
    return a > 0 ? (b > 0 ? 2 : 3) : b > 0 ? 1 : 4
  }

  /** Return the density of a place; rock above 0. @param {number} x @param {number} y @param {number} z */
  density (x, y, z) {
    const edge = Math.max(0, (14 - y) / 14, (y - 106) / 18)
    return this.caverns(x / 72, y / 38, z / 72) + 0.4 * this.rough(x / 22, y / 16, z / 22) + 2 * edge - 0.05
  }

  /** @param {number} cx @param {number} cz */
  generate (cx, cz) {
    const canvas = this.draw(cx, cz)
    const biomes = Array.from({ length: 16 },
      (_, i) => this.ids[this.biome(cx * 16 + (i & 3) * 4 + 2, cz * 16 + (i >> 2) * 4 + 2)])
    return this.packer.column(canvas.cells, biomes)
  }

  /** @param {number} cx @param {number} cz */
  draw (cx, cz) {
    const canvas = new Canvas(this.data, cx, cz, 1, this.cells)
    this.rock(canvas)
    for (let dz = -1; dz <= 1; dz++) for (let dx = -1; dx <= 1; dx++) this.veins(canvas, cx + dx, cz + dz)
    this.cover(canvas, cx, cz)
    drawFortress(canvas, this.data, this.seed, cx, cz)
    return canvas
  }

  /** @param {Canvas} canvas */
  rock (canvas) {
    const across = 16 / STEP + 1
    const layers = (ROOF + 1) / RISE + 1
    const field = new Float32Array(across * across * layers)
    for (let i = 0; i < layers; i++) {
      for (let z = 0; z < across; z++) {
        for (let x = 0; x < across; x++) {
          field[(i * across + z) * across + x] = this.density(canvas.x + x * STEP, i * RISE, canvas.z + z * STEP)
        }
      }
    }
    const { netherrack, lava, bedrock } = this.states
    const dice = diceAt(this.seed, canvas.x, canvas.z, SALT)
    for (let y = 0; y <= ROOF; y++) {
      for (let z = 0; z < 16; z++) {
        for (let x = 0; x < 16; x++) {
          const hard = y === 0 || y === ROOF || ((y < 4 || y > ROOF - 4) && dice.chance(0.5))
          const solid = hard || mixed(field, across, x, y, z) > 0
          canvas.cells[((y - MIN_Y) * 16 + z) * 16 + x] = hard ? bedrock : solid ? netherrack : y <= LAVA ? lava : 0
        }
      }
    }
  }

  /** @param {Canvas} canvas @param {number} cx @param {number} cz */
  veins (canvas, cx, cz) {
    const dice = diceAt(this.seed, cx, cz, SALT + 1)
    for (const [name, tries, size, low, high] of VEINS) {
      for (let i = 0; i < tries; i++) {
        let [x, y, z] = [cx * 16 + dice.int(0, 15), dice.int(low, high), cz * 16 + dice.int(0, 15)]
        for (let n = 0; n < size; n++) {
          const at = canvas.index(x, y, z)
          if (at >= 0 && canvas.cells[at] === this.states.netherrack) canvas.cells[at] = this.states[name]
          x += dice.int(-1, 1)
          y += dice.int(-1, 1)
          z += dice.int(-1, 1)
        }
      }
    }
  }

  /** Draw ground, plants, and glowstone under roofs. @param {Canvas} canvas @param {number} cx @param {number} cz */
  cover (canvas, cx, cz) {
    const dice = diceAt(this.seed, cx, cz, SALT + 2)
    for (let z = 0; z < 16; z++) {
      for (let x = 0; x < 16; x++) {
        const kind = this.biome(canvas.x + x, canvas.z + z)
        for (let y = LAVA + 1; y < ROOF - 5; y++) {
          const at = canvas.index(canvas.x + x, y, canvas.z + z)
          if (canvas.cells[at] !== 0) continue
          const below = canvas.cells[at - 256]
          if (below === this.states.netherrack) {
            canvas.cells[at - 256] = this.states[GROUND[kind]]
            this.plant(canvas, { x: canvas.x + x, y, z: canvas.z + z }, kind, dice)
          } else if (canvas.cells[at + 256] === this.states.netherrack && dice.chance(0.012)) {
            this.glow(canvas, canvas.x + x, y, canvas.z + z, dice)
          }
        }
      }
    }
  }

  /**
   * @param {Canvas} canvas
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {import('./dice').Dice} dice
   */
  glow (canvas, x, y, z, dice) {
    for (let i = 0; i < 12; i++) {
      canvas.put(x + dice.int(-1, 1), y - dice.int(0, 2), z + dice.int(-1, 1), this.states.glowstone, ON.AIR)
    }
  }

  /**
   * @param {Canvas} canvas
   * @param {{ x: number, y: number, z: number }} at
   * @param {number} kind
   * @param {import('./dice').Dice} dice
   */
  plant (canvas, { x, y, z }, kind, dice) {
    const put = (/** @type {string} */ name, dx = 0, dy = 0, dz = 0) =>
      canvas.put(x + dx, y + dy, z + dz, this.states[name], ON.AIR)
    const draw = dice.next()
    if (kind === 0 && draw < 0.01) put(draw < 0.005 ? 'brown_mushroom' : 'red_mushroom')
    if (kind === 1 && draw < 0.003) for (let i = 0; i < 4; i++) put('bone_block', 0, i)
    if (kind === 4 && draw < 0.06) for (let i = 0; i < 1 + draw * 60; i++) put('basalt', 0, i)
    if (kind !== 2 && kind !== 3) return
    const wood = kind === 2 ? 'crimson' : 'warped'
    if (draw < 0.02) this.fungus(put, wood, dice.int(4, 8))
    else if (draw < 0.05) put(`${wood}_fungus`)
    else if (draw < 0.2) put(`${wood}_roots`)
  }

  /**
   * Draw a huge fungus.
   * @param {(name: string, dx?: number, dy?: number, dz?: number) => void} put
   * @param {string} wood
   * @param {number} tall
   */
  fungus (put, wood, tall) {
    for (let i = 0; i < tall; i++) put(`${wood}_stem`, 0, i)
    const cap = wood === 'crimson' ? 'nether_wart_block' : 'warped_wart_block'
    for (let dx = -2; dx <= 2; dx++) {
      for (let dz = -2; dz <= 2; dz++) put(Math.abs(dx) === 1 && dz === 0 ? 'shroomlight' : cap, dx, tall - 1, dz)
    }
    for (let dx = -1; dx <= 1; dx++) for (let dz = -1; dz <= 1; dz++) put(cap, dx, tall, dz)
  }
}

/**
 * Interpolate between the samples.
 * @param {Float32Array} field
 * @param {number} across
 * @param {number} x
 * @param {number} y
 * @param {number} z
 */
function mixed (field, across, x, y, z) {
  const [ix, iy, iz] = [Math.floor(x / STEP), Math.floor(y / RISE), Math.floor(z / STEP)]
  const [fx, fy, fz] = [x / STEP - ix, y / RISE - iy, z / STEP - iz]
  const at = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ dz) =>
    field[((iy + dy) * across + iz + dz) * across + ix + dx]
  const plane = (/** @type {number} */ dy) =>
    (at(0, dy, 0) * (1 - fx) + at(1, dy, 0) * fx) * (1 - fz) + (at(0, dy, 1) * (1 - fx) + at(1, dy, 1) * fx) * fz
  return plane(0) * (1 - fy) + plane(1) * fy
}

module.exports = { NetherTerrain, LAVA }
