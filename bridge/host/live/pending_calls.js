'use strict'
/**
 * Calls of mineflayer that cannot be stopped: they continue when nobody waits for them any more, so the end of a run
 * waits for them.
 */
const { bounded } = require('./bounded')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** Pending calls of each bot. @type {WeakMap<object, Set<Promise<void>>>} */
const begun = new WeakMap()

/**
 * Remember such a call until it is done.
 * @template T
 * @param {LiveBot} bot
 * @param {Promise<T>} work
 * @returns {Promise<T>} the same
 */
function trackCall (bot, work) {
  const all = begun.get(bot) ?? new Set()
  begun.set(bot, all)
  const end = work.then(() => {}, () => {}).finally(() => all.delete(end))
  all.add(end)
  return work
}

/** Messages of mineflayer's own timeouts, some seconds by the wall clock. */
const IMPATIENT = /timed out|did not fire within timeout|bot is not sleeping/i

/**
 * Return true if a call of mineflayer failed only because the server's answer is late: the bot's events will bring it.
 * @param {Error & { code?: string }} error - with which the work ended
 */
function isClientTimeout (error) {
  return IMPATIENT.test(String(error?.message))
}

/**
 * Wait until mineflayer's pending calls are done.
 * @param {LiveBot} bot
 * @param {number} ms - at most
 */
async function awaitPendingCalls (bot, ms) {
  const all = begun.get(bot)
  if (all === undefined || all.size === 0) return
  const { signal } = new AbortController()
  await bounded(
    { signal, ms, what: 'waiting for mineflayer', server: bot },
    (resolve) => { Promise.all(all).then(() => resolve(undefined)) }
  )
    .catch((error) => { if (error.name !== 'TimedOut') throw error })
}

module.exports = { awaitPendingCalls, trackCall, isClientTimeout }
