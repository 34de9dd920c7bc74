'use strict'
const { Vec3 } = require('../bot_facade/vec3')
const { named } = require('../bot_facade/errors')
const { asPosition, show } = require('./support/check')
const { comeToReach } = require('./support/reach')
const { heldItem, placesOf } = require('./support/farming')

const SOIL = /^(grass_block|dirt|coarse_dirt|podzol|rooted_dirt|farmland|mud|moss_block)$/
/** Free blocks above the ground that the place for a tree should have. */
const ROOM = 7
const UP = new Vec3(0, 1, 0)

/**
 * Plant a sapling, which grows to a tree by and by (or with boneMealCrop). A dark oak needs four in a square.
 * @param {Bot} bot
 * @param {string} sapling - e.g. "oak_sapling"
 * @param {Vec3} [position] - where it shall stand; left out: the nearest earth under the open sky with nothing around
 *   it
 * @returns {Promise<Vec3>} where it stands
 * @throws {BadArgument} no such sapling
 * @throws {ItemNotInInventory} says what the inventory holds
 * @throws {BlockNotFound} no free earth within 32 blocks
 * @throws {NotPlaced} no earth under that place, something in the way, or the server refused
 * @throws {NoPath} the place cannot be reached
 * @example await plantSapling(bot, "oak_sapling")
 */
async function plantSapling (bot, sapling, position) {
  if (typeof sapling !== 'string' || !/_sapling$/.test(sapling) || !bot.registry.itemsByName[sapling]) {
    throw named('BadArgument', `sapling is ${show(sapling)}; give one such as "oak_sapling"`)
  }
  heldItem(bot, sapling)
  const ground = position === undefined || position === null
    ? findGround(bot)
    : asPosition(position, 'position').floored().offset(0, -1, 0)
  const soil = bot.blockAt(ground)
  if (soil === null || !SOIL.test(soil.name)) {
    throw named(
      'NotPlaced', `under ${ground.offset(0, 1, 0)} there is ${soil?.name ?? 'unloaded land'}; saplings want earth`
    )
  }
  await comeToReach(bot, ground)
  await bot.equip(heldItem(bot, sapling), 'hand')
  await bot.placeBlock(bot.blockAt(ground), UP)
  return ground.offset(0, 1, 0)
}

/**
 * @param {Bot} bot
 * @returns {any} the position of earth with room for a tree
 * @throws {BlockNotFound}
 */
function findGround (bot) {
  const feet = bot.entity.position.floored()
  const free = (/** @type {any} */ at) => bot.blockAt(at)?.name === 'air'
  const roomy = (/** @type {any} */ { position: at }) => {
    for (let y = 1; y <= ROOM; y++) if (!free(at.offset(0, y, 0))) return false
    return [[1, 0], [-1, 0], [0, 1], [0, -1]].every(([x, z]) => free(at.offset(x, 1, z))) &&
      (at.x !== feet.x || at.z !== feet.z)
  }
  const [place] = placesOf(bot, (block) => /^(grass_block|dirt)$/.test(block.name), roomy)
  if (place === undefined) throw named('BlockNotFound', 'no free earth with room for a tree within 32 blocks')
  return place
}

module.exports = { plantSapling }
