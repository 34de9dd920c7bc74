'use strict'
/**
 * Run of calls of primitives, or of Accord's own routines (`routines.js`), with plain arguments, one after the other.
 * No agent's code is in them, so they need no isolate, which costs most of a short run. To the mock world it is a
 * program like any other (`policy_isolate.js`).
 */
const primitives = require('../../skills_js/primitives')
const { wrapAction } = require('../../skills_js/bot_facade/policy_scope')
const { described, plain } = require('../host/isolates/border')
const { CallBodies } = require('./call_bodies')
const { routinesOf } = require('./routines')

/** Name -> primitive as programs have it: it reports each call. @type {Map<string, Function>} */
const CALLABLE = new Map(
  Object.entries(primitives).map(([name, fn]) => [name, wrapAction(name, /** @type {any} */ (fn))])
)

/**
 * @typedef {import('../host/isolates/border').Outcome} Outcome
 * @typedef {import('../host/isolates/syntax').ProgramError} ProgramError
 * @typedef {import('../host/isolates/border').Verdict} Verdict
 * @typedef {{ steps: { name: string, args: any[] }[], pause_ticks: number, library?: string }} Calls `library`: the
 *   library of routines that they call instead of primitives
 * @typedef {{
 *   bot: string, calls: Calls, backend: import('../../skills_js/mock/backend').MockBackend,
 *   post: (message: object) => void, onEnd: (verdict: Verdict) => void, bodies?: CallBodies
 *   }} Options `bodies` is where its bot comes from
 */

/** Answer to a call that continues after its end was decided, as in an isolate. */
const ENDED = Object.freeze({ error: plain('PolicyAborted', 'the run is over') })

/** Run of calls on the stage: `prepare()`, `begin()`, then `deliver()` until `over`. */
class CallRun {
  #o
  #bodies
  #body
  /** Callable functions, by name. @type {ReadonlyMap<string, Function>} */
  #callable
  /** Actions under way: how to stop each. @type {Map<number, () => void>} */
  #pending = new Map()
  #decided = false
  /** True once all calls came to their end. */
  #done = false
  #givenBack = false
  over = false
  /** Always 0: no agent's code computes. */
  cpuMs = 0

  /** @param {Options} options */
  constructor (options) {
    this.#o = options
    this.#bodies = options.bodies ?? new CallBodies()
    this.#body = this.#bodies.take(options.bot)
    const { backend, calls: { library } } = options
    this.#callable = library === undefined ? CALLABLE : routinesOf(library, this.#body.bot)
    this.#body.begin({
      raw: {
        read: (method, args) => JSON.stringify(backend.read(method, JSON.parse(args))),
        act: (id, method, args) => this.#act(id, method, JSON.parse(args)),
        drop: (id) => this.#drop(id)
      },
      read: (method, args) => library !== undefined && this.#decided ? ENDED : backend.read(method, args),
      fatal: (error) => this.#finish('threw', described(error))
    })
  }

  /** Bot that the calls move. */
  get name () { return this.#o.bot }

  /** Check the names of the calls, before anything moves. */
  async prepare () {
    const unknown = this.#o.calls.steps.find(({ name }) => !this.#callable.has(name))
    if (unknown !== undefined) this.#finish('threw', plain('ReferenceError', `${unknown.name} is not defined`))
  }

  /** Begin; returns when the run waits for the first time. */
  begin () {
    if (this.over) return Promise.resolve()
    const { backend } = this.#o
    backend.onEvent((name, args) => { if (!this.#decided) this.#o.post({ event: name, args }) })
    this.#steps(this.#body.bot)
      .then(() => this.#finish('returned', null), (error) => this.#finish('threw', described(error)))
    return settled()
  }

  /** @param {any} body the bot */
  async #steps (body) {
    const { steps, pause_ticks: pause } = this.#o.calls
    for (const { name, args } of steps) {
      if (this.#decided) return
      await /** @type {Function} */ (this.#callable.get(name))(body, ...args)
    }
    if (pause > 0 && !this.#decided) await body.waitForTicks(pause)
  }

  /**
   * Deliver a message; returns when the run waits again.
   * @param {string} json
   */
  deliver (json) {
    if (this.over) return Promise.resolve()
    this.#body.host.deliver(json)
    return settled()
  }

  /**
   * End the run: pending calls fail once, later calls stay unanswered.
   * @param {Outcome} outcome
   * @param {ProgramError|null} error
   */
  async close (outcome, error) {
    if (this.over || this.#decided) return
    this.#decided = true
    const calls = [...this.#pending]
    this.#pending.clear()
    for (const [call, stop] of calls) {
      stop()
      this.#body.host.deliver(
        JSON.stringify({ call, ok: false, error: plain('PolicyAborted', error?.message ?? outcome) })
      )
      await settled()
    }
    this.#end(outcome, error)
  }

  /** Give back the bot, once the end is known. */
  dispose () {
    if (this.#givenBack) return
    this.#givenBack = true
    this.#bodies.giveBack(this.#o.bot, this.#body, this.#done)
  }

  /** @param {number} id @param {string} method @param {any[]} args */
  #act (id, method, args) {
    if (this.#decided) return
    this.#pending.set(id, () => {})
    const stop = this.#o.backend.start(method, args, (error, value) => this.#answer(id, error, value))
    if (this.#pending.has(id)) this.#pending.set(id, stop)
  }

  /** @param {number} id */
  #drop (id) {
    const stop = this.#pending.get(id)
    this.#pending.delete(id)
    stop?.()
  }

  /** @param {number} call @param {Error | null} error @param {any} value */
  #answer (call, error, value) {
    if (!this.#pending.delete(call) || this.#decided) return
    if (error === null) this.#o.post({ call, ok: true, value: value ?? null })
    else this.#o.post({ call, ok: false, error: { name: error.name, message: error.message } })
  }

  /** @param {Outcome} outcome @param {ProgramError|null} error */
  #finish (outcome, error) {
    if (this.#decided) return
    this.#decided = true
    this.#end(outcome, error)
  }

  /** @param {Outcome} outcome @param {ProgramError|null} error */
  #end (outcome, error) {
    if (this.over) return
    this.over = true
    this.#done = outcome === 'returned'
    for (const stop of this.#pending.values()) stop()
    this.#pending.clear()
    this.#o.onEnd({ outcome, error })
  }
}

/** @returns {Promise<void>} promises settle before the next turn of Node's loop */
function settled () {
  return new Promise((resolve) => setImmediate(resolve))
}

module.exports = { CallRun }
