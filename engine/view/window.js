'use strict'
/** The sections around a camera in flat arrays, which rays index by their coordinates. */
const { SECTIONS, BRICKS } = require('./land')
const { MIN_Y } = require('../world/terrain')

/** Most columns of all kept windows, 14 KB each. */
const MAX_COLUMNS = 1024

/** @typedef {import('./land').Land} Land */
/** @typedef {import('./changes').Changes} Changes */

/** Sections within reach of one camera. Coordinates count from the window's lowest corner. */
class Window {
  /**
   * @param {Land} land
   * @param {{ x: number, z: number }} eye
   * @param {number} reach blocks
   */
  constructor (land, eye, reach) {
    const [cx0, cz0, wide, deep] = boundsOf(eye, reach)
    this.land = land
    this.wide = wide
    this.deep = deep
    this.tall = SECTIONS
    /** Height above which all sections are empty. */
    this.ceiling = 0
    /** Height above which there is air everywhere. */
    this.crown = 0
    this.x0 = cx0 * 16
    this.y0 = MIN_Y
    this.z0 = cz0 * 16
    const count = wide * deep
    /** @type {(Uint16Array | null)[]} */
    this.cells = new Array(count * SECTIONS).fill(null)
    /** @type {Uint8Array[]} */
    this.light = new Array(count * SECTIONS)
    /** Codes of the bricks of all columns, `BRICKS.column` each. */
    this.codes = new Uint8Array(count * BRICKS.column)
    /** Heights of the squares of 4 x 4 blocks, above which there is air. */
    this.heights = new Uint16Array(count * 16)
    /** Masks of the bricks of all columns, two words for each. Those of empty bricks are left as they were. */
    this.masks = new Uint32Array(count * BRICKS.column * 2)
    /** Changes of each column, by x and z, and the stamp of the last one that is in the window. */
    this.changes = /** @type {Changes[]} */ (new Array(count))
    this.stamps = new Float64Array(count)
    this.renew()
  }

  /** Copy the columns that have changed since. */
  renew () {
    const { land, deep, stamps } = this
    let changed = false
    for (let at = 0; at < stamps.length; at++) {
      const cx = (this.x0 >> 4) + Math.floor(at / deep)
      const cz = (this.z0 >> 4) + at % deep
      const changes = this.changes[at] = land.changesOf(cx, cz)
      if (stamps[at] === changes.stamp) continue
      stamps[at] = changes.stamp
      this.copyColumn(at, cx, cz)
      changed = true
    }
    if (!changed) return
    this.crown = this.heights.reduce((most, height) => Math.max(most, height), 0)
    this.ceiling = 16 * this.cells.reduce((most, cells, at) => cells === null ? most
      : Math.max(most, at % SECTIONS + 1), 0)
  }

  /**
   * Return boxes that hold all changes of a column after a stamp.
   * @param {number} at its number @param {number} stamp
   * @returns {import('./changes').Box[]}
   */
  changesSince (at, stamp) {
    const x = this.x0 + Math.floor(at / this.deep) * 16
    const z = this.z0 + at % this.deep * 16
    return this.changes[at].since(stamp) ?? [[x, this.y0, z, x + 16, this.y0 + this.ceiling, z + 16]]
  }

  /** @param {number} at its number @param {number} cx @param {number} cz */
  copyColumn (at, cx, cz) {
    const { land, deep } = this
    const light = land.lightOf(cx, cz)
    const { sections, codes, heights, masks } = land.column(cx, cz)
    this.codes.set(codes, at * BRICKS.column)
    const corner = Math.floor(at / deep) * deep * 16 + at % deep * 4
    for (let square = 0; square < 16; square++) {
      this.heights[corner + (square >> 2) * deep * 4 + (square & 3)] = heights[square]
    }
    for (let y = 0; y < SECTIONS; y++) {
      this.cells[at * SECTIONS + y] = sections[y]
      this.light[at * SECTIONS + y] = light[y]
      const words = masks[y]
      if (words !== null) this.masks.set(words, (at * SECTIONS + y) * BRICKS.section * 2)
    }
  }
}

/** Windows of the last pictures of one land: players near each other look through the same one. */
class Windows {
  /** @param {Land} land */
  constructor (land) {
    this.land = land
    /** The last used last. @type {Map<string, Window>} */
    this.kept = new Map()
  }

  /**
   * Return the window around an eye as it is now.
   * @param {{ x: number, z: number }} eye @param {number} reach blocks
   */
  around (eye, reach) {
    const key = boundsOf(eye, reach).join(' ')
    const known = this.kept.get(key)
    known?.renew()
    const window = known ?? new Window(this.land, eye, reach)
    this.kept.delete(key)
    this.kept.set(key, window)
    let columns = 0
    for (const [each, { stamps }] of [...this.kept].reverse()) {
      columns += stamps.length
      if (columns > MAX_COLUMNS && each !== key) this.kept.delete(each)
    }
    return window
  }
}

/**
 * Return the columns within reach of an eye.
 * @param {{ x: number, z: number }} eye @param {number} reach blocks
 * @returns {[number, number, number, number]} x and z of the first, and their numbers along both
 */
function boundsOf (eye, reach) {
  const [cx0, cz0] = [Math.floor(eye.x - reach) >> 4, Math.floor(eye.z - reach) >> 4]
  return [cx0, cz0, (Math.floor(eye.x + reach) >> 4) - cx0 + 1, (Math.floor(eye.z + reach) >> 4) - cz0 + 1]
}

module.exports = { Window, Windows }
