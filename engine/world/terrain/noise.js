'use strict'
/** Smooth random fields by seed and name (simplex noise), and sums of their octaves. */
const { createNoise2D, createNoise3D } = require('simplex-noise')
const { RandomStream } = require('../random')

/** @typedef {(x: number, z: number) => number} Flat in [-1, 1] */
/** @typedef {(x: number, y: number, z: number) => number} Solid in [-1, 1] */

/** @param {string} seed @param {string} name */
function source (seed, name) {
  const stream = new RandomStream(`${seed}/terrain/${name}`)
  return () => stream.next()
}

/** @param {string} seed @param {string} name @returns {Solid} */
function solidNoise (seed, name) { return createNoise3D(source(seed, name)) }

/**
 * Return a sum of octaves, each twice as fine and half as strong as the one before.
 * @param {string} seed
 * @param {string} name
 * @param {number} size wavelength of the first octave, in blocks
 * @param {number} [octaves]
 * @returns {Flat} in about [-1, 1]
 */
function flatNoise (seed, name, size, octaves = 1) {
  const noise = createNoise2D(source(seed, name))
  let sum = 0
  for (let i = 0; i < octaves; i++) sum += 0.5 ** i
  return (x, z) => {
    let value = 0
    let scale = 1 / size
    let weight = 1 / sum
    for (let i = 0; i < octaves; i++) {
      // Octaves are sampled at different offsets: their zeros must not coincide at the origin.
      value += weight * noise(x * scale + i * 31.7, z * scale - i * 17.3)
      scale *= 2
      weight /= 2
    }
    return value
  }
}

/**
 * Return 0 below `low`, 1 above `high`, and a smooth value between.
 * @param {number} low
 * @param {number} high
 * @param {number} value
 */
function smooth (low, high, value) {
  const t = Math.max(0, Math.min(1, (value - low) / (high - low)))
  return t * t * (3 - 2 * t)
}

/**
 * Interpolate linearly between points [x, y] with rising x.
 * @param {readonly (readonly [number, number])[]} points
 * @param {number} x
 */
function bend (points, x) {
  if (x <= points[0][0]) return points[0][1]
  for (let i = 1; i < points.length; i++) {
    const [x1, y1] = points[i]
    if (x > x1) continue
    const [x0, y0] = points[i - 1]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
  }
  return points[points.length - 1][1]
}

module.exports = { flatNoise, solidNoise, smooth, bend }
