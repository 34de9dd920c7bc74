'use strict'
/**
 * Programs on the mock world's virtual clock. What the world has to tell a program is delivered one message at a time,
 * in the order in which it happened, and each program computes until it waits again before the next one is told. Only
 * when every program waits does the world go on by a tick.
 *
 * @module skills_js/mock/stage
 */

/**
 * Messages that one program gets within one tick; the rest comes in the next, so that a program which never waits for
 * game time (a loop of instant actions) still lets it pass.
 */
const MESSAGES_PER_TICK = 64

/**
 * @typedef {object} Actor a program and what it acts through
 * @property {string} name
 * @property {boolean} over nothing is delivered any more
 * @property {(json: string) => void | Promise<void>} deliver done when the program waits again
 *
 * @typedef {object} Signals what the stage needs of a run's `SignalHub`
 * @property {() => string[]} breakDeadlock
 * @property {(fn: () => void) => () => void} watch tells each change; returns what ends it
 */

/** The order of the day. */
class Stage {
  /** @type {{actor: Actor, json: string}[]} */
  #queue = []
  /** @type {{actor: Actor, json: string}[]} */
  #later = []
  /** @type {Map<Actor, number>} */
  #told = new Map()
  /** Runs that go on, by the order in which they began. @type {Map<Signals, number>} */
  #groups = new Map()
  #joined = 0
  /**
   * Those in which something has changed since the last look for deadlocks: in the others it is as it was.
   * @type {Set<Signals>}
   */
  #changed = new Set()

  /** @param {import('./simulation').Simulation} simulation */
  constructor (simulation) {
    this.simulation = simulation
  }

  /**
   * @param {Signals} signals of a run that has begun
   * @returns {() => void} the run is over
   */
  join (signals) {
    this.#groups.set(signals, this.#joined++)
    this.#changed.add(signals)
    const leave = signals.watch(() => { this.#changed.add(signals) })
    return () => {
      leave()
      this.#groups.delete(signals)
      this.#changed.delete(signals)
    }
  }

  /**
   * Something happened that a program is to be told.
   *
   * @param {Actor} actor
   * @param {object} message
   */
  post (actor, message) {
    const told = (this.#told.get(actor) ?? 0) + 1
    this.#told.set(actor, told)
    const entry = { actor, json: JSON.stringify(message) }
    if (told > MESSAGES_PER_TICK) this.#later.push(entry)
    else this.#queue.push(entry)
  }

  /** Deliver until every program waits for game time. */
  async settle () {
    do {
      for (let entry = this.#queue.shift(); entry !== undefined; entry = this.#queue.shift()) {
        if (!entry.actor.over) await entry.actor.deliver(entry.json)
      }
      // Nobody computes and nothing is under way: who waits for a signal now waits for ever.
      if (this.#changed.size > 0) this.#breakDeadlocks()
    } while (this.#queue.length > 0)
  }

  #breakDeadlocks () {
    const order = (/** @type {Signals} */ signals) => this.#groups.get(signals) ?? 0
    const changed = [...this.#changed].sort((a, b) => order(a) - order(b))
    this.#changed.clear()
    for (const signals of changed) signals.breakDeadlock()
  }

  /** One tick of the world and what the programs make of it. */
  async tick () {
    const later = this.#later
    this.#later = []
    this.#told.clear()
    for (const entry of later) {
      this.#told.set(entry.actor, (this.#told.get(entry.actor) ?? 0) + 1)
      this.#queue.push(entry)
    }
    this.simulation.tick()
    if (this.#queue.length > 0 || this.#groups.size > 0) await this.settle()
  }
}

module.exports = { Stage, MESSAGES_PER_TICK }
