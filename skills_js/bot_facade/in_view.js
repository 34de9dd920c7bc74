/** Views of bots as data: the part that all backends share (engine/view/in_view.js has the rays). */
'use strict'
const { inView } = require('../../engine/view/in_view')
const { CAPS } = require('./host_api')

/** Height of a player's eyes. */
const EYE = 1.62
const DEGREES = 180 / Math.PI
/** Steps of a pose in a block and in a degree: clients of servers know angles of single precision only. */
const FINE = 1024
/** Cost of a look in cells of a search, measured: of each cell that a ray passes, and of each body, for all rays. */
const RAY_CELLS = 30
const BODY_CELLS = 20_000
/** Most entries of an answer of each kind. */
const MOST = 64

/**
 * Snapshot of an entity, as far as a look needs it.
 * @typedef {{ id: number, type: string, name: string, username: string | null, item: { name: string } | null,
 *   position: number[], yaw: number, pitch: number, width: number, height: number }} Snapshot
 */
/** @typedef {{ what: string, name: string, at: number[] }} Thing */
/** @typedef {Thing & { distance: number, side: string, count: number }} Found */

/** @param {number} value */
const fine = (value) => Math.round(value * FINE) / FINE

/**
 * Look around.
 * @param {string} version of the game
 * @param {(x: number, y: number, z: number) => number} stateAt
 * @param {Snapshot[]} entities the bot itself first
 * @param {number} maxDistance
 * @returns {{ found: Found[], looked: { sections: number, cells: number, matches: number } }}
 */
function lookAround (version, stateAt, [self, ...others], maxDistance) {
  const [x, y, z] = self.position.map(fine)
  // Snapshots have mineflayer's angles: counted from north, against the clock, and up.
  const pose = { eye: { x, y: y + EYE, z }, yaw: fine(180 - self.yaw * DEGREES), pitch: fine(-self.pitch * DEGREES) }
  const bodies = others.map(({ id, position, width, height }) =>
    ({ id, x: fine(position[0]), y: fine(position[1]), z: fine(position[2]), width, height }))
  const reach = Math.max(1, Math.min(maxDistance, CAPS.searchDistance))
  const { blocks, bodies: seen, cells } = inView(version, stateAt, pose, bodies, reach)
  const byId = new Map(others.map((entity) => [entity.id, entity]))
  const things = [
    ...blocks.slice(0, MOST).map(({ name, at, distance, column, count }) =>
      ({ what: 'block', name, at, distance, column, count })),
    ...seen.slice(0, MOST).map(({ id, distance, column }) =>
      ({ ...bodyOf(/** @type {Snapshot} */ (byId.get(id))), distance, column, count: 1 }))
  ].sort((a, b) => a.distance - b.distance)
  const found = things.map(({ column, distance, ...thing }) =>
    ({ ...thing, distance: Math.round(distance * 10) / 10, side: sideOf(column) }))
  return { found, looked: { sections: 0, cells: cells * RAY_CELLS + bodies.length * BODY_CELLS, matches: 0 } }
}

/** @param {Snapshot} entity @returns {Thing} */
function bodyOf ({ type, name, username, item, position }) {
  const at = position.map((part) => Math.round(part * 10) / 10)
  if (type === 'player') return { what: 'player', name: username ?? name, at }
  if (name === 'item') return { what: 'item', name: item?.name ?? 'item', at }
  return { what: MOBS.has(type) ? 'mob' : 'other', name, at }
}

/** Types of entities that are mobs, by minecraft-data. */
const MOBS = new Set(['mob', 'animal', 'hostile', 'passive', 'ambient', 'water_creature', 'living'])

/** @param {number} column share of the view's width @returns {string} */
function sideOf (column) {
  return column < 1 / 3 ? 'left' : column > 2 / 3 ? 'right' : 'ahead'
}

module.exports = { lookAround }
