'use strict'
/**
 * Hosts and bots of one world on the supervisor's side: their bots, returns after a loss, runs that continue.
 */
const { HostLink } = require('./host_link')
const { allDone, allReady, culpritOf, rejoin, hostOf, unlessLost } = require('./fleet_members')
const { FleetNews } = require('./fleet_news')
const { Limiter } = require('./limiter')
const { SensingCache, within } = require('./sensing_cache')

const BOTS_PER_HOST = 25
/** Concurrent logins of a fleet: a login is a bot's costliest moment, for its host and for the server. */
const JOINS_AT_ONCE = 8
/** Time for which the loss of a host counts, in ms. After too many losses the fleet's hosts are given up. */
const CRASH_WINDOW_MS = 60_000
/** Losses allowed within that time: this many for any fleet, and for a large one some for each host. */
const MAX_CRASHES = 5
const CRASHES_A_HOST = 2
/** Longest wait for a host to make its bots speak, in ms; it has the lines and says them when it can. */
const SPEECH_MS = 100
/** Head start of hosts that start a run together, in ms. */
const START_LEAD_MS = 30

/**
 * @typedef {{ host: string, port: number, version: string, secret?: string }} Where `secret` lets hosts of engine
 *   bodies in
 * @typedef {Where & { bot: string, hearing?: import('../../../skills_js/hearing').Reach | null }} Connect where a bot
 *   joins, and as whom
 * @typedef {{ name: string, spec: Connect, host: HostLink|null, ready: Promise<void> }} FleetMember without a host
 *   until its turn
 * @typedef {{ bot: string, source: string, seed: string }} Program
 * @typedef {{ bots: Map<HostLink, Program[]>, players: string[], prepared: boolean, cancelled: boolean, unwanted:
 *   Set<string>, ended: Set<string>, awaited: Set<{ bot: string, over: () => void }> }} RunState `cancelled`,
 *   `unwanted`: what is to be ended as soon as it is prepared; `awaited`: whose end somebody waits for
 * @typedef {(kind: string, tick: number|null, data: object) => void} Emit
 */

/** All hosts of one fleet. */
class HostFleet {
  #emit
  /**
   * Distances within which programs hear chat; null: everywhere.
   * @type {import('../../../skills_js/hearing').Reach | null}
   */
  #hearing = null
  #options
  #perHost
  /** Bots for each host, shared evenly over as many hosts as are needed: a full host is slow for all of its bots. */
  #share
  /** @type {Set<HostLink>} */
  #hosts = new Set()
  /** @type {Map<string, FleetMember>} */
  #members = new Map()
  /** @type {Map<string, RunState>} by job id */
  #runs = new Map()
  #news
  #joins = new Limiter(JOINS_AT_ONCE)
  #sensing = new SensingCache()
  /** @type {number[]} */
  #crashes = []
  /** Hosts that are being replaced. @type {WeakSet<HostLink>} */
  #replaced = new WeakSet()
  #count = 0
  #still = false
  #closed = false

  /**
   * @param {Emit} emit
   * @param {{ rssMb?: number, script?: string, confinement?: import('./host_link').Confinement,
   *   botsPerHost?: number, bodies?: import('./host_link').Bodies }} options
   */
  constructor (emit, options) {
    this.#emit = emit
    this.#news = new FleetNews(emit)
    this.#options = options
    this.#perHost = options.botsPerHost ?? BOTS_PER_HOST
    this.#share = this.#perHost
  }

