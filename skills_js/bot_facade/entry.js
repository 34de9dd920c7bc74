/**
 * Entry script of a fresh isolate: it takes the host's three functions, builds the bot and everything else that a
 * program finds in scope, and leaves `__accord`. The script of bundle.js evaluates it; it is not meant for Node.
 */
'use strict'
const primitives = require('../primitives/index')
const voyagers = require('../primitives/voyager/index')
const queries = require('../queries/index')
const { unheardFailures } = require('./awaiting')
const { createBot } = require('./bot')
const { bound } = require('./bounds')
const { shutClocks } = require('./clocks')
const { harden } = require('./harden')
const { Host } = require('./host')
const { errorModeOf, tolerant } = require('./error_mode')
const { policyScope } = require('./policy_scope')
const { describe, evaluate } = require('./program')
const { createConsole, createDate, createTimers, hash, seededRandom } = require('./scope')

/** Depth of stack traces; enough to reach the program's own line below a primitive's. */
const STACK_DEPTH = 50

/**
 * @param {any} scope - the global object
 */
function install (scope) {
  const host = new Host(scope.__host)
  delete scope.__host
  /** @type {(error: any) => void} */
  let fail = () => {}
  const fatal = (/** @type {Error & { code?: string }} */ error) => fail(error)
  scope.Error.stackTraceLimit = STACK_DEPTH
  define(scope, { ...createTimers(host, fatal), console: createConsole(host), Date: createDate(host) })
  define(scope, { performance: Object.freeze({ now: () => host.read('now') }) })
  shutClocks(scope, () => host.read('now'))
  // Before the freeze: the seed comes with the run.
  let draw = seededRandom(0)
  scope.Math.random = () => draw()

  /**
   * @param {string} source
   * @param {string} settingsJson - {bot, version, seed, main?}
   * @returns {Promise<string>} JSON {outcome, error}
   */
  async function run (source, settingsJson) {
    const settings = JSON.parse(settingsJson)
    draw = seededRandom(hash(`${settings.seed ?? 0}/${settings.bot}`))
    // The world may have changed since an earlier program here.
    host.kept.clear()
    const failed = new Promise((_resolve, reject) => { fail = reject })
    /** @type {Promise<any>[]} */
    const started = []
    try {
      const voyager = errorModeOf(source) === 'voyager'
      const bot = createBot(
        host, { username: settings.bot, version: settings.version ?? '1.20.4', fatal, started, builds: voyager }
      )
      const own = voyager
        ? { actions: { ...primitives, ...voyagers }, tolerate: tolerant(bot) }
        : { actions: primitives }
      define(scope, policyScope({ bot, queries, ...own }))
      const main = evaluate(source, settings.main)
      await Promise.race([failed, main(bot)])
      while (started.length > 0) await Promise.race([failed, started.shift()])
      return JSON.stringify({ outcome: 'returned', error: null })
    } catch (error) {
      const syntax = error instanceof SyntaxError && describe(error).line === null
      return JSON.stringify({ outcome: syntax ? 'syntax' : 'threw', error: describe(error) })
    } finally {
      for (const line of unheardFailures(describe)) tell(host, line)
    }
  }

  bound()
  harden()
  Object.defineProperty(scope, '__accord', {
    value: Object.freeze({ run, deliver: (/** @type {string} */ json) => host.deliver(json) }), enumerable: false,
    configurable: true
  })
}

/** @param {Host} host @param {string} line - a warning for the author of the program */
function tell (host, line) {
  try {
    host.command('log', 'warn', line)
  } catch {
    // The run is over: nobody listens any more.
  }
}

/**
 * @param {any} scope @param {Record<string, any>} values
 */
function define (scope, values) {
  for (const [name, value] of Object.entries(values)) {
    // Writable and configurable: a program may well have a helper of its own called goTo.
    Object.defineProperty(scope, name, { value, writable: true, enumerable: false, configurable: true })
  }
}

module.exports = { install }
