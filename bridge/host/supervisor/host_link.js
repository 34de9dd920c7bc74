'use strict'
/** Supervisor's end of one bot host: its process, its heartbeat, its limits, the pending requests. */
const { spawn } = require('node:child_process')
const path = require('node:path')
const { SocketProxy } = require('./socket_proxy')
const { Ledger } = require('../ledger')
const { readLines, lineWriter } = require('../lines')
const { HangDetector, mainThread, SILENCE_MS } = require('./hang_detector')

const ROOT = path.resolve(__dirname, '..', '..', '..')
/** Time for a host to load its modules on a busy machine, in ms. */
const START_MS = 60_000
const LOOK_MS = 250
const END_MS = 1000
const RSS_MB = 2048
/** Signals that come from outside: no program can end its host by one of these. */
const FROM_OUTSIDE = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])
/** Characters kept of a host's standard error, to report why it died. */
const TAIL = 2000

/** Node under its permission model: reads its own code, writes nothing, starts nothing. */
const FLAGS = [
  '--permission', '--allow-addons',
  ...[
    'node_modules', 'bridge/host', 'engine', 'skills_js', 'package.json'
  ].map((part) => `--allow-fs-read=${path.join(ROOT, part)}`),
  '--allow-fs-read=/etc/alpine-release', // isolated-vm looks there which libc this is
  '--no-node-snapshot', // isolated-vm asks for it
  '--no-experimental-sqlite', // it would write files past the permission model
  '--no-warnings', '--max-old-space-size=1536',
  '--max-semi-space-size=4' // young garbage of the logins would stay as 40 MB of resident memory per host
]

/**
 * @typedef {{ onEvent: (kind: string, tick: number|null, data: any) => void, onSignal: (group: string, op: any) =>
 *   void, onRecycle: (stuck: boolean) => void, onLost: (reason: string) => void }} Listeners
 * @typedef {{ command: string[], network: boolean }} Confinement what a host is started through
 *   (bridge/confinement.py), and whether that takes the network from it
 * @typedef {'mineflayer'|'engine'} Bodies what moves its players: clients of its own, or the server
 */

/** One bot host process. */
class HostLink {
  #process
  #say
  #listeners
  #nextId = 1
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #requests = new Map()
  #hangs = new HangDetector(() => mainThread(this.pid), performance.now())
  #looked = performance.now()
  #started = false
  #ending = false
  #reason = ''
  #tail = ''
  /** Limit of its memory, in MB. */
  rssMb
  #timer
  /** @type {SocketProxy|null} */
  #proxy
  #ledger = new Ledger()
  /** Bot whose program the host computed for when it was lost, or ''. */
  computedFor = ''
  /** True if the host ended by its own doing; nobody is to blame for a signal from elsewhere on the machine. */
  byItself = true
  /** The last heartbeat. */
  beat = { rss: 0, cpu_ms: 0, bots: 0, runs: 0 }

