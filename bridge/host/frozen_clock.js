'use strict'
/**
 * A host's time, which can stand still with the world: programs, primitives, mineflayer and its path search then find
 * no time passed, and none of their limits counts it. What keeps the host itself alive (heartbeats, CPU watches) runs
 * on `real`.
 *
 * While a bot is brought to rest time passes, standing or not: a run can be ended at any moment.
 */
const { promisify } = require('node:util')

/** The machine's own time, whatever is installed later. */
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

/** A clock with timers that stand still with it. */
class FreezableClock {
  #source
  /** Time in ms for which it has stood, up to when it began to stand now. */
  #stood = 0
  /** When it began to stand, or null while it goes. @type {number|null} */
  #since = null
  #wanted = false
  #hurried = 0
  /** What goes on when time does. @type {Set<() => void>} */
  #held = new Set()

  /** @param {Source} [source] */
  constructor (source = real) {
    this.#source = source
  }

  get standing () { return this.#since !== null }

  /** Time in ms for which it has stood so far. */
  get stood () { return this.#stood + (this.#since === null ? 0 : this.#source.now() - this.#since) }

  /** @returns {number} ms, monotonic; the same for as long as it stands */
  now () { return (this.#since ?? this.#source.now()) - this.#stood }

  /** @param {boolean} still whether it is to stand from now on */
  stand (still) {
    this.#wanted = still
    this.#turn()
  }

  /**
   * Time passes until that is over.
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
   * Do something at once, or when time goes on.
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
   * @param {any[]} args
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

/** What `setTimeout` gives: once it is due it waits for as long again as its clock has stood meanwhile. */
class Timer {
  #clock
  #source
  #fn
  #ms
  /** @type {any} */
  #timer
  /** How long the clock had stood when it was set. */
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

/** This process's. */
const hostTime = new FreezableClock()

/**
 * Let everything that asks for timers and `performance.now` from now on have that clock's.
 * @param {FreezableClock} [clock]
 * @param {any} [scope]
 */
function installTime (clock = hostTime, scope = globalThis) {
  const after = (/** @type {any} */ fn, /** @type {any} */ ms, /** @type {any[]} */ ...args) =>
    clock.after(fn, ms, ...args)
  Object.defineProperty(after, promisify.custom, {
    value: (/** @type {number} */ ms, /** @type {any} */ value) =>
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
