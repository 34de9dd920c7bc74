'use strict'
/**
 * A* over moves that dig and build. What a cell's moves are depends on how many blocks are left to build with, so nothing
 * is remembered from one search to the next. Of ways that cost the same the heap's order decides; it is
 * mineflayer-pathfinder's, to the letter.
 *
 * @module engine/body/building/search
 */
const { NONE, SPAN, CellMap, numberOf } = require('./cell_map')

/**
 * @typedef {import('./moves').Move} Move
 * @typedef {{move: Move, from: Node | null, cost: number, ahead: number, total: number, open: boolean, place: number}} Node
 *
 * @typedef {object} BuildingPath
 * @property {'found' | 'none' | 'limit'} status `none`: every cell in bounds was looked at; `limit`: gave up
 * @property {Move[]} cells without the start, each with what is dug and put before it is entered
 * @property {number} cost
 * @property {number} looked cells looked at
 *
 * @typedef {object} Bounds of a search
 * @property {number} maxCells that are looked at, each for the cheapest way
 * @property {number} detour ways that cost more than the estimate at the start by more than this are not looked for
 * @property {number} [hurried] cells that are looked at after those for any way at all
 */

/** The open nodes, the lowest total first. */
class OpenNodes {
  /** @type {Node[]} */
  #heap = []

  get size () { return this.#heap.length }

  /** @param {Node} node */
  add (node) {
    this.#heap.push(node)
    this.rise(node, this.#heap.length - 1)
  }

  /** @param {Node} node whose total has become lower @param {number} at its place */
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

  /** @returns {Node} */
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

/** How much more than the cost so far a hurried search minds what is left: of the ways ahead it tries the straight ones first. */
const HASTE = 16

/** One search: the moves from the cell that is looked at come one by one, and most of them lead to cells that have a better way. */
class Search {
  /** @type {CellMap<Node>} */
  #known = new CellMap()
  #open = new OpenNodes()
  #start
  #goal
  #maxCost
  /** The cell that is looked at. @type {Node} */
  #from
  /** The number of the cell that was looked up last. */
  #cell = NONE
  /** What is known of it. @type {Node | undefined} */
  #there
  #ahead = 0
  /** @type {Node} */
  best

  /** @param {{x: number, y: number, z: number, left: number}} start @param {import('../astar').Goal} goal @param {number} detour */
  constructor (start, goal, detour) {
    this.#start = start
    this.#goal = goal
    this.best = this.#from = node({ ...start, cost: 0, dig: [], put: [] }, null, 0, goal.estimate(start.x, start.y, start.z))
    this.#maxCost = this.best.ahead + detour
    this.#known.add(numberOf(start.x, start.y, start.z), this.best)
    this.#open.add(this.best)
  }

  /** @returns {number} cells that are known */
  get size () { return this.#known.size }

  /** @returns {Node | null} the next cell to look at */
  next () {
    if (this.#open.size === 0) return null
    this.#from = this.#open.take()
    this.#from.open = false
    return this.#from
  }

  /** @param {number} x @param {number} y @param {number} z @returns {Node | undefined} what is known of that cell */
  #look (x, y, z) {
    const cell = numberOf(x, y, z)
    if (cell === this.#cell) return this.#there
    this.#cell = cell
    return (this.#there = this.#known.get(cell))
  }

  /** @param {number} x @param {number} y @param {number} z @param {number} least @returns {boolean} no way to that cell at that cost or more is better than what is known */
  vain (x, y, z, least) {
    const there = this.#look(x, y, z)
    return there !== undefined && (!there.open || there.cost < this.#from.cost + least)
  }

  /** @param {number} x @param {number} y @param {number} z @param {number} moveCost @returns {boolean} a way to that cell at that cost is better than what is known */
  wants (x, y, z, moveCost) {
    const there = this.#look(x, y, z)
    const cost = this.#from.cost + moveCost
    if (there !== undefined ? !there.open || there.cost < cost : !near(x, z, this.#start)) return false
    const ahead = there === undefined ? this.#goal.estimate(x, y, z) : there.ahead
    if (this.#maxCost > 0 && cost + ahead > this.#maxCost) return false
    this.#ahead = ahead
    return true
  }

  /** @param {Move} move that was wanted */
  take (move) {
    const there = this.#there
    const cost = this.#from.cost + move.cost
    const reached = there === undefined ? node(move, this.#from, cost, this.#ahead) : improved(there, move, this.#from, cost)
    if (this.#ahead < this.best.ahead) this.best = reached
    if (there !== undefined) return this.#open.rise(reached, reached.place)
    this.#known.add(this.#cell, reached)
    this.#there = reached
    this.#open.add(reached)
  }
}

/**
 * The cheapest way from a cell to a goal, as far as `maxCells` tell; beyond that any way that a hurried search finds.
 *
 * @param {import('./moves').Moves} moves
 * @param {{x: number, y: number, z: number, left: number}} start `left`: blocks to build with
 * @param {import('../astar').Goal} goal
 * @param {Bounds} bounds
 * @returns {BuildingPath}
 */
function findBuildingPath (moves, start, goal, bounds) {
  const careful = explore(moves, start, goal, bounds)
  const { hurried = 0 } = bounds
  if (careful.status !== 'limit' || hurried === 0) return careful
  const ahead = { ...goal, estimate: (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => HASTE * goal.estimate(x, y, z) }
  const any = explore(moves, start, ahead, { maxCells: hurried, detour: HASTE * bounds.detour })
  return { ...(any.status === 'found' ? any : careful), looked: careful.looked + any.looked }
}

/**
 * @param {import('./moves').Moves} moves @param {{x: number, y: number, z: number, left: number}} start @param {import('../astar').Goal} goal
 * @param {Bounds} bounds @returns {BuildingPath}
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

/** @param {Node} there @param {Move} move @param {Node} from @param {number} cost @returns {Node} the same, reached by that move */
function improved (there, move, from, cost) {
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

/** @returns {boolean} the cell is not too far from the start to be looked at */
function near (x, z, start) {
  return Math.abs(x - start.x) <= SPAN && Math.abs(z - start.z) <= SPAN
}

/** @param {BuildingPath['status']} status @param {Node} end @param {number} looked @returns {BuildingPath} */
function pathTo (status, end, looked) {
  const cells = []
  for (let at = end; at.from !== null; at = at.from) cells.push({ ...at.move, dig: at.move.dig.map(({ x, y, z }) => ({ x, y, z })), put: [...at.move.put] })
  return { status, cells: cells.reverse(), cost: end.cost, looked }
}

module.exports = { findBuildingPath }
