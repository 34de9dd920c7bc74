'use strict'
/**
 * Damage to players by difficulty (minecraft.wiki, "Difficulty", and vanilla's damage types): it scales attacks and
 * projectiles of mobs, and all explosions.
 */

/** @type {Record<string, (damage: number) => number>} */
const SCALES = { peaceful: () => 0, easy: (damage) => Math.min(damage / 2 + 1, damage), normal: (damage) => damage,
  hard: (damage) => damage * 1.5 }

/**
 * Return the damage that reaches a player.
 * @param {number} amount
 * @param {import('../../entities/living').DamageSource} source
 * @param {string} difficulty
 */
function scaled (amount, { type, attacker }, difficulty) {
  const byMob = attacker && attacker.type !== 'player'
  return byMob || type === 'explosion' ? SCALES[difficulty](amount) : amount
}

module.exports = { scaled }