  /** Start a first host. */
  async open () {
    const host = [...this.#hosts][0] ?? this.#spawn()
    await host.ready
  }

  /** End all hosts; resolves when their processes are gone. */
  async release () {
    this.#closed = true
    this.#news.drops.end()
    await Promise.all([...this.#hosts].map((host) => host.end()))
  }

  /** Kill all hosts at once. */
  kill () {
    this.#closed = true
    this.#news.drops.end()
    for (const host of this.#hosts) host.kill('the supervisor ends')
  }

  /**
   * Join bots, a few at a time and in order; rejects with the first loss when the fate of all is known.
   * @param {Where & { bots: string[] }} spec
   */
  async connect ({ bots, ...where }) {
    const all = new Set([...this.#members.keys(), ...bots]).size
    this.#share = Math.ceil(all / Math.max(1, Math.ceil(all / this.#perHost)))
    await allDone(bots.map((bot) => this.#join({ bot, ...where, hearing: this.#hearing })))
    this.#news.drops.repeat()
  }

  /** @param {Connect} spec */
  async #join (spec) {
    const there = this.#members.get(spec.bot)
    if (there) return there.ready
    /** @type {HostLink|null} */
    let host = null
    /** @type {FleetMember} */
    const member = { name: spec.bot, spec, host, ready: Promise.resolve() }
    this.#members.set(spec.bot, member)
    member.ready = this.#joins.pass(async () => {
      host = member.host = this.#roomy()
      await host.ready
      await host.connect(spec)
    })
    try {
      await member.ready
    } catch (error) {
      if (this.#members.get(spec.bot) === member && member.host === host) this.#members.delete(spec.bot)
      throw error
    }
  }

  /** @param {{ bots: string[] }} spec */
  async disconnect ({ bots }) {
    await allDone(bots.map((bot) => this.#leave(bot)))
  }

  /** @param {string} bot */
  async #leave (bot) {
    const member = this.#members.get(bot)
    if (!member) return
    await member.ready.catch(() => {})
    if (this.#members.get(bot) === member) this.#members.delete(bot)
    await member.host?.request('disconnect', { bot })
  }

  /** @param {{ bot: string }} spec */
  async observe ({ bot }) {
    const member = this.#member(bot)
    await member.ready
    return hostOf(member).request('observe', { bot })
  }

  /** Return what a bot sees as a PNG file in base64. @param {{ bot: string, request: object }} spec */
  async picture ({ bot, request }) {
    const member = this.#member(bot)
    await member.ready
    return hostOf(member).request('picture', { bot, request })
  }

  /**
   * Return what bots are, have and see, by one request to each of their hosts. Bots that are not in the world are left
   * out.
   * @param {{ bots: string[], senses: Parameters<SensingCache["of"]>[2] }} spec
   * @returns {Promise<object[]>} in the order of the bots
   */
  async sense ({ bots, senses }) {
    /** @type {Map<HostLink, string[]>} */
    const parts = new Map()
    for (const bot of new Set(bots)) {
      const host = this.#members.get(bot)?.host
      if (host?.alive) parts.set(host, [...parts.get(host) ?? [], bot])
    }
    const told = await Promise.all([...parts].map(([host, names]) => this.#sensing.of(host, names, senses)))
    const found = new Map(told.flat().map((/** @type {{ name: string }} */ each) => [each.name, each]))
    return bots.filter((bot) => found.has(bot)).map((bot) => /** @type {object} */ (found.get(bot)))
  }

  /**
   * Set the distance at which programs hear chat, for present and later bots; null: everybody hears everything.
   * @param {{ reach: import('../../../skills_js/hearing').Reach | null }} spec
   */
  async hearing ({ reach }) {
    this.#hearing = reach
    for (const member of this.#members.values()) Object.assign(member.spec, { hearing: reach })
    await this.#tellAll('hearing', { reach })
  }

  /**
   * Freeze time for the players of this fleet, or let it continue.
   * @param {{ still: boolean }} spec
   */
  async stand ({ still }) {
    this.#still = still
    await this.#tellAll('stand', { still })
  }

  /** @param {string} verb @param {object} fields for every host that is there */
  async #tellAll (verb, fields) {
    await Promise.all(
      [...this.#hosts].filter((host) => host.alive).map((host) => unlessLost(host.request(verb, fields)))
    )
  }

  /**
   * Make bots say lines, by one request to each of their hosts. Bots that are not in the world say nothing.
   * @param {{ lines: [string, string, string|null][] }} spec
   */
  async speak ({ lines }) {
    /** @type {Map<HostLink, [string, string, string|null][]>} */
    const parts = new Map()
    for (const line of lines) {
      const host = this.#members.get(line[0])?.host
      if (host?.alive) parts.set(host, [...parts.get(host) ?? [], line])
    }
    const spoken = [...parts].map(([host, said]) => unlessLost(host.request('speak', { lines: said })))
    await within(Promise.all(spoken), SPEECH_MS, () => [])
  }

  /**
   * Prepare all programs, start them together, gather their results.
   * @param {string} job
   * @param {{ policies: Program[], limits: object }} spec
   * @returns {Promise<Record<string, object>>}
   */
  async run (job, { policies, limits }) {
    const members = policies.map(({ bot }) => this.#member(bot))
    /** @type {RunState} */
    const state = {
      bots: new Map(), players: policies.map(({ bot }) => bot), prepared: false, cancelled: false, unwanted: new Set(),
      ended: new Set(), awaited: new Set()
    }
    // From now on it can be cancelled, though its bots may still be on their way back into the world.
    this.#runs.set(job, state)
    try {
      await allReady(members)
      members.forEach((member, i) =>
        state.bots.set(hostOf(member), [...(state.bots.get(hostOf(member)) ?? []), policies[i]]))
      return await this.#runParts(job, state, { limits })
    } finally {
      for (const { over } of state.awaited) over()
      this.#runs.delete(job)
    }
  }

  /**
   * @param {string} job
   * @param {RunState} state
   * @param {{ limits: object }} terms
   */
  async #runParts (job, state, terms) {
    const hosts = [...state.bots.keys()]
    const ready = await Promise.allSettled(hosts.map((host) => host.request('prepare', {
      group: job, policies: state.bots.get(host), players: state.players, span: hosts.length > 1, ...terms
    })))
    const refused = ready.find((answer) => answer.status === 'rejected' && answer.reason.name !== 'HostLost')
    state.prepared = true
    const lost = ready.some((answer) => answer.status === 'rejected')
    if (state.cancelled || lost) await this.#cancelGroup(job, state, null)
    else if (state.unwanted.size > 0) await this.#cancelGroup(job, state, [...state.unwanted])
    const lead = hosts.length > 1 ? START_LEAD_MS : 0
    const ticks = ready.map((answer) => answer.status === 'fulfilled' ? answer.value.tick : null)
      .filter((tick) => tick !== null)
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
    } catch (error) {
      const policies = state.bots.get(host) ?? []
      const culprit = error.name === 'HostLost' ? culpritOf(host, policies, this.#perHost === 1) : null
      await Promise.allSettled(policies.map(({ bot }) => this.#members.get(bot)?.ready))
      return Object.fromEntries(policies.map(({ bot }) => {
        const message = bot === culprit ? `the program took its bot host down: ${error.message}` : error.message
        const result = {
          bot, outcome: bot === culprit ? 'threw' : 'infrastructure',
          error: { name: error.name, message, line: null, column: null },
          wall_ms: 0, cpu_ms: 0, started_tick: start.tick, ended_tick: null
        }
        if (error.name === 'HostLost') this.#emit('policy', null, { bot, state: 'ended', result })
        this.#over(host, bot)
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
    this.#stop(job, state, null)
    return true
  }

  /** @param {{ bots: string[]|null }} spec */
  async stop ({ bots }) {
    await Promise.all([...this.#runs].map(([job, state]) => this.#stop(job, state, bots)))
  }

  /**
   * @param {string} job
   * @param {RunState} state
   * @param {string[]|null} bots
   */
  async #stop (job, state, bots) {
    const unwanted = bots === null ? state.players : state.players.filter((bot) => bots.includes(bot))
    if (state.prepared) await this.#cancelGroup(job, state, bots)
    else if (bots === null) state.cancelled = true
    else for (const bot of unwanted) state.unwanted.add(bot)
    if (!this.#runs.has(job)) return
    const left = unwanted.filter((bot) => !state.ended.has(bot))
    await Promise.all(
      left.map((bot) => new Promise((resolve) => state.awaited.add({ bot, over: () => resolve(undefined) })))
    )
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

  /** Return memory, CPU and bots of each host, from the heartbeats. */
  stats () {
    return [...this.#hosts].map((host) => ({ host: host.name, pid: host.pid ?? null, ...host.beat }))
  }

  /** Let each host examine itself (examine.js). */
  async examine () {
    const hosts = [...this.#hosts].filter((host) => host.alive)
    return Promise.all(
      hosts.map(async (host) => ({ host: host.name, rss_mb: host.rssMb, ...await host.request('examine') }))
    )
  }

  /** @param {string} bot */
  #member (bot) {
    const member = this.#members.get(bot)
    if (member) return member
    const names = [...this.#members.keys()].join(', ') || 'nobody'
    throw Object.assign(new Error(`${bot} is not in the world; in it: ${names}`), { name: 'BotLost' })
  }

  #roomy () {
    for (const host of this.#hosts) {
      const taken = [...this.#members.values()].filter((member) => member.host === host).length
      if (host.alive && taken < this.#share) return host
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
      onRecycle: (stuck) => this.#recycle(host, stuck),
      onLost: (reason) => this.#lost(host, reason)
    }, this.#options)
    this.#hosts.add(host)
    if (this.#still) host.request('stand', { still: true }).catch(() => {})
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
    if (!this.#news.isNews(host, kind, tick, data, this.#hosts.size <= 1)) return
    // A bot that the server has sent away is gone; who wants it back connects it again.
    if (kind === 'bot' && data.state === 'ended' && this.#members.get(data.bot)?.host === host) {
      this.#members.delete(data.bot)
    }
    this.#emit(kind, tick, data)
    if (kind === 'policy' && data.state === 'ended') this.#over(host, data.bot)
  }

  /**
   * Tell those who wait for it that a program has ended.
   * @param {HostLink} host
   * @param {any} bot
   */
  #over (host, bot) {
    for (const state of this.#runs.values()) {
      if (!state.bots.get(host)?.some((program) => program.bot === bot)) continue
      state.ended.add(bot)
      for (const awaited of state.awaited) if (awaited.bot === bot) awaited.over()
    }
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

  /**
   * @param {HostLink} host one with an isolate that can never be freed: replaced when its runs are over
   * @param {boolean} stuck because its thread had to be halted
   */
  #recycle (host, stuck) {
    const why = stuck ? 'a program\'s thread had to be halted' : 'an isolate ran out of memory'
    const running = () => [...this.#runs.values()].some((state) => state.bots.has(host))
    const timer = setInterval(() => {
      if (running()) return
      clearInterval(timer)
      if (this.#hosts.has(host)) this.#replace(host, `it is replaced after ${why}`)
    }, 20)
  }

  /**
   * Move a host's bots into another one while nobody plays; this is no crash.
   * @param {HostLink} host
   * @param {string} reason
   */
  #replace (host, reason) {
    this.#replaced.add(host)
    for (const member of this.#members.values()) {
      // Whoever wants to play meanwhile waits until the bot has come back.
      if (member.host === host) {
        member.ready = host.gone.then(() => this.#member(member.name).host === host ? undefined : member.ready)
      }
      member.ready.catch(() => {})
    }
    host.kill(reason)
  }

  /**
   * @param {HostLink} host
   * @param {string} reason
   */
  #lost (host, reason) {
    const allowed = Math.max(MAX_CRASHES, CRASHES_A_HOST * this.#hosts.size)
    this.#hosts.delete(host)
    if (this.#closed) return
    this.#news.drops.forget(host)
    this.#emit('host', null, { host: host.name, state: 'lost', reason })
    const members = [...this.#members.values()].filter((member) => member.host === host)
    for (const member of members) {
      this.#emit('bot', null, { bot: member.name, state: 'ended', reason: `its host was lost: ${reason}` })
    }
    const now = performance.now()
    this.#crashes = this.#crashes.filter((at) => now - at < CRASH_WINDOW_MS)
    if (!this.#replaced.has(host)) this.#crashes.push(now)
    if (this.#crashes.length > allowed) {
      for (const member of members) this.#members.delete(member.name)
      return
    }
    if (this.#hosts.size === 0 || members.length > 0) this.#return(members, this.#spawn())
  }

  /**
   * Bring a lost host's bots back in another host.
   * @param {FleetMember[]} members
   * @param {HostLink} host
   */
  #return (members, host) {
    for (const member of members) {
      member.host = host
      member.ready = this.#joins.pass(() => rejoin(host, member.spec))
      member.ready.catch(() => {
        if (this.#members.get(member.name) === member && member.host === host) this.#members.delete(member.name)
      })
    }
  }
}

module.exports = { HostFleet, BOTS_PER_HOST, JOINS_AT_ONCE }
