'use strict'
/**
 * Whether nobody gets to a goal at all, looked for from the goal's own side: what lies in a tree's crown or behind walls has few cells
 * around it from which it is reached, while a search from far away looks at all the land before it gives up.
 *
 * @module engine/body/unreachable
 */

/** Cells that are looked at from the goal's side; who gets further is taken to be in the open. */
const MOST_CELLS = 512
/** Cells of the boxes in which a goal may be reached, at most: larger ones are not gone through. */
const MOST_ENDS = 4096

/**
 * @typedef {import('./astar').Cell} Cell
 * @typedef {[number, number, number, number, number, number]} Box least x, y and z of its cells, and greatest
 */

/** Steps of moves to a neighbouring column: along x, then along z. */
const SIDES = [1, 0, -1, 0, 0, 1, 0, -1]
const CORNERS = [1, 1, 1, -1, -1, 1, -1, -1]

/**
 * Never true of a goal that can be reached: out of cells that the search has not seen moves are taken to be possible wherever their ends
 * are (`moves.js`), whatever is between.
 *
 * @param {import('./move_graph').MoveGraph} ways
 * @param {import('./astar').Goal} goal
 * @param {number} start by its number
 * @param {(cell: number) => boolean} seen whether the search has, by the cell's number; the start it has
 * @returns {boolean} no way leads there from the start; false where that was not found out
 */
function isUnreachable (ways, goal, start, seen) {
  const { key, boxes } = goal
  if (key === undefined || boxes === undefined) return flooded(ways, goal, seen).enclosed
  const told = ways.enclosures.told(key, ways, start, seen)
  if (told !== null) return told
  const { enclosed, flood, led } = flooded(ways, goal, seen)
  if (!led) ways.enclosures.keep(key, enclosed, flood?.cells ?? [], flood?.touched ?? [], boxes, ways.terrain.maxDrop)
  return enclosed
}

/**
 * @param {import('./move_graph').MoveGraph} ways
 * @param {import('./astar').Goal} goal
 * @param {(cell: number) => boolean} seen
 * @returns {{ enclosed: boolean, flood: Flood | null, led: boolean }} `led`: a way from what was seen leads there, or nothing was looked at
 */
function flooded (ways, goal, seen) {
  const ends = endsOf(ways.terrain, goal)
  if (ends === null) return { enclosed: false, flood: null, led: true }
  if (ends.length === 0) return { enclosed: true, flood: null, led: false }
  const flood = new Flood(ways, seen, ends[0])
  for (const end of ends) flood.meet(end.x, end.y, end.z, null)
  return { enclosed: flood.closes(), flood, led: flood.led }
}

/**
 * @param {import('./moves').Terrain} terrain
 * @param {import('./astar').Goal} goal
 * @returns {Cell[] | null} all cells in which a way to it may end; null where they are too many to be gone through
 */
function endsOf (terrain, { boxes, reached }) {
  if (boxes === undefined) return null
  const size = ([x1, y1, z1, x2, y2, z2]) => (x2 - x1 + 1) * (y2 - y1 + 1) * (z2 - z1 + 1)
  if (boxes.reduce((sum, box) => sum + size(box), 0) > MOST_ENDS) return null
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

/** Cells along each axis of the box around a goal for which a list of all has room. */
const SIDE = 64
/** Columns of the whole world along an axis. */
const COLUMNS = 1 << 26
/** What is known of a cell: a body can be there and it was met; no body can be there; the search has seen it. */
const MET = 1
const CLOSED = 2
const SEEN = 3
/** One flood's at a time: each begins with all of it unknown. */
const marked = new Uint8Array(SIDE ** 3)

/** What a flood knows of the cells around its middle: it comes by each from up to 73 others. */
class Marks {
  #x
  #y
  #z
  /** The same for cells beyond the box: by column, then by height. @type {Map<number, Map<number, number>>} */
  #beyond = new Map()

  /** @param {Cell} middle */
  constructor ({ x, y, z }) {
    this.#x = x - SIDE / 2
    this.#y = y - SIDE / 2
    this.#z = z - SIDE / 2
    marked.fill(0)
  }

  /** @param {number} x @param {number} y @param {number} z @returns {number} 0 where nothing is known */
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

/** Cells from which others are reached, from the goal outwards. */
class Flood {
  #ways
  #terrain
  #seen
  #marks
  /** In which a body can be, and that the search has not seen. @type {Cell[]} */
  cells = []
  /** That the search has seen. @type {Cell[]} */
  touched = []
  /** Whether a move from what the search has seen leads into it. */
  led = false
  #open = false

  /** @param {import('./move_graph').MoveGraph} ways @param {(cell: number) => boolean} seen @param {Cell} middle */
  constructor (ways, seen, middle) {
    this.#marks = new Marks(middle)
    this.#ways = ways
    this.#terrain = ways.terrain
    this.#seen = seen
  }

  /**
   * A cell from which the next one may be reached, or the goal, if a body can be there.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {Cell | null} next null: the goal is reached in it
   */
  meet (x, y, z, next) {
    if (this.#open) return
    const mark = this.#marks.at(x, y, z)
    if (mark === SEEN) this.#touch(this.#ways.known(x, y, z), next)
    else if (mark === 0) this.#look(x, y, z, next)
  }

  /** At a cell of which nothing is known yet. @param {number} x @param {number} y @param {number} z @param {Cell | null} next */
  #look (x, y, z, next) {
    const cell = this.#ways.known(x, y, z)
    if (cell >= 0 && this.#seen(cell)) {
      this.#marks.set(x, y, z, SEEN)
      this.touched.push({ x, y, z })
      this.#touch(cell, next)
    } else if (this.#terrain.enterable(x, y, z)) this.#add(x, y, z)
    else this.#marks.set(x, y, z, CLOSED)
  }

  /** @param {number} cell that the search has seen @param {Cell | null} next */
  #touch (cell, next) {
    this.led = this.#open = next === null || this.#leads(cell, next)
  }

  /** @param {number} cell that the search has seen @param {Cell} next @returns {boolean} a move leads from one to the other */
  #leads (cell, { x, y, z }) {
    const { to } = this.#ways.from(cell)
    return to.includes(this.#ways.known(x, y, z))
  }

  #add (x, y, z) {
    this.#marks.set(x, y, z, MET)
    this.cells.push({ x, y, z })
    // Into water bodies drop from any height.
    if (this.cells.length > MOST_CELLS || this.#terrain.liquid(x, y, z)) this.#open = true
  }

  /** @returns {boolean} there is no more to meet, and nothing of it can be come by */
  closes () {
    for (let at = 0; at < this.cells.length && !this.#open; at++) this.#before(this.cells[at])
    return !this.#open
  }

  /** All cells from which a move may lead there. @param {Cell} cell */
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

  /** @param {number[]} steps @param {number} far how many of each @param {number} from the height at which they begin @param {Cell} cell where they end */
  #meetAll (steps, far, from, cell) {
    for (let step = 0; step < steps.length; step += 2) this.meet(cell.x + steps[step] * far, from, cell.z + steps[step + 1] * far, cell)
  }
}

module.exports = { isUnreachable, MOST_CELLS }
