'use strict'
/** Harm to players by difficulty (minecraft.wiki, "Difficulty", and vanilla's damage types): blows and shots of mobs, and every explosion. */

/** @type {Record<string, (damage: number) => number>} */
const SCALES = { peaceful: () => 0, easy: (damage) => Math.min(damage / 2 + 1, damage), normal: (damage) => damage, hard: (damage) => damage * 1.5 }

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
