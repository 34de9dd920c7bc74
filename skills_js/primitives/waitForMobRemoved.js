'use strict'
const { named } = require('../bot_facade/errors')
const { hostOf } = require('../bot_facade/actions')
const { within } = require('./support/check')

const LOOK_TICKS = 5

/**
 * Wait until a mob is dead or out of sight.
 * @param {Bot} bot
 * @param {Entity} entity - of bot.nearestEntity or bot.entities
 * @param {number} [timeout=300] - seconds, 1 to 600
 * @returns {Promise<void>}
 * @throws {NotKilled} it is still there when the time is up
 * @example await waitForMobRemoved(bot, bot.nearestEntity((each) => each.name === "zombie"), 30)
 */
async function waitForMobRemoved (bot, entity, timeout = 300) {
  const seconds = within(timeout, 'timeout', 1, 600)
  if (!Number.isInteger(entity?.id)) {
    throw named('BadArgument', 'waitForMobRemoved needs an entity, e.g. of bot.nearestEntity; it found none?')
  }
  const { id, name } = entity
  for (let ticks = 0; hostOf(bot).read('entity', id) !== null; ticks += LOOK_TICKS) {
    if (ticks >= seconds * 20) throw named('NotKilled', `${name} was still there after ${seconds} s`)
    await bot.waitForTicks(LOOK_TICKS)
  }
}

module.exports = { waitForMobRemoved }
