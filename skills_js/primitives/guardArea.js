'use strict'
const { GoalNear } = require('../bot_facade/goals')
const { asPosition, within } = require('./support/check')
const { killMob } = require('./killMob')

const HOSTILE = [
  'zombie', 'husk', 'skeleton', 'stray', 'spider', 'creeper', 'witch', 'slime', 'zombie_villager', 'drowned'
]
const LOOK_TICKS = 20
const FIGHT_SECONDS = 20
/** Eighths of the circle that the patrol goes around. */
const CORNERS = 8

/**
 * Guard a place: walk around it and fight every monster that comes within the radius, with the best weapon of the
 * inventory.
 * @param {Bot} bot
 * @param {Vec3} center
 * @param {number} [radius=12] - blocks, 4 to 32
 * @param {number} [seconds=60] - 1 to 600
 * @returns {Promise<number>} monsters that were killed
 * @throws {BadArgument} center, radius or seconds is out of range
 * @example const kills = await guardArea(bot, new Vec3(0, -60, 0), 16, 120)
 */
async function guardArea (bot, center, radius = 12, seconds = 60) {
  const middle = asPosition(center, 'center')
  const far = within(radius, 'radius', 4, 32)
  const until = Date.now() + within(seconds, 'seconds', 1, 600) * 1000
  let kills = 0
  for (let corner = 0; Date.now() < until; corner++) {
    const monster = nearestMonster(bot, middle, far)
    if (monster !== null) {
      if (await fight(bot, monster, Math.min(FIGHT_SECONDS, Math.max(1, (until - Date.now()) / 1000)))) kills++
      continue
    }
    const angle = corner * 2 * Math.PI / CORNERS
    await walk(
      bot, new GoalNear(middle.x + Math.cos(angle) * far / 2, middle.y, middle.z + Math.sin(angle) * far / 2, 2)
    )
    await bot.waitForTicks(LOOK_TICKS)
  }
  return kills
}

/** @param {Bot} bot @param {any} middle @param {number} radius @returns {any} the nearest monster there, or null */
function nearestMonster (bot, middle, radius) {
  return bot.nearestEntity((/** @type {any} */ entity) => entity.username === null && HOSTILE.includes(entity.name) &&
    entity.position.distanceTo(middle) <= radius)
}

/**
 * @param {Bot} bot
 * @param {Entity} monster
 * @param {number} seconds
 * @returns {Promise<boolean>} whether it was killed
 */
async function fight (bot, monster, seconds) {
  try {
    await killMob(bot, String(monster.name), seconds)
    return !monster.isValid
  } catch (error) {
    if (!['MobNotFound', 'NotKilled', 'NoPath', 'NotReached', 'InventoryFull'].includes(error.name)) throw error
    await bot.waitForTicks(LOOK_TICKS)
    return !monster.isValid
  }
}

/** @param {Bot} bot @param {FacadeGoal} goal */
async function walk (bot, goal) {
  try {
    await bot.pathfinder.goto(goal)
  } catch (error) {
    if (!['NoPath', 'NotReached', 'TimedOut'].includes(error.name)) throw error
  }
}

module.exports = { guardArea }
