'use strict'
/**
 * Detection of unreachable goals by searching outward from the goal. A goal in a tree's crown or behind walls is
 * reached from few cells around it, while a search from far away expands all the land before it gives up.
 *
 * @module engine/body/unreachable
 */

/** Maximum number of cells searched from the goal's side. Beyond it the goal counts as reachable. */
const MAX_CELLS = 512
/** Maximum number of cells in a goal's boxes. Goals with larger boxes are not tested. */
const MAX_ENDS = 4096

/**
 * @typedef {import('./astar').Cell} Cell
 * @typedef {[number, number, number, number, number, number]} Box lowest x, y and z of its cells, then highest
 */

/** Steps to neighbouring columns: x, then z of each. */
const SIDES = [1, 0, -1, 0, 0, 1, 0, -1]
const CORNERS = [1, 1, 1, -1, -1, 1, -1, -1]

/**
 * Return true if no path leads from the start to the goal, and false if one may.
 *
 * It is never true for a reachable goal: from cells that the search has not seen, every move counts as possible whose
 * end a body can enter (`moves.js`), whatever is between.
 *
 * @param {import('./move_graph').MoveGraph} graph
 * @param {import('./astar').Goal} goal
 * @param {number} start number of the start's cell
 * @param {(cell: number) => boolean} seen true for the number of a cell that the search has seen, the start included
 * @returns {boolean}
 */
function isUnreachable (graph, goal, start, seen) {
  const { key, boxes } = goal
  if (key === undefined || boxes === undefined) return floodFromGoal(graph, goal, seen).unreachable
  const known = graph.unreachable.recall(key, graph, start, seen)
  if (known !== null) return known
  const { unreachable, flood, led } = floodFromGoal(graph, goal, seen)
  if (!led) {
    const { cells = [], touched = [] } = flood ?? {}
    graph.unreachable.store(key, { unreachable, met: cells, touched }, boxes, graph.terrain.maxDrop)
  }
  return unreachable
}

/**
 * Search outward from a goal.
 *
 * @param {import('./move_graph').MoveGraph} graph
 * @param {import('./astar').Goal} goal
 * @param {(cell: number) => boolean} seen
 * @returns {{ unreachable: boolean, flood: Flood | null, led: boolean }} `led`: a path leads there from a seen cell, or
 *   the goal was not tested
 */
function floodFromGoal (graph, goal, seen) {
  const ends = endsOf(graph.terrain, goal)
  if (ends === null) return { unreachable: false, flood: null, led: true }
  if (ends.length === 0) return { unreachable: true, flood: null, led: false }
  const flood = new Flood(graph, seen, ends[0])
  for (const end of ends) flood.meet(end.x, end.y, end.z, null)
  return { unreachable: flood.closes(), flood, led: flood.led }
}

/**
 * Return all cells in which a path to a goal may end, or null if there are too many.
 *
 * @param {import('./moves').Terrain} terrain
 * @param {import('./astar').Goal} goal
 * @returns {Cell[] | null}
 */
function endsOf (terrain, { boxes, reached }) {
  if (boxes === undefined) return null
  if (boxes.reduce((sum, box) => sum + cellsIn(box), 0) > MAX_ENDS) return null
  const ends = []
  for (const [x1, y1, z1, x2, y2, z2] of boxes) {
    for (let x = x1; x <= x2; x++) {
      for (let z = z1; z <= z2; z++) {
        for (let y = y1; y <= y2; y++) if (terrain.enterable(x, y, z) && reached(x, y, z)) ends.push({ x, y, z })
      }
    }
  }
  return ends
}

/** @param {Box} box @returns {number} number of its cells */
function cellsIn ([x1, y1, z1, x2, y2, z2]) {
  return (x2 - x1 + 1) * (y2 - y1 + 1) * (z2 - z1 + 1)
}

/** Side of the cube around a goal, in blocks, whose cells are marked in an array. */
const SIDE = 64
/** Number of block columns of the world along an axis. */
const COLUMNS = 1 << 26
/** A cell that the flood has met and that a body can enter. */
const MET = 1
/** A cell that no body can enter. */
const CLOSED = 2
/** A cell that the search has seen. */
const SEEN = 3
/** Marks of the cube, shared by all floods, which run one at a time. */
const marked = new Uint8Array(SIDE ** 3)

/** Marks of the cells around a flood's middle, each of which is looked up from up to 73 other cells. */
class Marks {
  #x
  #y
  #z
  /** Marks of cells beyond the cube, by column, then by height. @type {Map<number, Map<number, number>>} */
  #beyond = new Map()

  /** @param {Cell} middle */
  constructor ({ x, y, z }) {
    this.#x = x - SIDE / 2
    this.#y = y - SIDE / 2
    this.#z = z - SIDE / 2
    marked.fill(0)
  }

