'use strict'
/**
 * The cells where bodies have looked for a way, and the moves between them, ready for the next search: most searches go
 * over the same ground, and blocks change seldom.
 *
 * @module engine/body/move_graph
 */
const { UnreachableCache } = require('./unreachable_cache')
const { LOOK_ASIDE, LOOK_UP } = require('./moves')

/** Columns of the whole world along an axis. */
const COLUMNS = 1 << 26
/** With more cells than these all are forgotten before the next search, which only costs time. */
const MOST_CELLS = 1 << 18

/**
 * @typedef {object} Moves from one cell, in the order in which the terrain names them
 * @property {number[]} to cells, by their numbers
 * @property {number[]} costs
 * @property {number} aside the first so many lead to another column; the others straight up or down
 */

/** Columns around a changed block in which moves may be others now, as steps along x and z. @type {[number, number][]} */
const AROUND = []
for (const dx of [-1, 0, 1]) for (const dz of [-1, 0, 1]) AROUND.push([dx, dz])
for (let far = 2; far <= LOOK_ASIDE; far++) AROUND.push([far, 0], [-far, 0], [0, far], [0, -far])

/** Cells, numbered from 0, and their moves. */
class MoveGraph {
  #most
  /** The cells of each column. @type {Map<number, number[]>} */
  #columns = new Map()
  /** Moves from each cell; null where they are not known. @type {(Moves | null)[]} */
  #moves = []
  /** Counts the changes: of one age are only ways that are the same. */
  age = 0
  /** What is known of goals that nobody gets to. */
  enclosures = new UnreachableCache()
  /** Where each cell is. @type {number[]} */
  x = []
  /** @type {number[]} */
  y = []
  /** @type {number[]} */
  z = []

  /**
   * @param {import('./moves').Terrain} terrain
   * @param {number} [most] cells to be remembered from one search to the next
   */
  constructor (terrain, most = MOST_CELLS) {
    this.terrain = terrain
    this.#most = most
  }

  /** @returns {number} cells that are known */
  get size () { return this.x.length }

  /** Make room where too many cells have come together; numbers of cells no longer hold. */
  tidy () {
    if (this.size <= this.#most) return
    this.age++
    this.enclosures.clear()
    this.#columns.clear()
    this.#moves = []
    this.x = []
    this.y = []
    this.z = []
  }

  /** @returns {number} the number of that cell */
  cell (x, y, z) {
    const key = x * COLUMNS + z
    let column = this.#columns.get(key)
    if (column === undefined) this.#columns.set(key, column = [])
    for (const cell of column) if (this.y[cell] === y) return cell
    const cell = this.x.length
    this.x.push(x); this.y.push(y); this.z.push(z)
    this.#moves.push(null)
    column.push(cell)
    return cell
  }

  /** @returns {number} the number of that cell; -1 where it has none yet */
  known (x, y, z) {
    const column = this.#columns.get(x * COLUMNS + z)
    if (column !== undefined) for (const cell of column) if (this.y[cell] === y) return cell
    return -1
  }

  /** @param {number} cell @returns {Moves} */
  from (cell) {
    return this.#moves[cell] ?? (this.#moves[cell] = this.#find(cell))
  }

  /**
   * A block has changed: the moves around it are found anew when they are asked for.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  forget (x, y, z) {
    if (this.size === 0) return
    this.age++
    this.enclosures.changed(x, y, z)
    for (const [dx, dz] of AROUND) {
      const column = this.#columns.get((x + dx) * COLUMNS + z + dz)
      if (column === undefined) continue
      for (const cell of column) if (this.y[cell] + LOOK_UP >= y) this.#moves[cell] = null
    }
  }

  /** @param {number} cell @returns {Moves} */
  #find (cell) {
    /** @type {Moves} */
    const moves = { to: [], costs: [], aside: 0 }
    this.terrain.neighbours(this.x[cell], this.y[cell], this.z[cell], (x, y, z, cost, upright = false) => {
      moves.to.push(this.cell(x, y, z))
      moves.costs.push(cost)
      if (!upright) moves.aside = moves.to.length
    })
    return moves
  }
}

module.exports = { MoveGraph }
