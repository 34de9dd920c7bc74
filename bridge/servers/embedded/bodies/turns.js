'use strict'
/**
 * What programs ask of the world between two ticks, within bounds: the thread that answers them is the one that all
 * share, so that work beyond its share waits for the next tick, each asker's in its order and one of each in turn.
 */

/** Work between two ticks, in ms; a tick has 50. */
const SHARE_MS = 25

/** Work by who asks for it. */
class Turns {
  #now
  #share
  #left
  /** Whether work is being done and counted as a whole. */
  #working = false
  /** Who has to wait, in the order of their next turn. @type {Map<string, (() => void)[]>} */
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
   * Do it at once, or when it is its turn.
   *
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

  /** A tick is over: there is time again. */
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

  /** Whoever asked is gone. @param {string} who */
  forget (who) {
    this.#queues.delete(who)
  }
}

module.exports = { SHARE_MS, Turns }
