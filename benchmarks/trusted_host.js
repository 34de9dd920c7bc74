'use strict'
/**
 * A bot host that trusts its programs: they run as functions beside the bots, without isolate, border and limits. Only
 * benchmarks/sandbox.py uses it, as `host_script` of a fleet, to measure the cost of the sandbox.
 */
const { createBot } = require('../skills_js/bot_facade/bot')
const { Host: Hands } = require('../skills_js/bot_facade/host')
const { named } = require('../skills_js/bot_facade/errors')
const { policyScope } = require('../skills_js/bot_facade/policy_scope')
const primitives = require('../skills_js/primitives')
const queries = require('../skills_js/queries')
const isolate = require('../bridge/host/isolates/isolate')

/**
 * The bot facade's connection to the backend without a crossing. Answers are copies and arrive in a turn of their own,
 * like messages: the bot's view must not change under a primitive before the answer is read.
 */
class DirectHands extends Hands {
  #backend

  /** @param {import('../bridge/host/isolates/isolate').Backend} backend */
  constructor (backend) {
    super({ read: () => '', act: () => {}, drop: () => {} })
    this.#backend = backend
    backend.onEvent((name, args) => { this.kept.clear(); this.onEvent(name, args) })
  }

  /** @param {string} method @param {string} argsJson */
  cross (method, argsJson) {
    const answer = this.#backend.read(method, JSON.parse(argsJson))
    if (answer.error) throw named(answer.error.name, answer.error.message)
    return copy(answer.value)
  }

  /** @param {string} method @param {any[]} args */
  start (method, args) {
    const controller = new AbortController()
    this.kept.clear()
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    const promise = this.#backend.act(method, args, controller.signal).finally(turn).then(copy)
      .finally(() => this.kept.clear())
    promise.catch(() => {})
    return { promise, drop: () => controller.abort() }
  }
}

/** @param {any} value plain data */
const copy = (value) => JSON.parse(JSON.stringify(value ?? null))

/** The interface of `PolicyRun` that a host uses. */
class TrustedRun {
  #o
  /** @type {(end: import('../bridge/host/isolates/isolate').RunEnd) => void} */
  #settle = () => {}
  over = false
  computing = false

  /** @param {import('../bridge/host/isolates/isolate').PolicyOptions} options */
  constructor (options) {
    this.#o = options
    /** @type {Promise<import('../bridge/host/isolates/isolate').RunEnd>} */
    this.ended = new Promise((resolve) => { this.#settle = resolve })
  }

  get bot () { return this.#o.bot }

  async prepare () {}

  start () {
    const began = performance.now()
    const { bot: username, source, backend, settings } = this.#o
    const { version } = /** @type {any} */ (settings)
    const bot = createBot(new DirectHands(backend), { username, version })
    const scope = policyScope({ bot, actions: primitives, queries })
    const main = new Function(...Object.keys(scope), `${source}\nreturn main`)(...Object.values(scope))
    Promise.resolve().then(() => main(bot)).then(
      () => this.#end('returned', null, began),
      (error) => this.#end('threw', { name: error.name, message: error.message, line: null, column: null }, began))
  }

  /** @param {string} reason */
  lose (reason) {
    this.#end('infrastructure', { name: 'BotLost', message: reason, line: null, column: null }, performance.now())
  }

  async cancel () {
    await this.#end('cancelled', null, performance.now())
  }

  /**
   * @param {import('../bridge/host/isolates/border').Outcome} outcome
   * @param {import('../bridge/host/isolates/syntax').ProgramError|null} error
   * @param {number} began
   */
  async #end (outcome, error, began) {
    if (this.over) return
    this.over = true
    const wall = performance.now() - began
    await this.#o.backend.quiesce()
    this.#settle({ outcome, error, wall_ms: Math.round(wall * 10) / 10, cpu_ms: 0 })
  }
}

Object.assign(isolate, { PolicyRun: TrustedRun })
const { Host } = require('../bridge/host/host_process')
new Host(require('../bridge/host/parts')).open()
