'use strict'
/**
 * Random numbers by place: the same seed, place and purpose always give the same numbers, so that a structure across a
 * border is the same from both sides.
 */

/**
 * Return a 32-bit mix of a seed, a place and a purpose.
 * @param {number} seed unsigned 32-bit
 * @param {number} x
 * @param {number} z
 * @param {number} salt the purpose
 * @returns {number} unsigned 32-bit
 */
function mix (seed, x, z, salt) {
  let h = Math.imul(seed ^ salt, 0x9e3779b1)
  h = Math.imul((h ^ (h >>> 15)) + x, 0x85ebca6b)
  h = Math.imul((h ^ (h >>> 13)) + z, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x27d4eb2f)
  return (h ^ (h >>> 15)) >>> 0
}

/** A stream of numbers, started from a mix (32 bits of state: enough for the few hundred draws of one place). */
class Dice {
  /** @param {number} state */
  constructor (state) { this.state = state | 0 }

  /** @returns {number} uniform in [0, 1) */
  next () {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** Return an integer from low to high, both included. @param {number} low @param {number} high */
  int (low, high) { return low + Math.floor(this.next() * (high - low + 1)) }

  /** @param {number} p */
  chance (p) { return this.next() < p }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick (list) { return list[Math.floor(this.next() * list.length)] }

  /** Return one of the entries, by weight. @template T @param {readonly (readonly [T, number])[]} list @returns {T} */
  weighted (list) {
    let left = this.next() * list.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of list) if ((left -= weight) < 0) return value
    return list[list.length - 1][0]
  }
}

/**
 * Return the dice of a place and purpose.
 * @param {number} seed
 * @param {number} x
 * @param {number} z
 * @param {number} salt
 */
function diceAt (seed, x, z, salt) { return new Dice(mix(seed, x, z, salt)) }

/**
 * Return a number in [0, 1) for a place and purpose.
 * @param {number} seed
 * @param {number} x
 * @param {number} z
 * @param {number} salt
 */
function unit (seed, x, z, salt) { return mix(seed, x, z, salt) / 4294967296 }

module.exports = { Dice, diceAt, unit, mix }
