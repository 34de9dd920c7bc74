'use strict'
/**
 * Bots for calls of primitives: one for each player, kept from one run of calls to the next, since creating one takes
 * longer than most short runs.
 *
 * No agent's code is involved, so nothing has to be isolated: a bot is as good as new when nobody waits for it, listens
 * through it or has set it a goal, and it walks in the usual way. Only a bot whose calls came to their end is kept;
 * every other run begins with a new one.
 */
const { createBot } = require('../../skills_js/bot_facade/bot')
const { PlainHost } = require('./plain_host')

/**
 * @typedef {{ raw: import('../../skills_js/bot_facade/host').RawHost, read: import('./plain_host').Read, fatal: (error:
 *   any) => void }} Ways of one run
 */

/** Services of a run that is over. @type {Ways} */
const NO_WAYS = Object.freeze({
  raw: { read: () => '{}', act: () => {}, drop: () => {} }, read: () => ({ value: null }), fatal: () => {}
})

/** Bot of one player, for one run at a time. */
class CallBody {
  /** @type {(error: any) => void} */
  #fatal = NO_WAYS.fatal

  /** @param {string} name of the player @param {Map<string, any>} constants see `PlainHost` */
  constructor (name, constants) {
    this.host = new PlainHost(NO_WAYS.raw, NO_WAYS.read, constants)
    this.bot = createBot(this.host, { username: name, version: '1.20.4', fatal: (error) => this.#fatal(error) })
  }

  /** @param {Ways} ways of the run that begins */
  begin ({ raw, read, fatal }) {
    this.#fatal = fatal
    this.host.serve(raw, read)
  }

  /** The run is over. @returns {boolean} it is as new */
  end () {
    this.begin(NO_WAYS)
    this.bot.pathfinder.setMovements(null)
    return this.host.atRest && this.bot.pathfinder.goal === null
  }
}

/** Bots of one world. */
class CallBodies {
  /** Idle bots. @type {Map<string, CallBody>} */
  #idle = new Map()
  /** Game data that bots have asked for. @type {Map<string, any>} */
  #constants = new Map()

  /** @returns {number} bots that wait for a run */
  get idle () { return this.#idle.size }

  /**
   * Return a bot for the player's next run, reserved until it is given back.
   * @param {string} name
   * @returns {CallBody}
   */
  take (name) {
    const body = this.#idle.get(name)
    if (body === undefined) return new CallBody(name, this.#constants)
    this.#idle.delete(name)
    return body
  }

  /**
   * The run is over.
   *
   * @param {string} name
   * @param {CallBody} body
   * @param {boolean} done its calls came to their end
   */
  giveBack (name, body, done) {
    if (body.end() && done) this.#idle.set(name, body)
  }

  /**
   * Forget a player that is gone.
   * @param {string} name
   */
  forget (name) { this.#idle.delete(name) }

  /** Forget all players. */
  clear () { this.#idle.clear() }
}

module.exports = { CallBodies, CallBody }
