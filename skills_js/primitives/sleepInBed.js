'use strict'
const { named } = require('../bot_facade/errors')
const { asPosition, within } = require('./support/check')
const { comeToReach } = require('./support/reach')
const { placesOf } = require('./support/farming')

const BEDS = /_bed$/
const LOOK_TICKS = 20

/**
 * Lie down in a bed and sleep until the morning, or until the time is up. The night is skipped when all players sleep.
 * @param {Bot} bot
 * @param {Vec3} [position] - of the bed; left out: the nearest within 32 blocks
 * @param {number} [seconds=60] - to stay in bed at most, 1 to 600
 * @returns {Promise<boolean>} whether it is morning
 * @throws {BlockNotFound} there is no bed
 * @throws {NoPath} the bed cannot be reached
 * @throws {NotUsed} it cannot be slept in: it is day, the bed is taken, or monsters are near
 * @example await sleepInBed(bot)
 */
async function sleepInBed (bot, position, seconds = 60) {
  const ticks = within(seconds, 'seconds', 1, 600) * 20
  const at = position === undefined || position === null
    ? placesOf(bot, (block) => BEDS.test(block.name))[0]
    : asPosition(position, 'position').floored()
  const bed = at === undefined ? null : bot.blockAt(at)
  if (bed === null || !BEDS.test(bed.name)) {
    throw named(
      'BlockNotFound',
      at === undefined ? 'no bed within 32 blocks' : `at ${at} there is ${bed?.name ?? 'unloaded land'}, no bed`
    )
  }
  await comeToReach(bot, at, 2)
  await lieDown(bot, bed)
  try {
    for (let tick = 0; tick < ticks && bot.isSleeping; tick += LOOK_TICKS) await bot.waitForTicks(LOOK_TICKS)
  } finally {
    if (bot.isSleeping) await bot.wake()
  }
  return isMorning(bot)
}

/** @param {Bot} bot @param {Block} bed */
async function lieDown (bot, bed) {
  try {
    await bot.sleep(bed)
  } catch (error) {
    if (['NotSupported', 'Cancelled', 'PolicyAborted', 'BadArgument'].includes(error.name)) throw error
    throw named('NotUsed', `the bed at ${bed.position} cannot be slept in: ${error.message}`)
  }
}

/** @param {Bot} bot @returns {boolean} */
function isMorning (bot) {
  const time = bot.time.timeOfDay
  return time < 12542 || time >= 23460
}

module.exports = { sleepInBed }
