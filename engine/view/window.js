'use strict'
/** The sections around a camera in flat arrays, which rays index by their coordinates. */
const { SECTIONS, BRICKS } = require('./land')
const { MIN_Y } = require('../world/terrain')

/**
 * Sections within reach of one camera. Coordinates count from the window's lowest corner. A window is good until the
 * next one of the same land, which writes its masks into the same memory: a megabyte of zeros costs more than the rest.
 */
class Window {
  /**
   * @param {import('./land').Land} land
   * @param {{ x: number, z: number }} eye
   * @param {number} reach blocks
   */
  constructor (land, eye, reach) {
    const cx0 = Math.floor(eye.x - reach) >> 4
    const cz0 = Math.floor(eye.z - reach) >> 4
    this.wide = (Math.floor(eye.x + reach) >> 4) - cx0 + 1
    this.deep = (Math.floor(eye.z + reach) >> 4) - cz0 + 1
    this.tall = SECTIONS
    /** Height above which all sections are empty. */
    this.ceiling = 0
    /** Height above which there is air everywhere. */
    this.crown = 0
    this.x0 = cx0 * 16
    this.y0 = MIN_Y
    this.z0 = cz0 * 16
    /** @type {(Uint16Array | null)[]} */
    this.cells = []
    /** Codes of the bricks of all columns, `BRICKS.column` each. */
    this.codes = new Uint8Array(this.wide * this.deep * BRICKS.column)
    /** Heights of the squares of 4 x 4 blocks, above which there is air. */
    this.heights = new Uint16Array(this.wide * this.deep * 16)
    /** Masks of the bricks of all columns, two words for each. Those of empty bricks are left as they were. */
    this.masks = land.memory(this.wide * this.deep * BRICKS.column * 2)
    /** @type {Uint8Array[]} */
    this.light = []
    for (let x = 0; x < this.wide; x++) {
      for (let z = 0; z < this.deep; z++) {
        // Light first: it may unpack sections of columns beside.
        const light = land.lightOf(cx0 + x, cz0 + z)
        const { sections, codes, heights, masks } = land.column(cx0 + x, cz0 + z)
        this.codes.set(codes, (x * this.deep + z) * BRICKS.column)
        for (let square = 0; square < 16; square++) {
          this.heights[(x * 4 + (square >> 2)) * this.deep * 4 + z * 4 + (square & 3)] = heights[square]
          this.crown = Math.max(this.crown, heights[square])
        }
        for (let y = 0; y < SECTIONS; y++) {
          if (sections[y] !== null) this.ceiling = Math.max(this.ceiling, y * 16 + 16)
          this.cells.push(sections[y])
          this.light.push(light[y])
          const words = masks[y]
          if (words !== null) this.masks.set(words, ((x * this.deep + z) * SECTIONS + y) * BRICKS.section * 2)
        }
      }
    }
    /** Stamp of each column, by x and z. */
    this.stamps = new Float64Array(this.wide * this.deep)
      .map((_, at) => land.stampOf(cx0 + Math.floor(at / this.deep), cz0 + at % this.deep))
  }
}

module.exports = { Window }
