'use strict'
/**
 * Surroundings of a bot as rows for Python (`Sensed` of bridge/types.py): the part that the mock world and bots on
 * servers share.
 *
 * @module skills_js/nearby
 */
const { named } = require('./bot_facade/errors')
const { nearestNames } = require('./bot_facade/nearest_names')

/** Kinds of living beings in minecraft-data; all other entities are things: boats, arrows, frames. */
const BEINGS = new Set(['ambient', 'animal', 'hostile', 'mob', 'passive', 'water_creature'])
const DEGREES = 180 / Math.PI

/**
 * @typedef {{x: number, y: number, z: number}} Point
 * @typedef {{radius: number, most: number, blocks: string[]}} Senses
 * @typedef {'players' | 'mobs' | 'drops'} Kind
 * @typedef {[number, string, number, number, number, number, any]} Row id, name, x, y, z, distance, and what else is
 *   known: of players the item in their hand, of mobs whether they are hostile, of drops how many items
 */

/** @param {number} value @returns {number} to a thousandth: a servers' own precision is less */
const rounded = (value) => Math.round(value * 1000) / 1000

/** @param {any} registry @param {string} type of an entity @returns {Kind | null} */
function kindOf (registry, type) {
  if (type === 'player') return 'players'
  if (type === 'item') return 'drops'
  return BEINGS.has(registry.entitiesByName[type]?.type) ? 'mobs' : null
}

/** @param {any} registry @param {string} type @returns {boolean} */
function isHostile (registry, type) {
  return registry.entitiesByName[type]?.category === 'Hostile mobs'
}

/** Rows of what is near one bot. */
class NearbyRows {
  #from
  #senses
  /** @type {Record<Kind, Row[]>} */
  #rows = { players: [], mobs: [], drops: [] }

  /** @param {Point} from its feet @param {Senses} senses */
  constructor (from, senses) {
    this.#from = from
    this.#senses = senses
  }

  /**
   * @param {Kind} kind
   * @param {number} id
   * @param {string} name
   * @param {Point} at kept when it is within the radius
   * @param {any} more
   */
  add (kind, id, name, { x, y, z }, more) {
    const { radius } = this.#senses
    // Most of a crowd is too far along one axis alone, which costs less to see.
    if (Math.abs(x - this.#from.x) > radius || Math.abs(z - this.#from.z) > radius) return
    const distance = Math.hypot(x - this.#from.x, y - this.#from.y, z - this.#from.z)
    if (distance <= radius) this.#rows[kind].push([id, name, x, y, z, distance, more])
  }

  /** @returns {Record<Kind, Row[]>} of each kind the nearest, in their order */
  near () {
    const { players, mobs, drops } = this.#rows
    return { players: this.#nearest(players), mobs: this.#nearest(mobs), drops: this.#nearest(drops) }
  }

  /** @param {Row[]} rows @returns {Row[]} */
  #nearest (rows) {
    if (rows.length === 0) return rows
    rows.sort((a, b) => a[5] - b[5] || a[0] - b[0])
    return rows.slice(0, this.#senses.most).map(([id, name, x, y, z, distance, more]) =>
      [id, name, rounded(x), rounded(y), rounded(z), rounded(distance), more])
  }
}

/**
 * @param {any} registry
 * @param {string[]} names of blocks
 * @returns {Map<number, string>} name by state
 * @throws {BadArgument} there is no such block
 */
function statesOf (registry, names) {
  const states = new Map()
  for (const name of names) {
    const block = Object.hasOwn(registry.blocksByName, name) ? registry.blocksByName[name] : null
    if (block === null) {
      const meant = nearestNames(name, Object.keys(registry.blocksByName))
      throw named('BadArgument', `there is no block ${JSON.stringify(name)}; nearest: ${meant.join(', ')}`)
    }
    for (let state = block.minStateId; state <= block.maxStateId; state++) states.set(state, name)
  }
  return states
}

/**
 * @param {Point} from
 * @param {number[][]} places of blocks
 * @param {(x: number, y: number, z: number) => string} nameAt
 * @returns {[string, number, number, number, number][]} name, x, y, z, distance to the middle
 */
function blockRows (from, places, nameAt) {
  return places.map(([x, y, z]) =>
    [nameAt(x, y, z), x, y, z, rounded(Math.hypot(x + 0.5 - from.x, y + 0.5 - from.y, z + 0.5 - from.z))])
}

/**
 * @param {number} yaw radians as bots count: 0 north, counter-clockwise
 * @param {number} pitch radians, up is positive
 * @returns {{yaw: number, pitch: number}} degrees as in vanilla commands: 0 south, clockwise, -180 to 180; down is
 *   positive
 */
function facing (yaw, pitch) {
  const turn = (Math.PI - yaw) * DEGREES
  return { yaw: rounded(turn - 360 * Math.floor((turn + 180) / 360)) + 0, pitch: rounded(-pitch * DEGREES) + 0 }
}

module.exports = { NearbyRows, blockRows, facing, isHostile, kindOf, statesOf }
