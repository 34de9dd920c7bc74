'use strict'
/**
 * Bodies that block the paths of others, by column, so that a path costs its length and not the number of bodies.
 *
 * @module skills_js/mock/crowds
 */
const { HEIGHT } = require('../../engine/body/body')

/** Distance along an axis within which a body blocks a cell, from the cell's middle, in blocks. */
const CROWDING = 0.8
/** Columns of the whole world along an axis. */
const COLUMNS = 1 << 26
/** Number of buckets that tell whether any of their columns has a body; most have none. */
const BUCKETS = 1 << 14

/**
 * @typedef {{ x: number, z: number, x0: number, x1: number, z0: number, z1: number }} Stand where a body was last seen,
 *   and the columns that it is in or near to
 */

/** Bodies by column, updated on request, since many things move them. */
class Crowds {
  #clients
  /**
   * Clients with a position, which each keeps in `stand`, since every search reads all of them.
   * @type {Set<import('./client').Client>}
   */
  #standing = new Set()
  /** @type {Map<number, import('./client').Client[]>} */
  #columns = new Map()
  #counts = new Uint16Array(BUCKETS)

  /** @param {Map<string, import('./client').Client>} clients all that are in the world */
  constructor (clients) {
    this.#clients = clients
  }

  /**
   * @param {import('./client').Client} client
   * @returns {(x: number, y: number, z: number) => number} how many others are in or near to a cell, as long as nobody
   *   moves
   */
  around (client) {
    this.#look()
    return (x, y, z) => {
      if (this.#counts[bucket(x, z)] === 0) return 0
      const there = this.#columns.get(x * COLUMNS + z)
      if (there === undefined) return 0
      let others = 0
      for (const other of there) {
        if (other !== client && y >= Math.floor(other.body.y) && y < other.body.y + HEIGHT) others++
      }
      return others
    }
  }

  /** Update who has come, gone and moved. */
  #look () {
    for (const client of this.#clients.values()) {
      const { body: { x, z }, stand } = client
      if (stand !== null && stand.x === x && stand.z === z) continue
      if (stand !== null && stays(stand, x, z)) {
        stand.x = x
        stand.z = z
        continue
      }
      if (stand !== null) this.#leave(client, stand)
      this.#enter(client, { x, z, x0: least(x), x1: last(x), z0: least(z), z1: last(z) })
    }
    if (this.#standing.size === this.#clients.size) return
    for (const client of this.#standing) {
      if (this.#clients.get(client.name) !== client) this.#leave(client, /** @type {Stand} */ (client.stand))
    }
  }

  /** @param {import('./client').Client} client @param {Stand} stand */
  #enter (client, stand) {
    client.stand = stand
    this.#standing.add(client)
    for (let x = stand.x0; x <= stand.x1; x++) {
      for (let z = stand.z0; z <= stand.z1; z++) {
        const there = this.#columns.get(x * COLUMNS + z)
        if (there === undefined) this.#columns.set(x * COLUMNS + z, [client])
        else there.push(client)
        this.#counts[bucket(x, z)]++
      }
    }
  }

  /** @param {import('./client').Client} client @param {Stand} stand */
  #leave (client, stand) {
    client.stand = null
    this.#standing.delete(client)
    for (let x = stand.x0; x <= stand.x1; x++) {
      for (let z = stand.z0; z <= stand.z1; z++) {
        const there = /** @type {import('./client').Client[]} */ (this.#columns.get(x * COLUMNS + z))
        there.splice(there.indexOf(client), 1)
        if (there.length === 0) this.#columns.delete(x * COLUMNS + z)
        this.#counts[bucket(x, z)]--
      }
    }
  }
}

/**
 * @param {Stand} stand
 * @param {number} x
 * @param {number} z
 * @returns {boolean} whether who is there now is in or near to the same columns
 */
function stays (stand, x, z) {
  return stand.x0 === least(x) && stand.x1 === last(x) && stand.z0 === least(z) && stand.z1 === last(z)
}

/**
 * @param {number} at of a body
 * @returns {number} the first cell along an axis whose middle is nearer than `CROWDING`
 */
function least (at) {
  const cell = Math.floor(at - CROWDING - 0.5)
  return Math.abs(at - cell - 0.5) >= CROWDING ? cell + 1 : cell
}

/** @param {number} at of a body @returns {number} the last such cell */
function last (at) {
  const cell = Math.floor(at + CROWDING - 0.5)
  return Math.abs(at - cell - 0.5) >= CROWDING ? cell - 1 : cell
}

/** @param {number} x @param {number} z @returns {number} */
function bucket (x, z) {
  return (Math.imul(x, 73856093) ^ Math.imul(z, 19349663)) & (BUCKETS - 1)
}

module.exports = { Crowds, CROWDING }
