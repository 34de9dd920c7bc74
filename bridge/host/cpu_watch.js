'use strict'
/**
 * One timer per host that looks at the CPU time of all running isolates; it runs only while there is one to watch.
 *
 * isolated-vm tells the time of an isolate that computes just now by the clock on the wall: on a busy machine an isolate
 * that waits for a processor would seem to compute. So what all of them claim is set against what the whole process has
 * really used, and each is charged its share of that.
 */

/** How often the isolates are looked at, in ms. */
const LOOK_MS = 40

/**
 * @typedef {object} Watched
 * @property {() => number} claim ms of computing, by the isolate's own clock, since this was last asked
 * @property {(ms: number) => void} look what it is charged for that
 */

/** Charges every member for its computing at short intervals. */
class CpuWatch {
  /** @type {Set<Watched>} */
  #members = new Set()
  /** @type {NodeJS.Timeout|null} */
  #timer = null
  #used
  #before = 0

  /** @param {() => number} [used] ms of CPU time that this process has used, on all its threads */
  constructor (used = usedByProcess) {
    this.#used = used
  }

  /** @param {Watched} member */
  add (member) {
    this.#members.add(member)
    if (this.#timer) return
    this.#before = this.#used()
    this.#timer = setInterval(() => this.look(), LOOK_MS)
  }

  /** @param {Watched} member */
  remove (member) {
    this.#members.delete(member)
    if (this.#members.size > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  /** Charge everybody for the time since the last look. */
  look () {
    const now = this.#used()
    const used = now - this.#before
    this.#before = now
    const claims = [...this.#members].map((each) => /** @type {const} */ ([each, each.claim()]))
    const claimed = claims.reduce((sum, [, ms]) => sum + ms, 0)
    const share = claimed > used ? used / claimed : 1
    for (const [each, ms] of claims) each.look(ms * share)
  }
}

/** CPU time that this process has used on all its threads, in ms. */
function usedByProcess () {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

module.exports = { CpuWatch, usedByProcess, LOOK_MS }
