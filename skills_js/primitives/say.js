'use strict'
const { named } = require('../bot_facade/errors')

/**
 * Say one line in the game's chat; every player hears it. Commands (a leading "/") are refused. Five lines are said at
 * once, more at one a second; what was not said when the program ends is never said.
 * @param {Bot} bot
 * @param {string} text - at most 256 characters; line breaks become spaces
 * @returns {Promise<void>}
 * @throws {ChatRefused} empty, too long, or a command
 * @throws {LimitExceeded} more than 20 lines wait to be said
 * @example await say(bot, "I take the iron, you take the diamonds")
 */
async function say (bot, text) {
  if (typeof text !== 'string' && typeof text !== 'number') {
    throw named('BadArgument', `the text to say is a ${typeof text}; give a text of at most 256 characters`)
  }
  bot.chat(String(text))
}

module.exports = { say }
