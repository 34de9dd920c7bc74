'use strict'
/** Trees of a column: how many and which in each biome, with cocoa and vines. */
const { diceAt } = require('./dice')
const { ON } = require('./canvas')
const { BIOMES } = require('./biomes')
const { SEA } = require('./climate')
const { Pen, Timber, SHAPES } = require('./trees')

/**
 * @typedef {object} Kind
 * @property {string} wood key of TIMBER
 * @property {keyof typeof SHAPES} shape
 * @property {'vines' | 'cocoa'} [hung]
 */
/** @typedef {{ box: number[], draw: (canvas: import('./canvas').Canvas) => void }} Feature */

/** @type {Record<string, [string, string]>} */
const TIMBER = {
  oak: ['oak_log', 'oak_leaves'], birch: ['birch_log', 'birch_leaves'], spruce: ['spruce_log', 'spruce_leaves'],
  dark_oak: ['dark_oak_log', 'dark_oak_leaves'],
  acacia: ['acacia_log', 'acacia_leaves'], jungle: ['jungle_log', 'jungle_leaves'],
  cherry: ['cherry_log', 'cherry_leaves']
}
/** @type {Record<string, Kind>} */
const KINDS = {
  oak: { wood: 'oak', shape: 'oak' }, fancy: { wood: 'oak', shape: 'fancy' }, birch: { wood: 'birch', shape: 'birch' },
  spruce: { wood: 'spruce', shape: 'cone' }, pine: { wood: 'spruce', shape: 'pine' },
  dark_oak: { wood: 'dark_oak', shape: 'broad' }, acacia: { wood: 'acacia', shape: 'bent' },
  jungle: { wood: 'jungle', shape: 'jungle', hung: 'cocoa' }, bush: { wood: 'jungle', shape: 'bush' },
  swamp: { wood: 'oak', shape: 'swamp', hung: 'vines' }, cherry: { wood: 'cherry', shape: 'cherry' },
  red_mushroom: { wood: 'red_mushroom', shape: 'mushroom' },
  brown_mushroom: { wood: 'brown_mushroom', shape: 'mushroom' }
}

/**
 * Number of trees per column and their kinds: near vanilla's, thinner in jungles.
 * @type {Record<string, [number, [string, number][]]>}
 */
const WOODS = {
  plains: [0.06, [['oak', 2], ['fancy', 1]]], sunflower_plains: [0.06, [['oak', 2], ['fancy', 1]]],
  forest: [10, [['oak', 7], ['fancy', 1], ['birch', 2]]], flower_forest: [6, [['birch', 2], ['oak', 7], ['fancy', 1]]],
  birch_forest: [10, [['birch', 1]]],
  dark_forest: [16, [['dark_oak', 66], ['birch', 5], ['oak', 15], ['fancy', 3], ['red_mushroom', 3],
  ['brown_mushroom', 4]]], meadow: [0.02, [['fancy', 1], ['birch', 1]]],
  cherry_grove: [8, [['cherry', 1]]], savanna: [1.2, [['acacia', 8], ['oak', 2]]],
  jungle: [20, [['jungle', 10], ['bush', 8], ['fancy', 2]]],
  bamboo_jungle: [10, [['jungle', 5], ['bush', 4], ['fancy', 1]]],
  taiga: [10, [['spruce', 2], ['pine', 1]]], old_growth_spruce_taiga: [10, [['spruce', 3], ['pine', 2]]],
  snowy_taiga: [10, [['spruce', 2], ['pine', 1]]], snowy_plains: [0.1, [['spruce', 1]]],
  grove: [9, [['spruce', 2], ['pine', 1]]],
  swamp: [3, [['swamp', 1]]], windswept_hills: [0.4, [['spruce', 2], ['oak', 1]]],
  windswept_forest: [3, [['spruce', 2], ['oak', 1]]], river: [0.1, [['oak', 1]]]
}
const MAX_TREES = 20
const SALT = 41
const REACH = 9
/** Slope above which no tree grows. */
const STEEP = 15
const SIDES = Object.freeze([['north', 0, 1], ['south', 0, -1], ['west', 1, 0], ['east', -1, 0]])

