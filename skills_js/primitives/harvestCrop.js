'use strict'
const { Vec3 } = require('../bot_facade/vec3')
const { named } = require('../bot_facade/errors')
const { show, wholeCount } = require('./support/check')
const { gained, itemCounts } = require('./support/counts')
const { comeToReach } = require('./support/reach')
const { collectDrops } = require('./collectDrops')
const { CROPS, answered, comeToUse, cropOf, passing, placesOf } = require('./support/farming')
const { breakBlock } = require('./support/dig')

const UP = new Vec3(0, 1, 0)
const DROP_DISTANCE = 6
const DROP_TICKS = 4
/** Plants of which only blocks that stand on another block of the plant are taken, so that they grow again. */
const STALKS = ['sugar_cane', 'bamboo', 'cactus']
const FRUITS = ['melon', 'pumpkin']
const BERRIES = 'sweet_berry_bush'

/**
 * Harvest ripe plants, the nearest first, pick up what they give, and sow crops again at once. Sugar cane, bamboo and
 * cactus are cut above their lowest block; melons and pumpkins are broken; berries are picked.
 * @param {Bot} bot
 * @param {string} crop - wheat, carrots, potatoes, beetroots, sugar_cane, bamboo, cactus, melon, pumpkin or
 *   sweet_berry_bush
 * @param {number} [count=1] - plants, 1 to 64
 * @param {boolean} [replant=true] - whether wheat, carrots, potatoes and beetroots are sown again where they stood
 * @returns {Promise<{harvested: number, obtained: Object}>} plants, and item name -> count of what came into the
 *   inventory
 * @throws {BadArgument} no such plant
 * @throws {BlockNotFound} none is ripe within 32 blocks; says how many are still growing
 * @throws {NoPath} there are some, but not one can be reached
 * @throws {InventoryFull} no room for what they give
 * @example const { obtained } = await harvestCrop(bot, "wheat", 9)
 */
async function harvestCrop (bot, crop, count = 1, replant = true) {
  const plant = plantOf(crop)
  const wanted = wholeCount(count, 'count', 64)
  const places = placesOf(
    bot,
    (block) => plant.fits(block),
    (block) => !plant.stalk || bot.blockAt(block.position.offset(0, -1, 0))?.name === plant.block
  )
  if (places.length === 0) throw unripe(bot, plant)
  const before = itemCounts(bot)
  let harvested = 0
  let problem = null
  for (const place of places) {
    if (harvested >= wanted) break
    try {
      if (await take(bot, plant, place, replant)) harvested++
    } catch (error) {
      if (!passing(error) && error.name !== 'NotBroken') throw error
      problem = error
    }
  }
  if (harvested === 0 && problem !== null) throw problem
  await bot.waitForTicks(DROP_TICKS)
  await collectDrops(bot, DROP_DISTANCE)
  return { harvested, obtained: gained(before, itemCounts(bot)) }
}

/**
 * @param {any} name
 * @returns {{block: string, seed: string | null, stalk: boolean, fits: (block: Block) => boolean}}
 * @throws {BadArgument}
 */
function plantOf (name) {
  const crop = cropOf(name)
  if (crop !== null) {
    return {
      block: crop.block,
      seed: crop.seed,
      stalk: false,
      fits: (block) => block.name === crop.block && Number(block.getProperties().age) >= crop.ripe
    }
  }
  if (name === BERRIES) {
    return {
      block: BERRIES,
      seed: null,
      stalk: false,
      fits: (block) => block.name === BERRIES && Number(block.getProperties().age) >= 2
    }
  }
  if (STALKS.includes(name)) return { block: name, seed: null, stalk: true, fits: (block) => block.name === name }
  if (FRUITS.includes(name)) return { block: name, seed: null, stalk: false, fits: (block) => block.name === name }
  throw named(
    'BadArgument',
    `crop is ${show(name)}; give one of ${[...Object.keys(CROPS), ...STALKS, ...FRUITS, BERRIES].join(', ')}`
  )
}

/**
 * @param {Bot} bot
 * @param {{block: string}} plant
 * @returns {Error}
 */
function unripe (bot, plant) {
  const growing = bot.findBlocks({
    matching: bot.registry.blocksByName[plant.block].id, maxDistance: 32, count: 256
  }).length
  return named(
    'BlockNotFound',
    `no ripe ${plant.block} within 32 blocks; ${growing === 0 ? 'none is planted' : `${growing} are still growing`}`
  )
}

/**
 * @param {Bot} bot
 * @param {{block: string, seed: string | null, stalk: boolean, fits: (block: Block) => boolean}} plant
 * @param {any} place
 * @param {boolean} replant
 * @returns {Promise<boolean>} whether this bot got it
 */
async function take (bot, plant, place, replant) {
  await comeToUse(bot, place)
  const block = bot.blockAt(place)
  if (block === null || !plant.fits(block)) return false
  if (plant.block === BERRIES) {
    await bot.activateBlock(block)
    const picked = () => {
      const now = bot.blockAt(place)
      return now === null || !plant.fits(now)
    }
    await answered(bot, picked)
    return picked()
  }
  await breakBlock(bot, block)
  if (!replant || plant.seed === null) return true
  await bot.waitForTicks(DROP_TICKS)
  await sowAgain(bot, plant.seed, place)
  return true
}

/**
 * @param {Bot} bot
 * @param {string} seed
 * @param {any} place - of the plant that was
 */
async function sowAgain (bot, seed, place) {
  if (bot.inventory.findInventoryItem(seed) === null) await collectDrops(bot, DROP_DISTANCE)
  const item = bot.inventory.findInventoryItem(seed)
  const ground = bot.blockAt(place.offset(0, -1, 0))
  if (item === null || ground?.name !== 'farmland') return
  await comeToReach(bot, ground.position)
  await bot.equip(item, 'hand')
  try {
    await bot.placeBlock(ground, UP)
  } catch (error) {
    if (error.name !== 'NotPlaced' && error.name !== 'OutOfReach') throw error
  }
}

module.exports = { harvestCrop }
