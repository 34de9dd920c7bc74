'use strict'

const TICKS_A_SECOND = 20

/**
 * The world's clock. It is the scenario's clock too: 20 ticks are a second of game time, however fast the machine is.
 * @param {Bot} bot
 * @returns {{tick: number, seconds: number, timeOfDay: number, isDay: boolean}} ticks and seconds since the world
 *   began; time of day in ticks, 0 (sunrise) to 23999
 * @example const { seconds } = readClock(bot)
 */
function readClock (bot) {
  const { age, timeOfDay, isDay } = bot.time
  return { tick: age, seconds: age / TICKS_A_SECOND, timeOfDay, isDay }
}

module.exports = { readClock }
