'use strict'
/**
 * Plans of villages: one candidate per square of the land, kept if the ground is even. A village is a street through a
 * square with a well and a bell, with buildings on both sides.
 */
const { diceAt } = require('../dice')
const { BIOMES } = require('../biomes')
const { SEA } = require('../climate')
const { nameTable } = require('../../../name_table')

/** Side of the square that has one candidate, in columns; vanilla: 34. */
const SPACING = 20
/** Distance that a village reaches from its middle, in blocks. */
const REACH = 40
/** Maximum difference of ground heights in a village. */
const UNEVEN = 9
const SALT = 71

/** Style of the buildings by biome. @type {Record<string, string>} */
const STYLES = nameTable({ plains: 'plains', sunflower_plains: 'plains', meadow: 'plains',
  forest: 'plains', desert: 'desert', savanna: 'savanna', taiga: 'taiga', snowy_plains: 'snowy', snowy_taiga: 'snowy' })
/** Kinds of buildings with weights. @type {[string, number][]} */
const KINDS = [['house', 9], ['farm', 7], ['weaponsmith', 1], ['toolsmith', 1], ['armorer', 1], ['butcher', 1],
  ['fletcher', 1], ['shepherd', 1], ['mason', 1], ['cartographer', 1], ['library', 1], ['tannery', 1], ['temple', 1],
  ['fisher', 1]]
/** Outer sizes: along the street, and away from it. @type {Record<string, [number, number]>} */
const SIZES = nameTable({ farm: [9, 9], library: [7, 9], temple: [7, 9] })
const USUAL = [7, 7]

/**
 * @typedef {object} Building
 * @property {string} kind
 * @property {number} x its first corner
 * @property {number} z
 * @property {number} floor y of its floor
 * @property {number} wide along x
 * @property {number} deep along z
 * @property {'north' | 'south' | 'west' | 'east'} front where the door is
 * @property {number} seed of its dice
 */
/**
 * @typedef {object} Village
 * @property {number} x its middle
 * @property {number} z
 * @property {number} y of the ground there
 * @property {string} style
 * @property {boolean} across whether the street runs along z
 * @property {Building[]} buildings
 */

/** The villages of one world. */
class Villages {
  /** @param {number} seed @param {import('../outline').Outlines} outlines */
  constructor (seed, outlines) {
    this.seed = seed
    this.outlines = outlines
    /** @type {Map<string, Village | null>} */
    this.kept = new Map()
  }

  /** Return the villages that may reach into a column. @param {number} cx @param {number} cz @returns {Village[]} */
  around (cx, cz) {
    const found = []
    const [low, high] = [-REACH / 16 - 1, REACH / 16 + 1]
    for (let sz = Math.floor((cz + low) / SPACING); sz <= Math.floor((cz + high) / SPACING); sz++) {
      for (let sx = Math.floor((cx + low) / SPACING); sx <= Math.floor((cx + high) / SPACING); sx++) {
        const village = this.villageOf(sx, sz)
        if (village && Math.abs(village.x - cx * 16 - 8) <= REACH + 8 &&
          Math.abs(village.z - cz * 16 - 8) <= REACH + 8) {
          found.push(village)
        }
      }
    }
    return found
  }

  /**
   * Return true if a building or square of a village covers the place, or nearly.
   * @param {number} x
   * @param {number} z
   */
  covers (x, z) {
    return this.around(x >> 4, z >> 4).some((village) => (Math.abs(village.x - x) < 7 && Math.abs(village.z - z) < 7) ||
      village.buildings.some((b) => x >= b.x - 3 && z >= b.z - 3 && x < b.x + b.wide + 3 && z < b.z + b.deep + 3))
  }

  /** Return the village of a square of the land. @param {number} sx @param {number} sz @returns {Village | null} */
  villageOf (sx, sz) {
    const key = `${sx},${sz}`
    let village = this.kept.get(key)
    if (village === undefined) {
      if (this.kept.size >= 512) this.kept.clear()
      this.kept.set(key, village = this.make(sx, sz))
    }
    return village
  }

  /** @param {number} sx @param {number} sz @returns {Village | null} */
  make (sx, sz) {
    const dice = diceAt(this.seed, sx, sz, SALT)
    // Three places of the square are tried: even ground is rare.
    for (let tries = 0; tries < 3; tries++) {
      const [x, z] = [(sx * SPACING + dice.int(3, SPACING - 4)) * 16 + 8,
        (sz * SPACING + dice.int(3, SPACING - 4)) * 16 + 8]
      const style = STYLES[BIOMES[this.outlines.roughly(x, z)]]
      const across = dice.chance(0.5)
      if (style && this.even(x, z)) {
        return { x, z, y: this.outlines.groundAt(x, z), style, across, buildings: this.layOut(x, z, across, dice) }
      }
    }
    return null
  }

  /** @param {number} x @param {number} z */
  even (x, z) {
    let [low, high] = [Infinity, -Infinity]
    for (let dz = -32; dz <= 32; dz += 8) {
      for (let dx = -32; dx <= 32; dx += 8) {
        const climate = this.outlines.climates.at(x + dx, z + dz)
        low = Math.min(low, climate.height)
        high = Math.max(high, climate.height)
        if (low < SEA + 1 || high - low > UNEVEN) return false
      }
    }
    return true
  }

  /**
   * Return buildings along both sides of the street.
   * @param {number} x
   * @param {number} z
   * @param {boolean} across
   * @param {import('../dice').Dice} dice
   * @returns {Building[]}
   */
  layOut (x, z, across, dice) {
    /** @type {Building[]} */
    const buildings = []
    for (const side of [-1, 1]) {
      let along = -34 + dice.int(0, 4)
      while (along < 28) {
        const kind = buildings.length === 0 ? 'house' : buildings.length === 1 ? 'farm' : dice.weighted(KINDS)
        const [width, depth] = SIZES[kind] ?? USUAL
        // The square in the middle stays free.
        if (along < 6 && along + width > -6) {
          along = 6
          continue
        }
        const away = side > 0 ? 3 + dice.int(0, 1) : -3 - dice.int(0, 1) - depth + 1
        if (dice.chance(0.85)) {
          buildings.push(this.building(kind,
            across ? [x + away, z + along, depth, width] : [x + along, z + away, width, depth],
            across ? (side > 0 ? 'west' : 'east') : (side > 0 ? 'north' : 'south'), dice))
        }
        along += width + dice.int(2, 4)
      }
    }
    return buildings
  }

  /**
   * @param {string} kind
   * @param {number[]} place x, z, wide, deep
   * @param {Building['front']} front
   * @param {import('../dice').Dice} dice
   * @returns {Building}
   */
  building (kind, [x, z, wide, deep], front, dice) {
    return { kind, x, z, wide, deep, front, seed: dice.int(0, 0x7fffffff),
      floor: this.outlines.groundAt(...doorstep({ x, z, wide, deep, front })) }
  }
}

/**
 * Return the place before the door.
 * @param {{ x: number, z: number, wide: number, deep: number, front: string }} building
 * @returns {[number, number]}
 */
function doorstep ({ x, z, wide, deep, front }) {
  const [mx, mz] = [x + (wide >> 1), z + (deep >> 1)]
  if (front === 'north') return [mx, z - 1]
  if (front === 'south') return [mx, z + deep]
  return front === 'west' ? [x - 1, mz] : [x + wide, mz]
}

module.exports = { Villages, doorstep, SPACING, KINDS }
