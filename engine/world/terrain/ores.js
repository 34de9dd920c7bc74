'use strict'
/**
 * Ores and blobs of other stone, with vanilla 1.20.4's numbers: veins per column of 16 x 16, sizes, heights, and share
 * of blocks left out beside air. Source: vanilla's data/minecraft/worldgen/placed_feature/ore_*.json and
 * configured_feature/ore_*.json; minecraft.wiki, "Ore (feature)".
 */
const { diceAt } = require('./dice')
const { ON } = require('./canvas')
const { BIOMES } = require('./biomes')
const { keyOf } = require('./terrain')

/**
 * @typedef {object} Vein
 * @property {string} block
 * @property {number} size vanilla's size of the vein
 * @property {number} count veins a column; below 1 a chance
 * @property {[number, number]} y lowest and highest
 * @property {boolean} [peak] most in the middle of these heights (vanilla's trapezoid), else the same at all
 * @property {number} [shy] share of the blocks beside air that are left out
 * @property {RegExp} [biomes] only in these
 */

/** Veins in vanilla's order: later ones replace stone that earlier ones left. @type {Vein[]} */
const VEINS = [
  { block: 'dirt', size: 33, count: 7, y: [0, 160] },
  { block: 'gravel', size: 33, count: 14, y: [-64, 319] },
  { block: 'granite', size: 64, count: 1 / 6, y: [64, 128] }, { block: 'granite', size: 64, count: 2, y: [0, 60] },
  { block: 'diorite', size: 64, count: 1 / 6, y: [64, 128] }, { block: 'diorite', size: 64, count: 2, y: [0, 60] },
  { block: 'andesite', size: 64, count: 1 / 6, y: [64, 128] }, { block: 'andesite', size: 64, count: 2, y: [0, 60] },
  { block: 'tuff', size: 64, count: 2, y: [-64, 0] },
  { block: 'coal_ore', size: 17, count: 30, y: [136, 319] },
  { block: 'coal_ore', size: 17, count: 20, y: [0, 192], peak: true, shy: 0.5 },
  { block: 'iron_ore', size: 9, count: 90, y: [80, 384], peak: true },
  { block: 'iron_ore', size: 9, count: 10, y: [-24, 56], peak: true },
  { block: 'iron_ore', size: 4, count: 10, y: [-64, 72] },
  { block: 'gold_ore', size: 9, count: 4, y: [-64, 32], peak: true, shy: 0.5 },
  { block: 'gold_ore', size: 9, count: 0.5, y: [-64, -48], shy: 0.5 },
  { block: 'redstone_ore', size: 8, count: 4, y: [-64, 15] },
  { block: 'redstone_ore', size: 8, count: 8, y: [-96, -32], peak: true },
  { block: 'diamond_ore', size: 4, count: 7, y: [-144, 16], peak: true, shy: 0.5 },
  { block: 'diamond_ore', size: 8, count: 2, y: [-64, -4], shy: 0.5 },
  { block: 'diamond_ore', size: 12, count: 1 / 9, y: [-144, 16], peak: true, shy: 0.7 },
  { block: 'diamond_ore', size: 8, count: 4, y: [-144, 16], peak: true, shy: 1 },
  { block: 'lapis_ore', size: 7, count: 2, y: [-32, 32], peak: true },
  { block: 'lapis_ore', size: 7, count: 4, y: [-64, 64], shy: 1 },
  { block: 'emerald_ore', size: 3, count: 100, y: [-16, 480], peak: true,
    biomes: /^(windswept_|stony_peaks|jagged_peaks|snowy_slopes|grove|meadow|cherry_grove)/ },
  { block: 'copper_ore', size: 10, count: 16, y: [-16, 112], peak: true }
]
const SALT = 21
/** Blocks of a vein per ball of its line: more balls hardly change their union. */
const BALLS = 4

/** Layout of a vein in an array: index in VEINS, seed of its dice, start, end, and reach. */
const [KIND, SEED, FROM, TO, REACH, NUMBERS] = [0, 1, 2, 5, 8, 12]
/** Maximum number of columns whose veins are cached: those around several players. */
const MAX_CACHED_COLUMNS = 2048

