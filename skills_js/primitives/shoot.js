'use strict'
const { named } = require('../bot_facade/errors')
const { entryNamed, show } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')

/** Ticks of drawing the string, and speed of the projectile in blocks a tick. */
const WEAPONS = Object.freeze({
  bow: { draw: 22, speed: 3, gravity: 0.05 },
  crossbow: { draw: 27, speed: 3.15, gravity: 0.05 },
  trident: { draw: 12, speed: 2.5, gravity: 0.05 },
  snowball: { draw: 0, speed: 1.5, gravity: 0.03 },
  egg: { draw: 0, speed: 1.5, gravity: 0.03 },
  ender_pearl: { draw: 0, speed: 1.5, gravity: 0.03 }
})
const MAX_DISTANCE = 48

/**
 * Shoot or throw once at the nearest mob of a kind.
 * @param {Bot} bot
 * @param {string} weapon - bow, crossbow, trident, snowball, egg or ender_pearl
 * @param {string} target - the mob's name, e.g. "skeleton"
 * @returns {Promise<boolean>} whether the mob was gone two seconds later
 * @throws {ItemNotInInventory} the weapon is not there; says what the inventory holds
 * @throws {MobNotFound} no such mob within 48 blocks
 * @example await shoot(bot, "bow", "skeleton")
 */
async function shoot (bot, weapon, target) {
  if (typeof weapon !== 'string' || !Object.hasOwn(WEAPONS, weapon)) {
    throw named('BadArgument', `weapon is ${show(weapon)}; give one of ${Object.keys(WEAPONS).join(', ')}`)
  }
  const type = entryNamed(bot.registry.entitiesByName, target, 'mob')
  const item = bot.inventory.findInventoryItem(weapon)
  if (item === null) {
    throw named('ItemNotInInventory', `no ${weapon} in the inventory, which holds ${describe(itemCounts(bot))}`)
  }
  const mob = bot.nearestEntity((/** @type {any} */ entity) => entity.name === type.name && entity.username === null &&
    bot.entity.position.distanceTo(entity.position) <= MAX_DISTANCE)
  if (mob === null) throw named('MobNotFound', `no ${type.name} within ${MAX_DISTANCE} blocks`)
  await bot.equip(item, 'hand')
  const { draw, speed, gravity } = WEAPONS[/** @type {keyof typeof WEAPONS} */ (weapon)]
  await aim(bot, mob, speed, gravity)
  bot.activateItem()
  await bot.waitForTicks(draw)
  await aim(bot, mob, speed, gravity)
  if (draw > 0) bot.deactivateItem()
  if (weapon === 'crossbow') bot.activateItem()
  for (let ticks = 0; ticks < 40 && mob.isValid; ticks += 5) await bot.waitForTicks(5)
  return !mob.isValid
}

/**
 * Look where the shot lands on the mob's middle.
 * @param {Bot} bot
 * @param {Entity} mob
 * @param {number} speed
 * @param {number} gravity - blocks a tick squared
 */
async function aim (bot, mob, speed, gravity) {
  const middle = mob.position.offset(0, mob.height / 2, 0)
  const flight = bot.entity.position.distanceTo(middle) / speed
  await bot.lookAt(middle.offset(0, gravity * flight * flight / 2, 0), true)
}

module.exports = { shoot }
