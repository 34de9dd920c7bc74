'use strict'
/** Attacks by players, and clicks on mobs. */
const { distanceSqToBox } = require('../../geometry')
const { weapon } = require('./armour')
const { Mob } = require('../../entities/mobs')
const { extraOf } = require('./attributes')

/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../types').Verdict} Verdict */

const REACH = 6
const BLOW_PUSH = 0.4

/** Combat of one world. */
class Combat {
  /** @param {Pick<import('../../world').World, 'border' | 'entities' | 'stacks' | 'stats'>} world */
  constructor (world) { this.world = world }

  /**
   * @param {Player} player
   * @param {number} id
   * @param {'attack' | 'interact' | 'interact_at'} how
   * @param {{ at?: import('../../types').Pos, hand?: 0 | 1 }} [where] on the body, from its feet
   * @returns {Verdict}
   */
  use (player, id, how, { at, hand = 0 } = {}) {
    const target = this.world.entities.get(id)
    if (player.dead || player.gamemode === 'spectator') {
      return { ok: false, reason: 'the dead and spectators touch nothing' }
    }
    if (!target || target === player) return { ok: false, reason: `there is no entity ${id} to use` }
    if (!this.world.border.contains({ x: Math.floor(target.x), z: Math.floor(target.z) })) {
      return { ok: false, reason: 'that entity is beyond the world border' }
    }
    const eye = player.eyes
    if (distanceSqToBox([eye.x, eye.y, eye.z], target.box) > REACH * REACH) {
      return { ok: false, reason: 'that entity is out of reach' }
    }
    const thing = /** @type {any} */ (target)
    if (how === 'attack' && thing.strike && !target.living) return thing.strike(player, this.blow(player))
    // Armour stands use the clicked point. Frames and boats ignore it and handle the plain click only.
    if (how !== 'attack' && thing.use) {
      return (how === 'interact_at') === target.living ? thing.use(player, at, hand) : { ok: true }
    }
    if (how === 'attack') {
      return target.living ? this.attack(player, /** @type {any} */ (target))
        : { ok: false, reason: 'that cannot be attacked' }
    }
    return how === 'interact' ? this.interact(player, target) : { ok: true }
  }

  /** Return the damage of a player's attack without a critical hit. @param {Player} player */
  blow (player) {
    const [damage, rate] = weapon(player.heldItem?.name ?? '')
    const recovered = Math.min(1, (player.attackTicks + 0.5) / (20 / rate))
    player.attackTicks = 0
    return damage * (0.2 + recovered * recovered * 0.8)
  }

  /**
   * Attack a body. An attack before the arm has recovered is weaker.
   *
   * @param {Player} player
   * @param {import('../../entities/living').LivingEntity} target
   * @returns {Verdict}
   */
  attack (player, target) {
    const item = player.heldItem
    const [damage, rate] = weapon(item?.name ?? '')
    const recovered = Math.min(1, (player.attackTicks + 0.5) / (20 / rate))
    const sharpness = this.world.stacks.enchantment(item, 'sharpness')
    const strength = damage + extraOf(player, 'generic.attack_damage') + 3 * player.effectLevel('strength') -
      4 * player.effectLevel('weakness')
    const critical = recovered > 0.9 && player.fallDistance > 0 && !player.onGround && !player.inside.liquid &&
      !player.sprinting
    const total = strength * (0.2 + recovered * recovered * 0.8) * (critical ? 1.5 : 1) +
      (sharpness ? (0.5 * sharpness + 0.5) * recovered : 0)
    player.attackTicks = 0
    const hurt = target.hurt(total, { type: 'player', attacker: player, direct: player })
    if (!hurt) return { ok: false, reason: 'the blow did nothing' }
    target.knockBack(BLOW_PUSH + (player.sprinting && recovered > 0.9 ? 0.5 : 0), player.x, player.z)
    this.world.stats.add(player, 'custom', 'damage_dealt', Math.round(total * 10))
    player.exhaust(0.1)
    if (item) {
      player.wearSlot(player.handSlot(0),
        /_sword$|^trident$/.test(item.name) ? 1
        : /_(axe|pickaxe|shovel)$/.test(item.name) ? 2 : /_hoe$/.test(item.name) ? 1 : 0)
    }
    return { ok: true }
  }

  /** @param {Player} player @param {import('../../entities/entity').Entity} target @returns {Verdict} */
  interact (player, target) {
    const item = player.heldItem
    const mob = target instanceof Mob && !target.dead ? target : null
    return mob?.interact(player, item) ?? { ok: false, reason: `a ${target.type} is not used so` }
  }
}

module.exports = { Combat }
