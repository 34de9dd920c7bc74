'use strict'
/**
 * All programs of one `World.run` in the mock world: they begin in the same tick, one after the other, and the group is
 * over when the last of them is.
 */
const { CAPS } = require('../../skills_js/lookalike/host_api')
const { SignalHub } = require('../../skills_js/signals')
const { MockBackend } = require('../../skills_js/mock/backend')
const { ticksOf, TICK_MS } = require('../../skills_js/mock/clock')
const { plain } = require('../host/border')
const { PolicyIsolate } = require('./policy_isolate')

/** What one program may report; one in a print loop must not fill the record. The one line more is of what it left unsaid. */
const MAX_REPORTS = Object.freeze({ log: CAPS.logLines + 1, action: 5000 })
const MAX_TEXT = 1000

/**
 * @typedef {import('../../skills_js/mock/simulation').Simulation} Simulation
 * @typedef {import('../../skills_js/mock/stage').Stage} Stage
 * @typedef {import('../../skills_js/mock/recorder').Recorder} Recorder
 * @typedef {{ wall_ms: number, cpu_ms: number, memory_mb: number }} RunLimits
 * @typedef {{ simulation: Simulation, stage: Stage, recorder: Recorder, bundle: string, threaded: boolean, run: number }} Surroundings `run` counts from 1
 * @typedef {{ isolate: PolicyIsolate, backend: MockBackend, client: any, verdict: import('./policy_isolate').Verdict|null, told: boolean }} Part
 */

/** A run on its way. */
class RunGroup {
  #s
  #limits
  #signals
  /** @type {Part[]} */
  #parts
  #started = 0
  #leave = () => {}
  /** Parts to be ended before the next tick. @type {{ part: Part, outcome: 'timeout'|'cancelled', error: any }[]} */
  #due = []
  /** @type {Record<string, object>} */
  results = {}

  /**
   * @param {Surroundings} surroundings
   * @param {{ bot: string, source: string }[]} policies
   * @param {RunLimits} limits `wall_ms` in game time
   */
  constructor (surroundings, policies, limits) {
    this.#s = surroundings
    this.#limits = limits
    this.#signals = new ReportingHub(policies.map(({ bot }) => bot), (data) => surroundings.recorder.emit('signal', data))
    this.#parts = policies.map((policy) => this.#part(policy))
  }

  /** @returns {string[]} */
  get bots () { return this.#parts.map(({ isolate }) => isolate.name) }

  /** @returns {boolean} */
  get over () { return this.#parts.every(({ told }) => told) }

  /** Make every program ready, then begin all of them in this tick. */
  async start () {
    const { simulation, stage, recorder } = this.#s
    await Promise.all(this.#parts.map(({ isolate }) => isolate.prepare()))
    this.#started = simulation.age
    this.#leave = stage.join(this.#signals)
    simulation.clock.after(ticksOf(this.#limits.wall_ms), () => this.#expire())
    for (const { isolate } of this.#parts) {
      if (!isolate.over) recorder.emit('policy', { bot: isolate.name, state: 'started', result: null })
    }
    for (const { isolate } of this.#parts) await isolate.begin()
    await stage.settle()
    await this.look()
  }

  /** After each tick: end what is due, tell of what has ended. */
  async look () {
    for (const { part, outcome, error } of this.#due.splice(0)) {
      await part.isolate.close(outcome, error)
      await this.#s.stage.settle()
    }
    for (const part of this.#parts) if (part.verdict !== null && !part.told) this.#conclude(part)
    // What an ended program means to those that wait for it.
    await this.#s.stage.settle()
    if (this.#parts.some(({ verdict, told }) => verdict !== null && !told)) await this.look()
    if (this.over) this.#leave()
  }

  /** @param {string[]|null} bots end these programs, or all */
  async cancel (bots) {
    for (const part of this.#parts) {
      if (bots !== null && !bots.includes(part.isolate.name)) continue
      this.#due.push({ part, outcome: 'cancelled', error: plain('PolicyAborted', 'the run was cancelled') })
    }
    await this.look()
  }

  #expire () {
    const error = plain('TimeoutError', `the program was still running after ${this.#limits.wall_ms / 1000} s`)
    for (const part of this.#parts) if (!part.isolate.over) this.#due.push({ part, outcome: 'timeout', error })
  }

  /** @param {Part} part */
  #conclude (part) {
    const { simulation, recorder } = this.#s
    const { isolate, backend, verdict, client } = part
    part.told = true
    backend.close()
    isolate.dispose()
    this.#signals.end(isolate.name)
    const result = {
      bot: isolate.name,
      outcome: verdict?.outcome,
      error: verdict?.error ?? null,
      wall_ms: (simulation.age - this.#started) * TICK_MS,
      cpu_ms: Math.round(isolate.cpuMs * 10) / 10,
      started_tick: this.#started,
      ended_tick: simulation.age
    }
    if (client.gone) Object.assign(result, { outcome: 'infrastructure', error: plain('BotLost', `${isolate.name} left the world`) })
    this.results[isolate.name] = result
    // Computing time is the machine's, not the world's: the log of a run must be the same everywhere.
    recorder.emit('policy', { bot: isolate.name, state: 'ended', result: { ...result, cpu_ms: 0 } })
  }

  /** @param {{ bot: string, source: string }} policy @returns {Part} */
  #part ({ bot, source }) {
    const { simulation, stage, bundle, threaded, run } = this.#s
    const client = simulation.client(bot)
    const backend = new MockBackend(client, {
      signals: this.#signals, tick: () => simulation.age, emit: this.#reporter(bot)
    })
    /** @type {Part} */
    const part = { isolate: /** @type {any} */ (null), backend, client, verdict: null, told: false }
    part.isolate = new PolicyIsolate({
      bot,
      source,
      bundle,
      threaded,
      // Each run draws numbers of its own, the same ones as the same run of a world on a server.
      seed: `${simulation.world.seed}/${run}`,
      limits: this.#limits,
      backend,
      post: (message) => stage.post(part.isolate, message),
      onEnd: (verdict) => { part.verdict = verdict }
    })
    client.on('lost', (/** @type {string} */ reason) => {
      this.#due.push({ part, outcome: 'cancelled', error: plain('BotLost', reason) })
    })
    return part
  }

  /** @param {string} bot @returns {(kind: string, data: any) => void} counted and cut */
  #reporter (bot) {
    /** @type {Record<string, number>} */
    const left = { ...MAX_REPORTS }
    const cut = (/** @type {any} */ text) => text === null || text === undefined ? null : String(text).slice(0, MAX_TEXT)
    return (kind, data) => {
      if (!(left[kind]-- > 0)) return
      if (kind === 'log') return this.#s.recorder.emit('log', { bot, level: cut(data.level), text: cut(data.text) })
      const args = JSON.stringify(data.args ?? null)
      this.#s.recorder.emit('action', {
        bot,
        name: cut(data.name),
        args: args.length <= MAX_TEXT ? JSON.parse(args) : args.slice(0, MAX_TEXT),
        ok: Boolean(data.ok),
        error: data.error ? { name: cut(data.error.name), message: cut(data.error.message) } : null
      })
    }
  }
}

/** The signals of a run, each told to the record. */
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
