'use strict'
/** Respawning of dead players. */

/** @typedef {import('../../player').Player} Player */

/**
 * Bring a dead player back to life.
 * @param {Player} player
 * @returns {import('../../types').Verdict}
 */
function respawn (player) {
  player.dead = player.gliding = false
  player.fireTicks = player.frozenTicks = player.fallDistance = player.hurtTicks = 0
  player.air = 300
  player.absorption = 0
  player.hunger.reset()
  player.effects.clear()
  if (!player.world.rules.keepInventory) player.experience = { level: 0, progress: 0, total: 0 }
  player.health = player.maxHealth
  const at = respawnPlace(player)
  player.place3d({ ...at, yaw: at.angle, pitch: 0 })
  player.world.emit('respawn', { player })
  player.screens.resend()
  player.healthChanged()
  return { ok: true }
}

/** Return the place at the player's bed if the bed is still there, else the world's spawn. @param {Player} player */
function respawnPlace (player) {
  const { spawnPoint, world } = player
  if (!spawnPoint?.bed) return spawnPoint ?? world.spawn
  const place = world.beds.respawnPlace(spawnPoint)
  if (place) return { ...place, angle: spawnPoint.angle }
  player.spawnPoint = null
  world.commands.sendLine(player, world.commands.line('block.minecraft.spawn.not_valid'))
  return world.spawn
}

module.exports = { respawn, respawnPlace }
