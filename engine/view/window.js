'use strict'
/** The sections around a camera in flat arrays, which rays index by their coordinates. */
const { SECTIONS, BRICKS } = require('./land')
const { MIN_Y } = require('../world/terrain')

/** Sections within reach of one camera. Coordinates count from the window's lowest corner. */
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
    this.x0 = cx0 * 16
    this.y0 = MIN_Y
    this.z0 = cz0 * 16
    /** @type {(Uint16Array | null)[]} */
    this.cells = []
    /** Codes of the bricks of all columns, `BRICKS.column` each. */
    this.codes = new Uint8Array(this.wide * this.deep * BRICKS.column)
    /** @type {Uint8Array[]} */
    this.light = []
    for (let x = 0; x < this.wide; x++) {
      for (let z = 0; z < this.deep; z++) {
        // Light first: it may unpack sections of columns beside.
        const light = land.lightOf(cx0 + x, cz0 + z)
        const { sections, codes } = land.column(cx0 + x, cz0 + z)
        this.codes.set(codes, (x * this.deep + z) * BRICKS.column)
        for (let y = 0; y < SECTIONS; y++) {
          if (sections[y] !== null) this.ceiling = Math.max(this.ceiling, y * 16 + 16)
          this.cells.push(sections[y])
          this.light.push(light[y])
        }
      }
    }
  }
}

module.exports = { Window }
