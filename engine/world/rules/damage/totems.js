'use strict'
/**
 * Totems of undying (minecraft.wiki, "Totem of Undying"): one in a hand saves from every death but those by the void
 * and by /kill.
 */

const TOTEM = 'totem_of_undying'
/** Vanilla's entity status of a used totem. */
const STATUS = 35
/** Name, ticks and amplifier of each effect. @type {readonly [string, number, number][]} */
const EFFECTS = Object.freeze([['regeneration', 900, 1], ['absorption', 100, 1], ['fire_resistance', 800, 0]])

/**
 * Use a totem instead of dying.
 *
 * @param {import('../../player').Player} player
 * @param {import('../../entities/living').DamageSource} source
 * @returns {boolean} true if there was one
 */
function useTotem (player, source) {
  const hand = /** @type {const} */ ([0, 1]).find((each) => player.inHand(each)?.name === TOTEM)
  if (hand === undefined || source.absolute) return false
  player.world.stats.add(player, 'used', TOTEM)
  player.consume(hand)
  player.setHealth(1)
  for (const name of [...player.effects.keys()]) player.removeEffect(name)
  for (const [name, ticks, amplifier] of EFFECTS) player.addEffect(name, ticks, amplifier)
  player.world.emit('entityStatus', { entity: player, status: STATUS })
  return true
}

module.exports = { useTotem }
