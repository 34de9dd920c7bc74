'use strict'
/**
 * One policy run of the mock world: a fresh context with the bootstrap of the bot facade and the agent's program, in
 * the bot's own isolate (`isolate_pool.js`), which receives one message at a time. In contrast to a run on a server,
 * its time is the world's: real time limits only its computing.
 *
 * Threaded, the isolate computes on its own thread: a program that eats memory or spins harms only itself. Not
 * threaded, it computes on the caller's thread, with 20 times faster calls: for trusted programs.
 */
const {
  bare, capped, described, newCall, outOfMemory, overloaded, parsed, plain, uninterruptible, verdictOf
} = require('../host/isolates/border')
const { CpuWatch, LOOK_MS, nearlyUsedByProcess } = require('../host/isolates/cpu_watch')
const { SLICE_MS } = require('../host/isolates/policy_context')
const { syntaxError } = require('../host/isolates/syntax')
const { IsolatePool } = require('./isolate_pool')

/** CPU time that a program may use between two waits, in ms; more means a loop that never yields. */
const BURST_MS = 1000
/** Factor on the limit on the caller's thread, where nobody can check meanwhile and the wall clock ends the program. */
const PATIENCE = 4
/** Watch of the parser's CPU time. */
const watch = new CpuWatch()

/**
 * @typedef {import('../host/isolates/syntax').ProgramError} ProgramError
 * @typedef {import('../host/isolates/border').Outcome} Outcome
 * @typedef {import('../host/isolates/border').Verdict} Verdict
 * @typedef {{ bot: string, source: string, bundle: string, seed: string, threaded: boolean, limits:
 *   import('../host/isolates/border').RunLimits, backend: import('../../skills_js/mock/backend').MockBackend, post:
 *   (message: object) => void, onEnd: (verdict: Verdict) => void, onLostThread?: () => void, used?: () => number,
 *   pool?: IsolatePool }} IsolateOptions `used` tells ms of CPU time of this process; `pool` is where its isolate comes
 *   from
 */

/** Run of a program on the stage: `prepare()`, `begin()`, then `deliver()` until `over`. */
class PolicyIsolate {
  #o
  /** @type {import('./isolate_pool').PooledIsolate|null} */
  #pooled = null
  /** False once it had to be stopped while computing. */
  #clean = true
  /** @type {any} */
  #entry = null
  /** Actions under way: how to stop each. @type {Map<number, () => void>} */
  #pending = new Map()
  /** Reason for the end, once it is decided: later calls stay unanswered. @type {Verdict|null} */
  #verdict = null
  #computed = 0
  /** CPU time of the world's own work for the program, in ms: generating land, searching cells. */
  #answering = 0
  #lost = () => {}
  #used
  #pool
  over = false

  /** @param {IsolateOptions} options */
  constructor (options) {
    this.#o = options
    this.#used = options.used ?? nearlyUsedByProcess
    this.#pool = options.pool ?? new IsolatePool()
  }

