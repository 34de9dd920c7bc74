'use strict'
/**
 * All programs of one `World.run` in the mock world: they begin in the same tick, one after the other, and the group is
 * over when the last of them is.
 */
const { SignalHub } = require('../../skills_js/signals')
const { MockBackend } = require('../../skills_js/mock/backend')
const { ticksOf, TICK_MS } = require('../../skills_js/mock/clock')
const { plain } = require('../host/isolates/border')
const { Report } = require('../host/isolates/reports')
const { CallRun } = require('./call_run')
const { PolicyIsolate } = require('./policy_isolate')

/**
 * @typedef {import('../../skills_js/mock/simulation').Simulation} Simulation
 * @typedef {import('../../skills_js/mock/stage').Stage} Stage
 * @typedef {import('../../skills_js/mock/recorder').Recorder} Recorder
 * @typedef {{ wall_ms: number, cpu_ms: number, memory_mb: number }} RunLimits
 * @typedef {{ simulation: Simulation, stage: Stage, recorder: Recorder, bundle: string, threaded: boolean, pool?:
 *   import('./isolate_pool').IsolatePool, bodies?: import('./call_bodies').CallBodies, onLostThread?: () => void,
 *   onStir?: (group: RunGroup) => void }} RunContext `pool` has the bots' isolates, `bodies` the bots that calls
 *   move; `onLostThread` hears of one that cannot be freed, `onStir` that a look at the run is due
 * @typedef {{ bot: string, source: string, seed: string, calls?: import('./call_run').Calls }} Program `seed` and the
 *   bot's name give its random numbers; with `calls` it does nothing but these
 * @typedef {{ isolate: PolicyIsolate | CallRun, backend: MockBackend, report: Report, client: any, verdict:
 *   import('./policy_isolate').Verdict|null, told: boolean, leave: () => void }} Part `leave` ends what it listens to
 */

/** Run of a group. */
class RunGroup {
  #s
  #limits
  #signals
  /** @type {Part[]} */
  #parts
  #started = 0
  #leave = () => {}
  #forgetLimit = () => {}
  /** Programs to be ended before the next tick. @type {{ part: Part, outcome: 'timeout'|'cancelled', error: any }[]} */
  #due = []
  /** @type {Record<string, object>} */
  results = {}

