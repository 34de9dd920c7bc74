'use strict'
/**
 * Calls of known primitives by a player whose body is in the server. The server plays them
 * (`bridge/servers/embedded/bodies/`); this side holds their start, their time limit and their result. To the host they
 * are a program like any other (`isolate.js`), which never computes.
 */
const { described, plain } = require('../isolates/border')
const { GRACE_MS } = require('../isolates/isolate')
const { hostTime, real } = require('../frozen_clock')
const { MAX_SOURCE } = require('../isolates/syntax')

/** Primitives that the server cannot play: signals pass between hosts and never through the world. */
const NOT_THERE = new Set(['sendSignal', 'waitSignal'])

/**
 * @typedef {import('../isolates/border').Outcome} Outcome
 * @typedef {import('../isolates/syntax').ProgramError} ProgramError
 * @typedef {import('../isolates/isolate').RunEnd} RunEnd
 * @typedef {{ steps: { name: string, args: any[] }[], pause_ticks: number, library?: string }} Calls
 * @typedef {{ bot: string, calls: Calls, link: import('./link').ServerLink, limits: { wall_ms: number }, time?:
 *   import('../frozen_clock').FreezableClock }} Options
 */

/**
 * @param {Calls|undefined} calls
 * @param {string} source the same as a program
 * @returns {boolean} whether the server plays these
 */
function playable (calls, source) {
  return calls !== undefined && calls.library === undefined && source.length <= MAX_SOURCE &&
    !calls.steps.some(({ name }) => NOT_THERE.has(name))
}

/** Run of calls: `prepare()`, `start()`, then `ended` resolves, by itself or after `cancel()` or `lose()`. */
class RemoteCalls {
  #o
  #time
  #run = 0
  #startedAt = 0
  #finished = false
  /** Reason for the end, once it is decided. @type {import('../isolates/border').Verdict|null} */
  #verdict = null
  /** @type {(() => void)[]} each forgets a timer */
  #timers = []
  /** @type {(end: RunEnd) => void} */
  #settle = () => {}
  /** Always false: the server computes for them. */
  computing = false

  /** @param {Options} options */
  constructor (options) {
    this.#o = options
    this.#time = options.time ?? hostTime
    /** @type {Promise<RunEnd>} never rejects */
    this.ended = new Promise((resolve) => { this.#settle = resolve })
  }

  /** Bot that performs the calls. */
  get bot () { return this.#o.bot }

  /** True once they have ended (or could not start). */
  get over () { return this.#finished }

  /** Do nothing: there is nothing to prepare. */
  async prepare () {}

  /** Start the calls, as soon as time passes. */
  start () {
    if (this.#finished) return
    const { wall_ms: wall } = this.#o.limits
    this.#startedAt = this.#time.now()
    const late = this.#time.after(
      () => this.#stop('timeout', plain('TimeoutError', `the program was still running after ${wall / 1000} s`)), wall
    )
    this.#timers.push(() => late.close(), this.#time.whenGoing(() => this.#begin()))
  }

  /** End the calls as cancelled. Resolves when the bot is quiet. */
  async cancel () {
    this.#stop('cancelled', plain('PolicyAborted', 'the run was cancelled'))
    await this.ended
  }

  /**
   * End the calls at once because the bot or its world is gone; nobody is to blame.
   * @param {string} reason
   */
  lose (reason) {
    this.#finish('infrastructure', plain('BotLost', reason))
  }

  #begin () {
    if (this.#finished || this.#verdict) return
    const { bot, calls, link } = this.#o
    this.#run = link.play(bot, calls, (outcome, error) => this.#finish(outcome, error))
  }

  /** @param {'timeout'|'cancelled'} outcome @param {ProgramError} error */
  #stop (outcome, error) {
    if (this.#finished || this.#verdict) return
    if (this.#run === 0) return this.#finish(outcome, error)
    this.#verdict = { outcome, error }
    this.#o.link.say('stop', { run: this.#run, outcome, error })
    const over = real.setTimeout(() => this.#finish(outcome, error), GRACE_MS)
    this.#timers.push(() => clearTimeout(over))
  }

  /** @param {Outcome} outcome @param {ProgramError|null} error */
  #finish (outcome, error) {
    if (this.#finished) return
    this.#finished = true
    for (const forget of this.#timers) forget()
    const wall = this.#startedAt ? this.#time.now() - this.#startedAt : 0
    const verdict = outcome === 'infrastructure' ? { outcome, error } : this.#verdict ?? { outcome, error }
    const end = { ...verdict, wall_ms: Math.round(wall * 10) / 10, cpu_ms: 0 }
    const quiet = this.#run === 0 ? Promise.resolve() : this.#o.link.finish(this.#run)
    quiet.then(() => this.#settle(end), (lost) => this.#settle(
      outcome === 'infrastructure'
        ? end
        : { ...end, outcome: 'infrastructure', error: plain('BotLost', described(lost).message) }))
  }
}

module.exports = { RemoteCalls, playable }
