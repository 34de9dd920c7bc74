'use strict'
/**
 * Where programs of the mock world compute: an isolate for each bot, kept from one program to its next, since making
 * one takes longer than most short programs.
 *
 * Programs of two bots never meet in an isolate. Two of one bot do, one after the other, and share nothing but its
 * bounds: each has a context of its own, with globals and built-ins of its own, and is handed only its own run's
 * functions. An isolate is kept only if its program came to a clean end; one that had to be stopped while it computed,
 * or had no memory left, goes with its program.
 */
const { closePolicy, freshIsolate, openPolicy } = require('../host/isolates/policy_context')

/**
 * What the heaps of all isolates may hold together for them to be kept, in bytes. A fresh one holds 2 MB, and each
 * program leaves half a megabyte that V8 is slow to collect: beyond some 150 bots every program gets an isolate of its
 * own.
 */
const MOST_HELD = 384 * 2 ** 20
/** Programs of one isolate: now and then another begins with an empty heap. */
const MOST_PROGRAMS = 200

/** @typedef {import('../host/isolates/policy_context').Border} Border */

/** One isolate, for one program at a time. */
class PooledIsolate {
  #isolate
  #threaded
  /** @type {import('../host/isolates/policy_context').PolicyContext|null} */
  #context = null
  #lost = false
  /** @type {(stuck: boolean) => void} */
  #onCatastrophe = () => {}
  /** Programs that it has had. */
  programs = 0

  /** @param {number} memoryMb @param {boolean} threaded */
  constructor (memoryMb, threaded) {
    this.terms = `${memoryMb} ${threaded}`
    this.#threaded = threaded
    this.#isolate = freshIsolate(memoryMb, (stuck) => {
      this.#lost = true
      this.#onCatastrophe(stuck)
    })
  }

  /** Whether it can be disposed of, and is not yet. */
  get usable () { return !this.#lost && !this.#isolate.isDisposed }

  /**
   * A context for the next program.
   *
   * @param {string} bundle
   * @param {Border} border
   * @param {(stuck: boolean) => void} onCatastrophe as for `freshIsolate`, for as long as the program is here
   * @returns {Promise<any>} the program's entry
   */
  async open (bundle, border, onCatastrophe) {
    this.programs++
    this.#onCatastrophe = onCatastrophe
    this.#context = await openPolicy(this.#isolate, bundle, border, this.#threaded)
    return this.#context.enter
  }

  /**
   * The program is over: nothing of its context can be entered any more.
   *
   * @param {number} most bytes that its heap may hold
   * @returns {boolean} whether another may come
   */
  clear (most) {
    this.#onCatastrophe = () => {}
    if (this.#context === null || !this.usable) return false
    closePolicy(this.#context)
    this.#context = null
    return this.programs < MOST_PROGRAMS && this.#isolate.getHeapStatisticsSync().used_heap_size <= most
  }

  /** End whatever computes here. */
  dispose () {
    if (this.usable) this.#isolate.dispose()
  }
}

/** The isolates of one world. */
class IsolatePool {
  #most
  /** By bot. @type {Map<string, PooledIsolate>} */
  #idle = new Map()
  /** How many have a program. */
  #taken = 0

  /** @param {number} [most] what all heaps may hold together, in bytes */
  constructor (most = MOST_HELD) {
    this.#most = most
  }

  /** @returns {number} isolates that wait for a program */
  get idle () { return this.#idle.size }

  /**
   * An isolate for the bot's next program: nobody else's until it is given back.
   *
   * @param {string} bot
   * @param {number} memoryMb
   * @param {boolean} threaded
   * @returns {PooledIsolate}
   */
  take (bot, memoryMb, threaded) {
    this.#taken++
    const pooled = this.#idle.get(bot)
    this.#idle.delete(bot)
    if (pooled?.usable && pooled.terms === `${memoryMb} ${threaded}`) return pooled
    pooled?.dispose()
    return new PooledIsolate(memoryMb, threaded)
  }

  /**
   * The bot's program is over.
   *
   * @param {string} bot
   * @param {PooledIsolate} pooled
   * @param {boolean} clean it waited, or had returned, when it ended
   */
  giveBack (bot, pooled, clean) {
    const most = this.#most / (this.#taken-- + this.#idle.size)
    if (!clean || !pooled.clear(most)) return pooled.dispose()
    this.forget(bot)
    this.#idle.set(bot, pooled)
  }

  /** The bot is gone. @param {string} bot */
  forget (bot) {
    this.#idle.get(bot)?.dispose()
    this.#idle.delete(bot)
  }

  /** All bots are gone. */
  clear () {
    for (const bot of [...this.#idle.keys()]) this.forget(bot)
  }
}

module.exports = { PooledIsolate, IsolatePool, MOST_PROGRAMS }
