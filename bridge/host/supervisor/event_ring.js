'use strict'
/** Events of all fleets in order, kept until Python has fetched them: bounded, each already a JSON text. */

/** Events kept. Python fetches every few milliseconds, so only a stopped Python loses any. */
const CAPACITY = 65_536
/** Size of one batch, in characters. */
const BATCH = 512 * 1024

/** Bounded queue with a cursor. */
class EventRing {
  /** @type {string[]} */
  #lines = []
  /** Sequence number of the first line kept. */
  #first = 1
  #capacity

  /** @param {number} [capacity] */
  constructor (capacity = CAPACITY) {
    this.#capacity = capacity
  }

  /**
   * @param {{ fleet: string, kind: string, tick: number|null, data: object }} event
   */
  push (event) {
    this.#lines.push(JSON.stringify({ seq: this.#first + this.#lines.length, ...event }))
    if (this.#lines.length < this.#capacity * 1.25) return
    this.#first += this.#lines.length - this.#capacity
    this.#lines = this.#lines.slice(-this.#capacity)
  }

  /**
   * Return the events after the cursor, up to one batch, and forget those before it.
   * @param {number} cursor sequence number of the last event that Python has
   * @returns {string} JSON text `{ cursor, events }`
   */
  since (cursor) {
    const from = Math.max(0, cursor + 1 - this.#first)
    let size = 0
    let to = from
    while (to < this.#lines.length && (to === from || size + this.#lines[to].length < BATCH)) {
      size += this.#lines[to++].length
    }
    const events = this.#lines.slice(from, to).join(',')
    const last = this.#first + to - 1
    this.#lines = this.#lines.slice(from)
    this.#first += from
    return `{"cursor":${last},"events":[${events}]}`
  }
}

module.exports = { EventRing, CAPACITY }
