'use strict'
/**
 * Calls of primitives that a host asks the server to play. Only names and plain arguments cross, no agent's code, so
 * they need no isolate and no question of theirs crosses back. All their work on the world takes turns with that of
 * others (`turns.js`).
 */
const { CallRun } = require('../../../mock/call_run')

/**
 * @typedef {import('../../../../skills_js/mock/backend').MockBackend} MockBackend
 * @typedef {import('../../../host/isolates/border').Verdict} Verdict
 * @typedef {{
 *   bot: string, calls: import('../../../mock/call_run').Calls, backend: MockBackend, turns: import('./turns').Turns,
 *   bodies: import('../../../mock/call_bodies').CallBodies, onEnd: (verdict: Verdict) => void
 * }} Options `onEnd` hears of the end once, whoever decides it
 */

/**
 * @param {Options} options
 * @returns {CallRun} begun
 */
function played ({ bot, calls, backend, turns, bodies, onEnd }) {
  const counted = {
    read: (/** @type {string} */ method, /** @type {any[]} */ args) => turns.count(() => backend.read(method, args)),
    start: (/** @type {string} */ method, /** @type {unknown[]} */ args, /** @type {any} */ settle) =>
      turns.count(() => backend.start(method, args, settle)),
    onEvent: (/** @type {(...args: unknown[]) => unknown} */ fn) => backend.onEvent(fn)
  }
  const run = new CallRun({
    bot,
    calls,
    bodies,
    backend: /** @type {MockBackend} */ (/** @type {unknown} */ (counted)),
    // An answer never comes before the question has been put.
    post: (message) => setImmediate(() => turns.take(bot, () => { run.deliver(JSON.stringify(message)) })),
    onEnd
  })
  run.prepare()
  run.begin()
  return run
}

module.exports = { played }
