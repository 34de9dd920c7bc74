'use strict'
/** Residents of a new column: animals by biome, as in vanilla 1.20.4's generation, and villagers. */
const { diceAt } = require('./dice')
const { BIOMES } = require('./biomes')
const { SEA } = require('./climate')
const { doorstep } = require('./villages/plan')
const { nameTable } = require('../../name_table')

/** @typedef {[string, number, number, number]} Group animal, weight, least and most */
/** @typedef {{ type: string, x: number, y: number, z: number }} Resident */

/** @type {Group[]} */
const FARM = [['sheep', 12, 4, 4], ['pig', 10, 4, 4], ['chicken', 10, 4, 4], ['cow', 8, 4, 4]]
/** @type {Group[]} */
const OPEN = [...FARM, ['horse', 5, 2, 6], ['donkey', 1, 1, 3]]
/** @type {Group[]} */
const WOODED = [...FARM, ['wolf', 5, 4, 4]]
/** @type {Group[]} */
const PINES = [...FARM, ['wolf', 8, 4, 4], ['rabbit', 4, 2, 3], ['fox', 8, 2, 4]]
/** @type {Group[]} */
const JUNGLE = [...FARM, ['parrot', 40, 1, 2], ['panda', 1, 1, 2], ['ocelot', 2, 1, 3]]
/** @type {Group[]} */
const SHOALS = [['squid', 10, 1, 4], ['cod', 10, 3, 6]]

/** Animals by biome: vanilla's creatures with weights and group sizes. @type {Record<string, Group[]>} */
const ANIMALS = nameTable({
  plains: OPEN, sunflower_plains: OPEN, savanna: [...FARM, ['horse', 1, 2, 6], ['donkey', 1, 1, 1]], forest: WOODED,
  birch_forest: FARM, dark_forest: FARM, flower_forest: [...FARM, ['rabbit', 4, 2, 3]],
  taiga: PINES, snowy_taiga: PINES, old_growth_spruce_taiga: PINES,
  grove: [['wolf', 8, 4, 4], ['rabbit', 8, 2, 3], ['fox', 8, 2, 4]],
  snowy_plains: [['rabbit', 10, 2, 3], ['polar_bear', 1, 1, 2]],
  snowy_slopes: [['rabbit', 4, 2, 3], ['goat', 5, 1, 3]], jagged_peaks: [['goat', 5, 1, 3]],
  meadow: [['donkey', 1, 1, 2], ['rabbit', 2, 2, 6], ['sheep', 2, 2, 4]],
  cherry_grove: [['pig', 1, 1, 2], ['rabbit', 2, 2, 6], ['sheep', 2, 2, 4]],
  desert: [['rabbit', 4, 2, 3]], swamp: [...FARM, ['frog', 10, 2, 5]], jungle: JUNGLE,
  bamboo_jungle: [...FARM, ['parrot', 40, 1, 2], ['panda', 80, 1, 2]],
  windswept_hills: [...FARM, ['llama', 5, 4, 6]], windswept_forest: [...FARM, ['llama', 5, 4, 6]],
  beach: [['turtle', 5, 2, 5]],
  river: [['salmon', 5, 1, 5], ['squid', 2, 1, 4]], ocean: SHOALS, deep_ocean: SHOALS,
  cold_ocean: [['squid', 3, 1, 4], ['cod', 15, 3, 6], ['salmon', 15, 1, 5]], lukewarm_ocean: SHOALS,
  deep_lukewarm_ocean: SHOALS,
  warm_ocean: [['squid', 10, 4, 4], ['tropical_fish', 25, 8, 8]],
  deep_cold_ocean: [['squid', 3, 1, 4], ['cod', 15, 3, 6]],
  frozen_ocean: [['salmon', 15, 1, 5], ['polar_bear', 1, 1, 2]]
})
/** Animals of the water. */
const SWIMMERS = new Set(['salmon', 'cod', 'squid', 'tropical_fish'])
/** Vanilla's chance of a group in a column (and of another after each). */
const GROUPS = 0.1
const SALT = 81

/** Residents of one world. */
class Residents {
  /**
   * @param {number} seed
   * @param {import('./outline').Outlines} outlines
   * @param {import('./villages/plan').Villages} villages
   */
  constructor (seed, outlines, villages) {
    this.seed = seed
    this.outlines = outlines
    this.villages = villages
  }

  /** @param {number} cx @param {number} cz @returns {Resident[]} feet of each, in the middle of a block */
  residentsOf (cx, cz) { return [...this.animals(cx, cz), ...this.people(cx, cz)] }

  /** @param {number} cx @param {number} cz @returns {Resident[]} */
  animals (cx, cz) {
    const dice = diceAt(this.seed, cx, cz, SALT)
    const outline = this.outlines.at(cx, cz)
    /** @type {Resident[]} */
    const found = []
    const groups = ANIMALS[BIOMES[outline.biome[8 * 16 + 8]]]
    while (groups && dice.chance(GROUPS)) {
      const [type, , low, high] = dice.weighted(
        groups.map((group) => /** @type {[Group, number]} */ ([group, group[1]])))
      const [mx, mz] = [dice.int(3, 12), dice.int(3, 12)]
      for (let left = dice.int(low, high); left > 0; left--) {
        const [x, z] = [mx + dice.int(-3, 3), mz + dice.int(-3, 3)]
        const ground = outline.ground[z * 16 + x]
        const wet = ground < SEA
        if (wet === SWIMMERS.has(type) && !this.villages.covers(cx * 16 + x, cz * 16 + z)) {
          found.push({ type, x: cx * 16 + x + 0.5, y: wet ? Math.max(ground + 1, SEA - 3) : ground + 1,
            z: cz * 16 + z + 0.5 })
        }
      }
    }
    return found
  }

  /**
   * Return a villager per house, and a golem and a cat per village.
   * @param {number} cx
   * @param {number} cz
   * @returns {Resident[]}
   */
  people (cx, cz) {
    /** @type {Resident[]} */
    const found = []
    const here = (/** @type {number} */ x, /** @type {number} */ z) => x >> 4 === cx && z >> 4 === cz
    for (const village of this.villages.around(cx, cz)) {
      for (const building of village.buildings) {
        const [px, pz] = doorstep(building)
        const [x, z] = building.kind === 'farm' ? [px, pz]
          : [building.x + (building.wide >> 1), building.z + (building.deep >> 1)]
        if (here(x, z)) found.push({ type: 'villager', x: x + 0.5, y: building.floor + 1, z: z + 0.5 })
      }
      const [gx, gz] = [village.x + 4, village.z - 4]
      if (here(gx, gz)) {
        for (const type of ['iron_golem', 'cat']) {
          found.push({ type, x: gx + 0.5, y: this.outlines.groundAt(gx, gz) + 1, z: gz + 0.5 })
        }
      }
    }
    return found
  }
}

module.exports = { Residents, ANIMALS }
