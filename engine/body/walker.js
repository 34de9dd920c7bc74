'use strict'
/**
 * Steering of a body along a path, one tick at a time. The keys for the next cell are chosen as mineflayer-pathfinder
 * chooses them (sprint if a straight sprint arrives, else jump, else walk), by simulating them on a copy of the body.
 *
 * @module engine/body/walker
 */
const { Body } = require('./body')
const { step } = require('./physics')
const { FLAG, PANEL } = require('./blocks')

/** Distance from a cell's middle along x and z, in blocks, at which the cell counts as reached. */
const NEAR = 0.35
/** Ticks without reaching the next cell after which a new path is searched. */
const STUCK_TICKS = 70
/** Maximum number of new paths in one walk after it got stuck or ended beside its goal. */
const MAX_RETRIES = 3
/** Give up after this many displacements (such as server corrections) during one walk. */
const MAX_DISPLACEMENTS = 60
/** Distance below a body's feet, in blocks, at which the ground is tested. */
const DOWN = 0.01
/** Maximum length of a simulated walk and of a simulated jump. */
const STRAIGHT_TICKS = 200
const JUMP_TICKS = 20
/** Maximum number of simulated steps that are kept; the next point is rarely further away. */
const FORESEEN_TICKS = 24

/**
 * @typedef {'walking' | 'arrived' | 'no-path' | 'stuck' | 'too-far'} WalkState
 * @typedef {{x: number, y: number, z: number}} Point
 *
 * @typedef {object} Bounds of each search
 * @property {number} [maxCells] maximum number of expanded cells
 * @property {number} [detour] maximum cost of a path beyond the estimate at the start
 * @property {() => import('./astar').Crowd} [crowded] returns the number of other bodies in each cell
 *
 * @typedef {import('./moves').TerrainOptions & Bounds} WalkOptions
 * @typedef {import('./physics').Space} Space
 */

/** The body on which keys are tried out. */
const scratch = new Body()

/** Simulated steps of a body, kept so that each is computed once and applied when it is due. */
class Foreseen {
  /** States before and after each step, alternating; the first `#length` steps are valid. @type {Body[]} */
  #states = []
  #length = 0
  #next = 0

