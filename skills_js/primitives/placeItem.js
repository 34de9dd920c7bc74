'use strict'
const { Vec3 } = require('../bot_facade/vec3')
const { GoalPlaceBlock } = require('../bot_facade/goals')
const { named } = require('../bot_facade/errors')
const { asPosition, itemNamed } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')

/** Sides to place against, the ground first. */
const FACES = [[0, -1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0], [0, 1, 0]]

/**
 * Place a block from the inventory at a position; one of the six neighbours must be solid.
 * @param {Bot} bot
 * @param {string} name - item name, e.g. "crafting_table"
 * @param {Vec3} position - where the block shall stand
 * @returns {Promise<void>}
 * @throws {ItemNotInInventory} says what the inventory holds
 * @throws {NotPlaced} something is in the way, nothing to place against, or the server refused
 * @throws {NoPath} no place to stand from which it can be placed
 * @example await placeItem(bot, "crafting_table", bot.entity.position.offset(1, 0, 0))
 */
async function placeItem (bot, name, position) {
  const type = itemNamed(bot, name)
  const target = asPosition(position, 'position').floored()
  const item = bot.inventory.findInventoryItem(type.id)
  if (item === null) {
    throw named('ItemNotInInventory', `no ${type.name} in the inventory, which holds ${describe(itemCounts(bot))}`)
  }
  const there = bot.blockAt(target)
  if (there !== null && there.boundingBox === 'block') {
    throw named('NotPlaced', `${there.name} is in the way at ${target}`)
  }
  const side = FACES.find(([x, y, z]) => bot.blockAt(target.offset(x, y, z))?.boundingBox === 'block')
  if (side === undefined) throw named('NotPlaced', `nothing solid is beside ${target} to place ${type.name} against`)
  await bot.pathfinder.goto(new GoalPlaceBlock(target, null, { range: 3.5 }))
  await bot.equip(item, 'hand')
  const reference = bot.blockAt(target.offset(side[0], side[1], side[2]))
  await bot.placeBlock(reference, new Vec3(-side[0], -side[1], -side[2]))
}

module.exports = { placeItem }
