'use strict'
/**
 * Shields (minecraft.wiki, "Shield"): five ticks after it was raised, a shield blocks all damage from the front that
 * armour would reduce.
 */
const { viewVector } = require('../../geometry')

/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../entities/living').DamageSource} DamageSource */

const RAISE_TICKS = 5
/** Minimum damage that wears a shield. */
const WEARS_FROM = 3
const DISABLED_TICKS = 100
/** Knockback of an attack that a shield blocks. */
const PUSH = 0.5
/** Vanilla's entity statuses. */
const STATUS = Object.freeze({ disabled: 30, broken: Object.freeze([47, 48]) })

/**
 * Return true if a shield is up and blocks the damage.
 *
 * @param {Player} player
 * @param {DamageSource} source
 * @returns {boolean}
 */
function isShielded (player, { piercing, direct, at = direct ?? undefined }) {
  const { now } = player.using
  if (!at || piercing || now?.item.name !== 'shield' || now.ticks < RAISE_TICKS) return false
  const view = viewVector(player.headYaw, 0)
  return (player.x - at.x) * view.x + (player.z - at.z) * view.z < 0
}

/**
 * Wear, break or disable the shield that has blocked damage.
 *
 * @param {Player} player
 * @param {number} amount
 * @param {DamageSource} source
 */
function takeBlow (player, amount, { attacker, direct }) {
  const { world, using } = player
  const { hand } = /** @type {NonNullable<typeof using.now>} */ (using.now)
  if (amount >= WEARS_FROM) wear(player, hand, 1 + Math.floor(amount))
  world.stats.add(player, 'custom', 'damage_blocked_by_shield', Math.round(amount * 10))
  if (!attacker || direct !== attacker) return
  attacker.knockBack(PUSH, player.x, player.z)
  if (!/_axe$/.test(/** @type {Partial<import('../../player').Player>} */ (attacker).heldItem?.name ?? '')) return
  player.cooldowns.start('shield', DISABLED_TICKS)
  using.stop()
  world.emit('entityStatus', { entity: player, status: STATUS.disabled })
}

/** @param {Player} player @param {0 | 1} hand @param {number} amount */
function wear (player, hand, amount) {
  const { world, using } = player
  player.wearSlot(player.handSlot(hand), amount)
  const left = player.inHand(hand)
  if (!left) {
    using.stop()
    world.emit('entityStatus', { entity: player, status: STATUS.broken[hand] })
  } else if (using.now) using.now.item = left
}

module.exports = { isShielded, takeBlow }
