'use strict'
/**
 * Walking to a goal. mineflayer-pathfinder's own `goto` resolves when there is no path at all, and waits for ever when
 * a path ends beside its goal; here the bot's position decides.
 */
const { named } = require('../../../skills_js/bot_facade/errors')
const { rulesOf } = require('../../../skills_js/bot_facade/movement_rules')
const { mostMs } = require('../../../skills_js/bot_facade/walking_time')
const { bounded, listening } = require('./bounded')
const { toGoal, toMovements } = require('./goals')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** Search radius of walks that dig and build, in cells: a block of stone counts as much as many steps. */
const WORKS_RADIUS = 512
const WALK_RADIUS = 64
/** Most cells that a search expands; it has a turn of 8 ms in each tick. */
const WALK_CELLS = 2500
/** The same for walks that dig and build. */
const WORKS_CELLS = 16_000
const TICK_MS = 50
/** Time between two checks of the walker, in ms. */
const LOOK_MS = 100
/** Time without half a block of progress after which the way counts as blocked, in ms. */
const STILL_MS = 4000
/** The same for walks that build or swim, in ms: they may try a step several times, for 3.5 s each, and search anew. */
const WORKS_STILL_MS = 12_000
/** Reasons for which the pathfinder gives up a step, each after some seconds, and searches anew. */
const FAILED_STEPS = new Set(['stuck', 'place_error', 'dig_error'])
/** Most failed steps from one cell: a walker that goes back and forth moves without progress. */
const MAX_FAILED = 5
/** Restarts of a path that ended beside its goal (a push, a lag). */
const FRESH_STARTS = 3

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {any} goalData
 * @param {any} movementsData
 * @returns {Promise<void>} once the bot stands where the goal holds
 * @throws {NoPath}
 * @throws {NotReached}
 */
function walk (bot, signal, goalData, movementsData) {
  const goal = toGoal(bot, goalData)
  if (holds(bot, goal) && bot.entity.onGround) return Promise.resolve()
  const where = describeGoal(bot, goalData)
  if (bot.isSleeping) return Promise.reject(notReached(bot, goal, where, 'the bot lies in a bed: bot.wake() first'))
  if (bot.vehicle) {
    return Promise.reject(notReached(bot, goal, where, 'the bot sits in a vehicle: bot.dismount() first'))
  }
  const { works } = rulesOf(bot.registry, movementsData)
  const ms = mostMs(goal.heuristic(feet(bot)), works)
  // A late host gives its walkers fewer ticks, in which they get less far.
  let walked = 0
  return bounded({ signal, ms, what: `walking to ${where}`, passed: () => walked }, (resolve, reject) => {
    const watch = new Watch(bot, goal, works ? WORKS_STILL_MS : STILL_MS)
    // The pathfinder tells of a path before it takes it: whoever halts within its own words is walked on after them.
    const fail = (/** @type {Error} */ problem) => queueMicrotask(() => reject(problem))
    const stop = listening(bot, {
      goal_reached: () => holds(bot, goal)
        ? queueMicrotask(() => resolve(undefined))
        : fail(notReached(bot, goal, where, 'the path ended')),
      path_update: (/** @type {any} */ found) => {
        watch.searching = found.status === 'partial'
        const problem = noPath(bot, found, goal, where, works)
        if (problem) fail(problem)
      },
      goal_updated: (/** @type {any} */ next) => {
        if (next !== goal) fail(named('Cancelled', `walking to ${where} ended: another way was begun`))
      },
      path_stop: () => fail(named('Cancelled', `walking to ${where} was stopped`)),
      physicsTick: () => { walked += TICK_MS },
      path_reset: (/** @type {string} */ reason) => watch.reset(reason),
      death: () => fail(notReached(bot, goal, where, 'the bot died')),
      end: () => fail(notReached(bot, goal, where, 'the connection ended'))
    })
    const timer = setInterval(() => {
      const end = watch.look()
      if (end === 'there') resolve(undefined)
      else if (end !== null) reject(notReached(bot, goal, where, end))
    }, LOOK_MS)
    setOut(bot, goal, movementsData)
    return () => {
      stop()
      clearInterval(timer)
      // Another way that was begun meanwhile is not this one's to end.
      if (bot.pathfinder.goal === null || bot.pathfinder.goal === goal) halt(bot)
    }
  })
}

/** @param {boolean} works */
function searchBounds (works) {
  return works
    ? { searchRadius: WORKS_RADIUS, thinkTimeout: WORKS_CELLS }
    : { searchRadius: WALK_RADIUS, thinkTimeout: WALK_CELLS }
}

/**
 * @param {LiveBot} bot
 * @param {any} goal - of mineflayer-pathfinder
 * @param {any} movementsData
 * @param {boolean} [dynamic] - the goal moves
 */
function setOut (bot, goal, movementsData, dynamic = false) {
  Object.assign(bot.pathfinder, searchBounds(rulesOf(bot.registry, movementsData).works))
  bot.pathfinder.setMovements(toMovements(bot, movementsData))
  bot.pathfinder.setGoal(goal, dynamic)
}

/** Watch of a walker's progress. */
class Watch {
  #from
  #at = 0
  #resting = 0
  #fresh = 0
  /** Cell -> failed steps from there. @type {Map<string, number>} */
  #failed = new Map()
  #lost = false

