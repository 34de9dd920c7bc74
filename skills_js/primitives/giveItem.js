'use strict'
const { GoalNearXZ } = require('../bot_facade/goals')
const { named } = require('../bot_facade/errors')
const { itemNamed, wholeCount } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')
const { answered, comeToMob, playerNamed } = require('./support/farming')

/** Distance at which items are tossed, in blocks. */
const TOSS_DISTANCE = 2
/**
 * Distance at which tossed items land, in blocks: out of one's own reach, which is 1.4 blocks, and within the other's.
 */
const LANDING = 2
/** Ticks until the server knows where the head looks. */
const LOOK_TICKS = 2

/**
 * Walk to a player and toss items to it; it picks them up two seconds later, if its inventory has room and it stays
 * near.
 * @param {Bot} bot
 * @param {string} player - its name
 * @param {string} item - item name, e.g. "bread"
 * @param {number} [count=1]
 * @returns {Promise<number>} how many left the inventory
 * @throws {UnknownPlayer} no such player is here
 * @throws {ItemNotInInventory} too few; says what the inventory holds
 * @throws {NotReached} the player is out of sight or cannot be reached
 * @example await giveItem(bot, "Nova", "bread", 3)
 */
async function giveItem (bot, player, item, count = 1) {
  const target = playerNamed(bot, player)
  const type = itemNamed(bot, item)
  const wanted = wholeCount(count, 'count')
  const before = bot.inventory.count(type.id)
  if (before < wanted) {
    throw named(
      'ItemNotInInventory',
      `need ${wanted} ${type.name}, have ${before}; the inventory holds ${describe(itemCounts(bot))}`
    )
  }
  await comeToMob(bot, target, TOSS_DISTANCE)
  await bot.lookAt(landing(bot.entity.position, target.position), true)
  await bot.waitForTicks(LOOK_TICKS)
  await bot.toss(type.id, null, wanted)
  // Meanwhile the rest of the stack is on the cursor: what is missing at once is not yet what was tossed.
  await answered(bot, () => bot.inventory.count(type.id) === before - wanted)
  const tossed = before - bot.inventory.count(type.id)
  await stepBack(bot, target.position)
  return tossed
}

/**
 * Step back out of reach of the tossed items, which anybody may pick up two seconds later.
 * @param {Bot} bot
 * @param {any} from
 */
async function stepBack (bot, from) {
  const { x, z } = bot.entity.position
  const far = Math.hypot(x - from.x, z - from.z) || 1
  try {
    await bot.pathfinder.goto(new GoalNearXZ(x + (x - from.x) / far * LANDING, z + (z - from.z) / far * LANDING, 1))
  } catch (error) {
    if (!['NoPath', 'NotReached', 'TimedOut'].includes(error.name)) throw error
  }
}

/**
 * @param {any} from
 * @param {any} to
 * @returns {any} a place on the ground that many blocks ahead
 */
function landing (from, to) {
  const [dx, dz] = [to.x - from.x, to.z - from.z]
  const far = Math.hypot(dx, dz) || 1
  return from.offset(dx / far * LANDING, to.y - from.y, dz / far * LANDING)
}

module.exports = { giveItem }
