'use strict'
/**
 * Turns of programs' work on the world between two ticks. One thread does all of it, so work beyond its share waits for
 * the next tick: each asker's in order, and one of each asker in turn.
 */

/** Work between two ticks, in ms; a tick has 50. */
const SHARE_MS = 25

/** Queues of work by asker. */
class Turns {
  #now
  #share
  #left
  /** True while work runs that is counted as a whole. */
  #working = false
  /** Waiting askers, in the order of their next turn. @type {Map<string, (() => void)[]>} */
  #queues = new Map()

  /**
   * @param {() => number} now milliseconds, monotonic
   * @param {number} [share] ms of work between two ticks
   */
  constructor (now, share = SHARE_MS) {
    this.#now = now
    this.#share = share
    this.#left = share
  }

  /** @returns {number} askers that wait */
  get waiting () { return this.#queues.size }

  /**
   * Do work at once, or at its turn.
   * @param {string} who
   * @param {() => void} work must not throw
   */
  take (who, work) {
    const queue = this.#queues.get(who)
    if (queue !== undefined) queue.push(work)
    else if (this.#left <= 0) this.#queues.set(who, [work])
    else this.count(work)
  }

  /**
   * Do what cannot wait, and count it.
   *
   * @template T
   * @param {() => T} work
   * @returns {T}
   */
  count (work) {
    if (this.#working) return work()
    const began = this.#now()
    this.#working = true
    try {
      return work()
    } finally {
      this.#working = false
      this.#left -= this.#now() - began
    }
  }

  /** Renew the time after a tick. */
  renew () {
    this.#left = this.#share
    while (this.#left > 0) {
      const [next] = this.#queues
      if (next === undefined) return
      const [who, queue] = next
      this.#queues.delete(who)
      const work = /** @type {() => void} */ (queue.shift())
      // Back to the end before its work is done, which may ask for more.
      if (queue.length > 0) this.#queues.set(who, queue)
      this.count(work)
    }
  }

  /**
   * Forget an asker that is gone.
   * @param {string} who
   */
  forget (who) {
    this.#queues.delete(who)
  }
}

module.exports = { SHARE_MS, Turns }
