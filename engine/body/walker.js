'use strict'
/**
 * Leads a body along a path, one tick at a time: which keys to press so that it gets to the next cell, as bots on servers
 * do it (sprint where a straight sprint arrives, else jump, else walk), decided by trying it out on a copy of the body.
 *
 * @module engine/body/walker
 */
const { Body, step } = require('./physics')
const { FLAG, PANEL } = require('./blocks')

/** A cell counts as reached when the body is this near to its middle, on x and z. */
const NEAR = 0.35
/** Ticks without reaching the next cell after which the path is made anew. */
const STUCK_TICKS = 70
/** How often a walk may look for a new path because it got stuck or ended beside its goal. */
const MAX_RETRIES = 3
/** Who is put somewhere else so often on one walk does not get on. */
const MOST_PUT_BACK = 60
/** How far below a body's feet its ground is looked for. */
const DOWN = 0.01
const STRAIGHT_TICKS = 200
const JUMP_TICKS = 20
/** The next point is rarely further away. */
const FORESEEN_TICKS = 24

/**
 * @typedef {'walking' | 'arrived' | 'no-path' | 'stuck' | 'too-far'} WalkState
 * @typedef {{x: number, y: number, z: number}} Point
 */

const scratch = new Body()

/** What a body does in the next ticks, tried out on its copy: each step is computed once and taken when it is due. */
class Foreseen {
  /** Before and after each step, in turn; only the first `#length` steps count. @type {Body[]} */
  #states = []
  #length = 0
  #next = 0