  /**
   * @param {RunContext} context
   * @param {Program[]} policies
   * @param {RunLimits} limits `wall_ms` in game time
   */
  constructor (context, policies, limits) {
    this.#s = context
    this.#limits = limits
    this.#signals = new ReportingHub(
      policies.map(({ bot }) => bot), (data) => context.recorder.emit('signal', data)
    )
    this.#parts = policies.map((policy) => this.#part(policy))
  }

  /** @param {string} bot @returns {boolean} whether a program of this run still has that bot */
  playing (bot) { return this.#parts.some(({ isolate, told }) => isolate.name === bot && !told) }

  /** @returns {boolean} */
  get over () { return this.#parts.every(({ told }) => told) }

  /** Prepare every program, then begin all of them in this tick. */
  async start () {
    const { simulation, stage, recorder } = this.#s
    await Promise.all(this.#parts.map(({ isolate }) => isolate.prepare()))
    this.#started = simulation.age
    this.#leave = stage.join(this.#signals)
    this.#forgetLimit = simulation.clock.after(ticksOf(this.#limits.wall_ms), () => this.#expire())
    for (const { isolate } of this.#parts) {
      if (!isolate.over) recorder.emit('policy', { bot: isolate.name, state: 'started', result: null })
    }
    for (const { isolate } of this.#parts) await isolate.begin()
    await stage.settle()
    await this.look()
  }

  /** True if something is due or unreported; otherwise no check is needed. */
  get stirs () { return this.#due.length > 0 || this.#parts.some(({ verdict, told }) => verdict !== null && !told) }

  /** End what is due and report what has ended, after each tick in which the group stirs. */
  async look () {
    for (const { part, outcome, error } of this.#due.splice(0)) {
      await part.isolate.close(outcome, error)
      await this.#s.stage.settle()
    }
    for (const part of this.#parts) if (part.verdict !== null && !part.told) this.#conclude(part)
    // What an ended program means to those that wait for it.
    await this.#s.stage.settle()
    if (this.#parts.some(({ verdict, told }) => verdict !== null && !told)) await this.look()
    if (!this.over) return
    this.#leave()
    this.#forgetLimit()
  }

  /** @param {string[]|null} bots end these programs, or all */
  async cancel (bots) {
    for (const part of this.#parts) {
      if (bots !== null && !bots.includes(part.isolate.name)) continue
      this.#owe(part, 'cancelled', plain('PolicyAborted', 'the run was cancelled'))
    }
    await this.look()
  }

  #expire () {
    const error = plain('TimeoutError', `the program was still running after ${this.#limits.wall_ms / 1000} s`)
    for (const part of this.#parts) if (!part.isolate.over) this.#owe(part, 'timeout', error)
  }

  /**
   * Schedule the end of a program before the next tick.
   * @param {Part} part
   * @param {'timeout'|'cancelled'} outcome
   * @param {Error & { code?: string }} error
   */
  #owe (part, outcome, error) {
    this.#due.push({ part, outcome, error })
    this.#s.onStir?.(this)
  }

  /** @param {Part} part */
  #conclude (part) {
    const { simulation, recorder } = this.#s
    const { isolate, backend, report, verdict, client } = part
    part.told = true
    part.leave()
    backend.close()
    isolate.dispose()
    this.#signals.end(isolate.name)
    report.close(this.#signals.refused(isolate.name))
    const result = {
      bot: isolate.name,
      outcome: verdict?.outcome,
      error: verdict?.error ?? null,
      wall_ms: (simulation.age - this.#started) * TICK_MS,
      cpu_ms: Math.round(isolate.cpuMs * 10) / 10,
      started_tick: this.#started,
      ended_tick: simulation.age
    }
    if (client.gone) {
      Object.assign(result, { outcome: 'infrastructure', error: plain('BotLost', `${isolate.name} left the world`) })
    }
    this.results[isolate.name] = result
    // Computing time is the machine's, not the world's: the log of a run must be the same everywhere.
    recorder.emit('policy', { bot: isolate.name, state: 'ended', result: { ...result, cpu_ms: 0 } })
  }

  /** @param {Program} program @returns {Part} */
  #part ({ bot, source, seed, calls }) {
    const { simulation, stage, recorder, bundle, threaded, pool, bodies, onLostThread } = this.#s
    const client = simulation.client(bot)
    const report = new Report(bot, (kind, data) => recorder.emit(kind, data))
    const backend = new MockBackend(client, { signals: this.#signals, tick: () => simulation.age, emit: report.emit })
    /** @type {Part} */
    const part = {
      isolate: /** @type {any} */ (null), backend, report, client, verdict: null, told: false, leave: () => {}
    }
    const ways = {
      bot,
      backend,
      post: (/** @type {object} */ message) => stage.post(part.isolate, message),
      onEnd: (/** @type {import('./policy_isolate').Verdict} */ verdict) => {
        part.verdict = verdict
        this.#s.onStir?.(this)
      }
    }
    part.isolate = calls
      ? new CallRun({ ...ways, calls, bodies })
      : new PolicyIsolate({ ...ways, source, bundle, threaded, seed, limits: this.#limits, pool, onLostThread })
    part.leave = client.on('lost', (/** @type {string} */ reason) => {
      this.#owe(part, 'cancelled', plain('BotLost', reason))
    })
    return part
  }
}

/** Signals of a run, each reported to the record. */
class ReportingHub extends SignalHub {
  #report

  /** @param {string[]} players @param {(data: { from: string, to: string, name: string }) => void} report */
  constructor (players, report) {
    super(players)
    this.#report = report
  }

  /** @param {string} from @param {string} to @param {string} [name] @returns {boolean} */
  send (from, to, name = '') {
    const waiting = super.send(from, to, name)
    this.#report({ from, to, name })
    return waiting
  }
}

module.exports = { RunGroup }
