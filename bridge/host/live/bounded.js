'use strict'
/** Common form of everything that takes time: a deadline, a cancel, and a clean-up that runs exactly once. */
const { named } = require('../../../skills_js/bot_facade/errors')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const TICK_MS = 50
/** Longest additional wait for a server that has fallen behind or is silent, in ms. */
const MAX_LATE_MS = 30_000
/** Time between two checks of a late server, in ms. */
const LATE_LOOK_MS = 250
/** Time between two checks while waiting for a few ticks, in ms. */
const LATE_TICK_MS = 10

/**
 * @typedef {{ signal: AbortSignal, ms: number, what: string, server?: any, passed?: () => number }} Bounds what: names
 *   the action in its errors; server: the bot (mineflayer's) whose server is to do it: its time is over only when the
 *   server, too, has told that so much time has passed there; passed: the same by another clock than the server's, in
 *   ms
 */

/**
 * @template T
 * @param {Bounds} bounds
 * @param {(resolve: (value: T) => void, reject: (error: Error) => void) => (() => void) | void} start
 *   begins the action and returns its clean-up
 * @returns {Promise<T>}
 * @throws {TimedOut}
 * @throws {Cancelled}
 */
function bounded ({ signal, ms, what, server, passed = ageOf(server) }, start) {
  const lacking = lateness(passed, ms)
  return new Promise((resolve, reject) => {
    /** @type {(() => void) | void} */
    let cleanUp = undefined
    let over = false
    /** @param {() => void} settle */
    const end = (settle) => {
      if (over) return
      over = true
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      cleanUp?.()
      settle()
    }
    const cancel = () => end(() => reject(named('Cancelled', `${what} was stopped`)))
    const due = () => {
      const more = lacking()
      if (more > 0) timer = setTimeout(due, Math.min(more, LATE_LOOK_MS))
      else end(() => reject(named('TimedOut', `${what} was not done after ${Math.round(ms / 100) / 10} s`)))
    }
    let timer = setTimeout(due, ms)
    signal.addEventListener('abort', cancel)
    if (signal.aborted) return cancel()
    try {
      cleanUp = start((value) => end(() => resolve(value)), (error) => end(() => reject(error)))
    } catch (error) {
      end(() => reject(error))
    }
    // The action may have ended while it began.
    if (over) cleanUp?.()
  })
}

/**
 * Return the age of the bot's world as last told. A server tells its age once in 20 ticks. A late one may not have had
 * its time when ours is over, and a late host may not have read the answer yet.
 * @param {LiveBot} bot - mineflayer's; undefined: no server has a part in it
 * @returns {() => number} the age of its world in ms, as far as it has told; NaN where it is not known
 */
function ageOf (bot) {
  return () => (bot?.time?.age ?? NaN) * TICK_MS
}

/**
 * @param {() => number} passed - ms by another clock than the wall's
 * @param {number} ms
 * @returns {() => number} ms by that clock that are lacking; 0 also when they were waited for too long
 */
function lateness (passed, ms) {
  const begun = passed()
  if (!Number.isFinite(begun)) return () => 0
  const latest = performance.now() + ms + MAX_LATE_MS
  return () => performance.now() >= latest ? 0 : Math.max(0, ms - (passed() - begun))
}

/**
 * @param {AbortSignal} signal
 * @param {number} ms
 * @param {string} what
 * @returns {Promise<void>} after that time
 * @throws {Cancelled}
 */
function pause (signal, ms, what) {
  return bounded({ signal, ms: ms + 60_000, what }, (resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    return () => clearTimeout(timer)
  })
}

/**
 * Wait for a number of the world's ticks, also of a late one.
 * @param {AbortSignal} signal
 * @param {() => number | null} age - of the world in ticks, as nearly as it is known here; null: not at all
 * @param {number} ticks
 * @param {number} most - ms
 * @returns {Promise<void>}
 * @throws {Cancelled}
 */
async function pauseTicks (signal, age, ticks, most) {
  const begun = age()
  const ms = Math.max(0, Math.min(ticks * TICK_MS, most))
  const latest = performance.now() + ms + MAX_LATE_MS
  await pause(signal, ms, 'waiting')
  // A tick less: what is known of its age is right to about that.
  const late = () => begun !== null && Number(age()) - begun < ms / TICK_MS - 1
  while (late() && performance.now() < latest) await pause(signal, LATE_TICK_MS, 'waiting')
}

/**
 * Check a condition at intervals until it holds.
 * @param {Bounds} bounds
 * @param {number} every - ms between two looks
 * @param {() => boolean} holds
 * @returns {Promise<void>}
 */
function until (bounds, every, holds) {
  return bounded(bounds, (resolve) => {
    if (holds()) {
      resolve(undefined)
      return
    }
    const timer = setInterval(() => { if (holds()) resolve(undefined) }, every)
    return () => clearInterval(timer)
  })
}

/**
 * Listen to several events while an action runs.
 * @param {any} emitter
 * @param {Record<string, (...args: any[]) => void>} handlers
 * @returns {() => void} stops listening
 */
function listening (emitter, handlers) {
  for (const [event, fn] of Object.entries(handlers)) emitter.on(event, fn)
  return () => {
    for (const [event, fn] of Object.entries(handlers)) emitter.removeListener(event, fn)
  }
}

module.exports = { ageOf, bounded, lateness, listening, pause, pauseTicks, until }
