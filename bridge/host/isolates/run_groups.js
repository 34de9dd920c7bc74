'use strict'
/**
 * Run groups of one host: all programs of one `World.run` are prepared first and then start in one turn of the event
 * loop.
 */
const { PolicyRun } = require('./isolate')
const { CpuWatch } = require('./cpu_watch')
const { LedgerLine } = require('../ledger')
const { Report } = require('./reports')
const { GroupSignals } = require('./signals')
const { SpareIsolate } = require('./spare_isolate')
const { closeParser } = require('./syntax')

/**
 * @typedef {{ bot: string, source: string, seed: string, calls?: import('../engine/remote_calls').Calls }} Program with
 *   `calls` it does nothing but these
 * @typedef {{
 *   group: string, policies: Program[], players: string[], span: boolean,
 *   limits: import('./isolate').RunLimits
 *   }} Prepare
 * @typedef {{ run: PolicyRun | import('../engine/remote_calls').RemoteCalls, leave: () => void, report: Report }} Part
 * @typedef {{ parts: Part[], signals: GroupSignals, memoryMb: number }} Group
 * @typedef {{ bundle: () => string, createBackend: (bot: any, services: any) => import('./isolate').Backend,
 *   readsLater?: boolean, makeRoom?: (emit: (kind: string, data: object, tick?: number|null) => void) => Room,
 *   playCalls?: (options: { bot: any, calls?: any, source: string, limits: any }) =>
 *   import('../engine/remote_calls').RemoteCalls | null }} Parts `readsLater`: the backend's reads promise their
 *   answers; `makeRoom`: where its bots are, mineflayer's if left out; `playCalls`: how calls of primitives are played
 *   without an isolate, where they can be
 * @typedef {import('../bots/bots').BotRoom | import('../engine/room').EngineRoom} Room
 * @typedef {{
 *   room: Room, parts: Parts, emit: (kind: string, data: object, tick?: number|null) => void,
 *   forward: (group: string, op: import('./signals').SignalOp) => void, onCatastrophe: (stuck: boolean) => void,
 *   spare?: SpareIsolate, ledgerFd?: number
 *   }} RunRoomOptions `ledgerFd` is where it is noted for whom the host computes
 */

/** Groups of programs of this host's bots: prepared, started, cancelled together. */
class RunGroups {
  #o
  #bundle = ''
  /** @type {NodeJS.Immediate|undefined} */
  #restocking
  #watch = new CpuWatch()
  #spare
  /** @type {Map<string, Group>} */
  #groups = new Map()
  /** @type {Set<string>} bots that belong to a group */
  #taken = new Set()

  /** @param {RunRoomOptions} options */
  constructor (options) {
    this.#o = options
    this.#spare = options.spare ?? new SpareIsolate(options.onCatastrophe, options.parts.readsLater)
  }

