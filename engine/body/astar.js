'use strict'
/**
 * A* search over a `MoveGraph`. It is deterministic, and bounded by a number of cells instead of by a clock.
 *
 * @module engine/body/astar
 */

const { isUnreachable } = require('./unreachable')

/** Maximum distance of a cell from the start along the x or z axis, in blocks. */
const SPAN = 1023
/** Maximum number of expanded cells. */
const DEFAULT_MAX_CELLS = 20000
/**
 * Number of expanded cells after which the search tests once, from the goal's side, whether the goal is unreachable.
 */
const PATIENCE = 256

/**
 * @typedef {object} Goal the cells, with integer coordinates, in which a path may end
 * @property {(x: number, y: number, z: number) => number} estimate lower bound of the remaining cost
 * @property {(x: number, y: number, z: number) => boolean} reached
 * @property {import('./unreachable').Box[]} [boxes] boxes that contain all cells in which the goal is reached
 * @property {string} [key] equal for goals that are reached in the same cells while no block in the boxes changes
 *
 * @typedef {{x: number, y: number, z: number}} Cell
 * @typedef {(x: number, y: number, z: number) => number} Crowd number of other bodies in a cell
 *
 * @typedef {object} Path
 * @property {'found' | 'none' | 'limit'} status `none`: the goal is unreachable, or all reachable cells were expanded;
 *   `limit`: the search gave up
 * @property {Cell[]} cells without the start; they lead to the best cell if the goal was not found
 * @property {number} cost
 * @property {number} looked number of expanded cells
 *
 * @typedef {object} Bounds
 * @property {number} maxCells maximum number of expanded cells
 * @property {number} detour maximum cost of a path beyond the estimate at the start
 * @property {Crowd | null} crowded number of other bodies in each cell, which is added to its cost
 */

/**
 * Search over one graph, which can be repeated. Facts about a cell are in arrays by the cell's number. The open cells
 * are in a binary heap ordered by cost so far plus estimate. Ties are broken by the heap's order, which is exactly that
 * of mineflayer-pathfinder: bots here take the same path, and end in the same cell, as bots on servers.
 */
class PathFinder {
  #graph
  /** Number of this search. The entries of a cell are valid if the cell was seen in this search. */
  #search = 0
  #capacity = 0
  #seen = new Int32Array(0)
  #cost = new Float64Array(0)
  #estimate = new Float64Array(0)
  #total = new Float64Array(0)
  /** The cell from which a cell is reached; -1 for the start. */
  #parent = new Int32Array(0)
  /** A cell's place in the heap; -1 after it was taken. */
  #place = new Int32Array(0)
  /** Open cells, the one with the lowest total first. @type {number[]} */
  #heap = []
  /** Start of the last search and the graph's age, if that search expanded every cell reachable from its start. */
  #exhausted = { start: -1, age: -1 }

  /** @param {import('./move_graph').MoveGraph} graph */
  constructor (graph) {
    this.#graph = graph
  }

  /**
   * Return the cheapest path from a cell to a goal.
   *
   * @param {Cell} start
   * @param {Goal} goal
   * @param {Partial<Bounds>} [bounds]
   * @returns {Path}
   */
  find (start, goal, { maxCells = DEFAULT_MAX_CELLS, detour = Infinity, crowded = null } = {}) {
    this.#graph.tidy()
    const from = this.#graph.cell(start.x, start.y, start.z)
    this.#fit()
    return this.#recallExhausted(from, goal) ?? this.#explore(from, goal, { maxCells, detour, crowded })
  }

