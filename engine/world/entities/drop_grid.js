'use strict'
/** A spatial hash of drops: which items and orbs lie near a place, however many lie elsewhere. */

/** Side of a cell in blocks: no player or stack reaches beyond the neighbouring cells. */
const CELL_SIZE = 8
/** Cells along an axis: both indices of a cell are packed into one number. */
const CELLS_ALONG = 2 ** 23
/**
 * Distance from a block's side up to which a drop's centre may be if the block carries or pushes the drop, in blocks.
 */
const TOUCH_DISTANCE = 0.5
/** @type {never[]} */
const NO_DROPS = []

/** @typedef {import('./drops').Drop} Drop */

/** The drops of one world by cell. */
class DropGrid {
  /** @type {Map<number, Drop[]>} */
  #cells = new Map()

  /** @param {Drop} drop */
  add (drop) {
    drop.gridCell = cellOf(drop)
    const drops = this.#cells.get(drop.gridCell)
    if (drops === undefined) this.#cells.set(drop.gridCell, [drop])
    else drops.push(drop)
  }

  /** @param {Drop} drop */
  remove (drop) {
    const drops = this.#cells.get(drop.gridCell)
    const index = drops?.indexOf(drop) ?? -1
    if (drops === undefined || index < 0) return
    if (drops.length === 1) this.#cells.delete(drop.gridCell)
    else drops.splice(index, 1)
  }

  /** File a drop that may have moved under its present cell. @param {Drop} drop */
  update (drop) {
    if (drop.removed || cellOf(drop) === drop.gridCell) return
    this.remove(drop)
    this.add(drop)
  }

  /** Resume the drops that a changed block at (x, z) may carry or push. @param {number} x @param {number} z */
  resumeAt (x, z) {
    const near = (/** @type {Drop} */ drop) =>
      Math.abs(drop.x - x - 0.5) < TOUCH_DISTANCE + 0.5 && Math.abs(drop.z - z - 0.5) < TOUCH_DISTANCE + 0.5
    const [west, east] = [Math.floor((x - TOUCH_DISTANCE) / CELL_SIZE),
      Math.floor((x + 1 + TOUCH_DISTANCE) / CELL_SIZE)]
    const [north, south] = [Math.floor((z - TOUCH_DISTANCE) / CELL_SIZE),
      Math.floor((z + 1 + TOUCH_DISTANCE) / CELL_SIZE)]
    for (let cx = west; cx <= east; cx++) {
      for (let cz = north; cz <= south; cz++) {
        for (const drop of this.#cells.get(cx * CELLS_ALONG + cz) ?? NO_DROPS) if (near(drop)) drop.resume()
      }
    }
  }

  /**
   * Return the drops of the place's cell and the eight around it, in the order of their ids.
   * @param {{ x: number, z: number }} place
   * @returns {readonly Drop[]}
   */
  near ({ x, z }) {
    /** @type {Drop[]} */
    let found = NO_DROPS
    const [east, south] = [Math.floor(x / CELL_SIZE), Math.floor(z / CELL_SIZE)]
    for (let dx = -1; dx <= 1; dx++) {
      for (let dz = -1; dz <= 1; dz++) {
        const drops = this.#cells.get((east + dx) * CELLS_ALONG + south + dz)
        if (drops !== undefined) found = found.length === 0 ? drops.slice() : found.concat(drops)
      }
    }
    return found.length < 2 ? found : found.sort((one, other) => one.id - other.id)
  }
}

/** @param {{ x: number, z: number }} place */
function cellOf ({ x, z }) { return Math.floor(x / CELL_SIZE) * CELLS_ALONG + Math.floor(z / CELL_SIZE) }

module.exports = { DropGrid }
