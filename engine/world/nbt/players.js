'use strict'
/** Players as saved data. */
const { PLAYER } = require('../windows/store')
const { tags } = require('./values')
const { itemNbt } = require('./items')

/** @typedef {import('../types').Item} Item */
/** @typedef {import('../player').Player} Player */

const GAMEMODES = Object.freeze({ survival: 0, creative: 1, adventure: 2, spectator: 3 })

/** Return the part of a player's saved data that other bodies do not have. @param {Player} player */
function playerNbt (player) {
  const { int, float, string, list, compound, byte } = tags
  const { experience, heldItem, hunger } = player
  const inSlot = (/** @type {number} */ slot, /** @type {Item} */ item) =>
    compound({ Slot: byte(slot), ...itemNbt(item) })
  return {
    Inventory: list(inventoryNbt(player).map(([slot, item]) => inSlot(slot, item))),
    SelectedItemSlot: int(player.heldSlot),
    foodLevel: int(player.food), foodSaturationLevel: float(player.saturation),
    foodExhaustionLevel: float(hunger.exhaustion), XpLevel: int(experience.level), XpP: float(experience.progress),
    XpTotal: int(experience.total),
    playerGameType: int(GAMEMODES[player.gamemode]), Dimension: string(`minecraft:${player.dimension}`), Score: int(0),
    EnderItems: list(player.enderChest.slots.flatMap((item, i) => item ? [inSlot(i, item)] : [])),
    ...(heldItem ? { SelectedItem: compound(itemNbt(heldItem)) } : {})
  }
}

/**
 * Return slots in the numbering of saved data: hot bar 0-8, main 9-35, feet 100 ... head 103, off-hand -106.
 * @param {Player} player
 * @returns {[number, Item][]}
 */
function inventoryNbt (player) {
  /** @type {[number, Item | null][]} */
  const all = []
  for (let i = 0; i < 9; i++) all.push([i, player.slots[PLAYER.HOTBAR + i]])
  for (let i = 9; i < 36; i++) all.push([i, player.slots[i]])
  for (let i = 0; i < 4; i++) all.push([100 + i, player.slots[PLAYER.FEET - i]])
  all.push([-106, player.slots[PLAYER.OFFHAND]])
  return /** @type {[number, Item][]} */ (all.filter(([, item]) => item))
}

module.exports = { playerNbt }