  /** Forget everything. */
  clear () { this.#length = this.#next = 0 }

  /** @param {Body} body as it is before a step */
  before (body) { this.#state(2 * this.#length).copy(body) }

  /** @param {Body} body as that step has left it */
  after (body) { this.#state(2 * this.#length++ + 1).copy(body) }

  /**
   * @param {Body} body
   * @returns {boolean} the next step was foreseen for just this body, which now is as that step leaves it
   */
  take (body) {
    if (this.#next === this.#length) return false
    const at = 2 * this.#next++
    if (!body.equals(this.#states[at])) {
      this.clear()
      return false
    }
    body.copy(this.#states[at + 1])
    return true
  }

  /** @param {number} index */
  #state (index) { return (this.#states[index] ??= new Body()) }
}

/** One walk of one body to one goal. */
class Walk {
  /** Points still to be passed, the next first. @type {Point[]} */
  #points = []
  #needsPath = true
  #retries = 0
  #sinceLast = 0
  #putBack = 0
  /** Ticks for which the keys that are pressed were found to lead straight to the next point. */
  #certain = 0
  #foreseen = new Foreseen()
  /** The next point when no keys led to it, and the body as it was then: while it and the blocks stay so, none do. @type {Point | null} */
  #beyond = null
  #helpless = new Body()

  /**
   * @param {import('./path_finders').PathFinders} paths
   * @param {Body} body
   * @param {import('./astar').Goal} goal
   * @param {import('./moves').TerrainOptions & {maxCells?: number, detour?: number, crowded?: () => import('./astar').Crowd}} [options] `crowded`:
   *   the cells in which others are, once for each of them
   */
  constructor (paths, body, goal, options = {}) {
    this.space = paths.space
    this.body = body
    this.goal = goal
    this.options = options
    this.paths = paths
    this.gaits = options.sprinting === false ? [false] : [true, false]
    /** @type {WalkState} */
    this.state = 'walking'
    /** The search's last answer, for messages. @type {import('./astar').Path | null} */
    this.path = null
  }

  /** The body's step of this tick: one that was foreseen is not computed again. */
  step () {
    if (!this.#foreseen.take(this.body)) step(this.space, this.body)
  }

  /** The body was pushed: what was foreseen no longer holds. */
  disturb () {
    this.#certain = 0
    this.#foreseen.clear()
    this.#beyond = null
  }

  /** The body was put somewhere else: its path is made anew. */
  moved () {
    this.disturb()
    if (this.state !== 'walking') return
    this.#needsPath = true
    if (++this.#putBack > MOST_PUT_BACK) this.#end('stuck')
  }

  /**
   * A block changed; a path that comes near it is made anew.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  blockChanged (x, y, z) {
    this.disturb()
    const touches = (point) => Math.abs(point.x - x - 0.5) <= 1 && Math.abs(point.y - y - 0.5) <= 2 && Math.abs(point.z - z - 0.5) <= 1
    if (this.#points.some(touches)) this.#needsPath = true
  }

  /**
   * After the body's step of this tick: set the keys for its next one.
   *
   * @returns {WalkState}
   */
  tick () {
    if (this.state !== 'walking' || this.busy()) return this.state
    if (this.#needsPath && !this.#search()) return this.state
    if (this.#points.length === 0) return this.#atEnd()
    if (this.work(this.#points[0])) return this.state
    this.#passPoints()
    if (this.state !== 'walking' || this.#points.length === 0 || this.hasWork(this.#points[0])) return this.state
    this.#steer()
    if (++this.#sinceLast > STUCK_TICKS) this.#retry('stuck')
    return this.state
  }

  /** Whether a block is being put just now. */
  get builds () { return false }

  /** @returns {boolean} hands are at work: the body waits for them. Who only walks never does. */
  busy () { return false }

  /** @param {Point} _point the next one @returns {boolean} there is something to do before it is walked to */
  hasWork (_point) { return false }

  /** @param {Point} _point the next one @returns {boolean} this tick was used for what is to be done before it */
  work (_point) { return false }

  /** @param {Point} start @returns {import('./astar').Path} */
  find (start) {
    const { maxCells, detour, crowded } = this.options
    return this.paths.finder(this.options).find(start, this.goal, { maxCells, detour, crowded: crowded?.() })
  }

  /** @param {Point} cell of the path @returns {Point} where to walk for it */
  point (cell) { return standingPoint(this.space, cell) }

  /** The way is looked for anew, which is not done for ever. */
  startAnew () { this.#retry('stuck') }

  /** The way is looked for anew: what it was made for has changed. */
  renew () { this.#needsPath = true }

  /** The walk is left off: nothing of it goes on. */
  leave () { this.halt() }

  /** Stand still at once, in the middle of the cell where the body overlaps its neighbours. */
  halt () {
    const { body } = this
    body.release()
    body.vx = 0; body.vz = 0
    const x = Math.floor(body.x) + 0.5; const z = Math.floor(body.z) + 0.5
    if (Math.abs(body.x - x) > 0.2) body.x = x
    if (Math.abs(body.z - z) > 0.2) body.z = z
  }

  /** @returns {boolean} a path was made */
  #search () {
    const { body } = this
    const start = startCell(this.space, body)
    this.#needsPath = false
    this.#certain = 0
    this.#sinceLast = 0
    this.path = this.find(start)
    if (this.path.status === 'none') this.#end('no-path')
    else if (this.path.status === 'limit') this.#end('too-far')
    else {
      this.#points = this.path.cells.map((cell) => this.point(cell))
      this.#skipPassed()
    }
    return this.state === 'walking'
  }

  /** A new path may begin behind a body in motion: go on from where it is already. */
  #skipPassed () {
    const points = this.#points
    const { body } = this
    if (points.length < 2) return
    let nearest = 0
    for (let i = 1; i < points.length && !this.hasWork(points[i - 1]); i++) {
      if (!this.hasWork(points[i]) && squared(points[i], body) < squared(points[nearest], body)) nearest = i
    }
    const here = points[nearest]
    const next = points[nearest + 1]
    if (next && !this.hasWork(here) && (isAt(body, here) || isBetween(body, here, next))) nearest++
    points.splice(0, nearest)
  }

  #passPoints () {
    while (this.#points.length > 0 && !this.hasWork(this.#points[0]) && isAt(this.body, this.#points[0])) {
      this.#points.shift()
      this.#sinceLast = 0
      this.#certain = 0
      if (this.#points.length === 0) { this.#atEnd(); return }
      if (this.hasWork(this.#points[0])) { this.halt(); return }
    }
  }

  /** @returns {WalkState} */
  #atEnd () {
    const { body, goal } = this
    const x = Math.floor(body.x); const y = Math.floor(body.y); const z = Math.floor(body.z)
    this.halt()
    if (goal.reached(x, y, z) || goal.reached(x, y + 1, z)) this.#end('arrived')
    else this.#retry('no-path')
    return this.state
  }

  /** @param {WalkState} failure */
  #retry (failure) {
    this.#points = []
    if (++this.#retries > MAX_RETRIES) this.#end(failure)
    else this.#needsPath = true
  }

  /** @param {WalkState} state */
  #end (state) {
    this.state = state
    this.#points = []
    this.halt()
  }

  #steer () {
    const { body } = this
    const target = this.#points[0]
    aim(body, target)
    body.forward = true
    body.jump = false
    this.#duck(target)
    if (this.#certain > 0 && !body.inWater) { this.#certain--; return }
    if (body.inWater) { body.jump = true; body.sprint = false; return }
    if (this.#beyond !== target || !this.#helpless.equals(body)) {
      if (this.#tryOut(target)) return
      this.#beyond = target
      this.#helpless.copy(body)
    }
    body.forward = false
    body.sprint = false
  }

  /** Sneak down through scaffolding. @param {Point} target */
  #duck (target) {
    const { body } = this
    const state = target.y < body.y - DOWN ? this.space.stateAt(Math.floor(body.x), Math.floor(body.y - DOWN), Math.floor(body.z)) : 0
    const ducks = state !== 0 && (this.space.table.flagsOf(state) & FLAG.PLATFORM) !== 0
    if (ducks || this.#ducked) body.sneak = ducks
    this.#ducked = ducks
  }

  #ducked = false

  /** @param {Point} target @returns {boolean} whether keys were found that lead there, which are pressed now */
  #tryOut (target) {
    const { body } = this
    for (const sprint of this.gaits) {
      const ticks = straight(this.space, body, target, sprint, this.#foreseen)
      if (ticks !== 0) {
        body.sprint = sprint
        this.#certain = Math.max(0, ticks - 1)
        return true
      }
      if (!leaps(this.space, body, target, sprint, 0)) continue
      body.sprint = sprint
      body.jump = true
      return true
    }
    return false
  }
}

/**
 * How many ticks a straight walk to a point takes, whose steps are then foreseen; -1 when it needs a jump on the way
 * later on, 0 when it fails or a jump now would do.
 */
function straight (space, body, target, sprint, foreseen) {
  foreseen.clear()
  scratch.copy(body)
  scratch.jump = false
  const ticks = arrival(space, target, sprint, Infinity, STRAIGHT_TICKS, foreseen)
  if (ticks > 0) return ticks
  foreseen.clear()
  if (leaps(space, body, target, sprint, 0)) return 0
  for (let after = 1; after < 7; after++) if (leaps(space, body, target, sprint, after)) return -1
  return 0
}

/** Whether jumping after that many ticks brings the body to the point. */
function leaps (space, body, target, sprint, after) {
  scratch.copy(body)
  return arrival(space, target, sprint, after, JUMP_TICKS) > 0
}

/** @returns {number} ticks until the scratch body is at the target, 0 when it does not get there */
function arrival (space, target, sprint, jumpAfter, maxTicks, foreseen) {
  scratch.forward = true
  scratch.sprint = sprint
  for (let tick = 0; tick < maxTicks; tick++) {
    const { x, y, z } = scratch
    aim(scratch, target)
    scratch.jump = tick >= jumpAfter
    const kept = tick < FORESEEN_TICKS ? foreseen : undefined
    kept?.before(scratch)
    step(space, scratch)
    kept?.after(scratch)
    if (scratch.inLava) return 0
    if (isAt(scratch, target)) return tick + 1
    // Pushing against something without moving at all: it stays so.
    if (jumpAfter === Infinity && scratch.bumped && scratch.x === x && scratch.y === y && scratch.z === z) return 0
  }
  return 0
}

/** @param {Body} body @param {Point} target */
function aim (body, target) {
  body.yaw = Math.atan2(-(target.x - body.x), -(target.z - body.z))
  body.pitch = 0
}

/** @param {{x: number, y: number, z: number}} body @param {Point} point */
function isAt (body, point) {
  return Math.abs(point.x - body.x) <= NEAR && Math.abs(point.z - body.z) <= NEAR && Math.abs(point.y - body.y) < 1
}

/** @param {Point} a @param {Point} b */
function squared (a, b) {
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2
}

/**
 * Whether a body has passed a point on its way to the next. Seen from above too: who stands before a wall is not past its
 * top because the ground behind it is as near to the foot of the wall as to the top; nor is who stands below the point.
 *
 * @param {Body} body @param {Point} here @param {Point} next
 */
function isBetween (body, here, next) {
  if (here.y - body.y >= 1) return false
  const level = (/** @type {Point} */ a, /** @type {Point} */ b) => (a.x - b.x) ** 2 + (a.z - b.z) ** 2
  return squared(here, next) > squared(next, body) && level(here, next) > level(next, body)
}

/**
 * The cell a body's path starts from: one higher when it stands on something lower than a full block.
 *
 * @param {import('./physics').Space} space
 * @param {Body} body
 * @returns {Point}
 */
function startCell (space, body) {
  const x = Math.floor(body.x); const y = Math.floor(body.y); const z = Math.floor(body.z)
  const state = space.stateAt(x, y, z)
  const raised = body.y - y > 0.001 && body.onGround && state !== 0 && (space.table.flagsOf(state) & FLAG.SOLID) !== 0
  return { x, y: raised ? y + 1 : y, z }
}

/**
 * Where exactly a body stands in a cell: on the highest box in it or below it; swimming and climbing in its middle.
 *
 * @param {import('./physics').Space} space
 * @param {Point} cell
 * @returns {Point}
 */
function standingPoint (space, cell) {
  const state = space.stateAt(cell.x, cell.y, cell.z)
  if (state !== 0 && space.table.flagsOf(state) & (FLAG.WATER | FLAG.CLIMBABLE | PANEL)) return middle(cell)
  return top(space, state, cell.x, cell.y, cell.z) ?? groundPoint(space, cell)
}

/**
 * The same with nothing in the cell.
 *
 * @param {import('./physics').Space} space
 * @param {Point} cell
 * @returns {Point}
 */
function groundPoint (space, cell) {
  return top(space, space.stateAt(cell.x, cell.y - 1, cell.z), cell.x, cell.y - 1, cell.z) ?? middle(cell)
}

/** @param {Point} cell @returns {Point} */
function middle ({ x, y, z }) { return { x: x + 0.5, y, z: z + 0.5 } }

/** @returns {Point | null} the middle of a block's highest boxes, drawn towards its axis; null without boxes */
function top (space, state, x, y, z) {
  if (state === 0) return null
  const boxes = space.table.boxesOf(state)
  const height = space.table.tops[state]
  if (boxes.length === 0) return null
  let sumX = 0.5; let sumZ = 0.5; let count = 1
  for (let i = 0; i < boxes.length; i += 6) {
    if (boxes[i + 4] !== height) continue
    sumX += (boxes[i] + boxes[i + 3]) / 2
    sumZ += (boxes[i + 2] + boxes[i + 5]) / 2
    count++
  }
  return { x: x + sumX / count, y: y + height, z: z + sumZ / count }
}

module.exports = { Walk, aim, groundPoint, isAt, standingPoint, startCell, STUCK_TICKS }