/** The ores of one world. */
class Ores {
  /** @param {import('../data').GameData} data @param {number} seed @param {import('./outline').Outlines} outlines */
  constructor (data, seed, outlines) {
    this.seed = seed
    this.outlines = outlines
    const names = data.registry.blocksByName
    /** States in stone and in deepslate. */
    this.states = VEINS.map(({ block }) =>
      ({ stone: data.stateId(block),
      deep: names[`deepslate_${block}`] ? data.stateId(`deepslate_${block}`) : data.stateId(block) }))
    this.deep = new Set([data.stateId('deepslate'), data.stateId('tuff')])
    /** Veins by `keyOf`. @type {Map<number, Float64Array>} */
    this.cache = new Map()
    /** Buffer for the veins of one column. @type {Float64Array} */
    this.made = new Float64Array(256 * NUMBERS)
  }

  /**
   * Return the veins that begin in a column.
   * @param {number} cx
   * @param {number} cz
   * @returns {Float64Array} `NUMBERS` for each
   */
  veinsOf (cx, cz) {
    const key = keyOf(cx, cz)
    let veins = this.cache.get(key)
    if (!veins) {
      if (this.cache.size >= MAX_CACHED_COLUMNS) {
        for (const old of [...this.cache.keys()].slice(0, MAX_CACHED_COLUMNS / 2)) this.cache.delete(old)
      }
      this.cache.set(key, veins = this.make(cx, cz))
    }
    return veins
  }

  /** @param {number} cx @param {number} cz @returns {Float64Array} */
  make (cx, cz) {
    const outline = this.outlines.at(cx, cz)
    const biome = BIOMES[outline.biome[136]]
    let length = 0
    for (let kind = 0; kind < VEINS.length; kind++) {
      const vein = VEINS[kind]
      if (vein.biomes && !vein.biomes.test(biome)) continue
      const dice = diceAt(this.seed, cx, cz, SALT + kind * 101)
      const count = vein.count < 1 ? Number(dice.chance(vein.count)) : vein.count
      for (let n = 0; n < count; n++) {
        if (length + NUMBERS > this.made.length) this.made = enlarged(this.made)
        writeVein(this.made, length, kind, cx, cz, dice)
        // A vein in the air or below the world is dropped.
        const y = this.made[length + FROM + 1]
        if (y - vein.size / 8 <= outline.high + 12 && y + vein.size / 8 >= -64) length += NUMBERS
      }
    }
    return this.made.slice(0, length)
  }

  /**
   * Draw the veins that begin in a column, as far as they reach into another.
   * @param {import('./canvas').Canvas} canvas
   * @param {number} cx
   * @param {number} cz
   */
  drawFrom (canvas, cx, cz) {
    const veins = this.veinsOf(cx, cz)
    for (let at = 0; at < veins.length; at += NUMBERS) {
      if (canvas.shows(veins[at + REACH], veins[at + REACH + 1], veins[at + REACH + 2], veins[at + REACH + 3])) {
        this.draw(canvas, veins, at)
      }
    }
  }

  /** Draw one vein. @param {import('./canvas').Canvas} canvas @param {Float64Array} veins @param {number} at */
  draw (canvas, veins, at) {
    const vein = { kind: veins[at + KIND], seed: veins[at + SEED] }
    const { size } = VEINS[vein.kind]
    const balls = Math.max(2, Math.ceil(size / BALLS))
    const dice = diceAt(vein.seed, vein.kind, 0, SALT)
    const [x, y, z] = [veins[at + FROM], veins[at + FROM + 1], veins[at + FROM + 2]]
    const [dx, dy, dz] = [veins[at + TO] - x, veins[at + TO + 1] - y, veins[at + TO + 2] - z]
    for (let i = 0; i <= balls; i++) {
      const t = i / balls
      const radius = ((Math.sin(Math.PI * t) + 1) * dice.next() * size / 16 + 1) / 2
      this.ball(canvas, vein, x + dx * t, y + dy * t, z + dz * t, radius)
    }
  }