  /** Bot that the program plays. */
  get name () { return this.#o.bot }

  /** CPU time of the program, in ms. A mock world does one thing at a time, so it is the process's. */
  get cpuMs () { return this.#computed }

  /** Make the isolate ready to begin. A program that cannot begin is over afterwards. */
  async prepare () {
    try {
      const bad = await syntaxError(this.#o.source, watch)
      if (bad) return this.#finish('syntax', bad)
    } catch (error) {
      return this.#finish('infrastructure', plain(error.name, error.message))
    }
    const { bot, bundle, limits, threaded } = this.#o
    const pooled = this.#pooled = this.#pool.take(bot, limits.memory_mb, threaded)
    try {
      // The end comes by a call of its own, in its turn among the others, not by a promise whenever Node gets to it.
      const border = { read: this.#read, act: this.#act, drop: this.#drop, ended: this.#ended }
      this.#entry = await pooled.open(bundle, border, (stuck) => this.#catastrophe(stuck))
    } catch (error) {
      this.#clean = false
      this.#finish('infrastructure', plain('BootstrapError', error.message))
    }
  }

  /** Start the program; resolves when it waits for the first time. */
  async begin () {
    if (this.over) return
    const { bot, source, seed, limits, backend } = this.#o
    backend.onEvent((name, args) => { if (!this.#verdict) this.#o.post({ event: name, args }) })
    await this.#enter([source, JSON.stringify({ bot, limits, seed })])
  }

  /**
   * Deliver a message; resolves when the program waits again.
   * @param {string} json
   */
  async deliver (json) {
    if (!this.over) await this.#enter([json])
  }

  /**
   * End the program: pending calls fail once, later calls stay unanswered, then its isolate goes.
   * @param {Outcome} outcome
   * @param {ProgramError|null} error
   */
  async close (outcome, error) {
    if (this.over || this.#verdict) return
    this.#verdict = { outcome, error }
    const calls = [...this.#pending]
    this.#pending.clear()
    for (const [call, stop] of calls) {
      stop()
      await this.deliver(JSON.stringify({ call, ok: false, error: plain('PolicyAborted', error?.message ?? outcome) }))
    }
    this.#finish(outcome, error)
  }

  /** @param {string[]} args */
  async #enter (args) {
    const own = () => this.#used() - this.#answering
    const began = own()
    const most = Math.max(1, Math.min(BURST_MS, this.#o.limits.cpu_ms - this.#computed))
    const spent = () => own() - began > most
    try {
      if (this.#o.threaded) await this.#watched(spent, this.#entry.apply(undefined, args, { timeout: SLICE_MS }))
      // Whole milliseconds: isolated-vm refuses any other number, and a program would seem to have thrown that.
      else this.#entry.applySync(undefined, args, { timeout: Math.ceil(most * PATIENCE) })
      if (this.#charge(own() - began) > most) this.#tooLong()
    } catch (error) {
      this.#clean = false
      this.#failed(error, this.#charge(own() - began) > most)
    }
    if (this.over) this.#dispose()
  }

  /**
   * Charge computing time.
   * @param {number} ms
   * @returns {number} the same
   */
  #charge (ms) {
    this.#computed += ms
    return ms
  }

  /**
   * Run a task of the isolate on its own thread, and end it when its CPU time is spent. If nothing interrupts the task,
   * the world waits until the thread is halted: otherwise it would continue, and others would be charged for it.
   * @param {() => boolean} spent
   * @param {Promise<any>} work
   */
  async #watched (spent, work) {
    const look = setInterval(() => {
      if (!spent()) return
      clearInterval(look)
      this.#clean = false
      this.#pooled?.dispose()
    }, LOOK_MS)
    try {
      await this.#orLost(work)
    } finally {
      clearInterval(look)
    }
  }

  /**
   * Wait for a task, or for the loss of the isolate: after a hard out-of-memory it never answers.
   * @param {Promise<any>} work
   */
  #orLost (work) {
    return new Promise((resolve, reject) => {
      this.#lost = () => resolve(undefined)
      work.then(resolve, reject)
    })
  }

  #read = (/** @type {unknown} */ method, /** @type {unknown} */ argsJson) => {
    if (this.#verdict) throw bare('PolicyAborted: the run is over')
    return this.#serve(() => capped(this.#o.backend.read(String(method), parsed(argsJson))))
  }

  /**
   * Do work of the world without charging it to the program.
   * @template T
   * @param {() => T} work
   * @returns {T}
   */
  #serve (work) {
    const began = this.#used()
    try {
      return work()
    } finally {
      this.#answering += this.#used() - began
    }
  }

  #act = (/** @type {unknown} */ callId, /** @type {unknown} */ method, /** @type {unknown} */ argsJson) => {
    // After the end was decided calls stay unanswered: an immediate error would let a catching loop spin.
    if (this.#verdict) return
    const call = newCall(callId, this.#pending)
    const args = parsed(argsJson)
    this.#pending.set(call, () => {})
    const stop = this.#serve(() =>
      this.#o.backend.start(String(method), args, (error, value) => this.#answer(call, error, value)))
    if (this.#pending.has(call)) this.#pending.set(call, stop)
  }

  #drop = (/** @type {unknown} */ callId) => {
    const stop = this.#pending.get(Number(callId))
    this.#pending.delete(Number(callId))
    stop?.()
  }

  /**
   * @param {number} call
   * @param {Error|null} error
   * @param {any} value
   */
  #answer (call, error, value) {
    if (!this.#pending.delete(call) || this.#verdict) return
    try {
      if (error !== null) throw error
      capped(value)
      this.#o.post({ call, ok: true, value: value ?? null })
    } catch (failure) {
      this.#o.post({ call, ok: false, error: described(failure) })
    }
  }

  #ended = (/** @type {unknown} */ json) => {
    if (this.#verdict) return
    const { outcome, error } = verdictOf(json)
    this.#finish(outcome, error)
  }

  /**
   * @param {any} error from the isolate: its time or memory is used up, or a rejection that nobody handled
   * @param {boolean} late it has computed for longer than it may
   */
  #failed (error, late) {
    if (this.over) return
    const message = String(error?.message ?? error)
    if (/timed out/.test(message) && !late) {
      // The machine had no time for it: nobody's doing.
      this.#finish('infrastructure', overloaded())
    } else if (/timed out|disposed/.test(message) && late && !/memory limit/.test(message)) {
      this.#tooLong()
    } else if (/disposed|memory limit/.test(message)) {
      this.#finish('threw', outOfMemory(this.#o.limits.memory_mb))
    } else this.#finish('threw', described(error))
  }

  #tooLong () {
    this.#clean = false
    const { cpu_ms: cpu } = this.#o.limits
    const why = this.#computed >= cpu
      ? `the program used more than ${cpu} ms of CPU time`
      : `the program computed for more than ${BURST_MS} ms without waiting for anything: a loop without await?`
    this.#finish('timeout', plain('TimeoutError', why))
  }

  /** @param {boolean} stuck its thread had to be halted; otherwise it has no memory left */
  #catastrophe (stuck) {
    // Such an isolate never settles and cannot be disposed of: its thread is lost with it.
    this.#clean = false
    this.#o.onLostThread?.()
    if (stuck) this.#finish('timeout', uninterruptible())
    else this.#finish('threw', outOfMemory(this.#o.limits.memory_mb))
    this.#lost()
  }

  /** @param {Outcome} outcome @param {ProgramError|null} error */
  #finish (outcome, error) {
    if (this.over) return
    this.over = true
    this.#verdict ??= { outcome, error }
    for (const stop of this.#pending.values()) stop()
    this.#pending.clear()
    this.#o.onEnd(this.#verdict)
  }

  /** Dispose of the isolate, but never from within its own call. */
  #dispose () {
    const pooled = this.#pooled
    this.#pooled = null
    if (pooled) this.#pool.giveBack(this.#o.bot, pooled, this.#clean && this.over)
  }

  /** Give back the isolate, or dispose of it, once the end is known. */
  dispose () {
    this.#dispose()
  }
}

module.exports = { PolicyIsolate, BURST_MS }
