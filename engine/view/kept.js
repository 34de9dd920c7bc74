'use strict'
/**
 * Pictures without bodies, kept by their pose: who looks again from the same place needs new rays only where bodies
 * hide or uncover something, where blocks or their light have changed, and around the sun and the moon. All other
 * pixels are what the rays would give again.
 */

/** Most memory of all kept pictures of a view: 48 of 320 x 180 pixels. */
const MAX_BYTES = 32 * 1024 * 1024
/** Most poses that are remembered after their first picture. */
const MAX_ONCE = 256
/** Half the width of a square around the sun or the moon, at distance 1: more than that of their discs. */
const DISC = 0.1
/** Blocks beside a cell that may change how a ray is drawn in it: light before a face, water above. */
const BESIDE = 1

/** @typedef {import('./camera').Camera} Camera */
/** @typedef {import('./sky').Daylight} Daylight */
/** @typedef {import('./window').Window} Window */

/** Picture of one pose without bodies. */
class KeptPicture {
  /**
   * @param {Uint8Array} pixels red, green and blue by rows
   * @param {Float64Array} depth distance of the body in each pixel, Infinity for none
   * @param {Float64Array} free as the caster leaves it
   * @param {Window} window @param {Daylight} daylight
   */
  constructor (pixels, depth, free, window, daylight) {
    this.pixels = pixels.slice()
    /** Distance up to which the ray of a pixel meets nothing, or less. */
    this.free = free.slice()
    /** 1 for pixels that have to be drawn again. */
    this.open = new Uint8Array(depth.length)
    for (let at = 0; at < depth.length; at++) if (depth[at] < Infinity) this.open[at] = 1
    this.stamps = window.stamps.slice()
    this.ceiling = window.ceiling
    this.daylight = daylight
  }

  get bytes () { return this.pixels.length + this.open.length + this.free.byteLength + this.stamps.byteLength }

  /**
   * Open the pixels that may have changed since.
   * @param {Camera} camera @param {Window} window @param {Daylight} daylight
   * @returns {boolean} false if all may have changed
   */
  renew (camera, window, daylight) {
    // Rays from above the land begin at its ceiling, and the last bits of their distances depend on it.
    if (window.ceiling !== this.ceiling || !this.daylight.hasLightOf(daylight)) return false
    for (let at = 0; at < window.stamps.length; at++) {
      if (window.stamps[at] === this.stamps[at]) continue
      for (const box of window.changesSince(at, this.stamps[at])) {
        this.openRectangle(camera, camera.rectangle(cornersOf(box, BESIDE)))
      }
    }
    this.stamps = window.stamps.slice()
    for (const way of daylight.discs(DISC, this.daylight)) {
      const corners = way.map(([x, y, z]) => [camera.eye.x + x, camera.eye.y + y, camera.eye.z + z])
      this.openRectangle(camera, camera.rectangle(corners))
    }
    this.daylight = daylight
    return true
  }

  /** @param {Camera} camera @param {ReturnType<Camera['rectangle']>} rectangle */
  openRectangle ({ width }, rectangle) {
    if (rectangle === null) return
    const [left, top, right, bottom] = rectangle
    for (let j = top; j <= bottom; j++) {
      this.open.fill(1, j * width + left, j * width + right + 1)
      this.free.fill(0, j * width + left, j * width + right + 1)
    }
  }
}

/** Kept pictures of one view, the last used last. */
class KeptPictures {
  constructor () {
    /** @type {Map<string, KeptPicture>} */
    this.pictures = new Map()
    this.bytes = 0
    /** Poses that were drawn once of late: only who looks a second time is likely to look again. @type {Set<string>} */
    this.once = new Set()
  }

  /** Return true if a picture of a pose should be kept: at its second look. @param {string} key */
  isRepeated (key) {
    if (this.once.delete(key)) return true
    this.once.add(key)
    if (this.once.size > MAX_ONCE) this.once.delete(/** @type {string} */ (this.once.values().next().value))
    return false
  }

  /** Return the picture that was kept for a pose, which counts as used. @param {string} key */
  find (key) {
    const found = this.pictures.get(key)
    if (found !== undefined) {
      this.pictures.delete(key)
      this.pictures.set(key, found)
    }
    return found
  }

  /** Keep a picture, and drop those that were used longest ago. @param {string} key @param {KeptPicture} picture */
  keep (key, picture) {
    this.bytes += picture.bytes - (this.pictures.get(key)?.bytes ?? 0)
    this.pictures.delete(key)
    this.pictures.set(key, picture)
    for (const [oldest, { bytes }] of this.pictures) {
      if (this.bytes <= MAX_BYTES) break
      this.pictures.delete(oldest)
      this.bytes -= bytes
    }
  }
}

/**
 * Return the corners of a box that is wider by a margin on each side.
 * @param {import('./changes').Box} box @param {number} margin
 */
function cornersOf ([x0, y0, z0, x1, y1, z1], margin) {
  return Array.from({ length: 8 }, (_, i) =>
    [i & 1 ? x1 + margin : x0 - margin, i & 2 ? y1 + margin : y0 - margin, i & 4 ? z1 + margin : z0 - margin])
}

module.exports = { KeptPicture, KeptPictures, MAX_BYTES }