  /** @param {number} x @param {number} y @param {number} z @returns {number} the cell's mark, or 0 */
  at (x, y, z) {
    const dx = x - this.#x; const dy = y - this.#y; const dz = z - this.#z
    if (((dx | dy | dz) & -SIDE) === 0) return marked[(dx * SIDE + dy) * SIDE + dz]
    return this.#beyond.get(x * COLUMNS + z)?.get(y) ?? 0
  }

  /** @param {number} x @param {number} y @param {number} z @param {number} mark */
  set (x, y, z, mark) {
    const dx = x - this.#x; const dy = y - this.#y; const dz = z - this.#z
    if (((dx | dy | dz) & -SIDE) === 0) marked[(dx * SIDE + dy) * SIDE + dz] = mark
    else this.#setBeyond(x * COLUMNS + z, y, mark)
  }

  /** @param {number} column @param {number} y @param {number} mark */
  #setBeyond (column, y, mark) {
    const heights = this.#beyond.get(column)
    if (heights === undefined) this.#beyond.set(column, new Map([[y, mark]]))
    else heights.set(y, mark)
  }
}

/** Backward search over the cells from which others are reached, from the goal outward. */
class Flood {
  #graph
  #terrain
  #seen
  #marks
  /** Cells that a body can enter and that the search has not seen. @type {Cell[]} */
  cells = []
  /** Cells that the search has seen. @type {Cell[]} */
  touched = []
  /** True if a move leads from a seen cell into the flood. */
  led = false
  #open = false

  /** @param {import('./move_graph').MoveGraph} graph @param {(cell: number) => boolean} seen @param {Cell} middle */
  constructor (graph, seen, middle) {
    this.#marks = new Marks(middle)
    this.#graph = graph
    this.#terrain = graph.terrain
    this.#seen = seen
  }

  /**
   * Add a cell from which the next cell or the goal may be reached, if a body can enter it.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {Cell | null} next null if the goal is reached in this cell
   */
  meet (x, y, z, next) {
    if (this.#open) return
    const mark = this.#marks.at(x, y, z)
    if (mark === SEEN) this.#touch(this.#graph.known(x, y, z), next)
    else if (mark === 0) this.#look(x, y, z, next)
  }

  /** Classify an unmarked cell. @param {number} x @param {number} y @param {number} z @param {Cell | null} next */
  #look (x, y, z, next) {
    const cell = this.#graph.known(x, y, z)
    if (cell >= 0 && this.#seen(cell)) {
      this.#marks.set(x, y, z, SEEN)
      this.touched.push({ x, y, z })
      this.#touch(cell, next)
    } else if (this.#terrain.enterable(x, y, z)) this.#add(x, y, z)
    else this.#marks.set(x, y, z, CLOSED)
  }

  /** Meet a cell that the search has seen. @param {number} cell @param {Cell | null} next */
  #touch (cell, next) {
    this.led = this.#open = next === null || this.#leads(cell, next)
  }

  /** @param {number} cell @param {Cell} next @returns {boolean} true if a move leads from the cell to the next */
  #leads (cell, { x, y, z }) {
    const { to } = this.#graph.from(cell)
    return to.includes(this.#graph.known(x, y, z))
  }

  /** @param {number} x @param {number} y @param {number} z */
  #add (x, y, z) {
    this.#marks.set(x, y, z, MET)
    this.cells.push({ x, y, z })
    // Bodies drop into water from any height.
    if (this.cells.length > MAX_CELLS || this.#terrain.liquid(x, y, z)) this.#open = true
  }

  /** Search until no cell is left. @returns {boolean} true if no move leads into the flood */
  closes () {
    for (let at = 0; at < this.cells.length && !this.#open; at++) this.#before(this.cells[at])
    return !this.#open
  }

  /** Meet all cells from which a move may lead to a cell. @param {Cell} cell */
  #before (cell) {
    const { x, y, z } = cell
    const { maxDrop, farthest } = this.#terrain
    const highest = Math.max(y + 1, y + maxDrop - 1)
    for (let from = y - 1; from <= highest; from++) {
      if (from !== y) this.meet(x, from, z, cell)
      this.#meetAll(SIDES, 1, from, cell)
    }
    for (let from = y - 1; from <= y + 1; from++) {
      this.#meetAll(CORNERS, 1, from, cell)
      for (let far = 2; far <= farthest; far++) this.#meetAll(SIDES, far, from, cell)
    }
  }

  /**
   * Meet the cells at a distance along each of several directions.
   *
   * @param {number[]} steps `SIDES` or `CORNERS`
   * @param {number} far number of steps
   * @param {number} from height of these cells
   * @param {Cell} cell to which the moves lead
   */
  #meetAll (steps, far, from, cell) {
    for (let step = 0; step < steps.length; step += 2) {
      this.meet(cell.x + steps[step] * far, from, cell.z + steps[step + 1] * far, cell)
    }
  }
}

module.exports = { isUnreachable, MAX_CELLS }
