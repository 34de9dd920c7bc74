'use strict'
/**
 * A section of land in which blocks grow, with the positions that have random ticks. A position is a number of 12 bits:
 * x in the lowest four, then z, then y.
 */

/** Number of positions in a section. */
const PLACES = 4096
/** A block that does not grow. */
const IDLE = 0
/** A block that grows. */
const GROWS = 1
/** Grass and leaves: their ticks have no effect until wood is felled or earth laid bare near them. */
const WAITS = 2
/** A waiting block whose tick had no effect; it stays without ticks until something near it changes. */
const SETTLED = 3
/** Bits that are set in the byte of four positions if any of them grows. */
const FOUR_GROW = GROWS | GROWS << 2 | GROWS << 4 | GROWS << 6
const FOUR_WAIT = WAITS | WAITS << 2 | WAITS << 4 | WAITS << 6

/** @typedef {import('../../terrain/terrain').ColumnInfo} Info */

/** Growing blocks of a section. */
class Section {
  /** @param {number} sx @param {number} sy @param {number} sz position in sections */
  constructor (sx, sy, sz) {
    this.sx = sx
    this.sy = sy
    this.sz = sz
    /** World age until which grass and leaves have random ticks, too. */
    this.until = 0
    /** The section's column when `kinds` was read. @type {Info | null} */
    this.info = null
    this.revision = -1
    /** Kinds by position, two bits each. */
    this.kinds = new Uint8Array(PLACES / 4)
    /** @type {number[] | null} */
    this.ticked = null
    this.stirred = false
    this.settled = false
  }

  /** @param {number} at */
  kind (at) { return this.kinds[at >> 2] >> ((at & 3) << 1) & 3 }

  /**
   * Record a changed block.
   *
   * @param {number} at
   * @param {number} kind
   * @returns {boolean} true if its growth has changed
   */
  follow (at, kind) {
    if (this.kind(at) === kind) return false
    const shift = (at & 3) << 1
    this.kinds[at >> 2] = (this.kinds[at >> 2] & ~(3 << shift)) | kind << shift
    this.ticked = null
    return true
  }

  /** Give a position no ticks until the section changes. @param {number} at */
  settle (at) {
    this.kinds[at >> 2] |= SETTLED << ((at & 3) << 1)
    this.settled = true
  }

  /** Give ticks to all settled positions again. */
  unsettle () {
    if (!this.settled) return
    this.settled = false
    this.ticked = null
    for (let four = 0; four < this.kinds.length; four++) {
      const all = this.kinds[four]
      // The upper bit marks a waiting or settled position; its lower bit is cleared.
      this.kinds[four] = all & ~((all & FOUR_WAIT) >> 1)
    }
  }

  /** True if a block in the section is known to grow. */
  get grows () {
    for (const four of this.kinds) if ((four & ~(four >> 1) & FOUR_GROW) !== 0) return true
    return false
  }

  /** Return the positions with random ticks at a world age. @param {number} age */
  places (age) {
    const stirred = this.until > age
    if (this.ticked !== null && this.stirred === stirred) return this.ticked
    this.stirred = stirred
    /** @type {number[]} */
    const found = []
    for (let four = 0; four < this.kinds.length; four++) {
      if (this.kinds[four] === 0) continue
      for (let at = four * 4; at < four * 4 + 4; at++) {
        const kind = this.kind(at)
        if (kind === GROWS || (kind === WAITS && stirred)) found.push(at)
      }
    }
    this.ticked = found
    return found
  }
}

module.exports = { Section, PLACES, IDLE, GROWS, WAITS, SETTLED }
