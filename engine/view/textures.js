'use strict'
/**
 * Textures painted at first use, each with halved copies for distant faces: a far face shows the mean of the texels
 * that fall into its pixel instead of one of them by chance.
 */
const { PATTERNS, SIDE } = require('./patterns')

/** Number of 32-bit words of a texture with its halved copies: 256 + 64 + 16 + 4 + 1, rounded up. */
const WORDS = 512
/** First word of each copy in a texture. */
const LEVEL_AT = Object.freeze([0, 256, 320, 336, 340])
const MAX_TEXTURES = 4096

/** @typedef {import('./patterns').PatternName} PatternName */
/** A texture by pattern and two colours (0xRRGGBB). @typedef {readonly [PatternName, number, number?]} Paint */

/** Painted textures. Texels are `alpha << 24 | red << 16 | green << 8 | blue`. */
class Textures {
  constructor () {
    this.words = new Uint32Array(64 * WORDS)
    /** @type {Map<string, number>} */
    this.known = new Map()
    /** 1 for textures without holes and glass. */
    this.opaque = new Uint8Array(MAX_TEXTURES)
  }

  /** Return the number of a texture, painted at the first use. @param {Paint} paint @returns {number} */
  number ([pattern, main, second = main]) {
    const key = `${pattern} ${main} ${second}`
    const known = this.known.get(key)
    if (known !== undefined) return known
    const number = this.known.size
    if (number >= MAX_TEXTURES) return 0
    this.known.set(key, number)
    this.paint(number, pattern, main, second)
    return number
  }

  /** @param {number} number @param {PatternName} pattern @param {number} main @param {number} second */
  paint (number, pattern, main, second) {
    if ((number + 1) * WORDS > this.words.length) {
      const more = new Uint32Array(this.words.length * 2)
      more.set(this.words)
      this.words = more
    }
    const at = number * WORDS
    let opaque = 1
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < SIDE; x++) {
        const [r, g, b, a] = PATTERNS[pattern](x, y, main, second)
        if (a < 255) opaque = 0
        this.words[at + y * SIDE + x] = (a << 24 | r << 16 | g << 8 | b) >>> 0
      }
    }
    this.opaque[number] = opaque
    for (let level = 1; level < LEVEL_AT.length; level++) this.halve(at, level)
  }

  /** Make the halved copy of a level from the level before. @param {number} at @param {number} level */
  halve (at, level) {
    const side = SIDE >> level
    const from = at + LEVEL_AT[level - 1]
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const corner = from + y * 4 * side + x * 2
        this.words[at + LEVEL_AT[level] + y * side + x] =
          mean([0, 1, 2 * side, 2 * side + 1].map((i) => this.words[corner + i]))
      }
    }
  }
}

/** Return the mean of texels; holes count for the opacity, not for the colour. @param {number[]} texels */
function mean (texels) {
  let [a, r, g, b] = [0, 0, 0, 0]
  for (const texel of texels) {
    const alpha = texel >>> 24
    a += alpha
    r += ((texel >> 16) & 255) * alpha
    g += ((texel >> 8) & 255) * alpha
    b += (texel & 255) * alpha
  }
  if (a === 0) return 0
  const part = (/** @type {number} */ sum) => Math.round(sum / a)
  return (Math.round(a / texels.length) << 24 | part(r) << 16 | part(g) << 8 | part(b)) >>> 0
}

module.exports = { Textures, WORDS, LEVEL_AT }
