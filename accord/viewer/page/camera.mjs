/** The part of the world that the map shows. */

export const NEAREST = 64
export const FURTHEST = 0.1
/** Height of the buttons at the top of the map and of the legend at its bottom, in pixels. */
const BUTTONS = 46

/** Conversion between blocks and pixels of the canvas. */
export class Camera {
  constructor () {
    this.x = 0
    this.z = 0
    /** Pixels per block. */
    this.zoom = 8
    this.width = 1
    this.height = 1
    /** True after the user has moved the map. */
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
    // Buttons and legend keep their space only if the map has enough.
    const above = Math.min(BUTTONS, this.height / 8)
    const zoom = Math.min(this.width / (east - west + 2 * margin),
      (this.height - 2 * above) / (south - north + 2 * margin))
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
