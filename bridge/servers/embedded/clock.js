'use strict'
/** Clock without drift, twenty ticks a second unless told otherwise, with statistics of their cost. */

const TICK_MS = 50
/** Most ticks to catch up; beyond that they are dropped. */
const MAX_BEHIND = 40
/** Ticks covered by the statistics (one minute). */
const WINDOW = 1200

/**
 * @typedef {object} TickStatistics
 * @property {number} tps ticks per second over the window
 * @property {{p50: number, p95: number, max: number}} work milliseconds of work per tick
 * @property {{p95: number, max: number}} interval milliseconds from one tick's begin to the next
 * @property {number} ticks ticks in the window
 * @property {number} skipped ticks given up since the start
 */

/** Clock that calls a function at fixed times; a late tick is caught up at once, long stalls are not. */
class Clock {
  /**
   * @param {() => void} tick
   * @param {() => number} now milliseconds, monotonic
   * @param {() => number} period milliseconds from one tick to the next; 0: as fast as they go
   */
  constructor (tick, now = () => performance.now(), period = () => TICK_MS) {
    this._tick = tick
    this._now = now
    this._period = period
    this._due = 0
    this.skipped = 0
    /** @type {{begin: number, work: number}[]} */
    this._ticks = []
    /** @type {ReturnType<typeof setTimeout> | null} */
    this._timer = null
    this._running = false
  }

  start () {
    this._running = true
    this._due = this._now() + this._period()
    this._schedule()
  }

  stop () {
    this._running = false
    if (this._timer) clearTimeout(this._timer)
  }

  _schedule () {
    if (this._running) this._timer = setTimeout(() => this._run(), Math.max(0, this._due - this._now()))
  }

  _run () {
    const begin = this._now()
    const period = this._period()
    if (period === 0) this._due = begin
    const behind = period === 0 ? 0 : Math.floor((begin - this._due) / period)
    if (behind > MAX_BEHIND) {
      this.skipped += behind
      this._due += behind * period
    }
    // Timers of Node may fire within the millisecond before they are due.
    if (begin >= this._due - 1) {
      this._tick()
      this._ticks.push({ begin, work: this._now() - begin })
      if (this._ticks.length > 2 * WINDOW) this._ticks = this._ticks.slice(-WINDOW)
      this._due += this._period()
    }
    this._schedule()
  }

  /** Reset the statistics. */
  reset () {
    this._ticks = []
  }

  /** @returns {TickStatistics} */
  statistics () {
    const ticks = this._ticks.slice(-WINDOW)
    const work = ticks.map((t) => t.work).sort((a, b) => a - b)
    const gaps = ticks.slice(1).map((t, i) => t.begin - ticks[i].begin).sort((a, b) => a - b)
    const span = ticks.length > 1 ? ticks[ticks.length - 1].begin - ticks[0].begin : 0
    return {
      tps: span > 0 ? round((ticks.length - 1) * 1000 / span) : 0,
      work: { p50: quantile(work, 0.5), p95: quantile(work, 0.95), max: quantile(work, 1) },
      interval: { p95: quantile(gaps, 0.95), max: quantile(gaps, 1) },
      ticks: ticks.length,
      skipped: this.skipped
    }
  }
}

/**
 * @param {number[]} sorted
 * @param {number} q 0 to 1
 */
function quantile (sorted, q) {
  return sorted.length === 0 ? 0 : round(sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))])
}

/** @param {number} value */
function round (value) {
  return Math.round(value * 100) / 100
}

module.exports = { Clock, TICK_MS }
