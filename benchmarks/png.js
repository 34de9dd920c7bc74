'use strict'
/** Writer of PNG files with eight bits per channel, without a library. */
const { writeFileSync } = require('node:fs')
const { deflateSync, crc32 } = require('node:zlib')

/** @param {string} type @param {Buffer} data */
function part (type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

/**
 * @param {string} path
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => readonly number[]} colour [red, green, blue], 0 to 255
 */
function writePng (path, width, height, colour) {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (width * 3 + 1) + 1 + x * 3
      colour(x, y).forEach((value, i) => { rows[at + i] = Math.max(0, Math.min(255, Math.round(value))) })
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  writeFileSync(path, Buffer.concat(
    [Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), part('IHDR', head), part('IDAT', deflateSync(rows)),
    part('IEND', Buffer.alloc(0))]))
}

module.exports = { writePng }
