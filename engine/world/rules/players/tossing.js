'use strict'
/** Items thrown by a player, as with Q. */
const { viewVector } = require('../../geometry')
const { TOSS_DELAY } = require('../../entities/drops')

/**
 * Throw a stack ahead.
 * @param {import('../../player').Player} player
 * @param {import('../../types').Item} item
 * @param {boolean} counted true if the statistics count it as dropped by the player
 */
function toss (player, item, counted) {
  const { world } = player
  const random = world.random.stream('drops')
  const thrown = world.spawnItem(item, { x: player.x, y: player.eyes.y - 0.3, z: player.z })
  const view = viewVector(player.yaw, player.pitch)
  const angle = random.next() * Math.PI * 2
  const spread = 0.02 * random.next()
  thrown.vx = view.x * 0.3 + Math.cos(angle) * spread
  thrown.vy = view.y * 0.3 + 0.1 + (random.next() - random.next()) * 0.1
  thrown.vz = view.z * 0.3 + Math.sin(angle) * spread
  thrown.pickupDelay = TOSS_DELAY
  thrown.thrower = player.name
  if (!counted) return
  world.stats.add(player, 'dropped', item.name, item.count)
  world.stats.add(player, 'custom', 'drop')
}

module.exports = { toss }
