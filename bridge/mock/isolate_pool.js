'use strict'
/**
 * Pool of isolates for programs of the mock world: one for each bot, kept from one program to the next, since creating
 * one takes longer than most short programs.
 *
 * Programs of two bots never meet in an isolate. Programs of one bot do, one after the other, and share nothing but its
 * limits: each has a context with its own globals and built-ins, and receives only its own run's functions. An isolate
 * is kept only if its program came to a clean end; otherwise it goes with its program.
 */
const { closePolicy, freshIsolate, openPolicy } = require('../host/isolates/policy_context')

/**
 * Total size of all heaps up to which isolates are kept, in bytes. A fresh isolate holds 2 MB, and each program leaves
 * half a megabyte that V8 is slow to collect: beyond some 150 bots every program gets a fresh isolate.
 */
const MAX_HELD = 384 * 2 ** 20
/** Most programs of one isolate; after that the bot begins with an empty heap. */
const MAX_PROGRAMS = 200

/** @typedef {import('../host/isolates/policy_context').Border} Border */

/** Isolate for one program at a time. */
class PooledIsolate {
  #isolate
  #threaded
  /** @type {import('../host/isolates/policy_context').PolicyContext|null} */
  #context = null
  #lost = false
  /** @type {(stuck: boolean) => void} */
  #onCatastrophe = () => {}
  /** Number of programs so far. */
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

  /** True until it is disposed of or lost. */
  get usable () { return !this.#lost && !this.#isolate.isDisposed }

  /**
   * Open a context for the next program.
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
   * Close the context of a program that is over: nothing in it can be entered any more.
   * @param {number} most bytes that its heap may hold
   * @returns {boolean} whether another may come
   */
  clear (most) {
    this.#onCatastrophe = () => {}
    if (this.#context === null || !this.usable) return false
    closePolicy(this.#context)
    this.#context = null
    return this.programs < MAX_PROGRAMS && this.#isolate.getHeapStatisticsSync().used_heap_size <= most
  }

  /** End whatever is computing here. */
  dispose () {
    if (this.usable) this.#isolate.dispose()
  }
}

/** Isolates of one world. */
class IsolatePool {
  #most
  /** Idle isolates, by bot. @type {Map<string, PooledIsolate>} */
  #idle = new Map()
  /** Number of isolates in use. */
  #taken = 0

  /** @param {number} [most] what all heaps may hold together, in bytes */
  constructor (most = MAX_HELD) {
    this.#most = most
  }

  /** @returns {number} isolates that wait for a program */
  get idle () { return this.#idle.size }

  /**
   * Return an isolate for the bot's next program, reserved until it is given back.
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
   * Take back an isolate after the bot's program.
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

  /**
   * Dispose of the isolate of a bot that is gone.
   * @param {string} bot
   */
  forget (bot) {
    this.#idle.get(bot)?.dispose()
    this.#idle.delete(bot)
  }

  /** Dispose of all idle isolates. */
  clear () {
    for (const bot of [...this.#idle.keys()]) this.forget(bot)
  }
}

module.exports = { PooledIsolate, IsolatePool, MAX_PROGRAMS }
