'use strict'
/**
 * Snapshots of the mock world's objects: plain data of which the bot facade makes its own objects, with mineflayer's
 * names.
 *
 * @module skills_js/mock/backend/snapshots
 */
const { itemData } = require('../../bot_facade/snapshots')
const { bodyYaw } = require('../client')

const DEGREES = 180 / Math.PI
/** Slots of a player's equipment in mineflayer's order; the hand comes first. */
const WORN = [45, 8, 7, 6, 5]

/**
 * @param {import('prismarine-registry').Registry} registry
 * @param {any} entity the engine's view of it
 * @returns {any}
 */
function entityData (registry, entity) {
  const facts = registry.entitiesByName[entity.type] ?? {}
  const player = entity.type === 'player'
  return {
    id: entity.id,
    type: player ? 'player' : facts.type ?? 'object',
    name: entity.type,
    displayName: facts.displayName ?? entity.type,
    username: player ? entity.name : null,
    kind: facts.category ?? null,
    uuid: entity.uuid ?? null,
    position: [entity.x, entity.y, entity.z],
    velocity: [entity.vx, entity.vy, entity.vz],
    yaw: bodyYaw(entity.yaw),
    pitch: -entity.pitch / DEGREES,
    onGround: Boolean(entity.onGround),
    height: facts.height ?? 0,
    width: facts.width ?? 0,
    eyeHeight: player ? 1.62 : null,
    health: entity.health ?? null,
    isInWater: false,
    equipment: player
      ? [entity.heldItem, ...WORN.map((slot) => entity.slots[slot])].map((item) => itemData(item, null))
      : [],
    effects: {},
    item: entity.type === 'item' ? itemData(entity.item, null) : null
  }
}

/**
 * Return effects as mineflayer shows them: the duration is the one told when the effect began.
 * @param {import('../../../engine/world/player').Player} player the engine's
 * @returns {Record<number, {id: number, amplifier: number, duration: number}>} by their numbers
 */
function effectsData (player) {
  return Object.fromEntries([
    ...player.effects.values()
  ].map(({ id, amplifier, duration, given = duration }) => [id, { id, amplifier, duration: given }]))
}

/** @param {import('../client').Client} client @returns {any} the player itself, as its own body is */
function selfEntity (client) {
  const { body, player, simulation } = client
  return {
    ...entityData(simulation.world.registry, player),
    // Servers tell nobody of others' effects.
    effects: effectsData(player),
    position: [body.x, body.y, body.z],
    velocity: [body.vx, body.vy, body.vz],
    yaw: body.yaw,
    pitch: body.pitch,
    onGround: body.onGround,
    isInWater: body.inWater
  }
}

/** Slots of the player's own inventory in its window, and of a container's window in general. */
const OWN_START = 9
const OWN_END = 45
const CARRIED_OVER = 36

/** @param {import('../client').Client} client @returns {any} the player's own inventory, whatever window is open */
function inventoryData (client) {
  const { player } = client
  const open = player.openWindow !== null
  return {
    id: 0,
    type: 'minecraft:inventory',
    title: 'Inventory',
    inventoryStart: OWN_START,
    inventoryEnd: OWN_END,
    hotbarStart: OWN_END - 9,
    selectedItem: open ? null : itemData(player.windowView(0)?.carried, null),
    slots: player.slots.map(itemData),
    position: null,
    fuel: null,
    progress: null
  }
}

/** @param {import('../client').Client} client @returns {any} the open container's window, or null */
function windowData (client) {
  const { player } = client
  const info = player.openWindow
  const view = info === null ? null : player.windowView(info.id)
  if (info === null || view === null) return null
  const inventoryEnd = view.items.length
  return {
    id: info.id,
    type: info.type,
    title: String(info.title).slice(0, 200),
    inventoryStart: inventoryEnd - CARRIED_OVER,
    inventoryEnd,
    hotbarStart: inventoryEnd - 9,
    selectedItem: itemData(view.carried, null),
    slots: view.items.map(itemData),
    position: client.openedAt,
    ...progressOf(client),
    ...workOf(client)
  }
}

/**
 * @param {import('../client').Client} client
 * @returns {{ properties?: Record<number, number>, trades?: any[] }} what a workshop's or a villager's window shows
 */
function workOf (client) {
  const { trades } = client.player
  const shown = client.bars.size > 0 ? { properties: Object.fromEntries(client.bars) } : {}
  return trades === null ? shown : { ...shown, trades: trades.trades.map(tradeData) }
}

/**
 * @param {NonNullable<import('../client').Client['player']['trades']>['trades'][number]} trade
 * @returns {any} in mineflayer's words
 */
function tradeData ({ wants, also, gives, price, uses, most, experience, special, multiplier, demand, disabled }) {
  return {
    inputItem1: itemData(wants, null), inputItem2: itemData(also, null), outputItem: itemData(gives, null),
    tradeDisabled: disabled, nbTradeUses: uses, maximumNbTradeUses: most,
    xp: experience, specialPrice: special, priceMultiplier: multiplier, demand, realPrice: price
  }
}

/**
 * @param {import('../client').Client} client
 * @returns {{fuel: number | null, progress: number | null}} of a furnace, 0 to 1
 */
function progressOf (client) {
  const [left, full, done, whole] = [0, 1, 2, 3].map((property) => client.bars.get(property) ?? 0)
  return { fuel: full > 0 ? left / full : null, progress: whole > 0 ? done / whole : null }
}

module.exports = { entityData, inventoryData, selfEntity, windowData, OWN_START, OWN_END }
