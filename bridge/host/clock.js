'use strict'
/** World age as a bot host knows it: from the server's time packets, and its own count in between. */

const TICK_MS = 50
/**
 * Time packets taken into account. They come once a second, so a server that falls behind is noticed within as many
 * seconds.
 */
const SAMPLES = 4

/** Ticks between two time packets: until the next one, the world is at most this much older. */
const TELL_TICKS = 20

/** World age in ticks, accurate to about one tick. */
class WorldClock {
  /** @type {number[]} wall time in ms at which the world's age would have been 0, one per packet */
  #origins = []
  #last = -Infinity
  #now

  /** @param {() => number} now milliseconds; the same clock for all hosts of a machine */
  constructor (now) {
    this.#now = now
  }

  /**
   * Process a time packet.
   * @param {number} age ticks
   */
  update (age) {
    if (!Number.isFinite(age)) return
    if (age < this.#last) this.#origins = [] // another world
    if (age === this.#last) return // the same packet, by another bot
    this.#last = age
    this.#origins.push(this.#now() - age * TICK_MS)
    if (this.#origins.length > SAMPLES) this.#origins.shift()
  }

  /**
   * Return the current age, or null before the first packet.
   * @returns {number|null}
   */
  tick () {
    if (this.#origins.length === 0) return null
    // Packets are only ever late, never early: the earliest origin is the truest.
    const age = Math.floor((this.#now() - Math.min(...this.#origins)) / TICK_MS)
    return Math.min(Math.max(this.#last, age), this.#last + TELL_TICKS)
  }
}

module.exports = { WorldClock, TICK_MS }
