'use strict'
/**
 * Isolate prepared before there is a program for it, which saves most of the time of a short run.
 *
 * A host keeps at most one. It holds the bootstrap and nothing of any run, is handed out once and is thrown away after
 * that run like every other isolate: no two programs ever meet in one.
 */
const { bare } = require('./border')
const { freshIsolate, openPolicy } = require('./policy_context')

/** @typedef {import('./policy_context').Border} Border */

/** Fresh isolate with the bootstrap in it, or being prepared; its border leads to the run that adopts it, once. */
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
   * Bind the isolate to a run, for good.
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

/** Holder of the one spare isolate of a host. */
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

  /** Spare isolate held, if any. */
  get held () { return this.#spare }

  /**
   * Return an isolate for one run: the spare one if it is equivalent to a new one, else a new one.
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
   * Prepare a spare isolate for a run with these terms; it takes a millisecond of the caller's thread.
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

  /** Dispose of the spare isolate, if there is one. */
  dispose () {
    const spare = this.#spare
    this.#spare = null
    if (spare && !spare.isolate.isDisposed) spare.isolate.dispose()
  }
}

module.exports = { PreparedIsolate, SpareIsolate }
