'use strict'
/** Helpers shared by the tests of the world engine. */
const { World } = require('../../../engine/world')

/**
 * Return a world with players at the given places.
 * @param {{ seed?: number, players?: Record<string, { x: number, y?: number, z: number }> }} [options]
 * @returns {any} the engine's World, untyped: tests look behind its surface
 */
function makeWorld ({ seed = 1, players = { Gizmo: { x: 0.5, z: 0.5 } } } = {}) {
  const world = new World({ seed })
  for (const [name, at] of Object.entries(players)) {
    const player = world.addPlayer(name)
    player.place3d({ x: at.x, y: at.y ?? -60, z: at.z })
    player.onGround = true
  }
  return world
}

/** @param {any} world @param {string} text @returns {string} the reply of a command that must succeed */
function must (world, text) {
  const { ok, reply } = world.command(text)
  if (!ok) throw new Error(`${text}: ${reply}`)
  return reply
}

/** @param {any} world @param {number} n */
function ticks (world, n) { for (let i = 0; i < n; i++) world.tick() }

/** @param {any} world @param {string} name @returns {any[]} payloads, as they come */
function record (world, name) {
  /** @type {any[]} */
  const seen = []
  world.on(name, (/** @type {any} */ payload) => seen.push(payload))
  return seen
}

/**
 * Put a stack into a player's hand.
 * @param {any} world
 * @param {any} player
 * @param {string} name
 * @param {number} [count]
 */
function hold (world, player, name, count = 1) {
  player.store.set(36 + player.heldSlot, world.stacks.make(name, count))
}

/**
 * Count an item everywhere in the world: players, cursors, grids, containers, the ground.
 * @param {any} world
 * @param {string} name
 */
function census (world, name) {
  let total = 0
  const add = (/** @type {any} */ item) => { if (item && item.name === name) total += item.count }
  const stores = new Set()
  for (const player of world.players.values()) {
    player.slots.slice(1).forEach(add)
    add(player.screens.carried)
    for (const slot of player.screens.container?.slots ?? []) {
      if (slot.store !== player.store && !slot.result) stores.add(slot.store)
    }
  }
  for (const entity of world.blockEntities.byPos.values()) stores.add(entity.store)
  for (const store of stores) (store.size === 10 ? store.slots.slice(1) : store.slots).forEach(add)
  for (const drop of world.drops()) if (!drop.removed) add(drop.item)
  return total
}

module.exports = { makeWorld, must, ticks, record, hold, census }
