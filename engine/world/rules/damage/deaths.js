'use strict'
/** Deaths of players: message, drops, counters. */

/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../entities/living').DamageSource} DamageSource */

/** Deaths in one world. */
class Deaths {
  /** @param {import('../../world').World} world */
  constructor (world) { this.world = world }

  /** @param {Player} player @param {DamageSource} source */
  ofPlayer (player, source) {
    const { world } = this
    const killer = source.attacker ?? null
    const message = this.message(player, source)
    player.digging.stop()
    player.using.stop()
    if (player.screens.container) player.screens.close(true)
    else player.screens.close(false)
    if (!world.rules.keepInventory) this.dropAll(player)
    world.stats.add(player, 'custom', 'deaths')
    world.phantoms.rested(player)
    world.scoreboard.count('deathCount', player.name, 1)
    if (killer && killer !== player) this.credit(player, killer)
    world.emit('death', { player, message })
    if (world.rules.showDeathMessages) world.emit('system', { player: null, text: message, overlay: false })
    player.healthChanged()
    if (world.rules.doImmediateRespawn) player.respawn()
  }

  /** @param {Player} player */
  dropAll (player) {
    const random = this.world.random.stream('drops')
    player.store.slots[0] = null
    for (const item of player.store.empty()) {
      if (this.world.stacks.enchantment(item, 'vanishing_curse')) continue
      const dropped = this.world.spawnItem(item, { x: player.x, y: player.eyes.y - 0.3, z: player.z })
      const speed = random.next() * 0.5
      const angle = random.next() * Math.PI * 2
      Object.assign(dropped, { vx: -Math.sin(angle) * speed, vy: 0.2, vz: Math.cos(angle) * speed, pickupDelay: 40 })
    }
    const points = Math.min(100, player.experience.level * 7)
    if (points > 0) this.world.popExperience(points, { x: player.x, y: player.y + 0.5, z: player.z })
  }

  /** @param {Player} player @param {import('../../entities/living').LivingEntity} killer */
  credit (player, killer) {
    const { world } = this
    world.stats.add(player, 'killed_by', killer.type)
    const { name = '' } = /** @type {Partial<Player>} */ (killer)
    const byPlayer = world.players.get(name)
    if (!byPlayer || byPlayer !== killer) return
    world.stats.add(byPlayer, 'custom', 'player_kills')
    world.scoreboard.count('playerKillCount', byPlayer.name, 1)
    world.scoreboard.count('totalKillCount', byPlayer.name, 1)
  }

  /** Return vanilla's death message. @param {Player} player @param {DamageSource} source */
  message (player, source) {
    const { data } = this.world
    const key = `death.attack.${source.type}`
    if (source.attacker && source.attacker !== player) {
      const text = data.registry.language[source.type === 'arrow' || source.type === 'mob' || source.type === 'player'
        ? key : `${key}.player`]
      if (text) {
        return data.text(source.type === 'arrow' || source.type === 'mob' || source.type === 'player' ? key
          : `${key}.player`, player.name, source.attacker.displayName)
      }
    }
    return data.text(data.registry.language[key] ? key : 'death.attack.generic', player.name)
  }
}

module.exports = { Deaths }
