'use strict'
/**
 * The hosts and bots of one world, inside the supervisor: who sits where, who comes back after a loss, which runs go on.
 */
const { HostLink } = require('./host_link')
const { ChatEar } = require('./chat_ear')

const BOTS_PER_HOST = 25
/** Replacements within this time, in ms, after which a fleet's hosts are given up. */
const CRASH_WINDOW_MS = 60_000
const MAX_CRASHES = 5
/** Rejoining: the server may still hold the old connection for a moment. */
const REJOIN_TRIES = 5
const REJOIN_PAUSE_MS = 400
/** Head start for hosts that begin together, in ms. */
const START_LEAD_MS = 30

const KINDS = new Set(['bot', 'policy', 'inventory', 'chat', 'signal', 'log', 'action'])

/**
 * @typedef {{ bot: string, host: string, port: number }} Connect where a bot joins, and as whom
 * @typedef {{ name: string, spec: Connect, host: HostLink, ready: Promise<void> }} Seat
 * @typedef {{ bots: Map<HostLink, { bot: string, source: string }[]>, cancelled: boolean }} RunState
 * @typedef {(kind: string, tick: number|null, data: object) => void} Emit
 */

/** All hosts of one fleet. */
class HostFleet {
  #emit
  #options
  /** @type {Set<HostLink>} */
  #hosts = new Set()
  /** @type {Map<string, Seat>} */
  #seats = new Map()
  /** @type {Map<string, RunState>} by job id */
  #runs = new Map()
  #ear = new ChatEar(() => performance.now())
  /** @type {number[]} */
  #crashes = []
  #count = 0
  #closed = false

  /**
   * @param {Emit} emit
   * @param {{ rssMb?: number, script?: string, confinement?: import('./host_link').Confinement }} options
   */
  constructor (emit, options) {
    this.#emit = emit
    this.#options = options
  }

