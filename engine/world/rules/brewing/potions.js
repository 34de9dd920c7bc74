'use strict'
/**
 * Use of potions: bottles are filled at water, potions are drunk, splash potions act within four blocks
 * (minecraft.wiki, "Potion").
 */
const { bottled, potionOf, effectsOf } = require('./recipes')

/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../entities/living').LivingEntity} LivingEntity */

const SPLASH = 4
const INSTANT = /^instant_/

/**
 * Apply a potion's effects to a body.
 *
 * @param {LivingEntity} body
 * @param {string} potion
 * @param {number} [share] of a splash, 0 to 1
 */
function affect (body, potion, share = 1) {
  for (const [name, amplifier, ticks] of effectsOf(potion)) {
    if (name === 'instant_health') body.setHealth(Math.min(body.maxHealth, body.health + share * 4 * 2 ** amplifier))
    else if (name === 'instant_damage') body.hurt(share * 6 * 2 ** amplifier, { type: 'magic', piercing: true })
    else if (!INSTANT.test(name) && share * ticks > 20) body.addEffect(name, Math.round(ticks * share), amplifier)
  }
}

/**
 * Apply a thrown potion where it breaks.
 *
 * @param {import('../../world').World} world
 * @param {{ x: number, y: number, z: number }} at
 * @param {Item} item
 */
function splash (world, at, item) {
  for (const body of world.bodiesNear(at, SPLASH)) {
    const far = Math.hypot(body.x - at.x, body.y - at.y, body.z - at.z)
    if (far < SPLASH) affect(body, potionOf(item), 1 - far / SPLASH)
  }
  world.emit('sound', { name: 'entity.splash_potion.break', x: at.x, y: at.y, z: at.z })
}

/** Drink a potion. @param {import('../../player').Player} player @param {Item} item @returns {Item} the empty bottle */
function drink (player, item) {
  affect(player, potionOf(item))
  return player.world.stacks.make('glass_bottle')
}

/**
 * Fill a glass bottle at water.
 *
 * @param {import('../../player').Player} player
 * @param {0 | 1} hand
 * @returns {import('../../types').Verdict}
 */
function fillBottle (player, hand) {
  const hit = player.using.look(true)
  const state = hit && player.world.stateAt(hit.pos.x, hit.pos.y, hit.pos.z)
  const wet = state && (state.name === 'water' || (state.name === 'water_cauldron'))
  if (!wet) return { ok: false, reason: 'there is no water in reach' }
  const item = /** @type {Item} */ (player.inHand(hand))
  const full = bottled(player.world.stacks, 'water')
  player.consume(hand, item.count === 1 ? full : null)
  if (item.count > 1 && player.gamemode !== 'creative') player.giveOrDrop(full)
  return { ok: true }
}

module.exports = { affect, splash, drink, fillBottle }
