'use strict'
const { hostOf } = require('../../bot_facade/actions')
const { named } = require('../../bot_facade/errors')

/**
 * Break a block, and fail if it vanished by itself or by somebody else: `bot.dig` ends normally then, as mineflayer's
 * does.
 * @param {Bot} bot
 * @param {Block} block
 * @returns {Promise<void>}
 * @throws {BlockGone}
 */
async function breakBlock (bot, block) {
  const { x, y, z } = block.position.floored()
  if (await hostOf(bot).act('dig', x, y, z) !== false) return
  throw named('BlockGone', `${block.name} at ${block.position} was broken by somebody else first`)
}

module.exports = { breakBlock }
