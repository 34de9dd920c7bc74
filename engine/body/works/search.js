'use strict'
/**
 * A* over moves that dig and build. What a cell's moves are depends on how many blocks are left to build with, so nothing
 * is remembered from one search to the next. Of ways that cost the same the heap's order decides; it is
 * mineflayer-pathfinder's, to the letter.
 *
 * @module engine/body/works/search
 */
const { SPAN, numberOf } = require('./numbering')

/**
 * @typedef {import('./moves').Move} Move
 * @typedef {{move: Move, from: Node | null, cost: number, ahead: number, total: number, open: boolean, place: number}} Node
 *
 * @typedef {object} WorkPath
 * @property {'found' | 'none' | 'limit'} status `none`: every cell in bounds was looked at; `limit`: gave up
 * @property {Move[]} cells without the start, each with what is dug and put before it is entered
 * @property {number} cost
 * @property {number} looked cells looked at
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

/**
 * The cheapest way from a cell to a goal.
 *
 * @param {import('./moves').Moves} moves
 * @param {{x: number, y: number, z: number, left: number}} start `left`: blocks to build with
 * @param {import('../astar').Goal} goal
 * @param {{maxCells: number, detour: number}} bounds `detour`: ways that cost more than the estimate at the start by more than this
 *   are not looked for
 * @returns {WorkPath}
 */
function findWorks (moves, start, goal, { maxCells, detour }) {
  const number = (/** @type {Move} */ { x, y, z }) => numberOf(x, y, z)
  const first = node({ ...start, cost: 0, dig: [], put: [] }, null, 0, goal.estimate(start.x, start.y, start.z))
  const maxCost = first.ahead + detour
  const known = new Map([[number(first.move), first]])
  const open = new OpenNodes()
  open.add(first)
  let best = first
  for (let looked = 0; open.size > 0;) {
    const from = open.take()
    from.open = false
    if (goal.reached(from.move.x, from.move.y, from.move.z)) return pathTo('found', from, looked)
    if (++looked > maxCells) return pathTo('limit', best, looked)
    for (const move of moves.from(from.move)) {
      const place = number(move)
      const there = known.get(place)
      const cost = from.cost + move.cost
      if (there !== undefined ? !there.open || there.cost < cost : !near(move, start)) continue
      const ahead = there?.ahead ?? goal.estimate(move.x, move.y, move.z)
      if (maxCost > 0 && cost + ahead > maxCost) continue
      const reached = there === undefined ? node(move, from, cost, ahead) : Object.assign(there, { move, from, cost, total: cost + ahead })
      if (ahead < best.ahead) best = reached
      if (there !== undefined) { open.rise(reached, reached.place); continue }
      known.set(place, reached)
      open.add(reached)
    }
  }
  return pathTo('none', best, known.size)
}

/** @param {Move} move @param {Node | null} from @param {number} cost @param {number} ahead @returns {Node} */
function node (move, from, cost, ahead) {
  return { move, from, cost, ahead, total: cost + ahead, open: true, place: -1 }
}

/** @returns {boolean} the cell is not too far from the start to be looked at */
function near ({ x, z }, start) {
  return Math.abs(x - start.x) <= SPAN && Math.abs(z - start.z) <= SPAN
}

/** @param {WorkPath['status']} status @param {Node} end @param {number} looked @returns {WorkPath} */
function pathTo (status, end, looked) {
  const cells = []
  for (let at = end; at.from !== null; at = at.from) cells.push(at.move)
  return { status, cells: cells.reverse(), cost: end.cost, looked }
}

module.exports = { findWorks }
