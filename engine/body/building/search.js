'use strict'
/**
 * A* search over moves that dig and build. A cell's moves depend on the number of blocks left to build with, so nothing
 * is kept from one search to the next. Ties are broken by the heap's order, which is exactly that of
 * mineflayer-pathfinder.
 *
 * @module engine/body/building/search
 */
const { NONE, SPAN, CellMap, numberOf } = require('./cell_map')

/**
 * @typedef {import('./moves').Move} Move
 * @typedef {{move: Move, from: Node | null, cost: number, ahead: number, total: number, open: boolean, place: number}}
 *   Node
 *
 * @typedef {object} BuildingPath
 * @property {'found' | 'none' | 'limit'} status `none`: every cell in bounds was expanded; `limit`: the search gave up
 * @property {Move[]} cells without the start, each with the blocks to dig and to place before it is entered
 * @property {number} cost
 * @property {number} looked number of expanded cells
 *
 * @typedef {object} Bounds of a search
 * @property {number} maxCells maximum number of cells expanded for the cheapest path
 * @property {number} detour maximum cost of a path beyond the estimate at the start
 * @property {number} [hurried] maximum number of cells expanded after those for any path at all
 *
 * @typedef {{x: number, y: number, z: number, left: number}} Start cell of the body; `left`: blocks to build with
 */

/** Open nodes in a binary heap, the one with the lowest total first. */
class OpenNodes {
  /** @type {Node[]} */
  #heap = []

