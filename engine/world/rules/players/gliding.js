'use strict'
/**
 * Elytra (minecraft.wiki, "Elytra"), simplified: the client computes the glide. The server allows it, wears the elytra
 * once per second, ignores the fall of a flat glide, and lets rockets push it.
 */
const { Entity } = require('../../entities/entity')
const { dataOf } = require('../items/item_data')

/** @typedef {import('../../player').Player} Player */

const WEAR_EVERY = 20
const CHEST = 6
/** Vertical speed per tick above which a glide adds nothing to the fall. */
const FLAT = -0.5
/** Maximum average speed of a glide in blocks per tick: a rocket's 1.7 and a margin. */
const SPEED = 2.5

/** Return the slot's elytra if it is not broken. @param {Player} player */
function wings (player) {
  const item = player.store.get(CHEST)
  return item?.name === 'elytra' &&
    player.world.stacks.damage(item) < (player.world.registry.itemsByName.elytra.maxDurability ?? 0) - 1
}

/** Start a glide. @param {Player} player @returns {import('../../types').Verdict} */
function glide (player) {
  if (player.gliding || player.onGround || player.dead || player.vehicle || player.inside.liquid ||
    player.effectLevel('levitation') > 0 || !wings(player)) {
    player.world.emit('entityMeta', { entity: player })
    return { ok: false, reason: 'wings are spread in the air, with an elytra that is not worn out' }
  }
  set(player, true)
  wear(player)
  return { ok: true }
}

/** @param {Player} player @param {boolean} on */
function set (player, on) {
  player.gliding = on
  player.posture.update(true)
}

/** Wear the elytra, once per second of gliding. @param {Player} player */
function wear (player) {
  player.world.later(WEAR_EVERY, () => {
    if (!player.gliding || player.removed) return
    player.wearSlot(CHEST, 1)
    if (wings(player)) wear(player)
    else set(player, false)
  })
}

/** Handle a step of a gliding player. @param {Player} player @param {number} dy */
function glided (player, dy) {
  if (player.onGround || player.inside.liquid || player.dead || player.vehicle) return set(player, false)
  if (dy > FLAT) player.fallDistance = Math.min(player.fallDistance, 1)
}

/** Rocket that pulls a gliding player. */
class Rocket extends Entity {
  /** @param {import('../../world').World} world @param {Player} player @param {number} flight */
  constructor (world, player, flight) {
    super(world, 'firework_rocket', player)
    const random = world.random.stream('rockets')
    this.player = player
    this.attachedTo = player.id
    this.life = 10 * (flight + 1) + random.int(0, 5) + random.int(0, 6)
  }

  tick () {
    super.tick()
    const { player } = this
    if (this.age > this.life || player.removed || !player.gliding) return this.remove()
    Object.assign(this, { x: player.x, y: player.y, z: player.z })
    this.world.emit('entityMove', { entity: this })
  }
}

/**
 * @param {Player} player
 * @param {0 | 1} hand
 * @param {import('../../types').Item} item
 * @returns {import('../../types').Verdict}
 */
function boost (player, hand, item) {
  if (!player.gliding) return { ok: false, reason: 'rockets push gliders only; on a block they are launched' }
  player.world.enter(new Rocket(player.world, player,
    Number(dataOf(item).Fireworks?.value?.Flight?.value ?? 1)))
  player.consume(hand)
  return { ok: true }
}

module.exports = { glide, glided, boost, set, SPEED }
