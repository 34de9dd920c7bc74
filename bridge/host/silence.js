'use strict'
/**
 * Whether a host that says nothing hangs, or only waits for a processor: one that hangs in a loop computes on its main
 * thread, one that has no time to speak does not.
 */
const fs = require('node:fs')

/** Silence after which a host is looked at, in ms. */
const SILENCE_MS = 3000
/** CPU time of its main thread without a word, in ms: it had the time to say something. */
const COMPUTED_MS = 1500
/** Silence of a host that does not compute either, in ms: it is stuck for good. */
const STUCK_MS = 30_000
/** The kernel counts in hundredths of a second. */
const JIFFY_MS = 10
/** Of /proc/PID/task/TID/stat, behind the name: where user and system time stand. */
const USER = 11
const SYSTEM = 12

/** Silence of one host. */
class Silence {
  #used
  #heard
  /** @type {number|null|undefined} what its main thread had used when it was last heard; undefined until somebody looks */
  #before

  /**
   * @param {() => number|null} used ms of CPU time of its main thread; null where the system does not tell
   * @param {number} now ms, monotonic
   */
  constructor (used, now) {
    this.#used = used
    this.#heard = now
  }

  /** @param {number} now it has said something */
  heard (now) {
    this.#heard = now
    this.#before = undefined
  }

  /** @param {number} now @returns {number} ms since it said something */
  since (now) {
    if (this.#before === undefined) this.#before = this.#used()
    return now - this.#heard
  }

  /** @param {number} now @returns {boolean} it hangs */
  hangs (now) {
    const silent = this.since(now)
    if (silent <= SILENCE_MS) return false
    const used = this.#used()
    return silent > STUCK_MS || used === null || typeof this.#before !== 'number' || used - this.#before > COMPUTED_MS
  }
}

/**
 * @param {number|undefined} pid
 * @returns {number|null} ms of CPU time that its main thread has used; null where there is no /proc
 */
function mainThreadMs (pid) {
  try {
    const fields = fs.readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * JIFFY_MS
  } catch {
    return null
  }
}

module.exports = { Silence, mainThreadMs, SILENCE_MS, STUCK_MS, COMPUTED_MS }
