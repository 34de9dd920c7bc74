/** Attack speeds of weapons. */
'use strict'

const TICKS_PER_SECOND = 20
/** Attack speed of a bare hand and of anything that is no weapon, in blows per second. */
const BARE = 4
/** Vanilla's attack speeds, in blows per second. @type {[RegExp, number][]} */
const SPEEDS = [
  [/_sword$/, 1.6], [/^trident$/, 1.1], [/_shovel$/, 1], [/_pickaxe$/, 1.2], [/^(wooden|stone)_axe$/, 0.8],
  [/^iron_axe$/, 0.9], [/_axe$/, 1],
  [/^(wooden|golden)_hoe$/, 1], [/^stone_hoe$/, 2], [/^iron_hoe$/, 3]
]
const MATERIALS = ['netherite', 'diamond', 'iron', 'stone', 'golden', 'wooden']
/** Weapons, best first. */
const WEAPONS = Object.freeze([
  ...MATERIALS.map((material) => `${material}_sword`), ...MATERIALS.map((material) => `${material}_axe`)
])

/**
 * @param {string | undefined} held - name of the item in the hand
 * @returns {number} ticks from one full blow to the next
 */
function strikeTicks (held = '') {
  const speed = SPEEDS.find(([pattern]) => pattern.test(held))?.[1] ?? BARE
  return Math.ceil(TICKS_PER_SECOND / speed)
}

module.exports = { WEAPONS, strikeTicks }
