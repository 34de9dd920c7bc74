'use strict'
/**
 * One policy run: a fresh isolate, the bootstrap of the bot facade, the agent's program, and every bound around them.
 *
 * Only strings and numbers cross. The isolate runs on its own thread, so that nothing a program does blocks the bots;
 * its CPU time is watched, its memory is bounded, and `dispose` ends it whatever it is doing.
 */
const {
  bare, capped, described, newCall, outOfMemory, overloaded, parsed, plain, uninterruptible, verdictOf
} = require('./border')
const { usedByThread } = require('./cpu_watch')
const { HostBudget } = require('./host_budget')
const { SLICE_MS } = require('./policy_context')
const { SpareIsolate } = require('./spare_isolate')
const { hostTime, real } = require('../frozen_clock')
const { syntaxError } = require('./syntax')

/** CPU time that a program may use between two awaits, in ms; more means a loop that never yields. */
const BURST_MS = 200
/** Time for a program to clean up between its cancellation and the end of its isolate, in ms. */
const GRACE_MS = 200
/** Longest time for the bot to come to rest after a run, in ms; a server that has fallen behind answers slowly. */
const QUIESCE_MS = 90_000
const MAX_QUEUED_EVENTS = 256
/** Characters of a call's arguments shown in an error, and number of calls shown. */
const MAX_SHOWN = 80
const SHOWN_CALLS = 3
/** Answer to a printed line without host time left: the line is lost, not the program. */
const LOST_LINE = '{"value":null}'

/**
 * @typedef {import('./syntax').ProgramError} ProgramError
 * @typedef {import('./border').Outcome} Outcome
 * @typedef {import('./border').RunLimits} RunLimits
 * @typedef {{ outcome: Outcome, error: ProgramError|null, wall_ms: number, cpu_ms: number }} RunEnd
 * @typedef {{
 *   read: (method: string, args: any[]) => any,
 *   act: (method: string, args: any[], signal: AbortSignal) => Promise<any>,
 *   quiesce: () => Promise<void>,
 *   onEvent: (fn: (name: string, args: any[]) => void) => void
 *   }} Backend
 * @typedef {{ bot: string, source: string, bundle: string, limits: RunLimits, backend: Backend, watch:
 *   import('./cpu_watch').CpuWatch, settings?: object, onCatastrophe?: (stuck: boolean) => void, spare?: SpareIsolate,
 *   ledger?: { enter: () => void, leave: () => void }, time?: import('../frozen_clock').FreezableClock }} PolicyOptions
 *   `spare` is where its isolate comes from, should one be ready; `ledger` hears when the host computes for it; `time`
 *   is the host's: while it stands nothing reaches the program, nothing that it begins is done, and no limit counts it
 */

/** Run of a program: `prepare()`, `start()`, then `ended` resolves, by itself or after `cancel()` or `lose()`. */
class PolicyRun {
  #o
  #time
  #budget = new HostBudget(real.now)
  /** @type {import('isolated-vm').Isolate|null} */
  #isolate = null
  /** @type {any} */
  #enter = null
  /** @type {Map<number, AbortController>} */
  #pending = new Map()
  /** @type {Map<number, string>} what each pending call is, in words */
  #calls = new Map()
  /** @type {import('./border').Verdict|null} why it is being ended, once that is decided */
  #verdict = null
  #finished = false
  #startedAt = 0
  #slices = 0
  /** Readings of the isolate's clock: at its last claim, and at the start of its current slice of computing. */
  #askedAt = 0
  #sliceAt = 0
  /** CPU time charged, in ms: in total, and since the program last waited. */
  #charged = 0
  #burst = 0
  /** Its thread, if that still computes after the end. @type {import('./cpu_watch').Watched|null} */
  #ghost = null
  /** @type {(() => void)[]} each forgets a timer */
  #timers = []
  /** Messages to deliver when time continues. @type {string[][]} */
  #held = []
  /** @type {(end: RunEnd) => void} */
  #settle = () => {}

