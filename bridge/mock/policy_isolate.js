'use strict'
/**
 * One policy run of the mock world: a fresh isolate with the look-alike's bootstrap and the agent's program, told one
 * message at a time. In contrast to a run on a server its time is the world's: a real clock bounds only its computing.
 *
 * Threaded, the isolate computes on a thread of its own: a program that eats memory or spins harms only itself. Not
 * threaded, it computes on the caller's, some 20 times as fast to and fro: for programs that are trusted to be sane.
 */
const ivm = require('isolated-vm')
const { syntaxError } = require('../host/syntax')

/** Real time that a program may compute between two waits, in ms; more is a loop that never yields. */
const BURST_MS = 1000
const MAX_PENDING = 64
const MAX_ARGS = 16_384
const MAX_RESULT = 65_536
const MAX_MESSAGE = 2000

/**
 * @typedef {import('../host/syntax').ProgramError} ProgramError
 * @typedef {'returned'|'threw'|'syntax'|'timeout'|'cancelled'|'infrastructure'} Outcome
 * @typedef {{ outcome: Outcome, error: ProgramError|null }} Verdict
 * @typedef {{
 *   bot: string, source: string, bundle: string, seed: string, threaded: boolean,
 *   limits: { wall_ms: number, cpu_ms: number, memory_mb: number },
 *   backend: import('../../skills_js/mock/backend').MockBackend,
 *   post: (message: object) => void, onEnd: (verdict: Verdict) => void
 * }} IsolateOptions
 */

/** A program on the stage: `prepare()`, `begin()`, then `deliver()` until `over`. */
class PolicyIsolate {
  #o
  /** @type {import('isolated-vm').Isolate|null} */
  #isolate = null
  /** @type {any} */
  #context = null
  /** @type {any} */
  #run = null
  /** @type {any} */
  #deliver = null
  /** Actions under way: how to stop each. @type {Map<number, () => void>} */
  #pending = new Map()
  /** Why it is being ended, once that is decided: what it asks for from then on stays unanswered. @type {Verdict|null} */
  #verdict = null
  #computed = 0
  #lost = () => {}
  over = false

  /** @param {IsolateOptions} options */
  constructor (options) {
    this.#o = options
  }