  /** Number of groups that are prepared or running. */
  get size () { return this.#groups.size }

  /** Number of programs that are over and still compute. */
  get lingering () { return this.#watch.lingering }

  /**
   * Make every program of the group ready to start.
   * @param {Prepare} spec
   * @returns {Promise<{ tick: number|null }>} the world age now
   */
  async prepare ({ group, policies, players, span, limits }) {
    const busy = policies.find(({ bot }) => this.#taken.has(bot))
    if (busy) throw Object.assign(new Error(`${busy.bot} is running a policy already`), { name: 'BotBusy' })
    clearImmediate(this.#restocking)
    this.#bundle ||= this.#o.parts.bundle()
    const local = policies.map(({ bot }) => bot)
    const signals = new GroupSignals({
      players,
      local,
      forward: span ? (op) => this.#o.forward(group, op) : null,
      onSent: (from, to, name) => this.#o.emit('signal', { from, to, name })
    })
    const parts = policies.map((program) => this.#part(program, limits, signals))
    for (const bot of local) this.#taken.add(bot)
    this.#groups.set(group, { parts, signals, memoryMb: limits.memory_mb })
    await Promise.all(parts.map(({ run }) => run.prepare()))
    return { tick: this.#o.room.clock.tick() }
  }

  /**
   * Start the group at the given moment; resolves when all its programs have ended and their bots are quiet.
   * @param {{ group: string, at: number, tick: number|null }} spec `at` in ms of the wall clock, `tick` the world age
   *   then
   * @returns {Promise<{ results: Record<string, object> }>}
   */
  async start ({ group, at, tick }) {
    const { parts, signals, memoryMb } = this.#group(group)
    const wait = at - Date.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    for (const { run } of parts) {
      if (!run.over) this.#o.emit('policy', { bot: run.bot, state: 'started', result: null }, tick)
      run.start()
    }
    signals.drive(() => parts.every(({ run }) => !run.computing))
    /** @type {Record<string, object>} */
    const results = {}
    await Promise.all(parts.map(async ({ run, leave, report }) => {
      const end = await run.ended
      signals.end(run.bot)
      leave()
      report.close(signals.refused(run.bot))
      this.#taken.delete(run.bot)
      const result = { bot: run.bot, ...end, started_tick: tick, ended_tick: this.#o.room.clock.tick() }
      results[run.bot] = result
      this.#o.room.ground.tell()
      this.#o.emit('policy', { bot: run.bot, state: 'ended', result })
    }))
    signals.close()
    this.#groups.delete(group)
    // Nobody plays: the next isolate is made once the results are out.
    if (this.#groups.size === 0) this.#restocking = setImmediate(() => this.#spare.renew(this.#bundle, memoryMb))
    return { results }
  }

  /** Release what is kept ready for the next run. */
  close () {
    clearImmediate(this.#restocking)
    this.#spare.dispose()
    closeParser()
  }

  /**
   * End the programs of the named bots (of the whole group without names); resolves when the bots are quiet.
   * @param {{ group: string, bots: string[]|null }} spec
   */
  async cancel ({ group, bots }) {
    const parts = this.#groups.get(group)?.parts ?? []
    await Promise.all(parts.filter(({ run }) => !bots || bots.includes(run.bot)).map(({ run }) => run.cancel()))
  }

  /**
   * Process a signal event of a player in another host.
   * @param {{ group: string, host: string, op: import('./signals').SignalOp }} spec
   */
  signal ({ group, host, op }) {
    this.#groups.get(group)?.signals.receive(host, op)
  }

  /** @param {string} group */
  #group (group) {
    const found = this.#groups.get(group)
    if (!found) throw new Error(`no prepared group ${group}`)
    return found
  }

  /**
   * @param {Program} program
   * @param {import('./isolate').RunLimits} limits
   * @param {GroupSignals} signals
   * @returns {Part}
   */
  #part (program, limits, signals) {
    const { bot: name } = program
    const { room } = this.#o
    const report = new Report(name, (kind, data) => this.#o.emit(kind, data))
    /** @type {{ bot: any, lost: Set<(reason: string) => void> }|null} */
    let entry = null
    try { entry = room.spawned(name) } catch { entry = null }
    const bot = entry?.bot
    const run = (bot && this.#o.parts.playCalls?.({ ...program, bot, limits })) ||
      this.#isolated(program, limits, bot, { signals, report })
    if (!entry) {
      run.lose(`${name} is not in the world`)
      return { run, leave: () => {}, report }
    }
    const lose = (/** @type {string} */ reason) => run.lose(reason)
    entry.lost.add(lose)
    room.idle.hold(bot)
    return { run, leave: () => { entry.lost.delete(lose); room.idle.release(bot) }, report }
  }

  /**
   * @param {Program} program
   * @param {import('./isolate').RunLimits} limits
   * @param {import('../bots/live_bot').LiveBot} bot
   * @param {{ signals: GroupSignals, report: Report }} told
   * @returns {PolicyRun} in an isolate of its own
   */
  #isolated ({ bot: name, source, seed }, limits, bot, { signals, report }) {
    const { room, parts, onCatastrophe, ledgerFd } = this.#o
    const services = { signals, tick: () => room.clock.tick(), emit: report.emit }
    return new PolicyRun({
      bot: name, source, bundle: this.#bundle, limits, backend: bot ? parts.createBackend(bot, services) : nobody(),
      watch: this.#watch,
      onCatastrophe, spare: this.#spare, settings: { seed, version: bot?.version },
      ledger: new LedgerLine(name, ledgerFd)
    })
  }
}

/** Return a backend for a bot that is not there; its program never starts. */
function nobody () {
  return { read: () => null, act: async () => null, quiesce: async () => {}, onEvent: () => {} }
}

module.exports = { RunGroups }
