'use strict'
/**
 * Run of a test's functions in the mock world: time passes while one of them waits.
 *
 * @module skills_js/mock/mock_run
 */
const { named } = require('../bot_facade/errors')
const { SignalHub } = require('../signals')

/**
 * @typedef {{value: any, error: Error | null, ticks: number}} End
 * @typedef {{name: string, program: () => any}} Part
 */

/** One `world.run` or `world.runAll`. */
class MockRun {
  #s
  /** @type {(End | null)[]} */
  #ends = []
  #began = 0

  /**
   * @param {{simulation: import('./simulation').Simulation, stage: import('./stage').Stage,
   *   bots: Map<string, import('./mock_bot').MockBot>, recorder: import('./recorder').Recorder}} surroundings
   */
  constructor (surroundings) {
    this.#s = surroundings
  }

  /**
   * @param {Part[]} parts
   * @param {number} seconds game time that they may take
   * @param {() => Promise<void>} tick
   * @returns {Promise<End[]>} in the order of the parts
   */
  async perform (parts, seconds, tick) {
    const { simulation, stage, bots, recorder } = this.#s
    const signals = new SignalHub([...bots.keys()])
    const send = signals.send.bind(signals)
    signals.send = (from, to, name = '') => {
      const waiting = send(from, to, name)
      recorder.emit('signal', { from, to, name })
      return waiting
    }
    const leave = stage.join(signals)
    this.#began = simulation.age
    for (const bot of bots.values()) {
      bot.enter(signals)
      bot.fatal = (error) => this.#end(this.#indexOf(parts, bot.name), null, error)
    }
    try {
      await this.#begin(parts, signals)
      while (this.#ends.includes(null)) {
        if (simulation.age - this.#began >= seconds * 20) this.#expire(seconds)
        else await tick()
      }
    } finally {
      leave()
      for (const bot of bots.values()) bot.leave()
      recorder.flush()
    }
    return /** @type {End[]} */ (this.#ends)
  }

  /** @param {Part[]} parts @param {SignalHub} signals */
  async #begin (parts, signals) {
    this.#ends = parts.map(() => null)
    // Who takes part in no program sends no signal either.
    for (const name of this.#s.bots.keys()) {
      if (parts[0].name !== '' && this.#indexOf(parts, name) < 0) signals.end(name)
    }
    for (const [index, { name, program }] of parts.entries()) {
      const over = (/** @type {any} */ value, /** @type {Error | null} */ error) => {
        this.#end(index, value, error)
        if (name !== '') signals.end(name)
      }
      Promise.resolve().then(program).then((value) => over(value, null), (error) => over(undefined, error))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await this.#s.stage.settle()
  }

  /** @param {Part[]} parts @param {string} name @returns {number} */
  #indexOf (parts, name) {
    return parts[0].name === '' ? 0 : parts.findIndex((part) => part.name === name)
  }

  /** @param {number} index @param {any} value @param {any} error */
  #end (index, value, error) {
    if (index < 0 || this.#ends[index] !== null) return
    const thrown = error === null || error instanceof Error ? error : new Error(`${String(error)} was thrown`)
    this.#ends[index] = { value, error: thrown, ticks: this.#s.simulation.age - this.#began }
  }

  /** @param {number} seconds */
  #expire (seconds) {
    for (const index of this.#ends.keys()) {
      this.#end(index, undefined, named('TimedOut', `the program was still running after ${seconds} s of game time`))
    }
  }
}

module.exports = { MockRun }
