'use strict'
const { named } = require('../bot_facade/errors')
const { wholeCount } = require('./support/check')
const { itemLike, openAbove, passing, placesOf, useOn } = require('./support/farming')

const EARTH = /^(grass_block|dirt|dirt_path)$/
/** Distance in blocks within which water keeps farmland moist, on its level or one above. */
const WATER_REACH = 4
const TRIES = 3

/**
 * Turn earth into farmland with a hoe of the inventory: blocks of grass or dirt with nothing on them, those near water
 * first, since only moist farmland grows well.
 * @param {Bot} bot
 * @param {number} [count=1] - blocks to till, 1 to 64
 * @returns {Promise<Vec3[]>} where farmland is now; fewer than `count` when there was no more earth in reach
 * @throws {ItemNotInInventory} no hoe; craft one of 2 sticks and 2 planks, cobblestone or iron
 * @throws {BlockNotFound} no free grass or dirt within 32 blocks
 * @throws {NotUsed} the server did not let any of it be tilled
 * @example const field = await tillSoil(bot, 9)
 */
async function tillSoil (bot, count = 1) {
  const wanted = wholeCount(count, 'count', 64)
  itemLike(bot, /_hoe$/, 'hoe')
  const places = placesOf(bot, (block) => EARTH.test(block.name), (block) => openAbove(bot, block.position))
  if (places.length === 0) throw named('BlockNotFound', 'no free grass or dirt within 32 blocks to till')
  /** @type {any[]} */
  const tilled = []
  let missed = 0
  for (const place of watered(bot, places)) {
    if (tilled.length >= wanted || missed >= TRIES) break
    try {
      const isTilled = () => bot.blockAt(place)?.name === 'farmland'
      await useOn(bot, itemLike(bot, /_hoe$/, 'hoe'), place, isTilled)
      if (isTilled()) tilled.push(place)
      else missed++
    } catch (error) {
      if (!passing(error)) throw error
      missed++
    }
  }
  if (tilled.length === 0) throw named('NotUsed', `no earth near ${bot.entity.position.floored()} could be tilled`)
  return tilled
}

/**
 * @param {Bot} bot
 * @param {any[]} places - nearest first
 * @returns {any[]} those that water keeps moist first
 */
function watered (bot, places) {
  const waters = bot.findBlocks({ matching: bot.registry.blocksByName.water.id, maxDistance: 40, count: 64 })
  const moist = (/** @type {any} */ at) => waters.some((/** @type {any} */ water) => Math.abs(
    water.x - at.x
  ) <= WATER_REACH && Math.abs(water.z - at.z) <= WATER_REACH && water.y - at.y >= 0 && water.y - at.y <= 1)
  return [...places.filter(moist), ...places.filter((at) => !moist(at))]
}

module.exports = { tillSoil }
