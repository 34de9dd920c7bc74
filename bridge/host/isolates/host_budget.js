'use strict'
/**
 * Budget of host time for a policy's queries, a bucket that refills. Queries run on the thread that all bots of a host
 * share, so a policy that does nothing but ask must not starve the others.
 */
const { CAPS } = require('../../../skills_js/bot_facade/host_api')

/** Share of the host's thread that one policy may use in the long run. */
const REFILL_PER_MS = CAPS.hostMsPerSecond / 1000
/** Largest saved budget, in ms. */
const CAPACITY_MS = CAPS.hostBurstMs

/** Bucket of host time; the clock is a parameter, so that tests need not wait. */
class HostBudget {
  /** @type {number} */
  #left = CAPACITY_MS
  #at
  #now

  /** @param {() => number} now milliseconds, monotonic */
  constructor (now) {
    this.#now = now
    this.#at = now()
  }

  /** True if another query may start. */
  get open () {
    this.#refill()
    return this.#left > 0
  }

  /** @param {number} ms host time that a query has used */
  spend (ms) {
    this.#refill()
    this.#left -= ms
  }

  #refill () {
    const now = this.#now()
    this.#left = Math.min(CAPACITY_MS, this.#left + (now - this.#at) * REFILL_PER_MS)
    this.#at = now
  }
}

module.exports = { HostBudget, CAPACITY_MS, REFILL_PER_MS }
