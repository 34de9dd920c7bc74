'use strict'
const { named } = require('../bot_facade/errors')
const { actions } = require('../bot_facade/actions')
const { show } = require('./support/check')

/**
 * Run a function, then sleep until another player's signal comes. A signal sent earlier is kept and taken at once.
 * @param {Bot} bot
 * @param {string|Object} [name] - a player's name for any signal of that player, else the signal's name; `{ from, name
 *   }` for both; any signal when left out
 * @param {Function} [fn] - an async function that is run to its end before the sleep
 * @returns {Promise<{from: string, name: string}>} the signal
 * @throws {SenderEnded} nobody is left who could send it
 * @throws {Deadlock} all players that still run wait for signals
 * @throws {UnknownPlayer} `from` is no player who takes part; says who does
 * @example await waitSignal(bot, "iron-done")
 * @example await waitSignal(bot, { from: "Glitch", name: "iron-done" })
 * @example await waitSignal(bot, "Glitch", async () => { await mineBlock(bot, "iron_ore", 12) })
 */
async function waitSignal (bot, name, fn) {
  const work = typeof name === 'function' ? name : fn
  const wanted = typeof name === 'function' || name === undefined || name === null ? '' : meaning(name)
  if (work !== undefined && work !== null && typeof work !== 'function') {
    throw named('BadArgument', `fn is ${show(work)}; give an async function or leave it out`)
  }
  if (work) await work(bot)
  return actions(bot).waitSignal(wanted)
}

/**
 * @param {any} given
 * @returns {string | {from: string, name: string}}
 */
function meaning (given) {
  if (typeof given === 'string') return given
  const { from = '', name = '' } = typeof given === 'object' ? given : { from: null }
  if (typeof from === 'string' && typeof name === 'string') return { from, name }
  throw named(
    'BadArgument', `the signal is ${show(given)}; give its name, its sender's, { from, name } of texts, or leave it out`
  )
}

module.exports = { waitSignal }
