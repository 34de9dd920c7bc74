'use strict'
/**
 * Graph of the cells that path searches have expanded and the moves between them. It is kept from one search to the
 * next, because most searches cover the same ground and blocks seldom change.
 *
 * @module engine/body/move_graph
 */
const { UnreachableCache } = require('./unreachable_cache')
const { LOOK_ASIDE, LOOK_UP } = require('./moves')

/** Number of block columns of the world along an axis. */
const COLUMNS = 1 << 26
/** Maximum number of cells. If there are more, the graph is emptied before the next search, which only costs time. */
const MAX_CELLS = 1 << 18

/**
 * @typedef {object} Moves moves from one cell, in the order in which the terrain lists them
 * @property {number[]} to numbers of the cells
 * @property {number[]} costs
 * @property {number} aside number of moves to other columns, which come first; the others lead straight up or down
 */

/**
 * Columns around a changed block in which moves may have changed, as steps along x and z.
 *
 * @type {[number, number][]}
 */
const AROUND = []
for (const dx of [-1, 0, 1]) for (const dz of [-1, 0, 1]) AROUND.push([dx, dz])
for (let far = 2; far <= LOOK_ASIDE; far++) AROUND.push([far, 0], [-far, 0], [0, far], [0, -far])

/** Cells, numbered from 0, and the moves between them. */
class MoveGraph {
  #maxCells
  /** The cells of each column. @type {Map<number, number[]>} */
  #columns = new Map()
  /** Moves from each cell; null if they are not known. @type {(Moves | null)[]} */
  #moves = []
  /** Number of changes. Graphs of the same age are the same. */
  age = 0
  /** Goals that are known to be unreachable or reachable. */
  unreachable = new UnreachableCache()
  /** Coordinates of each cell. @type {number[]} */
  x = []
  /** @type {number[]} */
  y = []
  /** @type {number[]} */
  z = []

  /**
   * @param {import('./moves').Terrain} terrain
   * @param {number} [maxCells] maximum number of cells kept from one search to the next
   */
  constructor (terrain, maxCells = MAX_CELLS) {
    this.terrain = terrain
    this.#maxCells = maxCells
  }

  /** @returns {number} number of known cells */
  get size () { return this.x.length }

  /** Empty the graph if it has too many cells. The numbers of cells are then invalid. */
  tidy () {
    if (this.size <= this.#maxCells) return
    this.age++
    this.unreachable.clear()
    this.#columns.clear()
    this.#moves = []
    this.x = []
    this.y = []
    this.z = []
  }

  /**
   * Return the number of a cell, and add the cell if it is new.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {number}
   */
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

  /** @param {number} x @param {number} y @param {number} z @returns {number} the cell's number, or -1 if it has none */
  known (x, y, z) {
    const column = this.#columns.get(x * COLUMNS + z)
    if (column !== undefined) for (const cell of column) if (this.y[cell] === y) return cell
    return -1
  }

  /** Return the moves from a cell. @param {number} cell @returns {Moves} */
  from (cell) {
    return this.#moves[cell] ?? (this.#moves[cell] = this.#find(cell))
  }

  /**
   * Forget the moves around a changed block.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  forget (x, y, z) {
    if (this.size === 0) return
    this.age++
    this.unreachable.blockChanged(x, y, z)
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
