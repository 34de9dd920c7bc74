'use strict'
/**
 * Rate limit of a program's acts. Servers kick clients that flood them with packets, and a program that could get
 * itself kicked could undo its own episode, since nobody is blamed for a lost bot.
 */
const { named } = require('../../../skills_js/bot_facade/errors')
const { pause } = require('./bounded')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** Acts per second in the long run; each is up to three packets, and servers accept some 500 a second. */
const PER_SECOND = 100
/** Largest burst of acts. */
const BURST = 100
/** Acts that send nothing, or stop something. */
const FREE = new Set(['sleep', 'waitTicks', 'closeWindow'])
/** Commands that send packets; chat has its own rate limit. */
const COMMANDS = new Set(['setControl', 'setGoal', 'selectSlot', 'useItem', 'releaseItem', 'swing', 'steer'])

/** Token bucket of acts. */
class Pace {
  /** @type {number} */
  #left = BURST
  #at
  #now

  /** @param {() => number} now - ms, monotonic */
  constructor (now) {
    this.#now = now
    this.#at = now()
  }

  /**
   * Take a token at once.
   * @throws {LimitExceeded}
   */
  take () {
    this.#refill()
    if (this.#left < 1) {
      throw named(
        'LimitExceeded', `more than ${PER_SECOND} commands a second: wait between them, e.g. await bot.waitForTicks(1)`
      )
    }
    this.#left--
  }

  /**
   * Wait for a token.
   * @param {AbortSignal} signal
   * @returns {Promise<void>}
   */
  async turn (signal) {
    this.#refill()
    this.#left--
    if (this.#left < 0) await pause(signal, -this.#left * 1000 / PER_SECOND, 'waiting for its turn')
  }

  #refill () {
    const now = this.#now()
    this.#left = Math.min(BURST, this.#left + (now - this.#at) * PER_SECOND / 1000)
    this.#at = now
  }
}

/** @type {WeakMap<object, Pace>} a bot's pace goes on from one program to the next */
const paces = new WeakMap()

/**
 * Limit commands and acts to a rate that a server accepts: commands beyond it are refused, acts wait.
 * @param {LiveBot} bot
 * @param {Record<string, (...args: any[]) => any>} reads
 * @param {Record<string, (signal: AbortSignal, ...args: any[]) => Promise<any>>} acts
 */
function paced (bot, reads, acts) {
  const pace = paces.get(bot) ?? new Pace(() => performance.now())
  paces.set(bot, pace)
  return {
    reads: Object.fromEntries(Object.entries(reads).map(([name, read]) => [name, !COMMANDS.has(name)
      ? read
      : (/** @type {any[]} */ ...args) => { pace.take(); return read(...args) }])),
    acts: Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, FREE.has(name)
      ? act
      : async (/** @type {AbortSignal} */ signal, /** @type {any[]} */ ...args) => {
        await pace.turn(signal)
        return act(signal, ...args)
      }]))
  }
}

module.exports = { BURST, PER_SECOND, Pace, paced }
