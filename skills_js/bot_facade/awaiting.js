/**
 * Promises of actions. They know whether anybody awaits them, so that a failure that nobody handles is reported, and
 * they call callbacks in mineflayer's old style.
 */
'use strict'

/** Most failures kept for the report. */
const MAX_FAILURES = 100
/** Most failures reported one by one; the others are counted. */
const MAX_REPORTED = 5
/** Errors of actions that the program itself stopped. */
const MEANT = new Set(['Cancelled', 'PolicyAborted'])

/** Failures of actions that nobody awaits. @type {Map<Action, {name: string, error: any}>} */
const failures = new Map()

/** Promise of an action. */
class Action extends Promise {
  static get [Symbol.species] () { return Promise }
  #awaited = false

  get awaited () { return this.#awaited }

  /** @param {any} [done] @param {any} [failed] @returns {any} */
  then (done, failed) {
    this.#awaited = true
    failures.delete(this)
    return super.then(done, failed)
  }

  /**
   * Keep a failure from ending the run while nobody awaits the action.
   * @param {string | null} name - null: it is reported elsewhere
   */
  guard (name) {
    super.then(undefined, (error) => {
      if (name === null || this.#awaited || MEANT.has(error?.name) || failures.size >= MAX_FAILURES) return
      failures.set(this, { name, error })
    })
    return this
  }
}

/**
 * Wrap an action: its failure does not end the run while nobody awaits it.
 * @template {Function} F
 * @param {F} fn
 * @param {string | null} [name] - of a member of the bot or of a window, e.g. "bot.dig": the failure is reported at the
 *   run's end, and a function as the last argument is called at the action's end, as in mineflayer before it had
 *   promises
 * @returns {F}
 */
function handled (fn, name = null) {
  // Functions that belong to members, such as predicates, belong to those that answer at once.
  const asynchronous = fn.constructor.name === 'AsyncFunction'
  /** @this {any} @param {any[]} args */
  const wrapped = function (...args) {
    const callback = name !== null && typeof args.at(-1) === 'function' ? args.at(-1) : null
    const result = fn.apply(this, callback !== null && asynchronous ? args.slice(0, -1) : args)
    if (!(result instanceof Promise)) return result
    const action = new Action((resolve, reject) => { result.then(resolve, reject) }).guard(name)
    if (callback !== null) {
      action.then(
        (/** @type {any} */ value) => { callback(undefined, value) }, (/** @type {any} */ error) => { callback(error) }
      )
    }
    return action
  }
  return /** @type {any} */ (wrapped)
}

/**
 * @param {(error: any) => {name: string, message: string, line: number | null}} describe
 * @returns {string[]} a line for each failed action that nobody awaited, each told once
 */
function unheardFailures (describe) {
  const lines = [...failures.values()].map(({ name, error }) => {
    const { name: kind, message, line } = describe(error)
    const where = line === null ? '' : ` (line ${line})`
    return `${name} failed and nobody awaited it${where}: ${kind}: ${message}; write await ${name}(...)`
  })
  failures.clear()
  const rest = lines.length - MAX_REPORTED
  return rest > 0 ? [...lines.slice(0, MAX_REPORTED), `${rest} more actions failed and nobody awaited them`] : lines
}

module.exports = { handled, unheardFailures }
