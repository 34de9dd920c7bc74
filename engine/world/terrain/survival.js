'use strict'
/**
 * Survival terrain: land, caves, ores, structures and plants, drawn column by column. A function of seed and place, so
 * that columns do not depend on the order of their generation.
 */
const { hash } = require('../random')
const { Canvas, HEIGHT } = require('./canvas')
const { Caves } = require('./caves')
const { Locator } = require('./locate')
const { Grounds } = require('./ground')
const { Ores } = require('./ores')
const { Outlines } = require('./outline')
const { diceAt } = require('./dice')
const { fillChest } = require('./chest_loot')
const { Residents } = require('./residents')
const { Woods } = require('./woods')
const { Covers } = require('./cover')
const { Hollows } = require('./hollows')
const { Villages } = require('./villages/plan')
const { Builder } = require('./villages/draw')
const { Packer } = require('./packing')
const { BIOMES } = require('./biomes')
const { strongholds, drawStrongholds } = require('./strongholds')

/** Maximum number of columns whose trees are cached. */
const MAX_CACHED_COLUMNS = 2048
const SALT_LOOT = 9100

/** Generator of the columns of one world. */
class SurvivalTerrain {
  /** @param {import('../data').GameData} data @param {string} seed */
  constructor (data, seed) {
    this.data = data
    this.seed = hash(seed, 77)
    this.outlines = new Outlines(seed)
    this.grounds = new Grounds(data, this.seed)
    this.caves = new Caves(seed)
    this.ores = new Ores(data, this.seed, this.outlines)
    this.villages = new Villages(this.seed, this.outlines)
    this.builder = new Builder(data, this.seed, this.outlines)
    this.hollows = new Hollows(data, this.seed, this.outlines, this.caves)
    this.people = new Residents(this.seed, this.outlines, this.villages)
    this.woods = new Woods(data, this.seed, this.outlines, this.caves)
    this.covers = new Covers(data, seed, this.seed, this.outlines)
    /** Trees by the column in which they stand. @type {Map<string, import('./woods').Feature[]>} */
    this.trees = new Map()
    this.taken = (/** @type {number} */ x, /** @type {number} */ z) => this.villages.covers(x, z)
    this.locate = new Locator(this.outlines, this.caves, this.villages)
    this.strongholds = strongholds(this.seed)
    this.packer = new Packer(data)
    /** One canvas for all columns: it is packed before the next is drawn. */
    this.cells = new Uint16Array(16 * 16 * HEIGHT)
    /** Biome id of the version by the generator's index. */
    this.biomeIds = BIOMES.map((name) => data.registry.biomesByName[name].id)
  }

  /** Return a new column. @param {number} cx @param {number} cz @returns {any} prismarine-chunk's */
  generate (cx, cz) {
    const outline = this.outlines.at(cx, cz)
    return this.packer.column(this.draw(cx, cz, this.cells).cells,
      Array.from({ length: 16 }, (_, i) => this.biomeIds[outline.biome[((i >> 2) * 4 + 2) * 16 + (i & 3) * 4 + 2]]))
  }

  /** Return the place where players first stand. */
  spawn () {
    return this.locate.spawn((x, y, z) => {
      const canvas = this.draw(x >> 4, z >> 4, this.cells)
      const state = (/** @type {number} */ dy) => this.data.state(canvas.get(x, y + dy, z))
      return state(-1).fullCube && [0, 1].every((dy) => state(dy).shapes.length === 0 && !state(dy).liquid)
    })
  }

  /** @param {number} cx @param {number} cz */
  residents (cx, cz) { return this.people.residentsOf(cx, cz) }

  /** @param {string} name @param {{ x: number, z: number }} from */
  locateBiome (name, from) { return this.locate.biome(name, from) }

  /** Return the nearest portal room. @param {{ x: number, z: number }} from */
  locateStronghold (from) {
    return [...this.strongholds].sort((a, b) =>
      Math.hypot(a.x - from.x, a.z - from.z) - Math.hypot(b.x - from.x, b.z - from.z))[0]
  }

  /** @param {{ x: number, z: number }} from @param {string | null} style */
  locateVillage (from, style) { return this.locate.village(from, style) }

  /**
   * Return the loot of a generated chest.
   * @param {{ x: number, y: number, z: number }} pos
   * @returns {string | null} key of CHESTS
   */
  lootAt ({ x, y, z }) {
    if (this.hollows.dungeon(x >> 4,
      z >> 4)?.chests.some((chest) => chest[0] === x && chest[1] === y && chest[2] === z)) {
      return 'dungeon'
    }
    for (const village of this.villages.around(x >> 4, z >> 4)) {
      const building = village.buildings.find((b) => x >= b.x && z >= b.z && x < b.x + b.wide && z < b.z + b.deep)
      if (building) return building.kind === 'house' ? `${village.style}_house` : building.kind
    }
    return null
  }

  /**
   * @param {{ x: number, y: number, z: number }} pos
   * @param {import('../stacks').Stacks} stacks
   * @param {import('../windows/store').Store} store
   */
  fill (pos, stacks, store) {
    const table = this.lootAt(pos)
    if (table) fillChest(stacks, store, table, diceAt(this.seed, pos.x, pos.z, SALT_LOOT + pos.y))
  }

  /** @param {number} cx @param {number} cz @param {Uint16Array} [cells] an old canvas's */
  draw (cx, cz, cells) {
    const canvas = new Canvas(this.data, cx, cz, 1, cells)
    const outline = this.outlines.at(cx, cz)
    this.grounds.fill(canvas, outline)
    this.caves.carve(canvas, this.outlines.roof(cx, cz), this.grounds)
    eachAround(cx, cz, (x, z) => this.ores.drawFrom(canvas, x, z))
    this.hollows.draw(canvas, cx, cz, this.taken)
    eachAround(cx, cz, (x, z) => {
      for (const tree of this.treesOf(x, z)) {
        if (canvas.shows(tree.box[0], tree.box[1], tree.box[2], tree.box[3])) tree.draw(canvas)
      }
    })
    for (const village of this.villages.around(cx, cz)) this.builder.draw(canvas, village)
    this.covers.draw(canvas, outline)
    drawStrongholds(canvas, this.data, this.seed, this.strongholds)
    return canvas
  }

  /** @param {number} cx @param {number} cz */
  treesOf (cx, cz) {
    const key = `${cx},${cz}`
    let trees = this.trees.get(key)
    if (!trees) {
      if (this.trees.size >= MAX_CACHED_COLUMNS) {
        for (const old of [...this.trees.keys()].slice(0, MAX_CACHED_COLUMNS / 2)) this.trees.delete(old)
      }
      this.trees.set(key, trees = this.woods.treesOf(cx, cz, this.taken))
    }
    return trees
  }
}

/**
 * Visit the columns whose structures may reach into a column, always in the same order.
 * @param {number} cx
 * @param {number} cz
 * @param {(cx: number, cz: number) => void} visit
 */
function eachAround (cx, cz, visit) {
  for (let z = cz - 1; z <= cz + 1; z++) for (let x = cx - 1; x <= cx + 1; x++) visit(x, z)
}

module.exports = { SurvivalTerrain, eachAround }
