'use strict'
/**
 * Snapshots of prismarine's objects: plain data of which the bot facade makes its own objects.
 *
 * @module skills_js/bot_facade/snapshots
 */

/** Longest custom name in characters, as the text component that servers send. */
const MAX_NAME = 256

/** @param {any} item prismarine-item, or null @param {number | null} slot @returns {any} null for an empty slot */
function itemData (item, slot) {
  if (!item) return null
  return {
    slot,
    type: item.type,
    name: item.name,
    displayName: item.displayName,
    count: item.count,
    stackSize: item.stackSize,
    metadata: item.metadata ?? 0,
    enchants: item.enchants ?? [],
    durabilityUsed: item.durabilityUsed ?? 0,
    maxDurability: item.maxDurability ?? null,
    nbt: null,
    ...(item.customName ? { customName: String(item.customName).slice(0, MAX_NAME) } : {}),
    ...(item.repairCost > 0 ? { repairCost: item.repairCost } : {})
  }
}

/** @param {any} block prismarine-block @returns {any} the static facts of its state */
function stateData (block) {
  return {
    type: block.type,
    name: block.name,
    displayName: block.displayName,
    stateId: block.stateId,
    metadata: block.metadata,
    boundingBox: block.boundingBox,
    hardness: block.hardness,
    diggable: block.diggable,
    material: block.material,
    transparent: block.transparent,
    harvestTools: block.harvestTools ?? null,
    drops: block.drops ?? [],
    shapes: block.shapes ?? [],
    properties: block.getProperties()
  }
}

/** @param {any} recipe prismarine-recipe @param {number} index @returns {any} */
function recipeData (recipe, index) {
  const part = (/** @type {any} */ item) => item
    ? { id: item.id, metadata: item.metadata ?? null, count: item.count }
    : null
  return {
    index,
    result: part(recipe.result),
    requiresTable: Boolean(recipe.requiresTable),
    delta: recipe.delta.map(part),
    ingredients: recipe.ingredients?.map(part) ?? null,
    inShape: recipe.inShape?.map((/** @type {unknown[]} */ row) => row.map(part)) ?? null
  }
}

module.exports = { itemData, recipeData, stateData }
