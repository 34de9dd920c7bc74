'use strict'
/**
 * Ores and blobs of other stone, by vanilla 1.20.4's own numbers: how many veins of which size a column of 16 x 16 begins, at
 * which heights, and how many of its blocks are left out where they touch air.
 * Source: vanilla's data/minecraft/worldgen/placed_feature/ore_*.json and configured_feature/ore_*.json; minecraft.wiki, "Ore (feature)".
 */
const { diceAt } = require('./dice')
const { ON } = require('./canvas')
const { BIOMES } = require('./biomes')

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

/** In vanilla's order: later veins grow over stone that earlier ones left. @type {Vein[]} */
const VEINS = [
  { block: 'dirt', size: 33, count: 7, y: [0, 160] },
  { block: 'gravel', size: 33, count: 14, y: [-64, 319] },
  { block: 'granite', size: 64, count: 1 / 6, y: [64, 128] }, { block: 'granite', size: 64, count: 2, y: [0, 60] },
  { block: 'diorite', size: 64, count: 1 / 6, y: [64, 128] }, { block: 'diorite', size: 64, count: 2, y: [0, 60] },
  { block: 'andesite', size: 64, count: 1 / 6, y: [64, 128] }, { block: 'andesite', size: 64, count: 2, y: [0, 60] },
  { block: 'tuff', size: 64, count: 2, y: [-64, 0] },
  { block: 'coal_ore', size: 17, count: 30, y: [136, 319] }, { block: 'coal_ore', size: 17, count: 20, y: [0, 192], peak: true, shy: 0.5 },
  { block: 'iron_ore', size: 9, count: 90, y: [80, 384], peak: true }, { block: 'iron_ore', size: 9, count: 10, y: [-24, 56], peak: true }, { block: 'iron_ore', size: 4, count: 10, y: [-64, 72] },
  { block: 'gold_ore', size: 9, count: 4, y: [-64, 32], peak: true, shy: 0.5 }, { block: 'gold_ore', size: 9, count: 0.5, y: [-64, -48], shy: 0.5 },
  { block: 'redstone_ore', size: 8, count: 4, y: [-64, 15] }, { block: 'redstone_ore', size: 8, count: 8, y: [-96, -32], peak: true },
  { block: 'diamond_ore', size: 4, count: 7, y: [-144, 16], peak: true, shy: 0.5 }, { block: 'diamond_ore', size: 8, count: 2, y: [-64, -4], shy: 0.5 },
  { block: 'diamond_ore', size: 12, count: 1 / 9, y: [-144, 16], peak: true, shy: 0.7 }, { block: 'diamond_ore', size: 8, count: 4, y: [-144, 16], peak: true, shy: 1 },
  { block: 'lapis_ore', size: 7, count: 2, y: [-32, 32], peak: true }, { block: 'lapis_ore', size: 7, count: 4, y: [-64, 64], shy: 1 },
  { block: 'emerald_ore', size: 3, count: 100, y: [-16, 480], peak: true, biomes: /^(windswept_|stony_peaks|jagged_peaks|snowy_slopes|grove|meadow|cherry_grove)/ },
  { block: 'copper_ore', size: 10, count: 16, y: [-16, 112], peak: true }
]
const SALT = 21
/** A vein's line has a ball at every so many of its blocks: a union of balls hardly changes with more. */
const BALLS = 4

/**
 * @typedef {object} Blob one vein that is in the world
 * @property {number} vein index into VEINS
 * @property {number} seed of its dice
 * @property {number[]} from x, y, z
 * @property {number[]} to
 * @property {number[]} box the places that it may reach: x0, z0, x1, z1
 */

/** The ores of one world. */
class Ores {
  /** @param {import('../data').GameData} data @param {number} seed @param {import('./outline').Outlines} outlines */
  constructor (data, seed, outlines) {
    this.seed = seed
    this.outlines = outlines
    const names = data.registry.blocksByName
    /** State in stone and in deepslate. */
    this.states = VEINS.map(({ block }) => ({ stone: data.stateId(block), deep: names[`deepslate_${block}`] ? data.stateId(`deepslate_${block}`) : data.stateId(block) }))
    this.deep = new Set([data.stateId('deepslate'), data.stateId('tuff')])
    /** @type {Map<string, Blob[]>} */
    this.kept = new Map()
  }

