/** Table or furnace for a primitive: one that stands near, else one of the inventory, put down beside the bot. */
'use strict'
const { Vec3 } = require('../../bot_facade/vec3')
const { placeItem } = require('../placeItem')
const { comeToReach, eyeDistance } = require('../support/reach')

/** Cells around the bot, the nearest first, and not the one that it stands in. */
const AROUND = [-2, -1, 0, 1, 2].flatMap((x) => [0, 1, -1].flatMap((y) => [-2, -1, 0, 1, 2].map((z) => [x, y, z])))
  .filter(([x, , z]) => x !== 0 || z !== 0)
  .sort((a, b) => (a[0] ** 2 + 2 * a[1] ** 2 + a[2] ** 2) - (b[0] ** 2 + 2 * b[1] ** 2 + b[2] ** 2))
/** Distance to a standing one up to which a bot that carries one walks to it, in blocks. */
const CLOSE = 8
/** Most places tried. */
const TRIES = 4
/** Places where room is dug if there is none: beside the feet, then beside the head. */
const NICHES = [0, 1].flatMap((y) => [[1, 0], [0, 1], [-1, 0], [0, -1]].map(([x, z]) => [x, y, z]))
const BESIDE = [[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0], [0, -1, 0]]
/** Blocks placed by somebody, which are not dug up for room. */
const WORTH = new Set(['chest', 'trapped_chest', 'barrel', 'furnace', 'crafting_table', 'spawner'])
const LIQUID = /^(water|lava|bubble_column|kelp|kelp_plant|seagrass|tall_seagrass)$/
const OPEN = /^(air|cave_air|short_grass|grass|tall_grass|fern|large_fern|snow)$/

/**
 * @param {Bot} bot
 * @param {string[]} names - of blocks, the first of which is put down where none stands near
 * @param {number} distance - that is near, in blocks
 * @returns {Promise<void>} once one stands near, or there is none to put down
 */
async function withBlock (bot, names, distance) {
  const ids = names.map((name) => bot.registry.blocksByName[name].id)
  const block = bot.findBlock({ matching: ids, maxDistance: distance })
  const [name] = names
  const carried = bot.inventory.findInventoryItem(name) !== null
  const close = block !== null && eyeDistance(bot, block.position) <= (carried ? CLOSE : Infinity)
  if (close && await reaches(bot, block.position)) return
  if (!carried) return
  const feet = bot.entity.position.floored()
  let tries = 0
  for (const [x, y, z] of AROUND) {
    const place = feet.offset(x, y, z)
    if (!fits(bot, place) || tries++ >= TRIES) continue
    if (await placed(bot, name, place)) return
  }
  // In a shaft as narrow as the bot.
  const niche = NICHES.map(([x, y, z]) => feet.offset(x, y, z)).find((place) => gives(bot, place))
  if (niche !== undefined && await dug(bot, niche)) await placed(bot, name, niche)
}

/** @param {Bot} bot @param {any} place @returns {boolean} a block that may be dug out, and lets no liquid in */
function gives (bot, place) {
  const block = bot.blockAt(place)
  if (block === null || !block.diggable || block.boundingBox !== 'block' || WORTH.has(block.name)) return false
  return BESIDE.every(([x, y, z]) => !LIQUID.test(bot.blockAt(place.offset(x, y, z))?.name ?? 'lava'))
}

/** @param {Bot} bot @param {any} place @returns {Promise<boolean>} */
async function dug (bot, place) {
  const block = bot.blockAt(place)
  try {
    await bot.tool.equipForBlock(block, {})
    await bot.dig(block, true)
    return true
  } catch (error) {
    if (!['NotBroken', 'BlockGone', 'OutOfReach', 'TimedOut'].includes(error.name)) throw error
    return false
  }
}

/** @param {Bot} bot @param {any} place */
function fits (bot, place) {
  const [there, below] = [bot.blockAt(place), bot.blockAt(place.plus(new Vec3(0, -1, 0)))]
  return there !== null && OPEN.test(there.name) && below?.boundingBox === 'block'
}

/** @param {Bot} bot @param {any} position @returns {Promise<boolean>} */
async function reaches (bot, position) {
  try {
    await comeToReach(bot, position)
    return true
  } catch (error) {
    if (!['NoPath', 'NotReached', 'TimedOut'].includes(error.name)) throw error
    return false
  }
}

/** @param {Bot} bot @param {string} name @param {any} place @returns {Promise<boolean>} */
async function placed (bot, name, place) {
  try {
    await placeItem(bot, name, place)
    return true
  } catch (error) {
    if (!['NoPath', 'NotReached', 'NotPlaced', 'OutOfReach', 'TimedOut'].includes(error.name)) throw error
    return false
  }
}

module.exports = { withBlock }
