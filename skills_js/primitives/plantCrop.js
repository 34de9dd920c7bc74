'use strict'
const { Vec3 } = require('../bot_facade/vec3')
const { named } = require('../bot_facade/errors')
const { show, wholeCount } = require('./support/check')
const { comeToReach } = require('./support/reach')
const { CROPS, cropOf, heldItem, openAbove, passing, placesOf } = require('./support/farming')

const UP = new Vec3(0, 1, 0)

/**
 * Sow a crop on free farmland, the nearest first.
 * @param {Bot} bot
 * @param {string} crop - wheat, carrots, potatoes or beetroots
 * @param {number} [count=1] - plants, 1 to 64
 * @returns {Promise<number>} how many were planted; fewer than `count` when farmland or seeds ran out
 * @throws {BadArgument} no such crop
 * @throws {ItemNotInInventory} no seeds of it: wheat_seeds, carrot, potato or beetroot_seeds
 * @throws {BlockNotFound} no free farmland within 32 blocks; make some with tillSoil
 * @throws {NotPlaced} the server refused, such as where it is too dark for plants
 * @example await plantCrop(bot, "wheat", 9)
 */
async function plantCrop (bot, crop, count = 1) {
  const kind = cropOf(crop)
  if (kind === null) throw named('BadArgument', `crop is ${show(crop)}; give one of ${Object.keys(CROPS).join(', ')}`)
  const wanted = wholeCount(count, 'count', 64)
  heldItem(bot, kind.seed)
  const places = placesOf(bot, (block) => block.name === 'farmland', (block) => openAbove(bot, block.position))
  if (places.length === 0) throw named('BlockNotFound', 'no free farmland within 32 blocks; make some with tillSoil')
  let planted = 0
  let problem = null
  for (const place of places) {
    if (planted >= wanted || bot.inventory.findInventoryItem(kind.seed) === null) break
    try {
      await sow(bot, kind.seed, place)
      planted++
    } catch (error) {
      if (!passing(error) && error.name !== 'NotPlaced') throw error
      problem = error
    }
  }
  if (planted === 0 && problem !== null) throw problem
  return planted
}

/**
 * @param {Bot} bot
 * @param {string} seed - item name
 * @param {any} place - of the farmland
 * @returns {Promise<void>}
 */
async function sow (bot, seed, place) {
  await comeToReach(bot, place)
  await bot.equip(heldItem(bot, seed), 'hand')
  await bot.placeBlock(bot.blockAt(place), UP)
}

module.exports = { plantCrop }