  /** Drop all steps. */
  clear () { this.#length = this.#next = 0 }

  /** Record the state before a step. @param {Body} body */
  before (body) { this.#state(2 * this.#length).copy(body) }

  /** Record the state after that step. @param {Body} body */
  after (body) { this.#state(2 * this.#length++ + 1).copy(body) }

  /**
   * Apply the next step if it was simulated for exactly this state of the body.
   *
   * @param {Body} body
   * @returns {boolean} true if the step was applied
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

  /** @param {number} index @returns {Body} */
  #state (index) { return (this.#states[index] ??= new Body()) }
}

/** One walk of one body to one goal. */
class Walk {
  /** Points that remain, the next one first. @type {Point[]} */
  #points = []
  #needsPath = true
  #retries = 0
  #sinceLast = 0
  #displacements = 0
  /** Ticks for which the pressed keys are known to lead straight to the next point. */
  #certain = 0
  #foreseen = new Foreseen()
  /** The point to which no keys led when they were last tried out. @type {Point | null} */
  #beyond = null
  /** The body's state at that time: while it and the blocks stay the same, no keys lead there. */
  #helpless = new Body()

  /**
   * @param {import('./path_finders').PathFinders} paths
   * @param {Body} body
   * @param {import('./astar').Goal} goal
   * @param {WalkOptions} [options]
   */
  constructor (paths, body, goal, options = {}) {
    this.space = paths.space
    this.body = body
    this.goal = goal
    this.options = options
    this.paths = paths
    /** Values of the sprint key to try, in order. */
    this.gaits = options.sprinting === false ? [false] : [true, false]
    /** @type {WalkState} */
    this.state = 'walking'
    /** Result of the last search, for messages. @type {import('./astar').Path | null} */
    this.path = null
  }

  /** Move the body by one tick; a simulated step is not computed again. */
  step () {
    if (!this.#foreseen.take(this.body)) step(this.space, this.body)
  }

  /** Drop all simulated steps, because the body was pushed or a block changed. */
  disturb () {
    this.#certain = 0
    this.#foreseen.clear()
    this.#beyond = null
  }

  /** Search a new path, because the body was displaced. */
  moved () {
    this.disturb()
    if (this.state !== 'walking') return
    this.#needsPath = true
    if (++this.#displacements > MAX_DISPLACEMENTS) this.#end('stuck')
  }

  /**
   * React to a changed block: if the path comes near it, search a new one.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  blockChanged (x, y, z) {
    this.disturb()
    const isNear = (/** @type {Point} */ point) =>
      Math.abs(point.x - x - 0.5) <= 1 && Math.abs(point.y - y - 0.5) <= 2 && Math.abs(point.z - z - 0.5) <= 1
    if (this.#points.some(isNear)) this.#needsPath = true
  }

  /**
   * Set the keys for the body's next step. Call it after the step of this tick.
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

  /** @returns {boolean} true while the body places a block */
  get builds () { return false }

  /** @returns {boolean} true while the body waits for its hands; false for a walk that only walks */
  busy () { return false }

  /** @param {Point} _point the next point @returns {boolean} true if there is work to do before the body goes there */
  hasWork (_point) { return false }

  /** Do work before the next point. @param {Point} _point @returns {boolean} true if this tick was used for it */
  work (_point) { return false }

  /** Search a path. @param {Point} start @returns {import('./astar').Path} */
  find (start) {
    const { maxCells, detour, crowded } = this.options
    return this.paths.finder(this.options).find(start, this.goal, { maxCells, detour, crowded: crowded?.() })
  }

  /** @param {Point} cell of the path @returns {Point} the point to walk to */
  point (cell) { return standingPoint(this.space, cell) }

  /** Search a new path after a failure; the number of retries is limited. */
  retry () { this.#retry('stuck') }

  /** Search a new path, because the conditions of the old one have changed. */
  replan () { this.#needsPath = true }

  /** End the walk early. */
  leave () { this.halt() }

  /** Stop at once; a body that overlaps neighbouring cells is put into the middle of its own. */
  halt () {
    const { body } = this
    body.release()
    body.vx = 0; body.vz = 0
    const x = Math.floor(body.x) + 0.5; const z = Math.floor(body.z) + 0.5
    if (Math.abs(body.x - x) > 0.2) body.x = x
    if (Math.abs(body.z - z) > 0.2) body.z = z
  }

  /** @returns {boolean} true if a path was found */
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

  /** Drop the first points that a moving body has already passed. */
  #skipPassed () {
    const points = this.#points
    const { body } = this
    if (points.length < 2) return
    let nearest = 0
    for (let i = 1; i < points.length && !this.hasWork(points[i - 1]); i++) {
      const isNearer = squaredDistance(points[i], body) < squaredDistance(points[nearest], body)
      if (!this.hasWork(points[i]) && isNearer) nearest = i
    }
    const here = points[nearest]
    const next = points[nearest + 1]
    if (next && !this.hasWork(here) && (isAt(body, here) || isBetween(body, here, next))) nearest++
    points.splice(0, nearest)
  }

  /** Drop the points that the body has reached. */
  #passPoints () {
    while (this.#points.length > 0 && !this.hasWork(this.#points[0]) && isAt(this.body, this.#points[0])) {
      this.#points.shift()
      this.#sinceLast = 0
      this.#certain = 0
      if (this.#points.length === 0) { this.#atEnd(); return }
      if (this.hasWork(this.#points[0])) { this.halt(); return }
    }
  }

  /** End the walk at the last point, or search again if the goal is not reached. @returns {WalkState} */
  #atEnd () {
    const { body, goal } = this
    const x = Math.floor(body.x); const y = Math.floor(body.y); const z = Math.floor(body.z)
    this.halt()
    if (goal.reached(x, y, z) || goal.reached(x, y + 1, z)) this.#end('arrived')
    else this.#retry('no-path')
    return this.state
  }

  /** Search again, or end with a failure if that was done too often. @param {WalkState} failure */
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

  /** Press the keys that lead to the next point. */
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

  /** Sneak to sink through scaffolding. @param {Point} target */
  #duck (target) {
    const { body } = this
    const below = Math.floor(body.y - DOWN)
    const state = target.y < body.y - DOWN ? this.space.stateAt(Math.floor(body.x), below, Math.floor(body.z)) : 0
    const ducks = state !== 0 && (this.space.table.flagsOf(state) & FLAG.PLATFORM) !== 0
    if (ducks || this.#ducked) body.sneak = ducks
    this.#ducked = ducks
  }

  #ducked = false

  /**
   * Search for keys that lead to a point, and press them.
   *
   * @param {Point} target
   * @returns {boolean} true if some were found
   */
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
 * Return the number of ticks of a straight walk to a point, and keep its steps. Return -1 if the walk needs a jump
 * later on, and 0 if it fails or a jump at once leads there.
 *
 * @param {Space} space
 * @param {Body} body
 * @param {Point} target
 * @param {boolean} sprint
 * @param {Foreseen} foreseen
 * @returns {number}
 */
function straight (space, body, target, sprint, foreseen) {
  foreseen.clear()
  scratch.copy(body)
  scratch.jump = false
  const ticks = ticksToArrive(space, target, { sprint, jumpAfter: Infinity, maxTicks: STRAIGHT_TICKS }, foreseen)
  if (ticks > 0) return ticks
  foreseen.clear()
  if (leaps(space, body, target, sprint, 0)) return 0
  for (let after = 1; after < 7; after++) if (leaps(space, body, target, sprint, after)) return -1
  return 0
}

/**
 * Return true if a jump after some ticks brings the body to a point.
 *
 * @param {Space} space
 * @param {Body} body
 * @param {Point} target
 * @param {boolean} sprint
 * @param {number} after ticks before the jump
 * @returns {boolean}
 */
function leaps (space, body, target, sprint, after) {
  scratch.copy(body)
  return ticksToArrive(space, target, { sprint, jumpAfter: after, maxTicks: JUMP_TICKS }) > 0
}

/**
 * Return the number of ticks until the scratch body is at the target, or 0 if it does not get there.
 *
 * @param {Space} space
 * @param {Point} target
 * @param {{sprint: boolean, jumpAfter: number, maxTicks: number}} keys `jumpAfter`: ticks before the jump key is
 *   pressed
 * @param {Foreseen} [foreseen] records the steps
 * @returns {number}
 */
function ticksToArrive (space, target, { sprint, jumpAfter, maxTicks }, foreseen) {
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
    // A body that pushes against a block without moving at all never moves.
    const stays = scratch.x === x && scratch.y === y && scratch.z === z
    if (jumpAfter === Infinity && scratch.bumped && stays) return 0
  }
  return 0
}

/** Turn a body to a point. @param {Body} body @param {Point} target */
function aim (body, target) {
  body.yaw = Math.atan2(-(target.x - body.x), -(target.z - body.z))
  body.pitch = 0
}

/** @param {Point} body @param {Point} point @returns {boolean} true if the body has reached the point */
function isAt (body, point) {
  return Math.abs(point.x - body.x) <= NEAR && Math.abs(point.z - body.z) <= NEAR && Math.abs(point.y - body.y) < 1
}

/** @param {Point} a @param {Point} b @returns {number} */
function squaredDistance (a, b) {
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2
}

/**
 * Return true if a body has passed a point on its way to the next. The distance seen from above counts too: a body
 * before a wall has not passed the wall's top, though the ground behind is as near to the foot as to the top. Nor has a
 * body below the point passed it.
 *
 * @param {Body} body
 * @param {Point} here
 * @param {Point} next
 * @returns {boolean}
 */
function isBetween (body, here, next) {
  if (here.y - body.y >= 1) return false
  const level = (/** @type {Point} */ a, /** @type {Point} */ b) => (a.x - b.x) ** 2 + (a.z - b.z) ** 2
  return squaredDistance(here, next) > squaredDistance(next, body) && level(here, next) > level(next, body)
}

/**
 * Return the cell that a body's path starts from: one higher if the body stands on something lower than a full block.
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
 * Return the point at which a body stands in a cell: on the highest box in it or below it, or in the cell's middle if
 * it swims or climbs.
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
 * Return the point at which a body stands in a cell if nothing is in the cell itself.
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

/**
 * Return the middle of a block's highest boxes, weighted towards the block's axis, or null if it has no boxes.
 *
 * @param {Space} space
 * @param {number} state
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {Point | null}
 */
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
