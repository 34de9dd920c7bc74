'use strict'
/** Rays of all pixels of a picture, or of those that are not as in a kept picture of the same pose. */
const { SHADE } = require('./tracer')

/** Share of the distance of a block before which a body is certain to be in front of it. */
const BEFORE = 1 - 1e-6

/** @typedef {import('./camera').Camera} Camera */
/** @typedef {import('./tracer').Tracer} Tracer */
/** @typedef {import('./bodies').Bodies} Bodies */

/** Rays of one picture. */
class Caster {
  /**
   * @param {Camera} camera @param {Tracer} tracer @param {Bodies} bodies @param {Uint8ClampedArray} pixels
   * @param {Float64Array} free distance up to which the ray of each pixel is known to meet nothing
   */
  constructor (camera, tracer, bodies, pixels, free) {
    this.camera = camera
    this.tracer = tracer
    this.bodies = bodies
    this.pixels = pixels
    this.free = free
    /** Number of pixels by the number of the body in them. */
    this.counts = new Uint32Array(bodies.drawn.length + 1)
  }

  /** Cast the rays of all pixels. */
  cast () {
    const { width, height } = this.camera
    for (let j = 0; j < height; j++) this.castRow(j, 0, width)
  }

  /**
   * Copy the pixels of a kept picture, and draw over it what has changed: bodies, and pixels that it has open.
   * @param {import('./kept').KeptPicture} kept gets the pixels that are without a body
   */
  castOver ({ pixels: known, open }) {
    const { pixels, free } = this
    const { width, height } = this.camera
    const { depth } = this.bodies
    pixels.set(known)
    for (let j = 0; j < height; j++) {
      // Neighbours that need their rays are cast together.
      let first = -1
      for (let i = 0, at = j * width; i <= width; i++, at++) {
        if (i < width && (depth[at] < Infinity ? depth[at] > free[at] : open[at] === 1)) {
          if (first < 0) first = i
          continue
        }
        if (first >= 0) this.castRow(j, first, i)
        first = -1
        if (i < width && depth[at] < Infinity) this.paintBody(at)
      }
      for (let at = j * width; at < (j + 1) * width; at++) {
        if (open[at] === 0 || depth[at] < Infinity) continue
        open[at] = 0
        known[at * 3] = pixels[at * 3]
        known[at * 3 + 1] = pixels[at * 3 + 1]
        known[at * 3 + 2] = pixels[at * 3 + 2]
      }
    }
  }

  /** Cast the rays of a row's pixels. @param {number} j @param {number} from @param {number} to columns */
  castRow (j, from, to) {
    const { tracer, bodies, pixels, free, counts } = this
    const { daylight, colour, scratch, reach } = tracer
    const { columns, width } = this.camera
    const [rowX, rowY, rowZ] = this.camera.row(j)
    for (let i = from, at = j * width + from; i < to; i++, at++) {
      const x = columns[2 * i] + rowX
      const z = columns[2 * i + 1] + rowZ
      const scale = 1 / Math.sqrt(x * x + rowY * rowY + z * z)
      const limit = bodies.depth[at]
      tracer.aim(x * scale, rowY * scale, z * scale, limit)
      const opaque = tracer.trace()
      if (!tracer.mixed) free[at] = opaque ? tracer.depth * BEFORE : tracer.limit
      if (!opaque) {
        if (limit < reach) {
          tracer.add(bodies.texel[at], bodies.light[at], SHADE[bodies.side[at]], limit)
          counts[bodies.who[at]]++
        } else {
          daylight.colour(x * scale, rowY * scale, z * scale, scratch)
          for (let c = 0; c < 3; c++) colour[c] += scratch[c] * tracer.left
        }
      }
      pixels[at * 3] = colour[0]
      pixels[at * 3 + 1] = colour[1]
      pixels[at * 3 + 2] = colour[2]
    }
  }

  /** Draw the body in a pixel before which the ray meets nothing. @param {number} at */
  paintBody (at) {
    const { tracer, bodies, pixels } = this
    const { colour } = tracer
    colour[0] = colour[1] = colour[2] = 0
    tracer.left = 1
    tracer.add(bodies.texel[at], bodies.light[at], SHADE[bodies.side[at]], bodies.depth[at])
    this.counts[bodies.who[at]]++
    pixels[at * 3] = colour[0]
    pixels[at * 3 + 1] = colour[1]
    pixels[at * 3 + 2] = colour[2]
  }
}

module.exports = { Caster }