  /** The veins that begin in a column. @param {number} cx @param {number} cz @returns {Blob[]} */
  of (cx, cz) {
    const key = `${cx},${cz}`
    let blobs = this.kept.get(key)
    if (!blobs) {
      if (this.kept.size >= 256) for (const old of [...this.kept.keys()].slice(0, 128)) this.kept.delete(old)
      this.kept.set(key, blobs = this.make(cx, cz))
    }
    return blobs
  }

  /** @param {number} cx @param {number} cz @returns {Blob[]} */
  make (cx, cz) {
    const outline = this.outlines.at(cx, cz)
    const biome = BIOMES[outline.biome[136]]
    /** @type {Blob[]} */
    const blobs = []
    VEINS.forEach((vein, i) => {
      if (vein.biomes && !vein.biomes.test(biome)) return
      const dice = diceAt(this.seed, cx, cz, SALT + i * 101)
      const count = vein.count < 1 ? Number(dice.chance(vein.count)) : vein.count
      for (let n = 0; n < count; n++) {
        const blob = blobOf(i, vein, cx, cz, dice)
        // What hangs in the air or under the world is no vein.
        if (blob.from[1] - vein.size / 8 <= outline.high + 12 && blob.from[1] + vein.size / 8 >= -64) blobs.push(blob)
      }
    })
    return blobs
  }

  /** Draws one vein. @param {import('./canvas').Canvas} canvas @param {Blob} blob */
  draw (canvas, { vein, seed, from, to, box }) {
    if (!canvas.shows(box[0], box[1], box[2], box[3])) return
    const { size } = VEINS[vein]
    const balls = Math.max(2, Math.ceil(size / BALLS))
    const dice = diceAt(seed, vein, 0, SALT)
    for (let i = 0; i <= balls; i++) {
      const t = i / balls
      const radius = ((Math.sin(Math.PI * t) + 1) * dice.next() * size / 16 + 1) / 2
      this.ball(canvas, vein, seed, from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t, from[2] + (to[2] - from[2]) * t, radius)
    }
  }

  /** @param {import('./canvas').Canvas} canvas @param {number} vein @param {number} seed @param {number} mx @param {number} my @param {number} mz its middle @param {number} radius */
  ball (canvas, vein, seed, mx, my, mz, radius) {
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
          if (flat + ((y + 0.5 - my) / radius) ** 2 < 1) this.cell(canvas, vein, seed, x, y, z)
        }
      }
    }
  }

  /** @param {import('./canvas').Canvas} canvas @param {number} vein @param {number} seed @param {number} x @param {number} y @param {number} z */
  cell (canvas, vein, seed, x, y, z) {
    const at = canvas.index(x, y, z)
    if (at < 0 || !((canvas.answers[canvas.cells[at]] >> ON.STONE) & 1)) return
    const { shy = 0 } = VEINS[vein]
    if (shy > 0 && this.bare(canvas, x, y, z) && diceAt(seed, x, z, y).chance(shy)) return
    const { stone, deep } = this.states[vein]
    canvas.cells[at] = this.deep.has(canvas.cells[at]) ? deep : stone
  }

  /** Whether air touches the cell, as far as this column goes: on its border only the blocks above and below are looked at. @param {import('./canvas').Canvas} canvas @param {number} x @param {number} y @param {number} z */
  bare (canvas, x, y, z) {
    return canvas.get(x, y + 1, z) === 0 || canvas.get(x, y - 1, z) === 0 ||
      ((x & 15) < 15 && canvas.get(x + 1, y, z) === 0) || ((x & 15) > 0 && canvas.get(x - 1, y, z) === 0) ||
      ((z & 15) < 15 && canvas.get(x, y, z + 1) === 0) || ((z & 15) > 0 && canvas.get(x, y, z - 1) === 0)
  }
}

/** @param {number} index @param {Vein} vein @param {number} cx @param {number} cz @param {import('./dice').Dice} dice @returns {Blob} */
function blobOf (index, { size, y: [low, high], peak }, cx, cz, dice) {
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
  return {
    vein: index,
    seed: dice.int(0, 0x7fffffff),
    from: [x + dx, y + dice.int(-2, 0), z + dz],
    to: [x - dx, y + dice.int(-2, 0), z - dz],
    box: [Math.floor(x - wide), Math.floor(z - deep), Math.ceil(x + wide), Math.ceil(z + deep)]
  }
}

module.exports = { Ores, VEINS }