  /** Start a first host. */
  async open () {
    const host = [...this.#hosts][0] ?? this.#spawn()
    await host.ready
  }

  /** End all hosts; resolves when their processes are gone. */
  async release () {
    this.#closed = true
    await Promise.all([...this.#hosts].map((host) => host.end()))
  }

  /** Kill all hosts at once. */
  kill () {
    this.#closed = true
    for (const host of this.#hosts) host.kill('the supervisor ends')
  }

  /** @param {Connect} spec */
  async connect (spec) {
    const there = this.#seats.get(spec.bot)
    if (there) return there.ready
    const host = this.#roomy()
    /** @type {Seat} */
    const seat = { name: spec.bot, spec, host, ready: host.ready.then(() => host.connect(spec)) }
    this.#seats.set(spec.bot, seat)
    try {
      await seat.ready
    } catch (error) {
      if (this.#seats.get(spec.bot) === seat && seat.host === host) this.#seats.delete(spec.bot)
      throw error
    }
  }

  /** @param {{ bot: string }} spec */
  async disconnect ({ bot }) {
    const seat = this.#seats.get(bot)
    if (!seat) return
    await seat.ready.catch(() => {})
    this.#seats.delete(bot)
    await seat.host.request('disconnect', { bot })
  }

  /** @param {{ bot: string }} spec */
  async observe ({ bot }) {
    const seat = this.#seat(bot)
    await seat.ready
    return seat.host.request('observe', { bot })
  }

  /**
   * Prepare all programs, start them together, gather their results.
   * @param {string} job
   * @param {{ policies: { bot: string, source: string }[], limits: object, seed: string }} spec
   * @returns {Promise<Record<string, object>>}
   */
  async run (job, { policies, limits, seed }) {
    const seats = policies.map(({ bot }) => this.#seat(bot))
    await Promise.all(seats.map((seat) => seat.ready))
    /** @type {Map<HostLink, { bot: string, source: string }[]>} */
    const parts = new Map()
    seats.forEach((seat, i) => parts.set(seat.host, [...(parts.get(seat.host) ?? []), policies[i]]))
    const state = { bots: parts, cancelled: false }
    this.#runs.set(job, state)
    try {
      return await this.#runParts(job, state, policies.map(({ bot }) => bot), { limits, seed })
    } finally {
      this.#runs.delete(job)
    }
  }

  /**
   * @param {string} job
   * @param {RunState} state
   * @param {string[]} players
   * @param {{ limits: object, seed: string }} terms
   */
  async #runParts (job, state, players, terms) {
    const hosts = [...state.bots.keys()]
    const ready = await Promise.allSettled(hosts.map((host) => host.request('prepare', {
      group: job, policies: state.bots.get(host), players, span: hosts.length > 1, ...terms
    })))
    const refused = ready.find((answer) => answer.status === 'rejected' && answer.reason.name !== 'HostLost')
    if (state.cancelled || ready.some((answer) => answer.status === 'rejected')) await this.#cancelGroup(job, state, null)
    const lead = hosts.length > 1 ? START_LEAD_MS : 0
    const ticks = ready.map((answer) => answer.status === 'fulfilled' ? answer.value.tick : null).filter((tick) => tick !== null)
    const tick = ticks.length > 0 ? Math.max(...ticks) + Math.round(lead / 50) : null
    const at = Date.now() + lead
    const results = await Promise.all(hosts.map((host, i) => this.#runPart(job, host, state, ready[i], { at, tick })))
    if (refused) throw /** @type {PromiseRejectedResult} */ (refused).reason
    return Object.assign({}, ...results)
  }

  /**
   * @param {string} job
   * @param {HostLink} host
   * @param {RunState} state
   * @param {PromiseSettledResult<any>} ready
   * @param {{ at: number, tick: number|null }} start
   * @returns {Promise<Record<string, object>>}
   */
  async #runPart (job, host, state, ready, start) {
    try {
      if (ready.status === 'rejected') throw ready.reason
      return (await host.request('start', { group: job, ...start })).results
    } catch (/** @type {any} */ error) {
      const policies = state.bots.get(host) ?? []
      return Object.fromEntries(policies.map(({ bot }) => {
        const result = {
          bot, outcome: 'infrastructure', error: { name: error.name, message: error.message, line: null, column: null },
          wall_ms: 0, cpu_ms: 0, started_tick: start.tick, ended_tick: null
        }
        if (error.name === 'HostLost') this.#emit('policy', null, { bot, state: 'ended', result })
        return [bot, result]
      }))
    }
  }

  /**
   * @param {string} job
   * @returns {boolean} whether it was a run under way
   */
  cancel (job) {
    const state = this.#runs.get(job)
    if (!state) return false
    state.cancelled = true
    this.#cancelGroup(job, state, null)
    return true
  }

  /** @param {{ bots: string[]|null }} spec */
  async stop ({ bots }) {
    await Promise.all([...this.#runs].map(([job, state]) => this.#cancelGroup(job, state, bots)))
  }

  /**
   * @param {string} job
   * @param {RunState} state
   * @param {string[]|null} bots
   */
  async #cancelGroup (job, state, bots) {
    // A host that is lost meanwhile has ended its programs too: its part of the run says so.
    await Promise.allSettled([...state.bots.keys()].map((host) => host.request('cancel', { group: job, bots })))
  }

  /** Memory, CPU and bots per host, from the heartbeats. */
  stats () {
    return [...this.#hosts].map((host) => ({ host: host.name, pid: host.pid ?? null, ...host.beat }))
  }

  /** What each host finds when it looks at itself (examine.js). */
  async examine () {
    const hosts = [...this.#hosts].filter((host) => host.alive)
    return Promise.all(hosts.map(async (host) => ({ host: host.name, rss_mb: host.rssMb, ...await host.request('examine') })))
  }

  /** @param {string} bot */
  #seat (bot) {
    const seat = this.#seats.get(bot)
    if (seat) return seat
    const names = [...this.#seats.keys()].join(', ') || 'nobody'
    throw Object.assign(new Error(`${bot} is not in the world; in it: ${names}`), { name: 'BotLost' })
  }

  #roomy () {
    for (const host of this.#hosts) {
      const taken = [...this.#seats.values()].filter((seat) => seat.host === host).length
      if (host.alive && taken < BOTS_PER_HOST) return host
    }
    return this.#spawn()
  }

  #spawn () {
    if (this.#closed) throw Object.assign(new Error('the fleet is closed'), { name: 'HostLost' })
    const name = `h${++this.#count}`
    /** @type {HostLink} */
    const host = new HostLink(name, {
      onEvent: (kind, tick, data) => this.#hear(host, kind, tick, data),
      onSignal: (group, op) => this.#relay(host, group, op),
      onRecycle: () => this.#recycle(host),
      onLost: (reason) => this.#lost(host, reason)
    }, this.#options)
    this.#hosts.add(host)
    host.ready.then(() => this.#emit('host', null, { host: name, state: 'up', reason: '' }), () => {})
    return host
  }

  /**
   * @param {HostLink} host
   * @param {string} kind
   * @param {number|null} tick
   * @param {any} data
   */
  #hear (host, kind, tick, data) {
    if (!KINDS.has(kind) || !data || typeof data !== 'object') return
    if (kind === 'chat' && this.#hosts.size > 1 && !this.#ear.isNews(host, data.from, data.text)) return
    // A bot that the server has sent away is gone; who wants it back connects it again.
    if (kind === 'bot' && data.state === 'ended' && this.#seats.get(data.bot)?.host === host) this.#seats.delete(data.bot)
    this.#emit(kind, tick, data)
  }

  /**
   * @param {HostLink} from
   * @param {string} group
   * @param {any} op
   */
  #relay (from, group, op) {
    for (const host of this.#runs.get(group)?.bots.keys() ?? []) {
      if (host !== from) host.request('signal', { group, host: from.name, op }).catch(() => {})
    }
  }

  /** @param {HostLink} host one with an isolate that can never be freed: replaced when its runs are over */
  #recycle (host) {
    const running = () => [...this.#runs.values()].some((state) => state.bots.has(host))
    const timer = setInterval(() => {
      if (running()) return
      clearInterval(timer)
      if (this.#hosts.has(host)) host.kill('it is replaced after an isolate ran out of memory')
    }, 20)
  }

  /**
   * @param {HostLink} host
   * @param {string} reason
   */
  #lost (host, reason) {
    this.#hosts.delete(host)
    if (this.#closed) return
    this.#emit('host', null, { host: host.name, state: 'lost', reason })
    const seats = [...this.#seats.values()].filter((seat) => seat.host === host)
    for (const seat of seats) this.#emit('bot', null, { bot: seat.name, state: 'ended', reason: `its host was lost: ${reason}` })
    const now = performance.now()
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASH_WINDOW_MS), now]
    if (this.#crashes.length > MAX_CRASHES) {
      for (const seat of seats) this.#seats.delete(seat.name)
      return
    }
    if (this.#hosts.size === 0 || seats.length > 0) this.#return(seats, this.#spawn())
  }

  /**
   * Bring a lost host's bots back in another one.
   * @param {Seat[]} seats
   * @param {HostLink} host
   */
  #return (seats, host) {
    for (const seat of seats) {
      seat.host = host
      seat.ready = this.#rejoin(host, seat.spec)
      seat.ready.catch(() => { if (this.#seats.get(seat.name) === seat && seat.host === host) this.#seats.delete(seat.name) })
    }
  }

  /**
   * @param {HostLink} host
   * @param {Connect} spec
   */
  async #rejoin (host, spec) {
    await host.ready
    for (let tries = 1; ; tries++) {
      try {
        return await host.connect(spec)
      } catch (/** @type {any} */ error) {
        if (error.name !== 'BotLost' || tries === REJOIN_TRIES) throw error
        await new Promise((resolve) => setTimeout(resolve, REJOIN_PAUSE_MS))
      }
    }
  }
}

module.exports = { HostFleet, BOTS_PER_HOST }
