'use strict'
/**
 * One 20 Hz timer per host for the physics of all its bots.
 *
 * mineflayer gives every bot its own timer. Their phases differ, so 25 bots wake the process 500 times a second, which
 * costs more than the physics of idle bots. Here all bots tick together, as they do on a server.
 */

const TICK_MS = 50
/** mineflayer's name of the function that it runs on its timer (lib/plugins/physics.js). */
const PHYSICS = 'doPhysics'

/** Ticker that runs every member; its timer exists only while there are members. */
class Ticker {
  /** @type {Set<() => void>} */
  #members = new Set()
  /** @type {NodeJS.Timeout|null} */
  #timer = null
  #setInterval
  #clearInterval

  /**
   * @param {typeof setInterval} start
   * @param {typeof clearInterval} stop
   */
  constructor (start, stop) {
    this.#setInterval = start
    this.#clearInterval = stop
  }

  /** @param {() => void} fn */
  join (fn) {
    this.#members.add(fn)
    this.#timer ??= this.#setInterval(() => { for (const each of [...this.#members]) each() }, TICK_MS)
  }

  /** @param {() => void} fn */
  leave (fn) {
    this.#members.delete(fn)
    if (this.#members.size > 0 || !this.#timer) return
    this.#clearInterval(this.#timer)
    this.#timer = null
  }
}

/** Membership of the ticker, in place of the timer that mineflayer expects. */
class Place {
  /** @param {() => void} fn */
  constructor (fn) {
    this.fn = fn
  }
}

/**
 * Replace mineflayer's physics timers by one ticker; all other timers of the process stay as they are.
 * @param {{ setInterval: any, clearInterval: any }} [scope]
 */
function shareTicks (scope = globalThis) {
  const { setInterval: start, clearInterval: stop } = scope
  const ticker = new Ticker(start, stop)
  scope.setInterval = (/** @type {any} */ fn, /** @type {any} */ ms, /** @type {any[]} */ ...args) => {
    if (fn?.name !== PHYSICS || ms !== TICK_MS) return start(fn, ms, ...args)
    ticker.join(fn)
    return new Place(fn)
  }
  scope.clearInterval = (/** @type {any} */ timer) => {
    if (timer instanceof Place) ticker.leave(timer.fn)
    else stop(timer)
  }
}

module.exports = { shareTicks, TICK_MS }
