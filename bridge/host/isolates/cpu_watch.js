'use strict'
/**
 * CPU time of all running isolates, checked by one timer per host that runs only while there are isolates.
 *
 * isolated-vm measures an isolate by the wall clock for as long as it has work: on a busy machine, an isolate that
 * waits for a processor would seem to compute. So the sum of the claims is compared with the CPU time that this process
 * has used outside its main thread, and each isolate is charged its share.
 */

const { real } = require('../frozen_clock')

/** Time between two checks, in ms. */
const LOOK_MS = 40

/**
 * @typedef {{ ms: number, burst: number }} Computed ms of computing, and those of it that go on without a wait
 *
 * @typedef {object} Watched
 * @property {() => Computed} claim by the isolate's own clock, since this was last asked
 * @property {(charged: Computed) => void} look what it is charged for that
 * @property {boolean} [lingers] its program is over
 */

/** Watch that charges every member for its computing at short intervals. */
class CpuWatch {
  /** @type {Set<Watched>} */
  #members = new Set()
  /** @type {NodeJS.Timeout|null} */
  #timer = null
  #used
  #before = 0

  /** @param {() => number} [used] ms of CPU time that the isolates' threads have used */
  constructor (used = usedByIsolates) {
    this.#used = used
  }

  /** Number of isolates that still compute although their programs are over. */
  get lingering () { return [...this.#members].filter(({ lingers }) => lingers).length }

  /** @param {Watched} member */
  add (member) {
    this.#members.add(member)
    if (this.#timer) return
    this.#before = this.#used()
    this.#timer = real.setInterval(() => this.look(), LOOK_MS)
  }

  /** @param {Watched} member charged to the last */
  remove (member) {
    if (!this.#members.has(member)) return
    this.look()
    this.#members.delete(member)
    if (this.#members.size > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  /** Charge every member for the time since the last check. */
  look () {
    const now = this.#used()
    const used = now - this.#before
    this.#before = now
    const claims = [...this.#members].map((each) => /** @type {const} */ ([each, each.claim()]))
    const claimed = claims.reduce((sum, [, { ms }]) => sum + ms, 0)
    const share = claimed > 0 ? Math.min(1, Math.max(0, used) / claimed) : 0
    for (const [each, { ms, burst }] of claims) each.look({ ms: ms * share, burst: burst * share })
  }
}

/** Return the CPU time that this process has used on all its threads, in ms. */
function usedByProcess () {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Time and result of the last call of `nearlyUsedByProcess`, in ms. */
const looked = { at: -Infinity, used: 0 }
/** Age in ms up to which a measurement is completed by the wall clock: a process uses no more time than passes. */
const NEARLY_MS = 1

/** Return the same as `usedByProcess`, at most `NEARLY_MS` too much; cheap enough for every turn. */
function nearlyUsedByProcess () {
  const at = real.now()
  if (at - looked.at < NEARLY_MS) return looked.used + at - looked.at
  looked.at = at
  looked.used = usedByProcess()
  return looked.used
}

/** Return the CPU time of the calling thread, in ms. */
function usedByThread () {
  // @types/node does not have it yet.
  const { user, system } = /** @type {any} */ (process).threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Return the CPU time of this process outside the calling thread, in ms: the bots' own work is not charged to programs.
 */
function usedByIsolates () {
  return usedByProcess() - usedByThread()
}

module.exports = { CpuWatch, nearlyUsedByProcess, usedByIsolates, usedByProcess, usedByThread, LOOK_MS }
