'use strict'
/** Limiter of concurrent work; the rest waits in order. */

/** Limiter that lets `width` pieces of work run at once. */
class Limiter {
  #width
  #inside = 0
  /** @type {(() => void)[]} */
  #queue = []

  /** @param {number} width */
  constructor (width) {
    this.#width = width
  }

  /**
   * @template T
   * @param {() => Promise<T>} work begun when it is its turn
   * @returns {Promise<T>}
   */
  async pass (work) {
    // Whoever leaves hands its place over, so that a newcomer cannot slip in before those who wait.
    if (this.#inside < this.#width) this.#inside++
    else await new Promise((resolve) => this.#queue.push(() => resolve(undefined)))
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next) next()
      else this.#inside--
    }
  }
}

module.exports = { Limiter }
