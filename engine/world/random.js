'use strict'
/**
 * Seeded random numbers: one stream per purpose ("loot", "drops", "mobs" ...), seeded by the world's seed and the
 * stream's name, so that a draw in one place never shifts the draws of another.
 */

/**
 * Return the 32-bit FNV-1a hash, with a final mix, of a text and a salt.
 * @param {string} text
 * @param {number} salt
 * @returns {number} an unsigned 32-bit integer
 */
function hash (text, salt) {
  let h = (2166136261 ^ salt) >>> 0
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619)
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** A stream of random numbers (the small fast counter generator sfc32, 128 bits of state). */
class RandomStream {
  /** @param {string} seed the world's seed and the stream's name, joined */
  constructor (seed) {
    this.state = new Int32Array([hash(seed, 1), hash(seed, 2), hash(seed, 3), 1])
    for (let i = 0; i < 12; i++) this.next()
  }

  /** @returns {number} uniform in [0, 1) */
  next () {
    const s = this.state
    // Sums are kept to signed 32 bits, which V8 holds in registers.
    const sum = (s[0] + s[1] + s[3]) | 0
    s[3] = (s[3] + 1) | 0
    s[0] = s[1] ^ (s[1] >>> 9)
    s[1] = (s[2] + (s[2] << 3)) | 0
    s[2] = (((s[2] << 21) | (s[2] >>> 11)) + sum) | 0
    return (sum >>> 0) / 4294967296
  }

  /**
   * Return a uniform integer.
   * @param {number} low inclusive
   * @param {number} high inclusive
   */
  int (low, high) { return low + Math.floor(this.next() * (high - low + 1)) }

  /** Return a uniform number in [low, high). @param {number} low @param {number} high */
  between (low, high) { return low + this.next() * (high - low) }

  /** Return true with probability p. @param {number} p */
  chance (p) { return this.next() < p }

  /**
   * Return the difference of two uniform numbers times `scale`, around `mean`.
   * @param {number} mean
   * @param {number} scale
   */
  triangle (mean, scale) { return mean + scale * (this.next() - this.next()) }

  /** Return a UUID of version 4's shape. */
  uuid () {
    let hex = ''
    while (hex.length < 32) hex += Math.floor(this.next() * 4294967296).toString(16).padStart(8, '0')
    const variant = '89ab'[parseInt(hex[16], 16) & 3]
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17,
      20)}-${hex.slice(20)}`
  }
}

/** The streams of one world, by name. */
class Random {
  /** @param {number | string} seed */
  constructor (seed) {
    this.seed = String(seed)
    /** @type {Map<string, RandomStream>} */
    this.streams = new Map()
  }

  /** Return the stream of a name, made at the first use. @param {string} name */
  stream (name) {
    let stream = this.streams.get(name)
    if (!stream) this.streams.set(name, stream = new RandomStream(`${this.seed}/${name}`))
    return stream
  }
}

module.exports = { Random, RandomStream, hash }
