'use strict'
/** Writer of PNG files from a function of colours. */
const { writeFileSync } = require('node:fs')
const { encodePng } = require('../engine/view/png')

/**
 * @param {string} path
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => readonly number[]} colour [red, green, blue], 0 to 255
 */
function writePng (path, width, height, colour) {
  const pixels = new Uint8ClampedArray(width * height * 3)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(colour(x, y), (y * width + x) * 3)
  }
  writeFileSync(path, encodePng({ width, height, pixels: new Uint8Array(pixels.buffer) }))
}

module.exports = { writePng }
