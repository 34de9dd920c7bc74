/** What part of the world the map shows. */

export const NEAREST = 64
export const FURTHEST = 0.1
/** Pixels that buttons take at the top of the map, and a legend at its bottom. */
const BUTTONS = 46

/** Blocks to pixels of the canvas and back. */
export class Camera {
  constructor () {
    this.x = 0
    this.z = 0
    /** Pixels of a block. */
    this.zoom = 8
    this.width = 1
    this.height = 1
    /** Whether a person has moved it. */
    this.moved = false
  }

  /** @param {number} x @param {number} z @returns {[number, number]} */
  toScreen (x, z) {
    return [(x - this.x) * this.zoom + this.width / 2, (z - this.z) * this.zoom + this.height / 2]
  }

  /** @param {number} left @param {number} top @returns {[number, number]} */
  toWorld (left, top) {
    return [(left - this.width / 2) / this.zoom + this.x, (top - this.height / 2) / this.zoom + this.z]
  }

  /** @param {number} right pixels to move the picture @param {number} down */
  pan (right, down) {
    this.x -= right / this.zoom
    this.z -= down / this.zoom
    this.moved = true
  }

  /** @param {number} times @param {number} [left] stays where it is @param {number} [top] */
  scale (times, left = this.width / 2, top = this.height / 2) {
    const [x, z] = this.toWorld(left, top)
    this.zoom = Math.min(NEAREST, Math.max(FURTHEST, this.zoom * times))
    const [nowX, nowZ] = this.toWorld(left, top)
    this.x += x - nowX
    this.z += z - nowZ
    this.moved = true
  }

  /** @param {number[]} box west, north, east, south in blocks */
  fit ([west, north, east, south]) {
    const margin = 3
    // Above and below are buttons and the legend, where there is room for both and the map.
    const above = Math.min(BUTTONS, this.height / 8)
    const zoom = Math.min(this.width / (east - west + 2 * margin), (this.height - 2 * above) / (south - north + 2 * margin))
    this.zoom = Math.min(NEAREST, Math.max(FURTHEST, zoom))
    this.x = (west + east) / 2
    this.z = (north + south) / 2
  }

  /** @param {number} x @param {number} z */
  centre (x, z) {
    this.x = x
    this.z = z
  }
}
