'use strict'
/**
 * Survival terrain: land, caves, ores, then what was built and what grows, drawn on one column. All of it is a function of seed
 * and place, so columns come out the same in whatever order they are asked for.
 */
const { hash } = require('../random')
const { Canvas } = require('./canvas')
const { Caves } = require('./caves')
const { Locator } = require('./locate')
const { Grounds } = require('./ground')
const { Ores } = require('./ores')
const { Outlines } = require('./outline')
const { Packer } = require('./packing')
const { BIOMES } = require('./biomes')

/** Makes the columns of one world. */
class SurvivalTerrain {
  /** @param {import('../data').GameData} data @param {string} seed */
  constructor (data, seed) {
    this.data = data
    this.seed = hash(seed, 77)
    this.outlines = new Outlines(seed)
    this.grounds = new Grounds(data, this.seed)
    this.caves = new Caves(seed)
    this.ores = new Ores(data, this.seed, this.outlines)
    this.locate = new Locator(this.outlines, this.caves)
    this.packer = new Packer(data)
    /** Biome id of the version by the generator's index. */
    this.biomeIds = BIOMES.map((name) => data.registry.biomesByName[name].id)
  }

  /** A fresh column. @param {number} cx @param {number} cz @returns {any} prismarine-chunk's */
  generate (cx, cz) {
    const outline = this.outlines.at(cx, cz)
    return this.packer.column(this.draw(cx, cz).cells, Array.from({ length: 16 }, (_, i) => this.biomeIds[outline.biome[((i >> 2) * 4 + 2) * 16 + (i & 3) * 4 + 2]]))
  }

  /** Where players first stand. */
  spawn () { return this.locate.spawn() }

  /** @param {number} cx @param {number} cz */
  draw (cx, cz) {
    const canvas = new Canvas(this.data, cx, cz)
    const outline = this.outlines.at(cx, cz)
    this.grounds.fill(canvas, outline)
    this.caves.carve(canvas, this.outlines.roof(cx, cz), this.grounds)
    eachAround(cx, cz, (x, z) => { for (const blob of this.ores.of(x, z)) this.ores.draw(canvas, blob) })
    return canvas
  }
}

/** The columns whose things may reach into this one, always in the same order. @param {number} cx @param {number} cz @param {(cx: number, cz: number) => void} visit */
function eachAround (cx, cz, visit) {
  for (let z = cz - 1; z <= cz + 1; z++) for (let x = cx - 1; x <= cx + 1; x++) visit(x, z)
}

module.exports = { SurvivalTerrain, eachAround }
