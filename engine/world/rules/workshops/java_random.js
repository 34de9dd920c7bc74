'use strict'
/**
 * Random numbers of java.util.Random (by the formula in its documentation), so that an enchanting table's offers follow
 * from its seed as in vanilla.
 */

const MULTIPLIER = 0x5DEECE66Dn
const INCREMENT = 0xBn
const MASK = (1n << 48n) - 1n

/** One random stream. */
class JavaRandom {
  /** @param {number} seed 32-bit integer */
  constructor (seed) { this.state = (BigInt(seed) ^ MULTIPLIER) & MASK }

  /** @param {number} bits 1 to 32 @returns {number} signed for 32 bits */
  bits (bits) {
    this.state = (this.state * MULTIPLIER + INCREMENT) & MASK
    return Number(BigInt.asIntN(32, this.state >> BigInt(48 - bits)))
  }

  /** @param {number} bound @returns {number} 0 to bound - 1 */
  int (bound) {
    if ((bound & -bound) === bound) return Number((BigInt(bound) * BigInt(this.bits(31))) >> 31n)
    for (;;) {
      const bits = this.bits(31)
      const value = bits % bound
      if (bits - value + (bound - 1) <= 0x7fffffff) return value
    }
  }

  float () { return this.bits(24) / (1 << 24) }
}

module.exports = { JavaRandom }
