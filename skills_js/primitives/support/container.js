/** Opening a chest (or any container) on foot, and always closing it. */
'use strict'
const { named } = require('../../bot_facade/errors')
const { asPosition } = require('./check')
const { comeToReach } = require('./reach')

const CONTAINERS = /^(chest|trapped_chest|ender_chest|barrel|dispenser|dropper|hopper|(\w+_)?shulker_box)$/

/**
 * Walk to a container, open it, do something with its window, close it whatever happens.
 * @template T
 * @param {Bot} bot
 * @param {any} chestPosition - Vec3, {x, y, z} or the chest's block
 * @param {(window: any) => Promise<T>} work
 * @returns {Promise<T>}
 * @throws {ChestNotFound}
 */
async function withContainer (bot, chestPosition, work) {
  const position = asPosition(chestPosition, 'chestPosition').floored()
  checkContainer(bot, position)
  await comeToReach(bot, position)
  const window = await bot.openContainer(checkContainer(bot, position))
  try {
    return await work(window)
  } finally {
    await window.close()
  }
}

/**
 * @param {Bot} bot
 * @param {any} position
 * @returns {Block} the container's block
 * @throws {ChestNotFound}
 */
function checkContainer (bot, position) {
  const block = bot.blockAt(position)
  if (block !== null && CONTAINERS.test(block.name)) return block
  const near = bot.findBlock({ matching: bot.registry.blocksByName.chest.id, maxDistance: 48 })
  const hint = near === null ? 'no chest is within 48 blocks' : `the nearest chest is at ${near.position}`
  throw named(
    'ChestNotFound', `at ${position} there is ${block === null ? 'unloaded land' : block.name}, no container; ${hint}`
  )
}

module.exports = { withContainer }
