'use strict'
/**
 * The bots that calls of primitives move: one for each player, kept from one run of calls to its next, since making one
 * takes longer than most short runs.
 *
 * No agent's code has a hand in it, so nothing has to be walled off: a bot is as new when nobody waits for it, listens
 * through it or has set it a goal, and it walks the usual way. Only one whose calls came to their end is kept; every
 * other run begins with a new bot.
 */
const { createBot } = require('../../skills_js/bot_facade/bot')
const { PlainHost } = require('./plain_host')

/**
 * @typedef {{ raw: import('../../skills_js/bot_facade/host').RawHost, read: import('./plain_host').Read, fatal: (error:
 *   any) => void }} Ways of one run
 */

/** A run that is over has no ways any more. @type {Ways} */
const NO_WAYS = Object.freeze({
  raw: { read: () => '{}', act: () => {}, drop: () => {} }, read: () => ({ value: null }), fatal: () => {}
})

/** One player's bot, for one run at a time. */
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

/** The bots of one world. */
class CallBodies {
  /** Those that wait for a run. @type {Map<string, CallBody>} */
  #idle = new Map()
  /** The game's own data, as far as bots have asked for it. @type {Map<string, any>} */
  #constants = new Map()

  /** @returns {number} bots that wait for a run */
  get idle () { return this.#idle.size }

  /**
   * A bot for the player's next run: nobody else's until it is given back.
   *
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

  /** The player is gone. @param {string} name */
  forget (name) { this.#idle.delete(name) }

  /** All players are gone. */
  clear () { this.#idle.clear() }
}

module.exports = { CallBodies, CallBody }
