'use strict'
/**
 * A* over `MoveGraph`: deterministic, and bounded by the number of cells looked at instead of by a clock.
 *
 * @module engine/body/astar
 */

const { isUnreachable } = require('./unreachable')

/** Cells further than this from the start (on one axis) are not looked at. */
const SPAN = 1023
const DEFAULT_MAX_CELLS = 20000
/** Whoever has looked at so many cells in vain looks once from the goal's side. Most ways are found before. */
const PATIENCE = 256

/**
 * @typedef {object} Goal where a path may end; cells are integers
 * @property {(x: number, y: number, z: number) => number} estimate lower bound of the cost that is left
 * @property {(x: number, y: number, z: number) => boolean} reached
 * @property {import('./unreachable').Box[]} [boxes] it is reached nowhere but in them
 * @property {string} [key] goals with the same are reached in the same cells, for as long as no block in the boxes changes
 *
 * @typedef {{x: number, y: number, z: number}} Cell
 * @typedef {(x: number, y: number, z: number) => number} Crowd how many others stand in a cell
 *
 * @typedef {object} Path
 * @property {'found' | 'none' | 'limit'} status `none`: every reachable cell was looked at, or the goal is enclosed; `limit`: gave up
 * @property {Cell[]} cells without the start; to the best cell when the goal was not found
 * @property {number} cost
 * @property {number} looked cells looked at
 */

/**
 * Searches over the same ways, one after the other. What it knows of a cell stands in arrays by the cell's number; the
 * open cells in a binary heap ordered by cost so far plus estimate. Of ways that cost the same, the heap's own order
 * decides. It is mineflayer-pathfinder's, to the letter, so that bots here take the same way, and end on the same cell,
 * as bots on servers.
 */
class PathFinder {
  #ways
  /** Counts the searches: what is known of a cell holds where it was seen in this one. */
  #search = 0
  #capacity = 0
  #seen = new Int32Array(0)
  #cost = new Float64Array(0)
  #estimate = new Float64Array(0)
  #total = new Float64Array(0)
  /** The cell from which a cell is reached, -1 for the start. */
  #parent = new Int32Array(0)
  /** A cell's place in the heap, -1 once it was taken. */
  #place = new Int32Array(0)
  /** @type {number[]} */
  #heap = []
  /** The last search's start, and the ways' age then, when it looked at every cell that can be reached from there. */
  #exhausted = { start: -1, age: -1 }

  /** @param {import('./move_graph').MoveGraph} ways */
  constructor (ways) {
    this.#ways = ways
  }

  /**
   * The cheapest way from a cell to a goal.
   *
   * @param {Cell} start
   * @param {Goal} goal
   * @param {{maxCells?: number, detour?: number, crowded?: Crowd | null}} [options] `detour`: ways that cost more than the estimate at
   *   the start by more than this are not looked for; `crowded`: where others stand
   * @returns {Path}
   */
  find (start, goal, { maxCells = DEFAULT_MAX_CELLS, detour = Infinity, crowded = null } = {}) {
    this.#ways.tidy()
    const from = this.#ways.cell(start.x, start.y, start.z)
    this.#fit()
    return this.#hopeless(from, goal) ?? this.#explore(from, goal, { maxCells, detour, crowded })
  }

  /**
   * Whoever finds no way to a goal tries another at once, from the same place. When the last search has seen all that can
   * be reached from there and the goal is not among it, there is nothing to look for.
   *
   * @param {number} start @param {Goal} goal @returns {Path | null}
   */
  #hopeless (start, goal) {
    const { x, y, z, age } = this.#ways
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

