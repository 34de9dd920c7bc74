'use strict'
const { named } = require('../lookalike/errors')
const { actions } = require('../lookalike/actions')
const { show } = require('./support/check')

/**
 * Run a function, then sleep until another player's signal comes. A signal sent earlier is kept and taken at once.
 * @param {Bot} bot
 * @param {string} [name] - the signal's name, or the name of the player who must have sent it; any signal when left out
 * @param {Function} [fn] - an async function that is run to its end before the sleep
 * @returns {Promise<{from: string, name: string}>} the signal
 * @throws {SenderEnded} nobody is left who could send it
 * @throws {Deadlock} all players that still run wait for signals
 * @throws {UnknownPlayer} no player takes part but this one
 * @example await waitSignal(bot, "iron-done")
 * @example await waitSignal(bot, "Glitch", async () => { await mineBlock(bot, "iron_ore", 12) })
 */
async function waitSignal (bot, name, fn) {
  const work = typeof name === 'function' ? name : fn
  const wanted = typeof name === 'function' || name === undefined || name === null ? '' : name
  if (typeof wanted !== 'string') throw named('BadArgument', `the signal's name is ${show(wanted)}; give a text or leave it out`)
  if (work !== undefined && work !== null && typeof work !== 'function') {
    throw named('BadArgument', `fn is ${show(work)}; give an async function or leave it out`)
  }
  if (work) await work(bot)
  return actions(bot).waitSignal({ name: wanted })
}

module.exports = { waitSignal }
