'use strict'
/**
 * A* over the cells of a `Terrain`: deterministic, and bounded by the number of cells looked at instead of by a clock.
 *
 * @module skills_js/mock/body/astar
 */

/** Cells further than this from the start (on one axis) are not looked at. */
const SPAN = 1023
const DEFAULT_MAX_CELLS = 20000

/**
 * @typedef {object} Goal where a path may end; cells are integers
 * @property {(x: number, y: number, z: number) => number} estimate lower bound of the cost that is left
 * @property {(x: number, y: number, z: number) => boolean} reached
 *
 * @typedef {{x: number, y: number, z: number}} Cell
 *
 * @typedef {object} Path
 * @property {'found' | 'none' | 'limit'} status `none`: every reachable cell was looked at; `limit`: gave up
 * @property {Cell[]} cells without the start; to the best cell when the goal was not found
 * @property {number} cost
 * @property {number} looked cells looked at
 */

/**
 * Nodes of one search in parallel arrays; the open ones in a binary heap ordered by cost so far plus estimate. Of ways
 * that cost the same, the heap's own order decides. It is mineflayer-pathfinder's, to the letter, so that bots here take
 * the same way, and end on the same cell, as bots on servers.
 */
class Search {
  constructor () {
    /** @type {number[]} */
    this.x = []; this.y = []; this.z = []
    /** @type {number[]} */
    this.cost = []; this.total = []; this.estimate = []; this.parent = []
    /** @type {number[]} place in the heap, -1 once closed */
    this.place = []
    /** @type {number[]} */
    this.heap = []
    /** @type {Map<number, number>} packed cell -> node */
    this.known = new Map()
  }

  /** @returns {number} the new node */
  add (x, y, z, cost, estimate, parent, key) {
    const node = this.x.length
    this.x.push(x); this.y.push(y); this.z.push(z)
    this.cost.push(cost); this.estimate.push(estimate); this.total.push(cost + estimate); this.parent.push(parent)
    this.place.push(this.heap.length)
    this.known.set(key, node)
    this.heap.push(node)
    this.#rise(this.heap.length - 1)
    return node
  }

  /** A way to an open node that costs no more than the one that is known. */
  improve (node, cost, parent) {
    this.cost[node] = cost
    this.total[node] = cost + this.estimate[node]
    this.parent[node] = parent
    this.#rise(this.place[node])
  }

  /** @returns {number} the open node of the lowest total, now closed */
  take () {
    const top = this.heap[0]
    const last = /** @type {number} */ (this.heap.pop())
    this.place[top] = -1
    if (this.heap.length > 0) {
      this.heap[0] = last
      this.place[last] = 0
      this.#sink(0)
    }
    return top
  }

  #rise (at) {
    const { heap, place, total } = this
    const node = heap[at]
    while (at > 0) {
      const up = (at - 1) >> 1
      if (total[heap[up]] <= total[node]) break
      heap[at] = heap[up]; place[heap[at]] = at
      at = up
    }
    heap[at] = node; place[node] = at
  }

  /** As in mineflayer-pathfinder, the very last node is not looked at where it is a right child. */
  #sink (at) {
    const { heap, place, total } = this
    const node = heap[at]
    for (;;) {
      let down = at * 2 + 1
      if (down >= heap.length) break
      if (down + 2 < heap.length && total[heap[down]] > total[heap[down + 1]]) down++
      if (total[node] <= total[heap[down]]) break
      heap[at] = heap[down]; place[heap[at]] = at
      at = down
    }
    heap[at] = node; place[node] = at
  }

  /** @returns {Cell[]} from the start's successor to the node */
  cellsTo (node) {
    const cells = []
    for (; this.parent[node] >= 0; node = this.parent[node]) cells.push({ x: this.x[node], y: this.y[node], z: this.z[node] })
    return cells.reverse()
  }
}

/**
 * The cheapest way from a cell to a goal.
 *
 * @param {import('./moves').Terrain} terrain
 * @param {Cell} start
 * @param {Goal} goal
 * @param {{maxCells?: number, detour?: number}} [options] `detour`: ways that cost more than the estimate at the start by more
 *   than this are not looked for
 * @returns {Path}
 */
function findPath (terrain, start, goal, options = {}) {
  const maxCells = options.maxCells ?? DEFAULT_MAX_CELLS
  const search = new Search()
  const pack = (x, y, z) => ((x - start.x + SPAN) * 2048 + (z - start.z + SPAN)) * 512 + (y + 64)
  const first = goal.estimate(start.x, start.y, start.z)
  const maxCost = first + (options.detour ?? Infinity)
  let best = search.add(start.x, start.y, start.z, 0, first, -1, pack(start.x, start.y, start.z))
  let looked = 0
  let from = best
  const visit = (x, y, z, step) => {
    if (Math.abs(x - start.x) > SPAN || Math.abs(z - start.z) > SPAN) return
    const cost = search.cost[from] + step
    const key = pack(x, y, z)
    const known = search.known.get(key)
    if (known === undefined) {
      const left = goal.estimate(x, y, z)
      if (cost + left > maxCost) return
      const node = search.add(x, y, z, cost, left, from, key)
      if (search.estimate[node] < search.estimate[best]) best = node
    } else if (search.place[known] >= 0 && cost <= search.cost[known]) {
      search.improve(known, cost, from)
    }
  }
  while (search.heap.length > 0) {
    from = search.take()
    if (goal.reached(search.x[from], search.y[from], search.z[from])) return result('found', search, from, looked)
    if (++looked > maxCells) return result('limit', search, best, looked)
    terrain.neighbours(search.x[from], search.y[from], search.z[from], visit)
  }
  return result('none', search, best, looked)
}

/** @returns {Path} */
function result (status, search, node, looked) {
  return { status, cells: search.cellsTo(node), cost: search.cost[node], looked }
}

module.exports = { findPath }
