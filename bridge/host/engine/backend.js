'use strict'
/**
 * Backend of the host API for a body in the engine: what a program asks of the world is asked of the server, which runs
 * the mock world's backend. Signals, printed lines and reports stay in the host, as for bots with clients.
 */
const { Backend } = require('../../../skills_js/bot_facade/backend')
const { METHODS } = require('../../../skills_js/bot_facade/host_api')
const { named } = require('../../../skills_js/bot_facade/errors')

/** Commands that the host answers without the world. */
const OWN = new Set(['log', 'action'])
/** Reads whose answers never change: a host asks each once for all its programs. */
const FIXED = new Set(['data', 'dataKeys', 'blockState'])
/** Most such answers kept by a host: all block states and more. */
const MAX_KNOWN = 40_000
const ACTS = Object.entries(METHODS).filter(([, { kind }]) => kind === 'act').map(([name]) => name)

/** @typedef {import('../../../skills_js/bot_facade/backend').Services} Services */
/** @typedef {{ username: string, link: import('./link').ServerLink }} EngineBot */
/** @typedef {{ resolve: (value: any) => void, reject: (error: Error) => void }} Waiting */

/**
 * Backend of one run. Its reads take a moment: `read` promises `{value}` or `{error}`, and the `ms` of the server's
 * time.
 */
class EngineBackend {
  #link
  #run
  #calls
  #nextCall = 1
  /** Acts under way. @type {Map<number, Waiting>} */
  #acting = new Map()
  /** @type {(name: string, args: any[]) => void} */
  #tell = () => {}

  /** @param {EngineBot} bot @param {Services} services */
  constructor ({ username, link }, services) {
    this.#link = link
    this.#run = link.begin(username, {
      onEnd: (call, ok, said) => this.#ended(call, ok, said),
      onEvent: (name, args) => this.#tell(name, args)
    })
    this.#calls = new Backend({
      reads: {},
      acts: Object.fromEntries(ACTS.map((method) => [method, (signal, ...args) => this.#act(signal, method, args)])),
      listen: () => () => {},
      quiesce: () => link.finish(this.#run)
    }, services, username)
  }

  /** @param {string} method @param {any[]} args @returns {any} */
  read (method, args) {
    if (OWN.has(method)) return this.#calls.read(method, args)
    if (!FIXED.has(method)) return this.#ask(method, args)
    const { known } = this.#link
    const question = JSON.stringify([method, args])
    return known.get(question) ?? this.#ask(method, args).then((told) => {
      if (told.answer.error === undefined && known.size < MAX_KNOWN) known.set(question, told.answer)
      return told
    })
  }

  /** @param {string} method @param {unknown[]} args @returns {Promise<{ answer: any, ms: number }>} */
  #ask (method, args) {
    return this.#link.request('read', { run: this.#run, method, args }).catch((error) => (
      { answer: { error: { name: error.name, message: error.message } }, ms: 0 }))
  }

  /** @param {string} method @param {any[]} args @param {AbortSignal} signal @returns {Promise<any>} */
  act (method, args, signal) {
    return this.#calls.act(method, args, signal)
  }

  /** @param {(name: string, args: any[]) => void} fn */
  onEvent (fn) {
    this.#tell = fn
  }

  /** @returns {Promise<void>} when nothing of the run moves the player any more */
  async quiesce () {
    this.#tell = () => {}
    const waiting = [...this.#acting.values()]
    this.#acting.clear()
    for (const { reject } of waiting) reject(named('Cancelled', 'the run is over'))
    await this.#calls.quiesce()
  }

  /** @param {AbortSignal} signal @param {string} method @param {any[]} args @returns {Promise<any>} */
  #act (signal, method, args) {
    const call = this.#nextCall++
    return new Promise((resolve, reject) => {
      this.#acting.set(call, { resolve, reject })
      this.#link.say('act', { run: this.#run, call, method, args })
      signal.addEventListener('abort', () => {
        if (!this.#acting.delete(call)) return
        this.#link.say('drop', { run: this.#run, call })
        reject(named('Cancelled', `${method} was stopped`))
      }, { once: true })
    })
  }

  /** @param {number} call @param {boolean} ok @param {any} said */
  #ended (call, ok, said) {
    const waiting = this.#acting.get(call)
    this.#acting.delete(call)
    if (ok) waiting?.resolve(said)
    else waiting?.reject(named(said.name, said.message))
  }
}

/**
 * @param {EngineBot} bot
 * @param {Services} services
 * @returns {EngineBackend}
 */
function createEngineBackend (bot, services) {
  return new EngineBackend(bot, services)
}

module.exports = { createEngineBackend }
