'use strict'
/**
 * Player of the mock world for tests in Node: the bot facade that policies get, without an isolate around it.
 *
 * @module skills_js/mock/mock_bot
 */
const { createBot } = require('../bot_facade/bot')
const { Host } = require('../bot_facade/host')
const { SignalHub } = require('../signals')
const { MockBackend } = require('./backend')

/** Most actions outside of a run that are warned about. */
const MAX_STRAYS = 16

/** Bot of one player and its connection to the world. */
class MockBot {
  #client
  #stage
  #recorder
  #host
  /** @type {MockBackend} */
  #backend
  /** Actions under way: how to stop each. @type {Map<number, () => void>} */
  #pending = new Map()
  #inRun = false
  /** Actions asked for since the last run ended. */
  #strays = 0
  over = false

  /**
   * @param {import('./client').Client} client
   * @param {import('./stage').Stage} stage
   * @param {import('./recorder').Recorder} recorder
   */
  constructor (client, stage, recorder) {
    this.#client = client
    this.#stage = stage
    this.#recorder = recorder
    this.#backend = this.#createBackend(new SignalHub([client.name]))
    this.#host = new Host({
      read: (method, args) => JSON.stringify(this.#backend.read(method, JSON.parse(args))),
      act: (id, method, args) => this.#act(id, method, JSON.parse(args)),
      drop: (id) => this.#drop(id)
    })
    this.bot = createBot(this.#host, { username: client.name, version: '1.20.4', fatal: (error) => this.fatal(error) })
  }

  /** Handler of an error that a listener throws; the current run sets it. */
  fatal = (/** @type {any} */ _error) => {}

  get name () { return this.#client.name }

  /** @param {SignalHub} signals of the run that begins */
  enter (signals) {
    this.#inRun = true
    this.#strays = 0
    this.#backend = this.#createBackend(signals)
    this.#backend.onEvent((name, args) => this.#stage.post(this, { event: name, args }))
  }

  /** End whatever the programs of a run left unfinished. */
  leave () {
    this.#inRun = false
    const calls = [...this.#pending.keys()]
    for (const stop of this.#pending.values()) stop()
    this.#pending.clear()
    this.#backend.close()
    for (const call of calls) {
      this.#host.deliver(
        JSON.stringify({ call, ok: false, error: { name: 'PolicyAborted', message: 'the run is over' } })
      )
    }
  }

  /**
   * Deliver a message; resolves when the program's immediate reaction is done.
   * @param {string} json
   * @returns {Promise<void>}
   */
  deliver (json) {
    this.#host.deliver(json)
    // Promises settle before the next turn of Node's loop.
    return new Promise((resolve) => setImmediate(resolve))
  }

  /** @param {SignalHub} signals */
  #createBackend (signals) {
    const { simulation, name } = this.#client
    return new MockBackend(this.#client, {
      signals, tick: () => simulation.age, emit: (kind, data) => this.#recorder.emit(kind, { bot: name, ...data })
    })
  }

  /** @param {number} id @param {string} method @param {any[]} args */
  #act (id, method, args) {
    if (!this.#inRun) {
      // A program that was abandoned and tries for ever must not keep Node busy: it gets a few errors, then no answer.
      if (++this.#strays > MAX_STRAYS) return
      throw new Error(`the world stands still: ${method} takes time, so call it inside of world.run(...)`)
    }
    this.#pending.set(id, () => {})
    const stop = this.#backend.start(method, args, (error, value) => this.#answer(id, error, value))
    if (this.#pending.has(id)) this.#pending.set(id, stop)
  }

  /** @param {number} id */
  #drop (id) {
    const stop = this.#pending.get(id)
    this.#pending.delete(id)
    stop?.()
  }

  /** @param {number} call @param {Error | null} error @param {any} value */
  #answer (call, error, value) {
    if (!this.#pending.delete(call)) return
    if (error === null) this.#stage.post(this, { call, ok: true, value: value ?? null })
    else this.#stage.post(this, { call, ok: false, error: { name: error.name, message: error.message } })
  }
}

module.exports = { MockBot }
