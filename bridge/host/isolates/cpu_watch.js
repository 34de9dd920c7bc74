'use strict'
/**
 * One timer per host that looks at the CPU time of all running isolates; it runs only while there is one to watch.
 *
 * isolated-vm tells the time of an isolate by the clock on the wall for as long as it has something to do: on a busy
 * machine an isolate that waits for a processor would seem to compute. So what all of them claim is set against the CPU
 * time that this process has used besides its main thread, and each is charged its share of that.
 */

const { real } = require('../frozen_clock')

/** How often the isolates are looked at, in ms. */
const LOOK_MS = 40

/**
 * @typedef {{ ms: number, burst: number }} Computed ms of computing, and those of it that go on without a wait
 *
 * @typedef {object} Watched
 * @property {() => Computed} claim by the isolate's own clock, since this was last asked
 * @property {(charged: Computed) => void} look what it is charged for that
 * @property {boolean} [lingers] its program is over
 */

/** Charges every member for its computing at short intervals. */
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

  /** How many compute on though their programs are over. */
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

  /** Charge everybody for the time since the last look. */
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

/** CPU time that this process has used on all its threads, in ms. */
function usedByProcess () {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Of the last look of `nearlyUsedByProcess`, in ms. */
const looked = { at: -Infinity, used: 0 }
/**
 * For so long after a look, in ms, the clock stands in for the next one: a process has used no more than has passed.
 */
const NEARLY_MS = 1

/**
 * The same, for those who ask at every turn, since the system takes its time to tell: too much by `NEARLY_MS` at the
 * most.
 */
function nearlyUsedByProcess () {
  const at = real.now()
  if (at - looked.at < NEARLY_MS) return looked.used + at - looked.at
  looked.at = at
  looked.used = usedByProcess()
  return looked.used
}

/** CPU time that the calling thread has used, in ms. */
function usedByThread () {
  // @types/node does not have it yet.
  const { user, system } = /** @type {any} */ (process).threadCpuUsage()
  return (user + system) / 1000
}

/** CPU time, in ms, that this process has used besides the calling thread: its bots' time is no program's. */
function usedByIsolates () {
  return usedByProcess() - usedByThread()
}

module.exports = { CpuWatch, nearlyUsedByProcess, usedByIsolates, usedByProcess, usedByThread, LOOK_MS }
