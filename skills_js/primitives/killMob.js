'use strict'
const { GoalFollow } = require('../bot_facade/goals')
const { named } = require('../bot_facade/errors')
const { WEAPONS, strikeTicks } = require('../bot_facade/weapons')
const { entryNamed, within } = require('./support/check')
const { gained, itemCounts } = require('./support/counts')
const { collectDrops } = require('./collectDrops')

const SEARCH_DISTANCE = 48
const REACH = 3
/** Ticks between two looks, so that a mob that comes nearer is met as soon as it is in reach. */
const LOOK_TICKS = 2

/**
 * Hunt the nearest mob of a kind with the best weapon of the inventory, and pick up what it drops.
 * @param {Bot} bot
 * @param {string} mobName - e.g. "cow", "zombie"
 * @param {number} [timeout=300] - seconds, 1 to 600
 * @returns {Promise<Object>} item name -> count of what came into the inventory
 * @throws {MobNotFound} no such mob within 48 blocks
 * @throws {NotKilled} it was still alive when the time was up, or got out of reach
 * @throws {UnknownName} no such mob exists; suggests the nearest names
 * @example const got = await killMob(bot, "cow", 60)
 */
async function killMob (bot, mobName, timeout = 300) {
  const type = entryNamed(bot.registry.entitiesByName, mobName, 'mob')
  const seconds = within(timeout, 'timeout', 1, 600)
  const before = itemCounts(bot)
  const mob = bot.nearestEntity((/** @type {any} */ entity) => entity.name === type.name && entity.username === null &&
    bot.entity.position.distanceTo(entity.position) <= SEARCH_DISTANCE)
  if (mob === null) throw named('MobNotFound', `no ${type.name} within ${SEARCH_DISTANCE} blocks`)
  const weapon = WEAPONS.map((name) => bot.inventory.findInventoryItem(name)).find((item) => item !== null)
  if (weapon) await bot.equip(weapon, 'hand')
  await hunt(bot, mob, seconds)
  await bot.waitForTicks(2)
  await collectDrops(bot, 8)
  return gained(before, itemCounts(bot))
}

/**
 * @param {Bot} bot
 * @param {Entity} mob
 * @param {number} seconds
 * @throws {NotKilled}
 */
async function hunt (bot, mob, seconds) {
  bot.pathfinder.setGoal(new GoalFollow(mob, 2), true)
  try {
    for (let ticks = 0; mob.isValid;) {
      if (ticks >= seconds * 20) {
        throw named('NotKilled', `${mob.name} was still alive after ${seconds} s at ${mob.position.floored()}`)
      }
      const struck = bot.entity.position.distanceTo(mob.position) <= REACH && await strike(bot, mob)
      const wait = struck ? strikeTicks(bot.heldItem?.name) : LOOK_TICKS
      await bot.waitForTicks(wait)
      ticks += wait
    }
  } finally {
    bot.pathfinder.setGoal(null)
  }
}

/**
 * @param {Bot} bot
 * @param {Entity} mob - may step out of reach or die meanwhile
 * @returns {Promise<boolean>} whether the blow was struck
 */
async function strike (bot, mob) {
  try {
    await bot.attack(mob)
    return true
  } catch (error) {
    if (error.name !== 'EntityGone' && error.name !== 'OutOfReach') throw error
    return false
  }
}

module.exports = { killMob }
