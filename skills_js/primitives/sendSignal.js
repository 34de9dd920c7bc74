'use strict'
const { named } = require('../bot_facade/errors')
const { actions } = require('../bot_facade/actions')
const { show } = require('./support/check')

/**
 * Send a signal to another player, who wakes from `waitSignal` or finds it there later.
 * @param {Bot} bot
 * @param {string} toPlayer - the player's name
 * @param {string} [name] - a name for the signal: letters, digits, punctuation and spaces, at most 64 characters
 * @returns {Promise<boolean>} true when that player was waiting for it already
 * @throws {BadArgument} the name has other characters, such as a line break
 * @throws {UnknownPlayer} no player of that name takes part; says who does
 * @throws {LimitExceeded} that player has 256 of this bot's signals not yet taken, or this program has sent 5000
 * @example await sendSignal(bot, "Glitch", "iron-done")
 */
async function sendSignal (bot, toPlayer, name = '') {
  if (typeof toPlayer !== 'string') throw named('BadArgument', `toPlayer is ${show(toPlayer)}; give a player's name`)
  if (typeof name !== 'string') {
    throw named('BadArgument', `the signal's name is ${show(name)}; give a text or leave it out`)
  }
  return actions(bot).sendSignal({ to: toPlayer, name })
}

module.exports = { sendSignal }