  /** @param {LiveBot} bot @param {any} goal @param {number} stillMs */
  constructor (bot, goal, stillMs) {
    this.bot = bot
    this.stillMs = stillMs
    this.goal = goal
    /** True while the path is being searched: a long search is no standstill. */
    this.searching = false
    this.#from = bot.entity.position.clone()
  }

  /** @param {string} reason - why the pathfinder dropped its path */
  reset (reason) {
    if (!FAILED_STEPS.has(reason)) return
    const cell = String(feet(this.bot))
    const failed = (this.#failed.get(cell) ?? 0) + 1
    this.#failed.set(cell, failed)
    if (failed >= MAX_FAILED) this.#lost = true
  }

  /** @returns {string | null} 'there', why it will not arrive, or null while it walks */
  look () {
    const { bot, goal } = this
    this.#at += LOOK_MS
    if (bot.entity.position.distanceTo(this.#from) > 0.5) {
      this.#from = bot.entity.position.clone()
      this.#at = 0
    }
    if (this.searching || bot.pathfinder.isMining() || bot.pathfinder.isBuilding()) this.#resting = this.#at = 0
    const { isInWater } = /** @type {import('prismarine-entity').Entity & { isInWater?: boolean }} */ (bot.entity)
    const patience = isInWater ? WORKS_STILL_MS : this.stillMs
    if (this.#lost || this.#at > patience) return holds(bot, goal) ? 'there' : 'something blocks the way'
    this.#resting = bot.pathfinder.isMoving() ? 0 : this.#resting + 1
    if (this.#resting < 5) return null
    if (holds(bot, goal)) return 'there'
    if (this.#at < 500 || ++this.#fresh > FRESH_STARTS) {
      return this.#fresh > FRESH_STARTS ? 'the path ended beside the goal' : null
    }
    this.#resting = 0
    bot.pathfinder.setGoal(goal)
    return null
  }
}

/**
 * @param {LiveBot} bot
 * @param {any} found - a result of the search
 * @param {any} goal
 * @param {string} where
 * @param {boolean} works - it may dig or build
 * @returns {Error | null}
 */
function noPath (bot, found, goal, where, works) {
  if (found.status !== 'noPath' && found.status !== 'timeout') return null
  const last = found.path.at(-1)
  if (last === undefined && holds(bot, goal)) return null
  const nearest = last
    ? `the nearest way ends at (${Math.floor(last.x)}, ${Math.floor(last.y)}, ${Math.floor(last.z)})`
    : 'there is no way from here at all'
  const why = found.status === 'timeout'
    ? 'the search gave up before it found a way'
    : works ? 'there is no way that these movements allow' : 'there is no way without digging or placing blocks'
  return named('NoPath', `cannot walk to ${where}: ${why}; the bot stands at ${feet(bot)}, ${nearest}`)
}

/**
 * @param {LiveBot} bot
 * @param {any} goal
 * @param {string} where
 * @param {string} why
 */
function notReached (bot, goal, where, why) {
  const left = Math.round(goal.heuristic(feet(bot)) * 10) / 10
  return named(
    'NotReached', `did not reach ${where}: ${why}; the bot stands at ${feet(bot)}, about ${left} blocks short`
  )
}

/**
 * @param {LiveBot} bot
 * @param {any} data
 * @returns {string} the goal in words
 */
function describeGoal (bot, data) {
  if (data.kind === 'follow') return bot.entities[data.id]?.username ?? bot.entities[data.id]?.name ?? 'an entity'
  if (data.x === undefined) return data.kind === 'y' ? `height ${data.y}` : 'one of several goals'
  const at = data.y === undefined
    ? `(${Math.floor(data.x)}, ${Math.floor(data.z)})`
    : `(${[data.x, data.y, data.z].map(Math.floor).join(', ')})`
  if (data.kind === 'reach') return `where ${bot.blockAt(toPoint(bot, data))?.name ?? 'the block'} at ${at} is in reach`
  return data.range === undefined ? at : `within ${data.range} of ${at}`
}

/** @param {LiveBot} bot @param {any} data */
const toPoint = (bot, data) => bot.entity.position.clone().set(data.x, data.y, data.z).floored()

/** @param {LiveBot} bot @returns {any} */
function feet (bot) {
  return bot.entity.position.floored()
}

/**
 * Return true if the bot is at the goal. On slabs and in snow the feet are inside the block that the bot stands on.
 * @param {LiveBot} bot
 * @param {any} goal
 */
function holds (bot, goal) {
  return goal.isEnd(feet(bot)) ||
    (bot.entity.onGround && bot.entity.position.y % 1 > 0.001 && goal.isEnd(feet(bot).offset(0, 1, 0)))
}

/**
 * Bots whose pathfinder was placing a block when it was halted, which cannot be interrupted.
 * @type {WeakSet<object>}
 */
const built = new WeakSet()

/**
 * @param {LiveBot} bot
 * @returns {boolean} whether its pathfinder may just have placed a block, and pressed a key for it; asked once
 */
function builtLately (bot) {
  return built.delete(bot)
}

/**
 * Stand still: no goal, no path, no search, no key. A path may exist without a goal, so it is ended separately.
 * @param {LiveBot} bot
 */
function halt (bot) {
  if (bot.pathfinder.isBuilding()) built.add(bot)
  bot.pathfinder.setGoal(null)
  bot.clearControlStates()
}

module.exports = { builtLately, halt, setOut, walk }
