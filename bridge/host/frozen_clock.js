'use strict'
/**
 * Time of a host, which can be frozen together with the world: programs, primitives, mineflayer and its path search
 * then see no time pass, and none of their limits counts it. Whatever keeps the host itself alive (heartbeats, CPU
 * watches) runs on `real`.
 *
 * Time passes while a bot is brought to rest, even if the clock is frozen: a run can be ended at any moment.
 */
const { promisify } = require('node:util')

/** Real time, whatever is installed later. */
const real = Object.freeze({
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  now: performance.now.bind(performance)
})

/**
 * @typedef {{ now: () => number, setTimeout: any, clearTimeout: any, setInterval: any }} Source where its time comes
 *   from; `now` in ms
 */

/** Clock whose timers freeze with it. */
class FreezableClock {
  #source
  /** Time frozen in total before the current freeze, in ms. */
  #stood = 0
  /** Start of the current freeze; null while time passes. @type {number|null} */
  #since = null
  #wanted = false
  #hurried = 0
  /** Callbacks to run when time continues. @type {Set<() => void>} */
  #held = new Set()

  /** @param {Source} [source] */
  constructor (source = real) {
    this.#source = source
  }

  get standing () { return this.#since !== null }

  /** Time frozen in total, in ms. */
  get stood () { return this.#stood + (this.#since === null ? 0 : this.#source.now() - this.#since) }

  /** @returns {number} ms, monotonic; the same for as long as it stands */
  now () { return (this.#since ?? this.#source.now()) - this.#stood }

  /** @param {boolean} still whether it is to stand from now on */
  stand (still) {
    this.#wanted = still
    this.#turn()
  }

  /**
   * Let time pass while `work` runs, even if the clock is frozen.
   * @template T
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async hurried (work) {
    this.#hurried++
    this.#turn()
    try {
      return await work()
    } finally {
      this.#hurried--
      this.#turn()
    }
  }

  /**
   * Call `fn` at once, or when time continues.
   * @param {() => void} fn
   * @returns {() => void} forgets it, if it was not done
   */
  whenGoing (fn) {
    if (this.#since === null) fn()
    else this.#held.add(fn)
    return () => { this.#held.delete(fn) }
  }

  /** @returns {Promise<void>} when time goes on */
  going () {
    return new Promise((resolve) => { this.whenGoing(resolve) })
  }

  /**
   * @param {(...args: any[]) => void} fn
   * @param {number} [ms]
   * @param {unknown[]} args
   * @returns {Timer}
   */
  after (fn, ms = 1, ...args) {
    if (typeof fn !== 'function') throw new TypeError('a timer needs a function')
    return new Timer(this, this.#source, () => fn(...args), ms)
  }

  /**
   * @param {(...args: any[]) => void} fn again and again; left out while the clock stands
   * @param {number} [ms]
   * @param {any[]} args
   */
  every (fn, ms, ...args) {
    if (typeof fn !== 'function') throw new TypeError('a timer needs a function')
    return this.#source.setInterval(() => { if (this.#since === null) fn(...args) }, ms)
  }

  /** @param {any} timer of this clock, or another */
  forget (timer) {
    if (timer instanceof Timer) timer.close()
    else this.#source.clearTimeout(timer)
  }

  #turn () {
    const still = this.#wanted && this.#hurried === 0
    if (still === this.standing) return
    if (still) {
      this.#since = this.#source.now()
      return
    }
    this.#stood = this.stood
    this.#since = null
    const held = [...this.#held]
    this.#held.clear()
    for (const fn of held) fn()
  }
}

/** Timer returned by `setTimeout`: when due, it waits again for as long as its clock was frozen meanwhile. */
class Timer {
  #clock
  #source
  #fn
  #ms
  /** @type {any} */
  #timer
  /** Total frozen time when the timer was set. */
  #stood = 0
  #unheld = () => {}

  /**
   * @param {FreezableClock} clock
   * @param {Source} source
   * @param {() => void} fn
   * @param {number} ms
   */
  constructor (clock, source, fn, ms) {
    this.#clock = clock
    this.#source = source
    this.#fn = fn
    this.#ms = ms
    this.#set(ms)
  }

  /** @param {number} ms */
  #set (ms) {
    this.#stood = this.#clock.stood
    this.#timer = this.#source.setTimeout(() => this.#due(), ms)
  }

  #due () {
    const missed = this.#clock.stood - this.#stood
    if (missed === 0) return this.#fn()
    this.#unheld = this.#clock.whenGoing(() => this.#set(missed))
  }

  close () {
    this.#source.clearTimeout(this.#timer)
    this.#unheld()
    return this
  }

  refresh () {
    this.close()
    this.#set(this.#ms)
    return this
  }

  ref () {
    this.#timer.ref()
    return this
  }

  unref () {
    this.#timer.unref()
    return this
  }

  hasRef () { return this.#timer.hasRef() }
}

/** Clock of this process. */
const hostTime = new FreezableClock()

/**
 * Make all later callers of timers and `performance.now` use that clock.
 * @param {FreezableClock} [clock]
 * @param {any} [scope]
 */
function installTime (clock = hostTime, scope = globalThis) {
  const after = (/** @type {any} */ fn, /** @type {any} */ ms, /** @type {any[]} */ ...args) =>
    clock.after(fn, ms, ...args)
  Object.defineProperty(after, promisify.custom, {
    value: (/** @type {number} */ ms, /** @type {unknown} */ value) =>
      new Promise((resolve) => { clock.after(() => resolve(value), ms) })
  })
  const forget = (/** @type {any} */ timer) => clock.forget(timer)
  scope.setTimeout = after
  scope.setInterval = (/** @type {any} */ fn, /** @type {any} */ ms, /** @type {any[]} */ ...args) =>
    clock.every(fn, ms, ...args)
  scope.clearTimeout = forget
  scope.clearInterval = forget
  scope.performance.now = () => clock.now()
}

module.exports = { FreezableClock, hostTime, installTime, real }