  /** The bot whose program it is. */
  get name () { return this.#o.bot }

  /** Real time that the program has computed, in ms. */
  get cpuMs () { return this.#computed }

  /** Make the isolate ready to begin. A program that cannot begin is over afterwards. */
  async prepare () {
    const bad = syntaxError(this.#o.source)
    if (bad) return this.#finish('syntax', bad)
    const isolate = this.#isolate = new ivm.Isolate({
      memoryLimit: Math.max(8, this.#o.limits.memory_mb), onCatastrophicError: () => this.#catastrophe()
    })
    try {
      const context = this.#context = await isolate.createContext()
      await context.evalClosure(
        `delete globalThis.WebAssembly; delete globalThis.SharedArrayBuffer; delete globalThis.Atomics
         globalThis.__host = { read: $0, act: $1, drop: $2 }; globalThis.__ended = $3`,
        [new ivm.Callback(this.#read), new ivm.Callback(this.#act), new ivm.Callback(this.#drop), new ivm.Callback(this.#ended)])
      await (await compiled(isolate, this.#o.bundle)).run(context)
      // The end comes by a call of its own, in its turn among the others, not by a promise whenever Node gets to it.
      this.#run = await context.eval(
        `(({ run }, ended) => (source, settings) => { run(source, settings).then(ended, (error) => ended('')) })(__accord, __ended)`,
        { reference: true })
      this.#deliver = await context.eval('__accord.deliver', { reference: true })
      await context.eval('delete globalThis.__accord; delete globalThis.__host; delete globalThis.__ended; 0')
    } catch (/** @type {any} */ error) {
      this.#finish('infrastructure', plain('BootstrapError', error.message))
    }
  }

  /** Start the program; done when it waits for the first time. */
  async begin () {
    if (this.over) return
    const { bot, source, seed, limits, backend } = this.#o
    backend.onEvent((name, args) => { if (!this.#verdict) this.#o.post({ event: name, args }) })
    await this.#enter(this.#run, [source, JSON.stringify({ bot, limits, seed })])
  }

  /**
   * Tell the program; done when it waits again.
   *
   * @param {string} json
   */
  async deliver (json) {
    if (!this.over) await this.#enter(this.#deliver, [json])
  }

  /**
   * End it: what it waits for fails once, what it asks for later stays unanswered, then its isolate goes.
   *
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

  /** @param {any} entry a function in the isolate @param {string[]} args */
  async #enter (entry, args) {
    const began = performance.now()
    const left = Math.max(1, Math.min(BURST_MS, this.#o.limits.cpu_ms - this.#computed))
    try {
      if (this.#o.threaded) await this.#orLost(entry.apply(undefined, args, { timeout: left }))
      else entry.applySync(undefined, args, { timeout: left })
      this.#computed += performance.now() - began
    } catch (/** @type {any} */ error) {
      this.#computed += performance.now() - began
      this.#failed(error)
    }
    if (this.over) this.#dispose()
  }

  /** An isolate that ran out of memory the hard way never answers: then the wait ends all the same. @param {Promise<any>} work */
  #orLost (work) {
    return new Promise((resolve, reject) => {
      this.#lost = () => resolve(undefined)
      work.then(resolve, reject)
    })
  }

  #read = (/** @type {unknown} */ method, /** @type {unknown} */ argsJson) => {
    if (this.#verdict) throw new Error('PolicyAborted: the run is over')
    return capped(this.#o.backend.read(String(method), parsed(argsJson)))
  }

  #act = (/** @type {unknown} */ callId, /** @type {unknown} */ method, /** @type {unknown} */ argsJson) => {
    // After the end was decided calls stay unanswered: an immediate error would let a catching loop spin.
    if (this.#verdict) return
    const call = Number(callId)
    if (!Number.isSafeInteger(call) || this.#pending.has(call)) throw new Error('bad call id')
    if (this.#pending.size >= MAX_PENDING) throw new Error(`more than ${MAX_PENDING} actions at once: await some of them`)
    const args = parsed(argsJson)
    this.#pending.set(call, () => {})
    const stop = this.#o.backend.start(String(method), args, (error, value) => this.#answer(call, error, value))
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
    const said = error === null ? JSON.stringify(value ?? null) : ''
    if (error !== null) this.#o.post({ call, ok: false, error: described(error) })
    else if (said.length <= MAX_RESULT) this.#o.post({ call, ok: true, value: value ?? null })
    else this.#o.post({ call, ok: false, error: plain('LimitExceeded', `the answer is longer than ${MAX_RESULT} characters`) })
  }

  #ended = (/** @type {unknown} */ json) => {
    if (this.#verdict) return
    const said = typeof json === 'string' && json !== '' && json.length <= MAX_RESULT ? JSON.parse(json) : null
    const outcome = ['returned', 'threw', 'syntax'].includes(said?.outcome) ? said.outcome : 'threw'
    this.#finish(outcome, said?.error ? described(said.error) : null)
  }

  /** @param {any} error from the isolate: its time or memory is used up, or a rejection that nobody handled */
  #failed (error) {
    if (this.over) return
    const message = String(error?.message ?? error)
    const { memory_mb: memory, cpu_ms: cpu } = this.#o.limits
    if (/timed out/.test(message)) {
      const why = this.#computed >= cpu
        ? `the program used more than ${cpu} ms of CPU time`
        : `the program computed for more than ${BURST_MS} ms without waiting for anything: a loop without await?`
      this.#finish('timeout', plain('TimeoutError', why))
    } else if (/disposed|memory limit/.test(message)) {
      this.#finish('threw', plain('RangeError', `the program used more than ${memory} MB of memory`))
    } else this.#finish('threw', described(error))
  }

  #catastrophe () {
    // Such an isolate never settles and cannot be disposed of: its thread is lost with it.
    this.#isolate = null
    this.#finish('threw', plain('RangeError', `the program used more than ${this.#o.limits.memory_mb} MB of memory`))
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

  /** Never from within the isolate's own call: that is still on the stack. */
  #dispose () {
    const isolate = this.#isolate
    this.#isolate = null
    if (isolate && !isolate.isDisposed) isolate.dispose()
  }

  /** Its end is known: let go of its memory. */
  dispose () {
    this.#dispose()
  }
}

/** V8's compiled form of a bootstrap, made once per process: it saves a fifth of an isolate's start. @type {Map<string, any>} */
const codeCache = new Map()

/** @param {import('isolated-vm').Isolate} isolate @param {string} bundle @returns {Promise<import('isolated-vm').Script>} */
async function compiled (isolate, bundle) {
  const cachedData = codeCache.get(bundle)
  if (cachedData !== undefined) return isolate.compileScript(bundle, { filename: 'accord:bootstrap', cachedData })
  const script = await isolate.compileScript(bundle, { filename: 'accord:bootstrap', produceCachedData: true })
  codeCache.set(bundle, /** @type {any} */ (script).cachedData)
  return script
}

/**
 * @param {string} name
 * @param {string} message
 * @returns {ProgramError}
 */
function plain (name, message) {
  return { name, message, line: null, column: null }
}

/**
 * An error from anywhere as plain, bounded data.
 *
 * @param {any} error
 * @returns {ProgramError}
 */
function described (error) {
  const number = (/** @type {any} */ value) => Number.isSafeInteger(value) && value > 0 ? value : null
  const at = /policy\.js:(\d+):(\d+)/.exec(String(error?.stack ?? ''))
  return {
    name: String(error?.name ?? 'Error').slice(0, 100),
    message: String(error?.message ?? error).slice(0, MAX_MESSAGE),
    line: number(error?.line) ?? (at ? Number(at[1]) : null),
    column: number(error?.column) ?? (at ? Number(at[2]) : null)
  }
}

/** @param {unknown} json @returns {any[]} */
function parsed (json) {
  if (typeof json !== 'string' || json.length > MAX_ARGS) throw new Error(`arguments beyond ${MAX_ARGS} characters`)
  const args = JSON.parse(json)
  if (!Array.isArray(args)) throw new Error('arguments are not a list')
  return args
}

/** @param {any} value @returns {string} */
function capped (value) {
  const json = JSON.stringify(value ?? null)
  if (json.length > MAX_RESULT) throw new Error(`the answer is longer than ${MAX_RESULT} characters: ask for less`)
  return json
}

module.exports = { PolicyIsolate, BURST_MS, plain }
