'use strict'
/**
 * mineflayer's objects as plain data, in the form that the look-alike makes its own objects of.
 */

/** @param {any} point @returns {number[]} */
const vec = (point) => [point.x, point.y, point.z]

/** @param {any} item @returns {any} null for an empty slot */
function itemData (item) {
  if (!item) return null
  return {
    slot: item.slot,
    type: item.type,
    name: item.name,
    displayName: item.displayName,
    count: item.count,
    stackSize: item.stackSize,
    metadata: item.metadata,
    enchants: item.enchants ?? [],
    durabilityUsed: item.durabilityUsed ?? 0,
    maxDurability: item.maxDurability ?? null,
    nbt: null
  }
}

/** @param {any} entity @returns {any} */
function entityData (entity) {
  return {
    id: entity.id,
    type: entity.type,
    name: entity.name,
    displayName: entity.displayName,
    username: entity.username ?? null,
    kind: entity.kind ?? null,
    uuid: entity.uuid ?? null,
    position: vec(entity.position),
    velocity: vec(entity.velocity),
    yaw: entity.yaw,
    pitch: entity.pitch,
    onGround: Boolean(entity.onGround),
    height: entity.height ?? 0,
    width: entity.width ?? 0,
    eyeHeight: entity.eyeHeight ?? null,
    health: entity.health ?? null,
    isInWater: Boolean(entity.isInWater),
    equipment: (entity.equipment ?? []).slice(0, 6).map(itemData),
    effects: entity.effects ?? {},
    item: droppedItem(entity)
  }
}

/** @param {any} entity @returns {any} what lies there, for a dropped item whose metadata has arrived */
function droppedItem (entity) {
  if (entity.name !== 'item') return null
  try {
    return itemData(entity.getDroppedItem())
  } catch {
    return null
  }
}

/** @param {any} block @returns {any} the static facts of its state */
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

/** @param {any} block @returns {any} for an event */
function blockData (block) {
  return block ? { state: block.stateId, position: vec(block.position) } : null
}

/** @param {any} window @param {any} [position] @returns {any} */
function windowData (window, position) {
  return {
    id: window.id,
    type: String(window.type),
    title: String(typeof window.title === 'object' ? JSON.stringify(window.title) : window.title).slice(0, 200),
    inventoryStart: window.inventoryStart,
    inventoryEnd: window.inventoryEnd,
    hotbarStart: window.hotbarStart ?? window.inventoryEnd - 9,
    selectedItem: itemData(window.selectedItem),
    slots: window.slots.map(itemData),
    position: position ? vec(position) : null
  }
}

/** @param {any} recipe @param {number} index @returns {any} */
function recipeData (recipe, index) {
  const part = (/** @type {any} */ item) => item ? { id: item.id, metadata: item.metadata ?? null, count: item.count } : null
  return {
    index,
    result: part(recipe.result),
    requiresTable: Boolean(recipe.requiresTable),
    delta: recipe.delta.map(part),
    ingredients: recipe.ingredients?.map(part) ?? null,
    inShape: recipe.inShape?.map((/** @type {any[]} */ row) => row.map(part)) ?? null
  }
}

module.exports = { blockData, entityData, itemData, recipeData, stateData, vec, windowData }
