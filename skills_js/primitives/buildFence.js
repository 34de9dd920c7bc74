'use strict'
const { Vec3 } = require('../bot_facade/vec3')
const { named } = require('../bot_facade/errors')
const { asPosition } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')
const { comeToReach } = require('./support/reach')

const MAX_SIDE = 32
const FREE = /^(air|short_grass|fern|dandelion|poppy|snow)$/
const UP = new Vec3(0, 1, 0)

/**
 * Build a fence around a rectangle on level ground, with a gate in its middle of one side if the inventory has one. The
 * bot stays where it began, inside or outside. Fences that stand there already count.
 * @param {Bot} bot
 * @param {Vec3} corner - one corner, on the ground
 * @param {Vec3} opposite - the corner across, at the same height, at most 32 blocks away on each side
 * @returns {Promise<number>} blocks that were placed
 * @throws {BadArgument} the rectangle is too small or too large, or not level
 * @throws {ItemNotInInventory} too few fences; says how many are needed
 * @throws {NotPlaced} something is in the way, no ground, or the server refused
 * @throws {NoPath} a place cannot be reached
 * @example await buildFence(bot, new Vec3(0, -60, 0), new Vec3(6, -60, 6))
 */
async function buildFence (bot, corner, opposite) {
  const places = ringOf(asPosition(corner, 'corner').floored(), asPosition(opposite, 'opposite').floored())
  const missing = places.filter((place) => !/_fence(_gate)?$/.test(bot.blockAt(place)?.name ?? ''))
  const gates = itemsLike(bot, /_fence_gate$/)
  const gate = gates.length > 0 && missing.length === places.length
    ? missing[Math.floor(Math.abs(places[0].x - places[1].x) / 2)] ?? null
    : null
  const fences = itemsLike(bot, /_fence$/).reduce((sum, item) => sum + item.count, 0)
  const needed = missing.length - (gate === null ? 0 : 1)
  if (fences < needed) {
    throw named(
      'ItemNotInInventory',
      `the fence takes ${needed} fences, there are ${fences}; the inventory holds ${describe(itemCounts(bot))}`
    )
  }
  for (const place of missing) checkPlace(bot, place)
  const inside = [...missing].sort((a, b) => bot.entity.position.distanceTo(b) - bot.entity.position.distanceTo(a))
  for (const place of inside) await put(bot, place, place === gate ? /_fence_gate$/ : /_fence$/)
  return missing.length
}

/**
 * @param {any} a
 * @param {any} b
 * @returns {any[]} the places of the ring, the first two along its first side
 * @throws {BadArgument}
 */
function ringOf (a, b) {
  const [x0, x1] = [Math.min(a.x, b.x), Math.max(a.x, b.x)]
  const [z0, z1] = [Math.min(a.z, b.z), Math.max(a.z, b.z)]
  if (a.y !== b.y) {
    throw named('BadArgument', `the corners are at heights ${a.y} and ${b.y}; give two at the same height`)
  }
  if (x1 - x0 < 2 || z1 - z0 < 2 || x1 - x0 > MAX_SIDE || z1 - z0 > MAX_SIDE) {
    throw named(
      'BadArgument', `the rectangle is ${x1 - x0 + 1} by ${z1 - z0 + 1} blocks; give 3 to ${MAX_SIDE + 1} on each side`
    )
  }
  const places = []
  for (let x = x0; x <= x1; x++) places.push(new Vec3(x, a.y, z0))
  for (let z = z0 + 1; z <= z1; z++) places.push(new Vec3(x1, a.y, z))
  for (let x = x1 - 1; x >= x0; x--) places.push(new Vec3(x, a.y, z1))
  for (let z = z1 - 1; z > z0; z--) places.push(new Vec3(x0, a.y, z))
  return places
}

/** @param {Bot} bot @param {RegExp} pattern @returns {any[]} */
const itemsLike = (bot, pattern) => bot.inventory.items().filter((/** @type {any} */ item) => pattern.test(item.name))

/** @param {Bot} bot @param {any} place */
function checkPlace (bot, place) {
  const there = bot.blockAt(place)?.name ?? 'unloaded land'
  if (!FREE.test(there)) throw named('NotPlaced', `${there} is in the way at ${place}`)
  if (bot.blockAt(place.offset(0, -1, 0))?.boundingBox !== 'block') {
    throw named('NotPlaced', `there is no ground under ${place}`)
  }
}

/** @param {Bot} bot @param {any} place @param {RegExp} pattern */
async function put (bot, place, pattern) {
  const ground = place.offset(0, -1, 0)
  await comeToReach(bot, ground)
  const feet = bot.entity.position.floored()
  if (feet.x === place.x && feet.z === place.z) await stepAside(bot, place)
  const there = bot.blockAt(place)
  if (there !== null && there.name !== 'air') await bot.dig(there, true)
  await bot.equip(itemsLike(bot, pattern)[0], 'hand')
  await bot.placeBlock(bot.blockAt(ground), UP)
}

/** @param {Bot} bot @param {any} place */
async function stepAside (bot, place) {
  const { GoalBlock } = require('../bot_facade/goals')
  for (const [x, z] of [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, -1]]) {
    try {
      return await bot.pathfinder.goto(new GoalBlock(place.x + x, place.y, place.z + z))
    } catch (error) {
      if (error.name !== 'NoPath' && error.name !== 'NotReached') throw error
    }
  }
}

module.exports = { buildFence }