  /**
   * Answer from the last search if it expanded all cells reachable from the same start and the goal is not among them.
   * A body that finds no path to a goal often tries another one from the same place.
   *
   * @param {number} start
   * @param {Goal} goal
   * @returns {Path | null}
   */
  #recallExhausted (start, goal) {
    const { x, y, z, age } = this.#graph
    if (this.#exhausted.start !== start || this.#exhausted.age !== age) return null
    let best = start
    let left = Infinity
    let looked = 0
    for (let cell = 0; cell < x.length; cell++) {
      if (this.#seen[cell] !== this.#search) continue
      looked++
      if (goal.reached(x[cell], y[cell], z[cell])) return null
      const ahead = goal.estimate(x[cell], y[cell], z[cell])
      if (ahead < left) { best = cell; left = ahead }
    }
    return this.#path('none', best, looked)
  }

  /** @param {number} start @param {Goal} goal @param {Bounds} bounds @returns {Path} */
  #explore (start, goal, { maxCells, detour, crowded }) {
    const graph = this.#graph
    const left = goal.estimate(graph.x[start], graph.y[start], graph.z[start])
    const maxCost = left + detour
    this.#search++
    this.#heap = []
    this.#open(start, 0, left, -1)
    this.#exhausted.start = -1
    let best = start
    let looked = 0
    let complete = true
    const isSeen = (/** @type {number} */ cell) => this.#seen[cell] === this.#search
    while (this.#heap.length > 0) {
      const from = this.#take()
      if (goal.reached(graph.x[from], graph.y[from], graph.z[from])) return this.#path('found', from, looked)
      if (++looked > maxCells) return this.#path('limit', best, looked)
      if (looked === PATIENCE && isUnreachable(graph, goal, start, isSeen)) return this.#path('none', best, looked)
      const { to, costs, aside } = graph.from(from)
      this.#fit()
      const { x, y, z } = graph
      const seen = this.#seen; const estimate = this.#estimate
      const far = this.#cost[from]
      for (let move = 0; move < to.length; move++) {
        const cell = to[move]
        const known = seen[cell] === this.#search
        // A closed cell has no cheaper path, and other bodies only raise the cost.
        if (known && (this.#place[cell] < 0 || far + costs[move] > this.#cost[cell])) continue
        const others = crowded !== null && move < aside ? crowded(x[cell], y[cell], z[cell]) : 0
        const cost = far + costs[move] + others
        if (known) this.#improve(cell, cost, from)
        else if (!isNear(graph, cell, start)) complete = false
        else {
          const ahead = goal.estimate(x[cell], y[cell], z[cell])
          if (cost + ahead > maxCost) { complete = false; continue }
          this.#open(cell, cost, ahead, from)
          if (ahead < estimate[best]) best = cell
        }
      }
    }
    if (complete) this.#exhausted = { start, age: graph.age }
    return this.#path('none', best, looked)
  }

  /** Enlarge the arrays to hold every cell of the graph. */
  #fit () {
    if (this.#graph.size <= this.#capacity) return
    this.#capacity = Math.max(4096, 2 * this.#graph.size)
    this.#seen = enlarged(this.#seen, Int32Array, this.#capacity)
    this.#cost = enlarged(this.#cost, Float64Array, this.#capacity)
    this.#estimate = enlarged(this.#estimate, Float64Array, this.#capacity)
    this.#total = enlarged(this.#total, Float64Array, this.#capacity)
    this.#parent = enlarged(this.#parent, Int32Array, this.#capacity)
    this.#place = enlarged(this.#place, Int32Array, this.#capacity)
  }

  /** @param {number} cell @param {number} cost @param {number} estimate @param {number} parent */
  #open (cell, cost, estimate, parent) {
    this.#seen[cell] = this.#search
    this.#cost[cell] = cost
    this.#estimate[cell] = estimate
    this.#total[cell] = cost + estimate
    this.#parent[cell] = parent
    this.#heap.push(cell)
    this.#rise(cell, this.#heap.length - 1)
  }

  /**
   * Record another path to a seen cell, if the cell is still open and the path costs no more.
   *
   * @param {number} cell
   * @param {number} cost
   * @param {number} parent
   */
  #improve (cell, cost, parent) {
    if (this.#place[cell] < 0 || cost > this.#cost[cell]) return
    this.#cost[cell] = cost
    this.#total[cell] = cost + this.#estimate[cell]
    this.#parent[cell] = parent
    this.#rise(cell, this.#place[cell])
  }

  /** Close the open cell with the lowest total. @returns {number} that cell */
  #take () {
    const heap = this.#heap
    const top = heap[0]
    const last = /** @type {number} */ (heap.pop())
    this.#place[top] = -1
    if (heap.length > 0) this.#sink(last)
    return top
  }

  /** Put a cell into the heap at a place or above it. @param {number} cell @param {number} at */
  #rise (cell, at) {
    const heap = this.#heap; const place = this.#place; const total = this.#total
    while (at > 0) {
      const up = (at - 1) >> 1
      if (total[heap[up]] <= total[cell]) break
      heap[at] = heap[up]; place[heap[at]] = at
      at = up
    }
    heap[at] = cell; place[cell] = at
  }

  /**
   * Put a cell into the heap from the top down. As in mineflayer-pathfinder, the last entry is ignored if it is a right
   * child.
   *
   * @param {number} cell
   */
  #sink (cell) {
    const heap = this.#heap; const place = this.#place; const total = this.#total
    let at = 0
    for (;;) {
      let down = at * 2 + 1
      if (down >= heap.length) break
      if (down + 2 < heap.length && total[heap[down]] > total[heap[down + 1]]) down++
      if (total[cell] <= total[heap[down]]) break
      heap[at] = heap[down]; place[heap[at]] = at
      at = down
    }
    heap[at] = cell; place[cell] = at
  }

  /** @param {Path['status']} status @param {number} end @param {number} looked @returns {Path} */
  #path (status, end, looked) {
    const { x, y, z } = this.#graph
    const cells = []
    for (let cell = end; this.#parent[cell] >= 0; cell = this.#parent[cell]) {
      cells.push({ x: x[cell], y: y[cell], z: z[cell] })
    }
    return { status, cells: cells.reverse(), cost: this.#cost[end], looked }
  }
}

/** @param {import('./move_graph').MoveGraph} graph @param {number} cell @param {number} start @returns {boolean} */
function isNear ({ x, z }, cell, start) {
  return Math.abs(x[cell] - x[start]) <= SPAN && Math.abs(z[cell] - z[start]) <= SPAN
}

/**
 * Return a longer array that begins with the entries of a given one.
 *
 * @template {Int32Array | Float64Array} A
 * @param {A} array
 * @param {new (length: number) => A} Kind
 * @param {number} length
 * @returns {A}
 */
function enlarged (array, Kind, length) {
  const larger = new Kind(length)
  larger.set(array)
  return larger
}

module.exports = { PathFinder }
