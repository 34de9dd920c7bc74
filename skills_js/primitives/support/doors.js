/** Doors and gates that a hand opens. */
'use strict'
const { named } = require('../../bot_facade/errors')
const { asPosition } = require('./check')
const { answered, comeToUse, placesOf } = require('./farming')

const DOORS = /^(?!iron_).*_(door|trapdoor|fence_gate)$/

/**
 * @param {Bot} bot
 * @param {any} position - or nothing: the nearest that is not as wanted
 * @param {boolean} open - how it shall be
 * @returns {Promise<any>} its position
 * @throws {BlockNotFound}
 * @throws {NotUsed}
 */
async function setDoor (bot, position, open) {
  const as = (/** @type {any} */ block) => String(block.getProperties().open) === String(open)
  const at = position === undefined || position === null
    ? placesOf(bot, (block) => DOORS.test(block.name) && !as(block))[0]
    : asPosition(position, 'position').floored()
  const block = at === undefined ? null : bot.blockAt(at)
  if (block === null || !DOORS.test(block.name)) {
    throw named('BlockNotFound', at === undefined
      ? `no ${open ? 'closed' : 'open'} door or gate within 32 blocks`
      : `at ${at} there is ${block?.name ?? 'unloaded land'}, no door or gate that a hand opens`)
  }
  if (as(block)) return at
  await comeToUse(bot, at)
  await bot.activateBlock(block)
  await answered(bot, () => as(bot.blockAt(at)))
  if (!as(bot.blockAt(at))) throw named('NotUsed', `${block.name} at ${at} did not ${open ? 'open' : 'close'}`)
  return at
}

module.exports = { setDoor }
