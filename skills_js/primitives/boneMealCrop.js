'use strict'
const { named } = require('../bot_facade/errors')
const { show, wholeCount } = require('./support/check')
const { CROPS, cropOf, heldItem, passing, placesOf, useOn } = require('./support/farming')

/**
 * Make plants grow with bone meal of the inventory, the nearest first: crops until they are ripe, saplings until they
 * are trees.
 * @param {Bot} bot
 * @param {string} plant - wheat, carrots, potatoes, beetroots, or a sapling such as "oak_sapling"
 * @param {number} [count=1] - pieces of bone meal to use, 1 to 64
 * @returns {Promise<{used: number, ripe: number}>} pieces that were used up, and plants that are ripe (or trees) now
 * @throws {ItemNotInInventory} no bone meal; craft it of bones
 * @throws {BlockNotFound} no such plant that still grows within 32 blocks
 * @throws {NotUsed} the bone meal had no use, such as where a tree has no room
 * @example await boneMealCrop(bot, "wheat", 4)
 */
async function boneMealCrop (bot, plant, count = 1) {
  const wanted = wholeCount(count, 'count', 64)
  const growing = growingOf(plant)
  heldItem(bot, 'bone_meal')
  const places = placesOf(bot, growing)
  if (places.length === 0) throw named('BlockNotFound', `no ${plant} that still grows within 32 blocks`)
  const before = bot.inventory.count('bone_meal')
  const used = () => before - bot.inventory.count('bone_meal')
  let ripe = 0
  for (const place of places) {
    if (used() >= wanted || bot.inventory.count('bone_meal') === 0) break
    try {
      if (await feed(bot, place, growing, () => used() < wanted)) ripe++
    } catch (error) {
      if (!passing(error)) throw error
    }
  }
  if (used() === 0) throw named('NotUsed', `bone meal had no use on any ${plant} near ${bot.entity.position.floored()}`)
  return { used: used(), ripe }
}

/**
 * @param {any} plant
 * @returns {(block: Block) => boolean} whether a block is such a plant that is not ripe
 */
function growingOf (plant) {
  const crop = cropOf(plant)
  if (crop !== null) return (block) => block.name === crop.block && Number(block.getProperties().age) < crop.ripe
  if (typeof plant === 'string' && /^\w+_sapling$/.test(plant)) return (block) => block.name === plant
  throw named(
    'BadArgument',
    `plant is ${show(plant)}; give one of ${Object.keys(CROPS).join(', ')}, or a sapling such as "oak_sapling"`
  )
}

/**
 * @param {Bot} bot
 * @param {any} place
 * @param {(block: Block) => boolean} growing
 * @param {() => boolean} more - whether bone meal may still be used
 * @returns {Promise<boolean>} whether it is ripe now
 */
async function feed (bot, place, growing, more) {
  while (more()) {
    const item = bot.inventory.findInventoryItem('bone_meal')
    const block = bot.blockAt(place)
    if (item === null || block === null || !growing(block)) break
    const before = bot.inventory.count('bone_meal')
    await useOn(bot, item, place)
    if (bot.inventory.count('bone_meal') === before) break
  }
  const block = bot.blockAt(place)
  return block !== null && !growing(block)
}

module.exports = { boneMealCrop }
