'use strict'
/**
 * Suspension of bodies that need no tick. Like servers with activation ranges, the world runs an idle mob that no
 * player is near only once in `PERIOD_TICKS`; what the skipped ticks would have brought (growth, eggs, idle time) is
 * settled then, so that nothing is slower.
 * Mobs beyond the simulation distance are not run at all, and nothing is settled for them, as in vanilla. A body that
 * is hurt or given an effect resumes at once. On flat worlds mobs are never suspended. A stack at rest is suspended
 * anywhere until a block beside it changes.
 */

/** Ticks between two runs of a suspended body. Mobs act at ages that divide this number or are divided by it. */
const PERIOD_TICKS = 20
/** Side of a cell, in blocks, and cells along an axis: both indices of a cell are packed into one number. */
const CELL_SIZE = 64
const CELLS_ALONG = 2 ** 21
/** `resumeAge` of a body that no tick resumes. */
const NEVER = -1

/** @typedef {import('./mobs').Mob} Mob */
/** @typedef {import('./drops').Drop} Drop */
/** @typedef {Mob | Drop} Suspendable */

/** The suspended bodies of one world. */
class TickScheduler {
  /** @param {Pick<import('../entity_world').EntityWorld, 'active' | 'age' | 'terrain'>} world */
  constructor (world) {
    this.world = world
    /**
     * Bodies by the world's age modulo the period in which they run next; some have resumed earlier.
     * @type {Suspendable[][]}
     */
    this.queues = Array.from({ length: PERIOD_TICKS }, () => [])
    /** Bodies that are or were suspended, by the cell in which they were last. @type {Map<number, Set<Suspendable>>} */
    this.cells = new Map()
  }

  /** Suspend a mob that has just run, if nobody is near and nothing is going on with it. @param {Mob} mob */
  suspendIfIdle (mob) {
    if (mob.removed || mob.suspendedAt >= 0) return
    if (mob.far) this.suspend(mob, NEVER)
    else if (mob.isIdle) this.suspend(mob, PERIOD_TICKS - mob.age % PERIOD_TICKS)
  }

  /** @param {Suspendable} body @param {number} ticks until it runs again, or `NEVER` */
  suspend (body, ticks) {
    const { active, age } = this.world
    active.delete(body)
    body.suspendedAt = age
    body.resumeAge = NEVER
    if (ticks !== NEVER) this.queue(body, age + ticks)
    const cell = cellOf(Math.floor(body.x / CELL_SIZE), Math.floor(body.z / CELL_SIZE))
    // Most bodies are suspended again in the cell where they resumed.
    if (body.cell === cell) return
    this.leaveCell(body)
    body.cell = cell
    const bodies = this.cells.get(cell)
    if (bodies) bodies.add(body)
    else this.cells.set(cell, new Set([body]))
  }

  /** @param {Suspendable} body @param {number} age the world's age in which it runs next */
  queue (body, age) {
    body.resumeAge = age
    this.queues[age % PERIOD_TICKS].push(body)
  }

  /** @param {Suspendable} body */
  leaveCell (body) {
    const bodies = this.cells.get(body.cell)
    bodies?.delete(body)
    if (bodies?.size === 0) this.cells.delete(body.cell)
    body.cell = NaN
  }

  /** Run the bodies queued for this tick, except those that are far from all players or whose land is not loaded. */
  tick () {
    const { age, terrain } = this.world
    const queue = this.queues[age % PERIOD_TICKS]
    if (queue.length === 0) return
    this.queues[age % PERIOD_TICKS] = []
    for (const body of queue) {
      if (body.suspendedAt < 0 || body.resumeAge !== age || body.far) continue
      const loaded = terrain.has(Math.floor(body.x) >> 4, Math.floor(body.z) >> 4)
      if (!loaded && !body.expiresWithin(age - body.suspendedAt)) this.queue(body, age + PERIOD_TICKS)
      else if (body.settleSuspended(age - body.suspendedAt)) this.requeue(body)
      else this.resume(body)
    }
  }

  /** Keep a body suspended that has settled the ticks up to now. @param {Suspendable} body */
  requeue (body) {
    if (body.suspendedAt < 0) return
    body.suspendedAt = this.world.age
    this.queue(body, this.world.age + PERIOD_TICKS)
  }

  /** Run a body each tick again, and make up for the ticks that it missed. @param {Suspendable} body */
  resume (body) {
    const since = body.suspendedAt
    if (since < 0) return
    body.suspendedAt = -1
    this.world.active.add(body)
    if (body.far) return
    const missed = Math.max(0, this.world.age - since - 1)
    body.age += missed
    body.catchUp(missed)
  }

  /** Forget a body that leaves the world. @param {import('./entity').Entity} body */
  remove (body) {
    if (!('suspendedAt' in body)) return
    const suspendable = /** @type {Suspendable} */ (body)
    suspendable.suspendedAt = -1
    this.leaveCell(suspendable)
  }

  /**
   * Visit all suspended bodies within `reach` of a place along both axes, and some beyond.
   * @param {number} x
   * @param {number} z
   * @param {number} reach blocks
   * @param {(body: Suspendable) => void} visit
   */
  visitNear (x, z, reach, visit) {
    for (let east = Math.floor((x - reach) / CELL_SIZE); east <= Math.floor((x + reach) / CELL_SIZE); east++) {
      for (let south = Math.floor((z - reach) / CELL_SIZE); south <= Math.floor((z + reach) / CELL_SIZE); south++) {
        for (const body of this.cells.get(cellOf(east, south)) ?? []) if (body.suspendedAt >= 0) visit(body)
      }
    }
  }
}

/** @param {number} east @param {number} south */
function cellOf (east, south) { return east * CELLS_ALONG + south }

module.exports = { PERIOD_TICKS, TickScheduler }
