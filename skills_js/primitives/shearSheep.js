'use strict'
const { named } = require('../bot_facade/errors')
const { wholeCount } = require('./support/check')
const { gained, itemCounts } = require('./support/counts')
const { collectDrops } = require('./collectDrops')
const { heldItem, mobsOf, passing, useOnMob } = require('./support/farming')

const DROP_DISTANCE = 6
/** Most sheep tried; shorn ones are passed by. */
const MAX_TRIES = 16

/**
 * Shear sheep, the nearest first, and pick up the wool. A shorn sheep has wool again after it has eaten grass.
 * @param {Bot} bot
 * @param {number} [count=1] - sheep, 1 to 16
 * @returns {Promise<{shorn: number, obtained: Object}>} sheep, and item name -> count of what came into the inventory
 * @throws {ItemNotInInventory} no shears; craft them of two iron ingots
 * @throws {MobNotFound} no sheep within 32 blocks
 * @throws {NotUsed} all of them are shorn or young
 * @throws {InventoryFull} no room for the wool
 * @example const { obtained } = await shearSheep(bot, 2)
 */
async function shearSheep (bot, count = 1) {
  const wanted = wholeCount(count, 'count', 16)
  heldItem(bot, 'shears')
  const before = itemCounts(bot)
  let shorn = 0
  for (const mob of mobsOf(bot, 'sheep').slice(0, MAX_TRIES)) {
    if (shorn >= wanted) break
    try {
      if (await shear(bot, mob)) shorn++
    } catch (error) {
      if (!passing(error)) throw error
    }
  }
  if (shorn === 0) {
    throw named(
      'NotUsed', `no sheep near ${bot.entity.position.floored()} has wool; they have it again after eating grass`
    )
  }
  return { shorn, obtained: gained(before, itemCounts(bot)) }
}

/**
 * @param {Bot} bot
 * @param {Entity} mob
 * @returns {Promise<boolean>} whether wool came of it
 */
async function shear (bot, mob) {
  const wool = () => Object.values(bot.entities).filter((each) => /_wool$/.test(each.getDroppedItem()?.name ?? '') &&
    each.position.distanceTo(mob.position) <= 3).length
  const before = itemCounts(bot)
  const lying = wool()
  await useOnMob(bot, mob, heldItem(bot, 'shears'))
  const got = wool() > lying || Object.keys(gained(before, itemCounts(bot))).some((name) => /_wool$/.test(name))
  if (got) await collectDrops(bot, DROP_DISTANCE)
  return got
}

module.exports = { shearSheep }
