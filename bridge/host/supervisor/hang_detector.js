'use strict'
/**
 * Detector of hosts that hang. A silent host may only be waiting for a processor: a host that hangs in a loop computes
 * on its main thread, a host without a processor does not. Time for which the machine kept it waiting does not count.
 */
const fs = require('node:fs')

/** Silence after which a host is examined, in ms. */
const SILENCE_MS = 3000
/** CPU time of the main thread without a heartbeat, in ms: the host had time for one. */
const COMPUTED_MS = 1500
/** Silence after which a host that does not compute either is stuck for good, in ms. */
const STUCK_MS = 30_000
/**
 * Factor on the supervisor's own delay, used if the system does not tell how long a thread waited for a processor. The
 * supervisor sleeps most of the time and is scheduled first; a host with work to do waits this many times as long.
 */
const DELAY_TIMES = 8
/** Unit of the kernel's CPU times, in ms. */
const JIFFY_MS = 10
/** Index of the user time in /proc/PID/task/TID/stat, behind the name; the system time follows. */
const USER = 11
const SYSTEM = 12
const NS_A_MS = 1e6

/**
 * @typedef {{ used: number|null, waited: number|null }} Told of a host's main thread, in ms: CPU time that it has used,
 *   and time for which it was ready and had no processor; null where the system does not tell
 */

/** Silence of one host, judged at every check. */
class HangDetector {
  #look
  #heard
  /** Delay of the supervisor's own checks since it last heard from the host, in ms. */
  #delayed = 0
  /** @type {Told|null} as it was when it was last heard; null until somebody looks */
  #before = null

  /**
   * @param {() => Told} look at its main thread
   * @param {number} now ms, monotonic
   */
  constructor (look, now) {
    this.#look = look
    this.#heard = now
  }

  /** @param {number} now it has said something */
  heard (now) {
    this.#heard = now
    this.#delayed = 0
    this.#before = null
  }

  /**
   * Note that the supervisor itself was kept waiting.
   * @param {number} ms by which a look came too late
   */
  delayed (ms) {
    this.#delayed += Math.max(0, ms)
  }

  /**
   * @param {number} now
   * @returns {number} ms since it said something, without those for which the machine kept it waiting
   */
  since (now) {
    this.#before ??= this.#look()
    return now - this.#heard - this.#excused(this.#look())
  }

  /** @param {number} now @returns {boolean} it hangs */
  hangs (now) {
    this.#before ??= this.#look()
    if (now - this.#heard <= SILENCE_MS) return false
    const told = this.#look()
    const silent = now - this.#heard - this.#excused(told)
    if (silent > STUCK_MS) return true
    if (told.used === null || this.#before.used === null) return silent > SILENCE_MS
    return told.used - this.#before.used > COMPUTED_MS
  }

  /** @param {Told} told @returns {number} ms of the silence that are the machine's doing */
  #excused ({ waited }) {
    const before = this.#before?.waited
    return waited === null || typeof before !== 'number' ? this.#delayed * DELAY_TIMES : waited - before
  }
}

/**
 * @param {number|undefined} pid
 * @returns {Told} of its main thread; nulls where there is no /proc
 */
function mainThread (pid) {
  return { used: usedMs(pid), waited: waitedMs(pid) }
}

/** @param {number|undefined} pid @returns {number|null} ms of CPU time that its main thread has used */
function usedMs (pid) {
  try {
    const fields = fs.readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * JIFFY_MS
  } catch {
    return null
  }
}

/** @param {number|undefined} pid @returns {number|null} ms for which its main thread was ready and had no processor */
function waitedMs (pid) {
  try {
    const waited = Number(fs.readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[1])
    return Number.isFinite(waited) ? waited / NS_A_MS : null
  } catch {
    return null
  }
}

module.exports = { HangDetector, mainThread, SILENCE_MS, STUCK_MS, COMPUTED_MS, DELAY_TIMES }