  /**
   * @param {string} name
   * @param {Listeners} listeners
   * @param {{ rssMb?: number, script?: string, confinement?: Confinement, bodies?: Bodies }} [options] `rssMb` bounds
   *   its memory
   */
  constructor (name, listeners, {
    rssMb = RSS_MB, script = path.join(__dirname, '..', 'host_process.js'), confinement, bodies = 'mineflayer'
  } = {}) {
    this.name = name
    this.#listeners = listeners
    this.rssMb = rssMb
    this.#proxy = confinement?.network ? new SocketProxy() : null
    const node = [process.execPath, ...FLAGS, `--allow-fs-read=${path.dirname(script)}`, script, bodies]
    const [command, ...args] = [...confinement?.command ?? [], ...node]
    this.#process = spawn(command, args, {
      env: {}, cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', this.#proxy?.fd ?? 'ignore', this.#ledger.fd ?? 'ignore']
    })
    this.#proxy?.handOver()
    const [, , errors, input, output] = /** @type {any[]} */ (this.#process.stdio)
    this.#say = lineWriter(input)
    readLines(output, (message) => this.#hear(message), (reason) => this.kill(`it said ${reason}`))
    errors.setEncoding('utf8')
    errors.on('data', (/** @type {string} */ text) => { this.#tail = (this.#tail + text).slice(-TAIL) })
    /** @type {Promise<void>} resolves when it obeys, rejects when it ends before */
    this.ready = new Promise((resolve, reject) => { this.#requests.set(0, { resolve, reject }) })
    this.ready.catch(() => {})
    /** @type {Promise<void>} resolves when the process is gone */
    this.gone = new Promise((resolve) => {
      this.#process.on('error', (error) => { this.#reason ||= error.message; this.#over(); resolve() })
      this.#process.on('close', (code, signal) => { this.#died(code, signal); resolve() })
    })
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
  }

  /** @returns {number|undefined} */
  get pid () { return this.#process.pid }

  /** True while it takes requests. */
  get alive () { return !this.#ending && this.#reason === '' }

  /**
   * Join a bot to the world; see `request`.
   * @param {{ bot: string, host: string, port: number }} spec
   */
  async connect (spec) {
    if (this.#proxy) this.#proxy.address = { host: spec.host, port: spec.port }
    return this.request('connect', { ...spec, proxied: this.#proxy !== null })
  }

  /**
   * Send a request to the host; rejects with HostLost if the host dies first.
   * @param {string} k
   * @param {object} [fields]
   * @returns {Promise<any>}
   */
  async request (k, fields = {}) {
    if (this.#reason || this.#ending) throw lost(this.name, this.#reason || 'it is being ended')
    const id = this.#nextId++
    const answer = new Promise((resolve, reject) => { this.#requests.set(id, { resolve, reject }) })
    this.#say({ id, k, ...fields })
    return answer
  }

  /** End the host: it ends by itself at the end of its input, or is killed a second later. Resolves when it is gone. */
  async end () {
    this.#ending = true
    const [, , , input] = /** @type {any[]} */ (this.#process.stdio)
    input.destroy()
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), END_MS)
    await this.gone
    clearTimeout(timer)
  }

  /** @param {string} reason */
  kill (reason) {
    // It may go on for a moment, so it is asked now.
    if (!this.#reason) this.computedFor = this.#ledger.read()
    this.#reason ||= reason
    this.#process.kill('SIGKILL')
  }

  #look () {
    const now = performance.now()
    const late = now - this.#looked - LOOK_MS
    this.#looked = now
    // This process itself was held up: nobody was heard meanwhile.
    if (late > LOOK_MS * 3) this.#hangs.heard(now)
    else this.#hangs.delayed(late)
    const hangs = this.#started ? this.#hangs.hangs(now) : this.#hangs.since(now) > START_MS
    if (hangs) this.kill(`it was silent for ${Math.floor(this.#hangs.since(now) / 1000)} s`)
  }

  /**
   * Judge a heartbeat at once: the next one may differ before anybody looks.
   * @param {any} said
   */
  #weigh (said) {
    this.beat = { rss: +said.rss, cpu_ms: +said.cpu_ms, bots: +said.bots, runs: +said.runs }
    const used = Math.round(this.beat.rss / 2 ** 20)
    if (this.beat.rss > this.rssMb * 2 ** 20) this.kill(`it used ${used} MB of memory, more than ${this.rssMb}`)
  }

  /** @param {any} message */
  #hear (message) {
    this.#hangs.heard(performance.now())
    const { k } = message
    if (k === 'event' &&
      typeof message.kind === 'string') this.#listeners.onEvent(message.kind, message.tick ?? null, message.data)
    else if (k === 'reply') this.#answer(message)
    else if (k === 'beat') this.#weigh(message)
    else if (k === 'signal') this.#listeners.onSignal(String(message.group), message.op)
    else if (k === 'recycle') this.#listeners.onRecycle(message.stuck === true)
    else if (k === 'call') this.#call(String(message.ticket))
    else if (k === 'ready') {
      this.#started = true
      this.#answer({ id: 0, ok: true, value: undefined })
    }
  }

  /** @param {string} ticket of a connection to the world that the host asks for */
  #call (ticket) {
    this.#proxy?.call(ticket, (code) => this.request('refused', { ticket, code }).catch(() => {}))
  }

  /** @param {any} message */
  #answer (message) {
    const request = this.#requests.get(message.id)
    this.#requests.delete(message.id)
    if (!request) return
    if (message.ok) return request.resolve(message.value)
    const { name, message: text } = message.error ?? {}
    request.reject(Object.assign(new Error(String(text)), { name: String(name) }))
  }

  /**
   * @param {number|null} code
   * @param {string|null} signal
   */
  #died (code, signal) {
    if (!this.#reason) {
      this.computedFor = this.#ledger.read()
      this.byItself = !FROM_OUTSIDE.has(String(signal))
      this.#reason = this.#cause(code, signal)
    }
    this.#over()
  }

  #over () {
    clearInterval(this.#timer)
    this.#proxy?.close()
    this.#ledger.close()
    const error = lost(this.name, this.#reason)
    for (const request of this.#requests.values()) request.reject(error)
    this.#requests.clear()
    if (!this.#ending) this.#listeners.onLost(this.#reason)
  }

  /**
   * @param {number|null} code
   * @param {string|null} signal
   */
  #cause (code, signal) {
    const how = signal ? `ended by ${signal}` : `ended with code ${code}`
    const said = this.#tail.trim().split('\n').find((line) => /Error|FATAL/.test(line)) ?? ''
    return said ? `${how}: ${said.trim().slice(0, 200)}` : how
  }
}

/**
 * @param {string} host
 * @param {string} reason
 */
function lost (host, reason) {
  return Object.assign(new Error(`bot host ${host} was lost: ${reason}`), { name: 'HostLost' })
}

module.exports = { HostLink, FLAGS, SILENCE_MS }
