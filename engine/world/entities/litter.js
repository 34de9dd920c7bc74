'use strict'
/** What lies on the ground, by squares of land: a player reaches, and a stack joins, what is near, wherever else things lie. */

/** Side of a square in blocks: nothing reaches, or goes in a tick, so far that it is to be found beyond the next one. */
const SIDE = 8
/** Squares along an axis: they make one number of two. */
const ALONG = 2 ** 23
/** @type {never[]} */
const NOTHING = []

/** @typedef {import('./drops').Drop} Drop */

/** The things on the ground of one world. */
class Litter {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** Where each thing was when it was looked for first in this tick, or came. @type {Map<number, Drop[]>} */
    this.squares = new Map()
    /** The age for which they are sorted. */
    this.age = -1
  }

  /** A thing has come. @param {Drop} drop */
  add (drop) {
    this.world.loose.add(drop)
    if (this.age === this.world.age) this.sort(drop)
  }

  /** @param {Drop} drop */
  sort (drop) {
    const key = squareOf(Math.floor(drop.x / SIDE), Math.floor(drop.z / SIDE))
    const there = this.squares.get(key)
    if (there === undefined) this.squares.set(key, [drop])
    else there.push(drop)
  }

  /** Things that may be near a place, and some that are not, in the order in which they came. @param {{ x: number, z: number }} place @returns {readonly Drop[]} */
  near ({ x, z }) {
    if (this.age !== this.world.age) this.renew()
    const [east, south] = [Math.floor(x / SIDE), Math.floor(z / SIDE)]
    /** @type {Drop[]} */
    let found = NOTHING
    for (let a = east - 1; a <= east + 1; a++) {
      for (let b = south - 1; b <= south + 1; b++) {
        const there = this.squares.get(squareOf(a, b))
        if (there !== undefined) found = found.length === 0 ? there : found.concat(there)
      }
    }
    return found.length < 2 ? found : found.slice().sort((one, other) => one.id - other.id)
  }

  renew () {
    this.age = this.world.age
    this.squares.clear()
    for (const drop of this.world.loose) this.sort(drop)
  }
}

/** @param {number} east @param {number} south */
function squareOf (east, south) { return east * ALONG + south }

module.exports = { Litter }
