'use strict'
/**
 * An isolate that was made ready before there was a program for it, so that most of a short run's time is spent
 * already.
 *
 * A host keeps one at the most. It holds the bootstrap and nothing of any run, is handed out once and is thrown away
 * after that run like every other: no two programs ever meet in an isolate.
 */
const { bare } = require('./border')
const { freshIsolate, openPolicy } = require('./policy_context')

/** @typedef {import('./policy_context').Border} Border */

/**
 * A fresh isolate with the bootstrap in it, or on its way there; its border leads to whoever adopts it, and only once.
 */
class PreparedIsolate {
  /** @type {Border|null} */
  #border = null
  #onCatastrophe

  /**
   * @param {string} bundle
   * @param {number} memoryMb
   * @param {(stuck: boolean) => void} onCatastrophe as for `freshIsolate`, until somebody adopts it
   * @param {boolean} [readsLater] `read` may promise its answer
   */
  constructor (bundle, memoryMb, onCatastrophe, readsLater = false) {
    this.bundle = bundle
    this.memoryMb = memoryMb
    this.#onCatastrophe = onCatastrophe
    this.isolate = freshIsolate(memoryMb, (stuck) => this.#onCatastrophe(stuck))
    /** @type {Promise<any>} the program's entry; rejects when the bootstrap fails */
    this.opened = openPolicy(this.isolate, bundle, {
      read: (method, argsJson) => this.#owned.read(method, argsJson),
      act: (callId, method, argsJson) => this.#owned.act(callId, method, argsJson),
      drop: (callId) => this.#owned.drop(callId),
      ended: (json) => this.#owned.ended(json),
      readsLater
    }, true).then(({ enter }) => enter)
    this.opened.catch(() => {}) // whoever adopts it hears of it
  }

  /**
   * From now on it is this run's, and no other's.
   * @param {Border} border
   * @param {(stuck: boolean) => void} onCatastrophe
   */
  adopt (border, onCatastrophe) {
    if (this.#border) throw new Error('an isolate is for one run')
    this.#border = border
    this.#onCatastrophe = onCatastrophe
  }

  get #owned () {
    if (!this.#border) throw bare('no program runs here yet')
    return this.#border
  }
}

/** The one isolate that a host holds ready. */
class SpareIsolate {
  #onCatastrophe
  #readsLater
  /** @type {PreparedIsolate|null} */
  #spare = null

  /**
   * @param {(stuck: boolean) => void} [onCatastrophe] the spare one cannot be disposed of any more (`freshIsolate`)
   * @param {boolean} [readsLater] reads may promise their answers
   */
  constructor (onCatastrophe = () => {}, readsLater = false) {
    this.#onCatastrophe = onCatastrophe
    this.#readsLater = readsLater
  }

  /** The one that is held ready. */
  get held () { return this.#spare }

  /**
   * An isolate for one run: the spare one if it is just as a new one would be, else a new one.
   * @param {string} bundle
   * @param {number} memoryMb
   * @returns {PreparedIsolate}
   */
  take (bundle, memoryMb) {
    const spare = this.#spare
    if (!spare || spare.bundle !== bundle || spare.memoryMb !== memoryMb) {
      return new PreparedIsolate(bundle, memoryMb, () => {}, this.#readsLater)
    }
    this.#spare = null
    return spare
  }

  /**
   * Hold one ready for a run with these terms; a millisecond of the caller's thread, the rest on the isolate's own.
   * @param {string} bundle
   * @param {number} memoryMb
   */
  renew (bundle, memoryMb) {
    if (this.#spare?.bundle === bundle && this.#spare.memoryMb === memoryMb) return
    this.dispose()
    const made = new PreparedIsolate(bundle, memoryMb, (stuck) => {
      if (this.#spare === made) this.#spare = null
      this.#onCatastrophe(stuck)
    }, this.#readsLater)
    this.#spare = made
    made.opened.catch(() => { if (this.#spare === made) this.dispose() })
  }

  /** Throw the spare one away, if there is one. */
  dispose () {
    const spare = this.#spare
    this.#spare = null
    if (spare && !spare.isolate.isDisposed) spare.isolate.dispose()
  }
}

module.exports = { PreparedIsolate, SpareIsolate }
