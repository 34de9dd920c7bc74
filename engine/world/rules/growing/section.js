'use strict'
/**
 * One section of land in which something grows: which of its 4,096 places have random ticks. A place is a number: x, four
 * bits higher z, four bits higher y.
 */

/** Places in a section. */
const PLACES = 4096
/** Kinds of blocks, as far as they grow. */
const IDLE = 0
/** It grows by itself. */
const GROWS = 1
/** Grass and leaves: nothing comes of their ticks until wood is felled or earth laid bare near them. */
const WAITS = 2
/** It waited, was ticked, and nothing will come of it until something near it changes again. */
const SETTLED = 3
/** What four places in a row have in common if any of them grows. */
const FOUR_GROW = GROWS | GROWS << 2 | GROWS << 4 | GROWS << 6
const FOUR_WAIT = WAITS | WAITS << 2 | WAITS << 4 | WAITS << 6

/** @typedef {import('../../terrain/terrain').ColumnInfo} Info */

/** What grows there. */
class Section {
  /** @param {number} sx @param {number} sy @param {number} sz its place, in sections */
  constructor (sx, sy, sz) {
    this.sx = sx
    this.sy = sy
    this.sz = sz
    /** The world's age until which grass and leaves have random ticks, too. */
    this.until = 0
    /** Its column, and which revision of that `kinds` is of. @type {Info | null} */
    this.info = null
    this.revision = -1
    /** By place, two bits each. */
    this.kinds = new Uint8Array(PLACES / 4)
    /** @type {number[] | null} */
    this.ticked = null
    this.stirred = false
    this.settled = false
  }

  /** @param {number} at */
  kind (at) { return this.kinds[at >> 2] >> ((at & 3) << 1) & 3 }

  /** A block has become another. @param {number} at @param {number} kind @returns {boolean} whether it grows otherwise than before */
  follow (at, kind) {
    if (this.kind(at) === kind) return false
    const shift = (at & 3) << 1
    this.kinds[at >> 2] = (this.kinds[at >> 2] & ~(3 << shift)) | kind << shift
    this.ticked = null
    return true
  }

  /** Nothing comes of that place any more until the section is stirred again. @param {number} at */
  settle (at) {
    this.kinds[at >> 2] |= SETTLED << ((at & 3) << 1)
    this.settled = true
  }

  /** What has settled waits again. */
  unsettle () {
    if (!this.settled) return
    this.settled = false
    this.ticked = null
    for (let four = 0; four < this.kinds.length; four++) {
      const all = this.kinds[four]
      // A place's upper bit says that it waits or has settled: then the lower one goes.
      this.kinds[four] = all & ~((all & FOUR_WAIT) >> 1)
    }
  }

  /** Whether anything in it grows by itself, as far as is known of it. */
  get grows () {
    for (const four of this.kinds) if ((four & ~(four >> 1) & FOUR_GROW) !== 0) return true
    return false
  }

  /** The places with random ticks, now that the world has that age. @param {number} age */
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
