'use strict'
/**
 * One shape for everything that takes time: a deadline, a cancel, and a clean-up that runs exactly once.
 */
const { named } = require('../../../skills_js/lookalike/errors')

/**
 * @typedef {{ signal: AbortSignal, ms: number, what: string }} Bounds
 *   what: names the action in its errors
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
function bounded ({ signal, ms, what }, start) {
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
    const timer = setTimeout(() => end(() => reject(named('TimedOut', `${what} was not done after ${Math.round(ms / 100) / 10} s`))), ms)
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
 * Look at something every so often until it holds.
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
 * Listen to several events for as long as an action takes.
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

module.exports = { bounded, listening, pause, until }
