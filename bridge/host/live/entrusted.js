'use strict'
/**
 * Work of mineflayer's that cannot be left off: it goes on when nobody waits for it any more, so the end of a run does.
 */
const { bounded } = require('./bounded')

/** What mineflayer was asked for and has not ended yet. @type {WeakMap<object, Set<Promise<void>>>} */
const begun = new WeakMap()

/**
 * Remember such work until it is done.
 * @template T
 * @param {any} bot
 * @param {Promise<T>} work
 * @returns {Promise<T>} the same
 */
function entrusted (bot, work) {
  const all = begun.get(bot) ?? new Set()
  begun.set(bot, all)
  const end = work.then(() => {}, () => {}).finally(() => all.delete(end))
  all.add(end)
  return work
}

/** How mineflayer says that its own patience, some seconds of the clock on the wall, is over. */
const IMPATIENT = /timed out|did not fire within timeout|bot is not sleeping/i

/**
 * Whether work of mineflayer's failed for no other reason than that the server's answer is late: whoever waits longer
 * hears it from the bot's events.
 * @param {any} error - with which the work ended
 */
function impatient (error) {
  return IMPATIENT.test(String(error?.message))
}

/**
 * Wait until mineflayer is done with what it was asked for.
 * @param {any} bot
 * @param {number} ms - at most
 */
async function ended (bot, ms) {
  const all = begun.get(bot)
  if (all === undefined || all.size === 0) return
  const { signal } = new AbortController()
  await bounded(
    { signal, ms, what: 'waiting for mineflayer', server: bot },
    (resolve) => { Promise.all(all).then(() => resolve(undefined)) }
  )
    .catch((error) => { if (error.name !== 'TimedOut') throw error })
}

module.exports = { ended, entrusted, impatient }
