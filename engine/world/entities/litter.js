'use strict'
/** What lies on the ground, by squares of land: a player reaches, and a stack joins, what is near, wherever else things lie. */

/** Side of a square in blocks: nothing reaches so far that what it reaches is beyond the next one. */
const SIDE = 8
/** Squares along an axis: they make one number of two. */
const ALONG = 2 ** 23
/** As far beyond a block's sides may the middle of a thing be that lies on it, or is pushed by it, in blocks. */
const NEXT = 0.5
/** @type {never[]} */
const NOTHING = []

/** @typedef {import('./drops').Drop} Drop */

/** The things on the ground of one world. */
class Litter {
  /** Things by the square where they were last. @type {Map<number, Drop[]>} */
  #squares = new Map()

  /** A thing has come. @param {Drop} drop */
  add (drop) {
    drop.square = squareOf(drop)
    const there = this.#squares.get(drop.square)
    if (there === undefined) this.#squares.set(drop.square, [drop])
    else there.push(drop)
  }

  /** It has gone. @param {Drop} drop */
  remove (drop) {
    const there = this.#squares.get(drop.square)
    const index = there?.indexOf(drop) ?? -1
    if (there === undefined || index < 0) return
    if (there.length === 1) this.#squares.delete(drop.square)
    else there.splice(index, 1)
  }

  /** It may be somewhere else by now. @param {Drop} drop */
  follow (drop) {
    if (drop.removed || squareOf(drop) === drop.square) return
    this.remove(drop)
    this.add(drop)
  }

  /** A block changes in a column of the world, on which something may lie: who is there wakes. @param {number} x @param {number} z */
  stir (x, z) {
    for (let east = Math.floor((x - NEXT) / SIDE); east <= Math.floor((x + 1 + NEXT) / SIDE); east++) {
      for (let south = Math.floor((z - NEXT) / SIDE); south <= Math.floor((z + 1 + NEXT) / SIDE); south++) {
        for (const drop of this.#squares.get(east * ALONG + south) ?? NOTHING) if (Math.abs(drop.x - x - 0.5) < NEXT + 0.5 && Math.abs(drop.z - z - 0.5) < NEXT + 0.5) drop.stir()
      }
    }
  }

  /** Things that may be near a place, and some that are not, in the order in which they came. @param {{ x: number, z: number }} place @returns {readonly Drop[]} */
  near ({ x, z }) {
    /** @type {Drop[]} */
    let found = NOTHING
    const [east, south] = [Math.floor(x / SIDE), Math.floor(z / SIDE)]
    for (let dx = -1; dx <= 1; dx++) {
      for (let dz = -1; dz <= 1; dz++) {
        const there = this.#squares.get((east + dx) * ALONG + south + dz)
        if (there !== undefined) found = found.length === 0 ? there.slice() : found.concat(there)
      }
    }
    return found.length < 2 ? found : found.sort((one, other) => one.id - other.id)
  }
}

/** @param {{ x: number, z: number }} place */
function squareOf ({ x, z }) { return Math.floor(x / SIDE) * ALONG + Math.floor(z / SIDE) }

module.exports = { Litter }
