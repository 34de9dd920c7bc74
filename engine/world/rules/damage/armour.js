'use strict'
/** Armour points and toughness of armour, damage and speed of weapons. */
const { nameTable } = require('../../../name_table')

/** Armour points and toughness by item name. @type {Record<string, [number, number]>} */
const ARMOUR = nameTable({ turtle_helmet: [2, 0] })
/** @type {[string, number[], number][]} */
const SETS = [['leather', [1, 3, 2, 1], 0], ['golden', [2, 5, 3, 1], 0], ['chainmail', [2, 5, 4, 1], 0],
  ['iron', [2, 6, 5, 2], 0], ['diamond', [3, 8, 6, 3], 2], ['netherite', [3, 8, 6, 3], 3]]
for (const [material, points, toughness] of SETS) {
  ['helmet', 'chestplate', 'leggings', 'boots'].forEach((piece, i) => {
    ARMOUR[`${material}_${piece}`] = [points[i], toughness]
  })
}

/** Damage and attacks per second by weapon. @type {Record<string, [number, number]>} */
const WEAPONS = nameTable({
  trident: [9, 1.1],
  wooden_sword: [4, 1.6], golden_sword: [4, 1.6], stone_sword: [5, 1.6], iron_sword: [6, 1.6], diamond_sword: [7, 1.6],
  netherite_sword: [8, 1.6],
  wooden_axe: [7, 0.8], golden_axe: [7, 1], stone_axe: [9, 0.8], iron_axe: [9, 0.9], diamond_axe: [9, 1],
  netherite_axe: [10, 1],
  wooden_pickaxe: [2, 1.2], golden_pickaxe: [2, 1.2], stone_pickaxe: [3, 1.2], iron_pickaxe: [4, 1.2],
  diamond_pickaxe: [5, 1.2], netherite_pickaxe: [6, 1.2],
  wooden_shovel: [2.5, 1], golden_shovel: [2.5, 1], stone_shovel: [3.5, 1], iron_shovel: [4.5, 1],
  diamond_shovel: [5.5, 1], netherite_shovel: [6.5, 1],
  wooden_hoe: [1, 1], golden_hoe: [1, 1], stone_hoe: [1, 2], iron_hoe: [1, 3], diamond_hoe: [1, 4],
  netherite_hoe: [1, 4]
})

/** @param {string} name @returns {[number, number]} damage and attacks per second */
function weapon (name) { return WEAPONS[name] ?? [1, 4] }

module.exports = { ARMOUR, weapon }