  /**
   * @param {import('./canvas').Canvas} canvas
   * @param {{ kind: number, seed: number }} vein
   * @param {number} mx
   * @param {number} my
   * @param {number} mz its middle
   * @param {number} radius
   */
  ball (canvas, vein, mx, my, mz, radius) {
    const x0 = Math.max(Math.floor(mx - radius), canvas.x)
    const x1 = Math.min(Math.floor(mx + radius), canvas.x + canvas.size - 1)
    const z0 = Math.max(Math.floor(mz - radius), canvas.z)
    const z1 = Math.min(Math.floor(mz + radius), canvas.z + canvas.size - 1)
    if (x0 > x1 || z0 > z1) return
    for (let x = x0; x <= x1; x++) {
      const dx = ((x + 0.5 - mx) / radius) ** 2
      if (dx >= 1) continue
      for (let z = z0; z <= z1; z++) {
        const flat = dx + ((z + 0.5 - mz) / radius) ** 2
        if (flat >= 1) continue
        for (let y = Math.floor(my - radius); y <= my + radius; y++) {
          if (flat + ((y + 0.5 - my) / radius) ** 2 < 1) this.cell(canvas, vein, x, y, z)
        }
      }
    }
  }

  /**
   * @param {import('./canvas').Canvas} canvas
   * @param {{ kind: number, seed: number }} vein
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  cell (canvas, vein, x, y, z) {
    const at = canvas.index(x, y, z)
    if (at < 0 || !((canvas.answers[canvas.cells[at]] >> ON.STONE) & 1)) return
    const { shy = 0 } = VEINS[vein.kind]
    if (shy > 0 && this.bare(canvas, x, y, z) && diceAt(vein.seed, x, z, y).chance(shy)) return
    const { stone, deep } = this.states[vein.kind]
    canvas.cells[at] = this.deep.has(canvas.cells[at]) ? deep : stone
  }

  /**
   * Return true if air touches the cell within this column; on its border only the blocks above and below are read.
   * @param {import('./canvas').Canvas} canvas
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  bare (canvas, x, y, z) {
    return canvas.get(x, y + 1, z) === 0 || canvas.get(x, y - 1, z) === 0 ||
      ((x & 15) < 15 && canvas.get(x + 1, y, z) === 0) || ((x & 15) > 0 && canvas.get(x - 1, y, z) === 0) ||
      ((z & 15) < 15 && canvas.get(x, y, z + 1) === 0) || ((z & 15) > 0 && canvas.get(x, y, z - 1) === 0)
  }
}

/**
 * Write the numbers of one vein.
 * @param {Float64Array} to
 * @param {number} at
 * @param {number} kind index into VEINS
 * @param {number} cx
 * @param {number} cz
 * @param {import('./dice').Dice} dice
 */
function writeVein (to, at, kind, cx, cz, dice) {
  const { size, y: [low, high], peak } = VEINS[kind]
  const x = cx * 16 + dice.int(0, 15)
  const z = cz * 16 + dice.int(0, 15)
  const y = peak ? low + dice.int(0, (high - low) >> 1) + dice.int(0, (high - low + 1) >> 1) : dice.int(low, high)
  const angle = dice.next() * Math.PI
  const half = size / 8
  const dx = Math.sin(angle) * half
  const dz = Math.cos(angle) * half
  const reach = size / 16 + 0.5
  const wide = Math.abs(dx) + reach
  const deep = Math.abs(dz) + reach
  to[at + KIND] = kind
  to[at + SEED] = dice.int(0, 0x7fffffff)
  to[at + FROM] = x + dx
  to[at + FROM + 1] = y + dice.int(-2, 0)
  to[at + FROM + 2] = z + dz
  to[at + TO] = x - dx
  to[at + TO + 1] = y + dice.int(-2, 0)
  to[at + TO + 2] = z - dz
  to[at + REACH] = Math.floor(x - wide)
  to[at + REACH + 1] = Math.floor(z - deep)
  to[at + REACH + 2] = Math.ceil(x + wide)
  to[at + REACH + 3] = Math.ceil(z + deep)
}

/**
 * Return a vein around a place.
 * @param {number} kind index into VEINS
 * @param {{ x: number, y: number, z: number }} at
 * @param {number} seed
 * @returns {Float64Array} its numbers
 */
function veinAt (kind, { x, y, z }, seed) {
  const numbers = new Float64Array(NUMBERS)
  const angle = diceAt(seed, x, z, SALT).next() * Math.PI
  const half = VEINS[kind].size / 8
  const [dx, dz] = [Math.sin(angle) * half, Math.cos(angle) * half]
  numbers.set([kind, seed, x + dx, y, z + dz, x - dx, y, z - dz])
  return numbers
}

/** @param {Float64Array} numbers @returns {Float64Array} the same with as much room again */
function enlarged (numbers) {
  const larger = new Float64Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}

module.exports = { Ores, VEINS, veinAt }
