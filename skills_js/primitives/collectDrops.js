'use strict'
const { GoalBlock, GoalNear } = require('../bot_facade/goals')
const { itemNamed, within } = require('./support/check')
const { gained, itemCounts } = require('./support/counts')
const { named } = require('../bot_facade/errors')
const { REACH, comeToReach, digs, eyeDistance } = require('./support/reach')

/** Ticks to wait beside a drop: it cannot be picked up for its first 10 ticks, and later than this it will not come. */
const PATIENCE_TICKS = 14
/** Ticks after which a drop that fell from a tree or a cliff is at rest. */
const FALL_TICKS = 60
/** Ticks without a move after which a drop is at rest. */
const REST_TICKS = 4
/** Most leaves removed around a drop that lies on or under them. */
const MAX_LEAVES = 6
/** Cells around a drop whose leaves block it: its own, those above, those beside, and the one that holds it up. */
const AROUND = [
  [0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [1, 1, 0], [-1, 1, 0], [0, 1, 1],
  [0, 1, -1], [0, -1, 0]
]
/** Liquids: a drop floats on them however long one waits. */
const LIQUID = /^(water|lava)$/
/** Ticks until the server has told the new slots after a pick-up: one, and two for the network. */
const SETTLE_TICKS = 3

/**
 * Walk over the dropped items that lie near and pick them up.
 * @param {Bot} bot
 * @param {number} [maxDistance=16] - in blocks, 1 to 64
 * @param {string} [name] - only items of this name
 * @returns {Promise<Object>} item name -> count of what came into the inventory; {} when nothing lay there
 * @throws {InventoryFull} no room for what lies there
 * @example const got = await collectDrops(bot, 8, "raw_iron")
 */
async function collectDrops (bot, maxDistance = 16, name) {
  const reach = within(maxDistance, 'maxDistance', 1, 64)
  const only = name === undefined || name === null ? null : itemNamed(bot, name).name
  const before = itemCounts(bot)
  const given = new Set()
  const from = bot.entity.position.clone()
  let drop = nearestDrop(bot, { from, reach, only, given })
  if (drop === null) return {}
  /** @type {any[]} */
  const missed = []
  for (; drop !== null; drop = nearestDrop(bot, { from, reach, only, given })) {
    if (await pickUp(bot, drop)) continue
    given.add(drop.id)
    missed.push(drop)
  }
  for (const late of missed) if (late.isValid) await pickUpLate(bot, late)
  await bot.waitForTicks(SETTLE_TICKS)
  return gained(before, itemCounts(bot))
}

/**
 * @param {Bot} bot
 * @param {{from: any, reach: number, only: string|null, given: Set<number>}} wanted - within reach of where it began,
 *   or of where it is by now: who walked for one drop does not leave the others behind; of that name; `given`: entity
 *   ids that were tried in vain
 * @returns {Entity | null} the nearest dropped item's entity, or null
 */
function nearestDrop (bot, { from, reach, only, given }) {
  const near = (/** @type {any} */ at) => bot.entity.position.distanceTo(at) <= reach || from.distanceTo(at) <= reach
  return bot.nearestEntity((/** @type {any} */ entity) => entity.name === 'item' && !given.has(entity.id) &&
    near(entity.position) &&
    (only === null || entity.getDroppedItem()?.name === only))
}

/**
 * @param {Bot} bot
 * @param {Entity} drop - the entity
 * @returns {Promise<boolean>} whether it is gone, into this inventory or another's
 * @throws {InventoryFull}
 */
async function pickUp (bot, drop) {
  const goals = [() => new GoalNear(drop.position.x, drop.position.y, drop.position.z, 1),
    () => new GoalBlock(drop.position.x, drop.position.y, drop.position.z)]
  if (digs(bot)) await atRest(bot, drop)
  for (const goal of goals) {
    try {
      if (drop.isValid) await bot.pathfinder.goto(goal())
    } catch (error) {
      if (error.name !== 'NoPath' && error.name !== 'NotReached') throw error
      // Who may dig looks far and wide before there is no path; none beside the drop means none to it.
      if (error.name === 'NoPath' && digs(bot)) break
      continue
    }
    for (let tick = 0; tick < PATIENCE_TICKS && drop.isValid && inHand(bot, drop); tick += 2) await bot.waitForTicks(2)
    if (!drop.isValid) return true
    refuseWhenFull(bot, drop)
  }
  return false
}

/**
 * Pick up a drop that could not be reached before: it may still have been falling, or lies on or under leaves.
 * @param {Bot} bot
 * @param {Entity} drop - the entity
 * @returns {Promise<void>}
 * @throws {InventoryFull}
 */
async function pickUpLate (bot, drop) {
  const around = AROUND.map(([x, y, z]) => bot.blockAt(drop.position.floored().offset(x, y, z)))
  const leafy = around.some((block) => block !== null && block.name.endsWith('_leaves'))
  // Who may not dig and finds neither air nor leaves around it can do no more.
  if (!leafy && !aloft(bot, drop) && !digs(bot)) return
  await atRest(bot, drop)
  if (!drop.isValid || await pickUp(bot, drop)) return
  let cleared = 0
  for (const [x, y, z] of AROUND) {
    const leaf = bot.blockAt(drop.position.floored().offset(x, y, z))
    if (leaf === null || !leaf.name.endsWith('_leaves') || cleared >= MAX_LEAVES) continue
    if (await cut(bot, leaf)) cleared++
  }
  if (cleared === 0) return
  await atRest(bot, drop)
  if (drop.isValid) await pickUp(bot, drop)
}

/** @param {Bot} bot @param {Entity} drop - the entity @returns {boolean} whether nothing holds it up: it falls */
function aloft (bot, drop) {
  const below = bot.blockAt(drop.position.floored().offset(0, -1, 0))
  return below !== null && below.boundingBox === 'empty' && !LIQUID.test(below.name)
}

/** @param {Bot} bot @param {Entity} drop @returns {Promise<void>} once it lies still or is gone */
async function atRest (bot, drop) {
  let last = drop.position
  let still = 0
  for (let tick = 0; tick < FALL_TICKS && still < REST_TICKS && drop.isValid; tick++) {
    await bot.waitForTicks(1)
    still = drop.position.distanceTo(last) < 0.01 ? still + 1 : 0
    last = drop.position
  }
}

/** @param {Bot} bot @param {Block} leaf @returns {Promise<boolean>} whether the block is gone */
async function cut (bot, leaf) {
  try {
    if (eyeDistance(bot, leaf.position) > REACH) await comeToReach(bot, leaf.position)
    await bot.dig(leaf, true)
    return true
  } catch (error) {
    if (!['NoPath', 'NotReached', 'TimedOut', 'BlockGone', 'NotBroken', 'OutOfReach'].includes(error.name)) throw error
    return false
  }
}

/**
 * @param {Bot} bot
 * @param {Entity} drop - the entity
 * @returns {boolean} whether it lies where the player picks up: its box and a block around it, half a block up and down
 */
function inHand (bot, drop) {
  const away = drop.position.minus(bot.entity.position)
  return Math.abs(away.x) < 1.4 && Math.abs(away.z) < 1.4 && away.y > -0.7 && away.y < 2.3
}

/**
 * @param {Bot} bot
 * @param {Entity} drop - the entity, beside which the bot stands
 * @throws {InventoryFull}
 */
function refuseWhenFull (bot, drop) {
  const item = drop.getDroppedItem()
  if (item === null || bot.inventory.emptySlotCount() > 0) return
  const room = bot.inventory.items()
    .some((/** @type {any} */ held) => held.type === item.type && held.count < held.stackSize)
  if (!room) {
    throw named(
      'InventoryFull',
      `no room for ${item.count} ${item.name} at ${drop.position.floored()}; put something into a chest first`
    )
  }
}

module.exports = { collectDrops }