/** The trees of one world. */
class Woods {
  /**
   * @param {import('../data').GameData} data
   * @param {number} seed
   * @param {import('./outline').Outlines} outlines
   * @param {import('./caves').Caves} caves
   */
  constructor (data, seed, outlines, caves) {
    this.seed = seed
    this.outlines = outlines
    this.caves = caves
    /** @type {Record<string, any>} */
    this.timbers = Object.fromEntries(Object.entries(TIMBER)
      .map(([wood, [log, leaves]]) => [wood, new Timber(data, log, leaves)]))
    for (const colour of ['red', 'brown']) {
      const stem = data.stateId('mushroom_stem')
      this.timbers[`${colour}_mushroom`] = { logs: { x: stem, y: stem, z: stem },
        leaves: Array(8).fill(data.stateId(`${colour}_mushroom_block`)), dirt: data.stateId('dirt') }
    }
    this.vines = SIDES.map(([side]) => data.stateId('vine', { [side]: true }))
    this.cocoa = SIDES.map(([side]) => [0, 1, 2].map((age) => data.stateId('cocoa', { facing: side, age })))
  }

  /**
   * Return the trees that stand in a column.
   * @param {number} cx
   * @param {number} cz
   * @param {(x: number, z: number) => boolean} taken whether something else stands there
   * @returns {Feature[]}
   */
  treesOf (cx, cz, taken) {
    const outline = this.outlines.at(cx, cz)
    const dice = diceAt(this.seed, cx, cz, SALT)
    /** @type {Feature[]} */
    const trees = []
    /** @type {number[][]} */
    const trunks = []
    for (let n = 0; n < MAX_TREES; n++) {
      const [x, z, luck] = [dice.int(0, 15), dice.int(0, 15), dice.next()]
      const at = z * 16 + x
      const biome = BIOMES[outline.biome[at]]
      const [count, kinds] = WOODS[biome] ?? [0, []]
      const name = count > 0 ? dice.weighted(kinds) : ''
      if (n + luck >= count || !this.grows(outline, at, biome)) continue
      const apart = name === 'dark_oak' ? 3 : 2
      if (trunks.some(([tx, tz]) => Math.abs(tx - x) < apart && Math.abs(tz - z) < apart)) continue
      const [wx, wz] = [cx * 16 + x, cz * 16 + z]
      if (this.caves.mouthAt(wx, wz) || taken(wx, wz)) continue
      trunks.push([x, z])
      trees.push(this.tree(KINDS[name], wx, outline.ground[at] + 1, wz))
    }
    return trees
  }

  /** @param {import('./outline').Outline} outline @param {number} at @param {string} biome */
  grows (outline, at, biome) {
    const ground = outline.ground[at]
    if (outline.steep[at] > STEEP) return false
    return ground > SEA - (biome === 'swamp' ? 2 : 0) && !(biome === 'river' && ground <= SEA)
  }

  /** @param {Kind} kind @param {number} x @param {number} y @param {number} z @returns {Feature} */
  tree (kind, x, y, z) {
    return {
      box: [x - REACH, z - REACH, x + REACH, z + REACH],
      draw: (canvas) => {
        SHAPES[kind.shape](new Pen(canvas, this.timbers[kind.wood]), x, y, z, diceAt(this.seed, x, z, SALT + 1))
        if (kind.hung === 'cocoa') this.hangCocoa(canvas, x, y, z)
        if (kind.hung === 'vines') this.hangVines(canvas, x, y, z)
      }
    }
  }

  /**
   * Hang cocoa on the trunk.
   * @param {import('./canvas').Canvas} canvas
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  hangCocoa (canvas, x, y, z) {
    const dice = diceAt(this.seed, x, z, SALT + 2)
    if (!dice.chance(0.2)) return
    SIDES.forEach(([, dx, dz], i) => {
      if (dice.chance(0.4)) {
        canvas.put(x + Number(dx), y + dice.int(1, 3), z + Number(dz), this.cocoa[i][dice.int(0, 2)], ON.AIR)
      }
    })
  }

  /**
   * Hang vines around the crown, outside its leaves.
   * @param {import('./canvas').Canvas} canvas
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  hangVines (canvas, x, y, z) {
    const dice = diceAt(this.seed, x, z, SALT + 3)
    SIDES.forEach(([, dx, dz], i) => {
      for (let side = -2; side <= 2; side++) {
        const length = dice.int(0, 4) - 1
        // A vine's property names the side that it clings to: the crown is there.
        for (let n = 0; n < length; n++) {
          canvas.put(x + Number(dx) * 4 + (dx ? 0 : side), y + 3 - n, z + Number(dz) * 4 + (dz ? 0 : side),
            this.vines[i], ON.AIR)
        }
      }
    })
  }
}

module.exports = { Woods, WOODS, KINDS, TIMBER }
