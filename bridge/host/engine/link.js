'use strict'
/**
 * Connection of a host to the server that has its players' bodies (`bridge/servers/embedded/bodies/`), as JSON lines.
 */
const { named } = require('../../../skills_js/bot_facade/errors')
const { gatheringWriter, readLines } = require('../lines')

/** Largest answer in bytes: what all bots of a host sense. The server is trusted. */
const MAX_ANSWER = 1 << 27

/**
 * @typedef {object} Listeners
 * @property {(kind: string, tick: number, data: any) => void} onTold an event of the world
 * @property {(age: number) => void} onAge
 * @property {(bot: string, reason: string) => void} onLost a player is not in the world any more
 * @property {(reason: string) => void} onGone the connection has ended; nothing comes after it
 *
 * @typedef {(outcome: import('../isolates/border').Outcome, error: import('../isolates/syntax').ProgramError|null) =>
 *   void} OnOver
 *
 * @typedef {object} RunEars
 * @property {(call: number, ok: boolean, said: any) => void} onEnd an act is over: its value, or its error
 * @property {(name: string, args: any[]) => void} onEvent
 */

/** One connection. */
class ServerLink {
  #say
  #socket
  #listeners
  #next = 1
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #requests = new Map()
  /** @type {Map<number, RunEars>} */
  #runs = new Map()
  /** Runs of calls that the server plays, by their number. @type {Map<number, OnOver>} */
  #played = new Map()
  #over = ''
  /** Answers that never change, by their questions. @type {Map<string, any>} */
  known = new Map()

  /**
   * @param {import('node:net').Socket} socket connected, or about to be
   * @param {string} secret
   * @param {Listeners} listeners
   */
  constructor (socket, secret, listeners) {
    this.#socket = socket
    this.#listeners = listeners
    socket.setNoDelay(true)
    const write = gatheringWriter(socket)
    this.#say = write
    let why = 'the server closed the connection'
    socket.on('error', (/** @type {any} */ error) => { why = String(error.code ?? error.message) })
    socket.on('close', () => this.#end(why))
    readLines(socket, (message) => this.#hear(message), (reason) => socket.destroy(new Error(reason)), MAX_ANSWER)
    write({ secret })
  }

  /** True while requests are answered. */
  get alive () { return this.#over === '' }

  /**
   * @param {string} k
   * @param {object} [fields]
   * @returns {Promise<any>} rejects with BotLost when the connection ends first
   */
  request (k, fields = {}) {
    if (this.#over) return Promise.reject(named('BotLost', this.#over))
    const id = this.#next++
    const answer = new Promise((resolve, reject) => { this.#requests.set(id, { resolve, reject }) })
    this.#say({ id, k, ...fields })
    return answer
  }

  /**
   * Send a message without an answer.
   * @param {string} k
   * @param {object} fields
   */
  say (k, fields) {
    if (!this.#over) this.#say({ k, ...fields })
  }

  /**
   * Register the start of a program of a player.
   * @param {string} bot
   * @param {RunEars} ears
   * @returns {number} the run's number, for what it asks for
   */
  begin (bot, ears) {
    const run = this.#next++
    this.#runs.set(run, ears)
    this.say('open', { run, bot })
    return run
  }

  /**
   * Let the server play calls of primitives by a player.
   * @param {string} bot
   * @param {object} calls
   * @param {OnOver} onOver
   * @returns {number} the run's number
   */
  play (bot, calls, onOver) {
    const run = this.#next++
    this.#played.set(run, onOver)
    this.say('play', { run, bot, calls })
    return run
  }

  /**
   * End the run with that number.
   * @param {number} run
   * @returns {Promise<void>} when nothing of it moves the player any more
   */
  async finish (run) {
    this.#runs.delete(run)
    this.#played.delete(run)
    if (!this.#over) await this.request('close', { run })
  }

  /** End the connection; its players leave the world. */
  close () {
    this.#socket.destroy()
  }

  /** @param {any} message */
  #hear (message) {
    if (message.id !== undefined) return this.#answer(message)
    const { k } = message
    if (k === 'end') this.#runs.get(message.run)
      ?.onEnd(message.call, message.ok, message.ok ? message.value : message.error)
    else if (k === 'event') this.#runs.get(message.run)?.onEvent(message.name, message.args)
    else if (k === 'over') this.#played.get(message.run)?.(message.outcome, message.error)
    else if (k === 'told') this.#listeners.onTold(message.kind, message.tick, message.data)
    else if (k === 'age') this.#listeners.onAge(message.age)
    else if (k === 'lost') this.#listeners.onLost(message.bot, message.reason)
  }

  /** @param {any} message */
  #answer ({ id, ok, value, error }) {
    const request = this.#requests.get(id)
    this.#requests.delete(id)
    if (ok) request?.resolve(value)
    else request?.reject(named(error.name, error.message))
  }

  /** @param {string} why */
  #end (why) {
    if (this.#over) return
    this.#over = `the connection to the server has ended: ${why}`
    for (const { reject } of this.#requests.values()) reject(named('BotLost', this.#over))
    this.#requests.clear()
    this.#listeners.onGone(this.#over)
    this.#runs.clear()
    this.#played.clear()
  }
}

module.exports = { ServerLink }