  /** @param {number} start @param {Goal} goal @param {{maxCells: number, detour: number, crowded: Crowd | null}} options @returns {Path} */
  #explore (start, goal, { maxCells, detour, crowded }) {
    const ways = this.#ways
    const left = goal.estimate(ways.x[start], ways.y[start], ways.z[start])
    const maxCost = left + detour
    this.#search++
    this.#heap = []
    this.#open(start, 0, left, -1)
    this.#exhausted.start = -1
    let best = start
    let looked = 0
    let whole = true
    while (this.#heap.length > 0) {
      const from = this.#take()
      if (goal.reached(ways.x[from], ways.y[from], ways.z[from])) return this.#path('found', from, looked)
      if (++looked > maxCells) return this.#path('limit', best, looked)
      if (looked === PATIENCE && isUnreachable(ways, goal, start, (cell) => this.#seen[cell] === this.#search)) return this.#path('none', best, looked)
      const { to, costs, aside } = ways.from(from)
      this.#fit()
      const { x, y, z } = ways
      const seen = this.#seen; const estimate = this.#estimate
      const far = this.#cost[from]
      for (let move = 0; move < to.length; move++) {
        const cell = to[move]
        const known = seen[cell] === this.#search
        // Who is done with a cell has no better way to it; others in it only make ways dearer.
        if (known && (this.#place[cell] < 0 || far + costs[move] > this.#cost[cell])) continue
        const others = crowded !== null && move < aside ? crowded(x[cell], y[cell], z[cell]) : 0
        const cost = far + costs[move] + others
        if (known) this.#improve(cell, cost, from)
        else if (!near(ways, cell, start)) whole = false
        else {
          const ahead = goal.estimate(x[cell], y[cell], z[cell])
          if (cost + ahead > maxCost) { whole = false; continue }
          this.#open(cell, cost, ahead, from)
          if (ahead < estimate[best]) best = cell
        }
      }
    }
    if (whole) this.#exhausted = { start, age: ways.age }
    return this.#path('none', best, looked)
  }

  /** Have room for every cell of the ways. */
  #fit () {
    if (this.#ways.size <= this.#capacity) return
    this.#capacity = Math.max(4096, 2 * this.#ways.size)
    this.#seen = enlarged(this.#seen, Int32Array, this.#capacity)
    this.#cost = enlarged(this.#cost, Float64Array, this.#capacity)
    this.#estimate = enlarged(this.#estimate, Float64Array, this.#capacity)
    this.#total = enlarged(this.#total, Float64Array, this.#capacity)
    this.#parent = enlarged(this.#parent, Int32Array, this.#capacity)
    this.#place = enlarged(this.#place, Int32Array, this.#capacity)
  }

  #open (cell, cost, estimate, parent) {
    this.#seen[cell] = this.#search
    this.#cost[cell] = cost
    this.#estimate[cell] = estimate
    this.#total[cell] = cost + estimate
    this.#parent[cell] = parent
    this.#heap.push(cell)
    this.#rise(cell, this.#heap.length - 1)
  }

  /** Another way to a cell that was seen: taken where the cell is open still and the way costs no more. */
  #improve (cell, cost, parent) {
    if (this.#place[cell] < 0 || cost > this.#cost[cell]) return
    this.#cost[cell] = cost
    this.#total[cell] = cost + this.#estimate[cell]
    this.#parent[cell] = parent
    this.#rise(cell, this.#place[cell])
  }

  /** @returns {number} the open cell of the lowest total, now closed */
  #take () {
    const heap = this.#heap
    const top = heap[0]
    const last = /** @type {number} */ (heap.pop())
    this.#place[top] = -1
    if (heap.length > 0) this.#sink(last)
    return top
  }

  /** Put a cell into the heap at that place or above. */
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

  /** Put a cell into the heap from its top down. As in mineflayer-pathfinder, the very last one is not looked at where it is a right child. */
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

  /** @returns {Path} */
  #path (status, end, looked) {
    const { x, y, z } = this.#ways
    const cells = []
    for (let cell = end; this.#parent[cell] >= 0; cell = this.#parent[cell]) cells.push({ x: x[cell], y: y[cell], z: z[cell] })
    return { status, cells: cells.reverse(), cost: this.#cost[end], looked }
  }
}

/** @returns {boolean} the cell is not too far from the start to be looked at */
function near ({ x, z }, cell, start) {
  return Math.abs(x[cell] - x[start]) <= SPAN && Math.abs(z[cell] - z[start]) <= SPAN
}

/** @returns {any} a longer array of that kind with the same beginning */
function enlarged (array, Kind, length) {
  const larger = new Kind(length)
  larger.set(array)
  return larger
}

module.exports = { PathFinder }
