'use strict'
/** Snapshots of mineflayer's objects: plain data of which the bot facade makes its own objects. */
const shared = require('../../../skills_js/bot_facade/snapshots')

/** @param {any} point @returns {number[]} */
const vec = (point) => [point.x, point.y, point.z]

/** @param {any} item @returns {any} null for an empty slot */
const itemData = (item) => shared.itemData(item, item?.slot ?? null)

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

module.exports = { blockData, droppedItem, entityData, itemData, vec, windowData }