  /** @param {PolicyOptions} options */
  constructor (options) {
    this.#o = options
    this.#time = options.time ?? hostTime
    /** @type {Promise<RunEnd>} never rejects */
    this.ended = new Promise((resolve) => { this.#settle = resolve })
  }

  /** Bot that the program plays. */
  get bot () { return this.#o.bot }

  /** True once it has ended (or could not start). */
  get over () { return this.#finished }

  /** True while the program computes rather than waits. */
  get computing () { return !this.#finished && this.#slices > 0 }

  /** Make the isolate ready to start at once. A program that cannot start ends here: see `ended`. */
  async prepare () {
    if (this.#finished) return
    try {
      const bad = await syntaxError(this.#o.source, this.#o.watch)
      if (bad) return this.#finish('syntax', bad)
    } catch (error) {
      return this.#finish('infrastructure', plain(error.name, error.message))
    }
    if (this.#finished) return
    const { spare = new SpareIsolate(), bundle, limits } = this.#o
    const prepared = spare.take(bundle, limits.memory_mb)
    prepared.adopt(
      { read: this.#read, act: this.#act, drop: this.#drop, ended: this.#ended }, (stuck) => this.#catastrophe(stuck)
    )
    this.#isolate = prepared.isolate
    try {
      this.#enter = await prepared.opened
    } catch (error) {
      this.#finish('infrastructure', plain('BootstrapError', error.message))
    }
  }

  /**
   * Start the program. This is synchronous, so that a host starts all programs of a group in one turn of its event
   * loop.
   */
  start () {
    if (this.#finished || !this.#isolate) return
    this.#startedAt = this.#time.now()
    this.#askedAt = this.#clock()
    this.#o.backend.onEvent((name, args) => this.#event(name, args))
    this.#o.watch.add(this)
    const late = this.#time.after(() => this.#close('timeout',
      plain(
        'TimeoutError', `the program was still running after ${this.#o.limits.wall_ms / 1000} s; ${this.#waiting()}`
      )), this.#o.limits.wall_ms)
    this.#timers.push(() => late.close())
    const settings = JSON.stringify({ bot: this.#o.bot, limits: this.#o.limits, ...this.#o.settings })
    this.#slice([this.#o.source, settings])
  }

  /** End the program as cancelled; it may clean up for a moment. Resolves when the bot is quiet. */
  async cancel () {
    this.#close('cancelled', plain('PolicyAborted', 'the run was cancelled'))
    await this.ended
  }

  /**
   * End the program at once because its bot or its world is gone; nobody is to blame.
   * @param {string} reason
   */
  lose (reason) {
    this.#finish('infrastructure', plain('BotLost', reason))
  }

  /** Return the time computed since the last check, by the isolate's own clock (for CpuWatch); it never waits. */
  claim () {
    const now = this.#clock()
    const claimed = {
      ms: now - this.#askedAt, burst: this.#slices > 0 ? now - Math.max(this.#askedAt, this.#sliceAt) : 0
    }
    this.#askedAt = now
    return claimed
  }

  /**
   * Check the CPU time (for CpuWatch).
   * @param {import('./cpu_watch').Computed} charged since the last look
   */
  look ({ ms, burst }) {
    this.#charged += ms
    this.#burst += burst
    if (this.#finished || !this.#isolate) return
    if (this.#charged > this.#o.limits.cpu_ms) {
      this.#finish(
        'timeout', plain('TimeoutError', `the program used more than ${this.#o.limits.cpu_ms} ms of CPU time`)
      )
    } else if (this.#slices > 0 && this.#burst > BURST_MS) {
      this.#finish('timeout', plain('TimeoutError',
        `the program computed for more than ${BURST_MS} ms without waiting for anything: a loop without await?`))
    }
  }

  /** Describe what the program waits for, to its author. */
  #waiting () {
    const calls = [...this.#pending.keys()].map((call) => this.#calls.get(call))
    if (calls.length === 0) return 'it was waiting for a promise that nothing settles'
    const more = calls.length > SHOWN_CALLS ? ` and ${calls.length - SHOWN_CALLS} more` : ''
    return `it was waiting for ${calls.slice(-SHOWN_CALLS).join(', ')}${more}`
  }

  /** @param {string[]} args of a task of the isolate; its end ends a slice of computing */
  #slice (args) {
    if (this.#time.standing && !this.#verdict) {
      if (this.#held.push(args) === 1) this.#timers.push(this.#time.whenGoing(() => this.#release()))
      return
    }
    if (this.#slices++ === 0) this.#mark()
    const done = () => {
      this.#slices--
      if (this.#finished) this.#unlinger()
      else this.#mark()
    }
    this.#enter.apply(undefined, args, { timeout: SLICE_MS }).then(done, (/** @type {any} */ error) => {
      done()
      this.#failed(error)
    })
  }

  /** Deliver the messages that were held while time was frozen. */
  #release () {
    const held = this.#held
    this.#held = []
    for (const args of held) if (!this.#finished) this.#slice(args)
  }

  /** Mark the end of a burst of computing; another may begin. */
  #mark () {
    this.#sliceAt = this.#clock()
    this.#burst = 0
  }

  #read = (/** @type {unknown} */ method, /** @type {unknown} */ argsJson) => {
    if (this.#verdict) throw bare('PolicyAborted: the run is over')
    if (!this.#budget.open) {
      if (method === 'log') return LOST_LINE
      throw bare('too many expensive queries: wait (await) before asking for more')
    }
    const began = usedByThread()
    this.#o.ledger?.enter()
    try {
      const answer = this.#o.backend.read(String(method), parsed(argsJson))
      return answer instanceof Promise ? this.#later(answer) : capped(answer)
    } catch (error) {
      throw bare(String(error.message))
    } finally {
      this.#o.ledger?.leave()
      this.#budget.spend(usedByThread() - began)
    }
  }

  /**
   * Wait for the server's answer and charge its time to the program: the server's thread is shared as well.
   * @param {Promise<{ answer: any, ms: number }>} answer
   * @returns {Promise<string>}
   */
  async #later (answer) {
    const { answer: said, ms } = await answer
    this.#budget.spend(ms)
    try {
      return capped(said)
    } catch (error) {
      throw bare(String(error.message))
    }
  }

  #act = (/** @type {unknown} */ callId, /** @type {unknown} */ method, /** @type {unknown} */ argsJson) => {
    // After the end was decided calls stay unanswered: an immediate error would let a catching loop spin.
    if (this.#verdict) return
    const call = newCall(callId, this.#pending)
    const args = parsed(argsJson)
    const controller = new AbortController()
    this.#pending.set(call, controller)
    this.#calls.set(call, `${method}(${String(argsJson).slice(1, -1).slice(0, MAX_SHOWN)})`)
    const turn = this.#time.standing ? this.#time.going() : Promise.resolve()
    turn.then(() => {
      if (controller.signal.aborted) throw bare('the call was dropped while time stood still')
      this.#o.ledger?.enter()
      setImmediate(() => this.#o.ledger?.leave()) // what an act does at once it does before that
      return this.#o.backend.act(String(method), args, controller.signal)
    }).then(
      (value) => this.#answer(call, () => ({ call, ok: true, value: JSON.parse(capped(value)) })),
      (error) => this.#answer(call, () => ({ call, ok: false, error: described(error) })))
  }

  #drop = (/** @type {unknown} */ callId) => {
    const controller = this.#pending.get(Number(callId))
    this.#pending.delete(Number(callId))
    this.#calls.delete(Number(callId))
    controller?.abort()
  }

  /**
   * @param {number} call
   * @param {() => object} answer
   */
  #answer (call, answer) {
    this.#calls.delete(call)
    if (!this.#pending.delete(call) || this.#finished) return
    try {
      this.#tell(answer())
    } catch (error) {
      this.#tell({ call, ok: false, error: described(error) })
    }
  }

  /**
   * @param {string} name
   * @param {unknown[]} args
   */
  #event (name, args) {
    if (this.#verdict || this.#slices + this.#held.length > MAX_QUEUED_EVENTS) return
    this.#tell({ event: name, args })
  }

  /** @param {object} message */
  #tell (message) {
    if (!this.#finished) this.#slice([JSON.stringify(message)])
  }

  /** Handle the program's end, called by the isolate, which is disposed of only after that call. */
  #ended = (/** @type {unknown} */ json) => {
    setImmediate(() => {
      const { outcome, error } = verdictOf(json)
      this.#finish(outcome, error)
    })
  }

  /** @param {any} error from the isolate: out of memory, or a rejection that nobody handled */
  #failed (error) {
    if (this.#finished || this.#verdict) return
    const message = String(error?.message ?? error)
    if (/^Script execution timed out/.test(message)) return this.#outOfTime()
    if (/disposed|memory limit|abandoned/.test(message) && this.#isolate?.isDisposed) {
      return this.#finish('threw', outOfMemory(this.#o.limits.memory_mb))
    }
    this.#close('threw', described(error))
  }

  /** Handle a slice that used up its wall-clock time; the charged CPU time tells whether it really computed. */
  #outOfTime () {
    this.#o.watch.look()
    this.#finish('infrastructure', overloaded())
  }

  /** @param {boolean} stuck its thread had to be halted, perhaps long after the end; otherwise it has no memory left */
  #catastrophe (stuck) {
    // Such an isolate never settles and cannot be disposed of; the host is replaced when its bots are free.
    this.#isolate = null
    this.#o.onCatastrophe?.(stuck)
    if (stuck) this.#finish('timeout', uninterruptible())
    else this.#finish('threw', outOfMemory(this.#o.limits.memory_mb))
    this.#unlinger()
  }

  /**
   * Keep charging a program that is over but whose thread still computes uninterruptibly, so that others are not
   * charged for it.
   */
  #linger () {
    if (this.#slices === 0 || !this.#isolate) return
    let before = real.now()
    this.#ghost = {
      claim: () => {
        const now = real.now()
        const claimed = { ms: now - before, burst: 0 }
        before = now
        return claimed
      },
      look: () => {},
      lingers: true
    }
    this.#o.watch.add(this.#ghost)
  }

  #unlinger () {
    if (this.#ghost) this.#o.watch.remove(this.#ghost)
    this.#ghost = null
  }

  /**
   * End it softly: pending calls fail once, later calls stay unanswered, then the isolate goes.
   * @param {Outcome} outcome
   * @param {ProgramError|null} error
   */
  #close (outcome, error) {
    if (this.#finished || this.#verdict) return
    if (this.#startedAt === 0) return this.#finish(outcome, error)
    this.#verdict = { outcome, error }
    this.#release()
    for (const [call, controller] of [...this.#pending]) {
      this.#pending.delete(call)
      controller.abort()
      this.#tell({ call, ok: false, error: plain('PolicyAborted', error?.message ?? outcome) })
    }
    const over = real.setTimeout(() => this.#finish(outcome, error), GRACE_MS)
    this.#timers.push(() => clearTimeout(over))
  }

  /**
   * @param {Outcome} outcome
   * @param {ProgramError|null} error
   */
  #finish (outcome, error) {
    if (this.#finished) return
    this.#finished = true
    const verdict = this.#verdict ?? { outcome, error }
    if (outcome === 'infrastructure') Object.assign(verdict, { outcome, error })
    this.#verdict = verdict
    const wall = this.#startedAt ? this.#time.now() - this.#startedAt : 0
    for (const forget of this.#timers) forget()
    this.#o.watch.remove(this)
    for (const controller of this.#pending.values()) controller.abort()
    this.#pending.clear()
    if (this.#isolate && !this.#isolate.isDisposed) this.#isolate.dispose()
    this.#linger()
    this.#time.hurried(() => this.#rest(verdict.outcome)).then((unrest) => this.#settle({
      outcome: unrest ? 'infrastructure' : verdict.outcome,
      error: unrest ?? (verdict.error && located(verdict.error)),
      wall_ms: Math.round(wall * 10) / 10,
      cpu_ms: Math.round(this.#charged * 10) / 10
    }))
  }

  /**
   * Bring the bot to rest for its next program.
   * @param {Outcome} outcome
   * @returns {Promise<ProgramError|null>} what kept it from resting
   */
  async #rest (outcome) {
    if (outcome === 'infrastructure') {
      await this.#o.backend.quiesce().catch(() => {}) // its bot is gone: only its listeners are left to remove
      return null
    }
    /** @type {NodeJS.Timeout|undefined} */
    let timer
    const late = new Promise((_resolve, reject) => {
      timer = real.setTimeout(() => reject(new Error(`the bot did not come to rest in ${QUIESCE_MS} ms`)), QUIESCE_MS)
    })
    try {
      await Promise.race([this.#o.backend.quiesce(), late])
      return null
    } catch (error) {
      return plain('BotLost', error.message)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Return the isolate's own clock in ms; once the isolate is gone, its last reading. */
  #clock () {
    return this.#isolate && !this.#isolate.isDisposed ? Number(this.#isolate.cpuTime) / 1e6 : this.#askedAt
  }
}

/** @param {ProgramError} error */
function located (error) {
  return { name: error.name, message: error.message, line: error.line ?? null, column: error.column ?? null }
}

module.exports = { PolicyRun, BURST_MS, GRACE_MS }
