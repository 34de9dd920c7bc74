'use strict'
/**
 * Programs on the mock world's virtual clock. Messages of the world are delivered one at a time, in the order in which
 * they occurred, and each program computes until it waits again before the next one is delivered. The world advances by
 * a tick only when every program waits.
 *
 * @module skills_js/mock/stage
 */

/**
 * Most messages for one program within one tick; the rest follows in the next, so that a program that never waits for
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

/** Scheduler of messages and ticks. */
class Stage {
  /** @type {{actor: Actor, json: string}[]} */
  #queue = []
  /** @type {{actor: Actor, json: string}[]} */
  #later = []
  /** @type {Map<Actor, number>} */
  #told = new Map()
  /** Active runs, in the order in which they began. @type {Map<Signals, number>} */
  #groups = new Map()
  #joined = 0
  /** Runs in which something has changed since the last check for deadlocks. @type {Set<Signals>} */
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
   * Queue a message for a program.
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

  /** Advance the world by one tick and deliver what follows from it. */
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
