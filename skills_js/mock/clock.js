'use strict'
/**
 * Virtual clock: what happens at which tick, in a fixed order. It moves only when told to.
 *
 * @module skills_js/mock/clock
 */

/** Milliseconds of game time in a tick. */
const TICK_MS = 50
/** Result of `Date.now()` at tick 0, an arbitrary fixed moment: 2020-01-01T00:00:00Z. */
const EPOCH_MS = 1577836800000

/**
 * @typedef {object} Alarm
 * @property {number} tick
 * @property {number} order alarms of one tick ring in the order in which they were set
 * @property {(() => void) | null} ring null once it was taken back
 */

/** Alarms by tick. */
class VirtualClock {
  /** Alarms as a binary heap. @type {Alarm[]} */
  #alarms = []
  #order = 0

  constructor () {
    this.tick = 0
  }

  /** @returns {number} virtual milliseconds since 1970 */
  get ms () { return EPOCH_MS + this.tick * TICK_MS }

  /** @returns {number | null} when the next alarm rings */
  get next () {
    while (this.#alarms.length > 0 && this.#alarms[0].ring === null) this.#pop()
    return this.#alarms.length === 0 ? null : this.#alarms[0].tick
  }

  /**
   * @param {number} ticks from now, at least 1
   * @param {() => void} ring
   * @returns {() => void} takes it back
   */
  after (ticks, ring) {
    /** @type {Alarm} */
    const alarm = { tick: this.tick + Math.max(1, ticks), order: this.#order++, ring }
    this.#push(alarm)
    return () => { alarm.ring = null }
  }

  /**
   * Set the time and ring what is due.
   *
   * @param {number} tick
   */
  moveTo (tick) {
    this.tick = tick
    for (let next = this.next; next !== null && next <= tick; next = this.next) {
      const { ring } = this.#pop()
      if (ring) ring()
    }
  }

  /** @param {Alarm} alarm */
  #push (alarm) {
    const heap = this.#alarms
    let at = heap.length
    heap.push(alarm)
    while (at > 0) {
      const up = (at - 1) >> 1
      if (!before(alarm, heap[up])) break
      heap[at] = heap[up]
      at = up
    }
    heap[at] = alarm
  }

  /** @returns {Alarm} */
  #pop () {
    const heap = this.#alarms
    const top = heap[0]
    const last = /** @type {Alarm} */ (heap.pop())
    if (heap.length === 0) return top
    let at = 0
    for (;;) {
      let down = at * 2 + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && before(heap[down + 1], heap[down])) down++
      if (!before(heap[down], last)) break
      heap[at] = heap[down]
      at = down
    }
    heap[at] = last
    return top
  }
}

/** @param {Alarm} a @param {Alarm} b */
function before (a, b) {
  return a.tick !== b.tick ? a.tick < b.tick : a.order < b.order
}

/**
 * @param {number} ms of game time
 * @returns {number} the ticks in which they have passed
 */
function ticksOf (ms) {
  return Math.max(1, Math.ceil(ms / TICK_MS))
}

module.exports = { VirtualClock, ticksOf, TICK_MS, EPOCH_MS }
