'use strict'
/**
 * Actions that take game time, as generators: every `yield` waits one tick, `yield n` waits n ticks. An action can be
 * stopped between two ticks; its `finally` blocks bring the body and the hand to rest.
 *
 * @module skills_js/mock/tasks
 */
const { named } = require('../bot_facade/errors')

/**
 * @callback Settle the one end of an action
 * @param {Error | null} error
 * @param {unknown} value plain data
 * @returns {void}
 *
 * @typedef {Generator<number | void, any, void>} Steps
 */

/** Action in progress. */
class Task {
  #steps
  #settle
  #wait = 0

  /**
   * @param {Steps} steps
   * @param {Settle} settle called once, never from within `start`'s caller's own call to `stop`
   */
  constructor (steps, settle) {
    this.#steps = steps
    this.#settle = settle
    this.over = false
  }

  /** Advance after a tick (or at the beginning). */
  advance () {
    if (this.over || this.#wait-- > 0) return
    try {
      const { done, value } = this.#steps.next()
      if (done) this.#end(null, value ?? null)
      else this.#wait = Math.max(0, (value ?? 1) - 1)
    } catch (error) {
      this.#end(error, null)
    }
  }

  /**
   * Stop the action; its clean-up runs now, its end is an error.
   * @param {Error} [reason]
   */
  stop (reason = named('Cancelled', 'the action was stopped')) {
    if (this.over) return
    this.over = true
    try {
      this.#steps.return(undefined)
    } finally {
      this.#settle(reason, null)
    }
  }

  /** @param {Error | null} error @param {any} value */
  #end (error, value) {
    this.over = true
    this.#settle(error, value)
  }
}

/** Actions of one player: several may be in progress, advanced in the order in which they began. */
class TaskList {
  /** @type {Task[]} */
  #tasks = []

  /** @returns {number} */
  get size () { return this.#tasks.length }

  /**
   * Begin an action; its first part runs at once.
   *
   * @param {Steps} steps
   * @param {Settle} settle
   * @returns {Task}
   */
  start (steps, settle) {
    const task = new Task(steps, settle)
    task.advance()
    if (!task.over) this.#tasks.push(task)
    return task
  }

  /** Advance all actions by one tick. */
  advance () {
    if (this.#tasks.length === 0) return
    for (const task of [...this.#tasks]) task.advance()
    this.#tasks = this.#tasks.filter((task) => !task.over)
  }

  /**
   * Stop all actions.
   * @param {Error} [reason]
   */
  stopAll (reason) {
    const tasks = this.#tasks
    this.#tasks = []
    for (const task of tasks) task.stop(reason)
  }
}

/**
 * Wait until something holds.
 *
 * @param {() => boolean} holds looked at once a tick
 * @param {number} maxTicks
 * @returns {Generator<void, boolean, void>} whether it came to hold
 */
function * until (holds, maxTicks) {
  for (let tick = 0; !holds(); tick++) {
    if (tick >= maxTicks) return false
    yield
  }
  return true
}

module.exports = { Task, TaskList, until }