  /** @returns {number} */
  get size () { return this.#heap.length }

  /** @param {Node} node */
  add (node) {
    this.#heap.push(node)
    this.rise(node, this.#heap.length - 1)
  }

  /** Move up a node whose total has decreased. @param {Node} node @param {number} at its place */
  rise (node, at) {
    const heap = this.#heap
    while (at > 0) {
      const up = (at - 1) >> 1
      if (heap[up].total <= node.total) break
      heap[at] = heap[up]; heap[at].place = at
      at = up
    }
    heap[at] = node; node.place = at
  }

  /** Remove the first node. @returns {Node} */
  take () {
    const heap = this.#heap
    const top = heap[0]
    const last = /** @type {Node} */ (heap.pop())
    if (heap.length === 0) return top
    let at = 0
    for (;;) {
      let down = at * 2 + 1
      if (down >= heap.length) break
      if (down + 2 < heap.length && heap[down].total > heap[down + 1].total) down++
      if (last.total <= heap[down].total) break
      heap[at] = heap[down]; heap[at].place = at
      at = down
    }
    heap[at] = last; last.place = at
    return top
  }
}

/** Weight of the estimate in a hurried search, which therefore tries straight paths first. */
const HASTE = 16

/** One search. It receives the moves from a cell one by one; most of them lead to cells that have a cheaper path. */
class Search {
  /** @type {CellMap<Node>} */
  #known = new CellMap()
  #open = new OpenNodes()
  #start
  #goal
  #maxCost
  /** The cell that is being expanded. @type {Node} */
  #from
  /** Number of the cell that was looked up last. */
  #cell = NONE
  /** Node of that cell. @type {Node | undefined} */
  #there
  #ahead = 0
  /** The node nearest to the goal. @type {Node} */
  best

  /** @param {Start} start @param {import('../astar').Goal} goal @param {number} detour */
  constructor (start, goal, detour) {
    this.#start = start
    this.#goal = goal
    const ahead = goal.estimate(start.x, start.y, start.z)
    this.best = this.#from = node({ ...start, cost: 0, dig: [], put: [] }, null, 0, ahead)
    this.#maxCost = this.best.ahead + detour
    this.#known.add(numberOf(start.x, start.y, start.z), this.best)
    this.#open.add(this.best)
  }

  /** @returns {number} number of known cells */
  get size () { return this.#known.size }

  /** Close the open node with the lowest total. @returns {Node | null} that node, or null if none is open */
  next () {
    if (this.#open.size === 0) return null
    this.#from = this.#open.take()
    this.#from.open = false
    return this.#from
  }

  /** @param {number} x @param {number} y @param {number} z @returns {Node | undefined} the cell's node */
  #look (x, y, z) {
    const cell = numberOf(x, y, z)
    if (cell === this.#cell) return this.#there
    this.#cell = cell
    return (this.#there = this.#known.get(cell))
  }

  /**
   * Return true if no path to a cell by a move of at least some cost is cheaper than the known one.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} minCost
   * @returns {boolean}
   */
  isFutile (x, y, z, minCost) {
    const there = this.#look(x, y, z)
    return there !== undefined && (!there.open || there.cost < this.#from.cost + minCost)
  }

  /**
   * Return true if a path to a cell by a move of some cost is cheaper than the known one.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} moveCost
   * @returns {boolean}
   */
  isCheaper (x, y, z, moveCost) {
    const there = this.#look(x, y, z)
    const cost = this.#from.cost + moveCost
    if (there !== undefined ? !there.open || there.cost < cost : !isNear(x, z, this.#start)) return false
    const ahead = there === undefined ? this.#goal.estimate(x, y, z) : there.ahead
    if (this.#maxCost > 0 && cost + ahead > this.#maxCost) return false
    this.#ahead = ahead
    return true
  }

  /** Record a move for which `isCheaper` has just returned true. @param {Move} move */
  take (move) {
    const there = this.#there
    const cost = this.#from.cost + move.cost
    const reached = there === undefined
      ? node(move, this.#from, cost, this.#ahead)
      : improve(there, move, this.#from, cost)
    if (this.#ahead < this.best.ahead) this.best = reached
    if (there !== undefined) return this.#open.rise(reached, reached.place)
    this.#known.add(this.#cell, reached)
    this.#there = reached
    this.#open.add(reached)
  }
}

/**
 * Return the cheapest path from a cell to a goal within `maxCells`, or else any path that a hurried search finds.
 *
 * @param {import('./moves').Moves} moves
 * @param {Start} start
 * @param {import('../astar').Goal} goal
 * @param {Bounds} bounds
 * @returns {BuildingPath}
 */
function findBuildingPath (moves, start, goal, bounds) {
  const careful = explore(moves, start, goal, bounds)
  const { hurried = 0 } = bounds
  if (careful.status !== 'limit' || hurried === 0) return careful
  /** @type {import('../astar').Goal} */
  const hasty = { ...goal, estimate: (x, y, z) => HASTE * goal.estimate(x, y, z) }
  const any = explore(moves, start, hasty, { maxCells: hurried, detour: HASTE * bounds.detour })
  return { ...(any.status === 'found' ? any : careful), looked: careful.looked + any.looked }
}

/**
 * @param {import('./moves').Moves} moves
 * @param {Start} start
 * @param {import('../astar').Goal} goal
 * @param {Bounds} bounds
 * @returns {BuildingPath}
 */
function explore (moves, start, goal, { maxCells, detour }) {
  const search = new Search(start, goal, detour)
  let looked = 0
  for (let from = search.next(); from !== null; from = search.next()) {
    if (goal.reached(from.move.x, from.move.y, from.move.z)) return pathTo('found', from, looked)
    if (++looked > maxCells) return pathTo('limit', search.best, looked)
    moves.from(from.move, search)
  }
  return pathTo('none', search.best, search.size)
}

/**
 * Reach a known node by a cheaper move.
 *
 * @param {Node} there
 * @param {Move} move
 * @param {Node} from
 * @param {number} cost
 * @returns {Node}
 */
function improve (there, move, from, cost) {
  there.move = move
  there.from = from
  there.cost = cost
  there.total = cost + there.ahead
  return there
}

/** @param {Move} move @param {Node | null} from @param {number} cost @param {number} ahead @returns {Node} */
function node (move, from, cost, ahead) {
  return { move, from, cost, ahead, total: cost + ahead, open: true, place: -1 }
}

/** @param {number} x @param {number} z @param {{x: number, z: number}} start @returns {boolean} */
function isNear (x, z, start) {
  return Math.abs(x - start.x) <= SPAN && Math.abs(z - start.z) <= SPAN
}

/** @param {BuildingPath['status']} status @param {Node} end @param {number} looked @returns {BuildingPath} */
function pathTo (status, end, looked) {
  const cells = []
  for (let at = end; at.from !== null; at = at.from) {
    cells.push({ ...at.move, dig: at.move.dig.map(({ x, y, z }) => ({ x, y, z })), put: [...at.move.put] })
  }
  return { status, cells: cells.reverse(), cost: end.cost, looked }
}

module.exports = { findBuildingPath }
