'use strict'
/**
 * A block as the moves of one search see it.
 *
 * @module engine/body/building/seen_block
 */

/** A block as a move looks at it. */
class SeenBlock {
  /** @param {number} x @param {number} y @param {number} z @param {number} state @param {import('./facts').Fact} fact */
  constructor (x, y, z, state, fact) {
    this.x = x; this.y = y; this.z = z
    this.state = state
    this.fact = fact
    this.height = y + fact.top
    /** Whether it may be broken: 1 yes, 0 no, -1 where nobody has asked yet. */
    this.gives = -1
  }
}

module.exports = { SeenBlock }
