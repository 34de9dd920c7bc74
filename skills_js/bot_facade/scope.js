/** Globals of a program besides the bot: console, timers, the world's clock and seeded randomness. */
'use strict'
const { named } = require('./errors')

/** Deepest nesting that console.log shows. */
const DEPTH = 3

/**
 * @param {any} value @param {number} [depth]
 * @returns {string} the value as text; never throws, whatever a program hands over
 */
function inspect (value, depth = 0) {
  try {
    if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value)
    if (value instanceof Error) return `${value.name}: ${value.message}`
    if (typeof value === 'function') return `[function ${value.name}]`
    if (value === null || typeof value !== 'object') return String(value)
    if (depth >= DEPTH) return '...'
    if (typeof value.toString === 'function' && value.toString !== Object.prototype.toString && !Array.isArray(value)) {
      return String(value)
    }
    if (Array.isArray(value)) return `[${value.slice(0, 50).map((part) => inspect(part, depth + 1)).join(', ')}]`
    return `{ ${Object.keys(value).slice(0, 50).map((key) => `${key}: ${inspect(value[key], depth + 1)}`).join(', ')} }`
  } catch {
    return '(unprintable)'
  }
}

/** @param {import('./host').Host} host */
function createConsole (host) {
  const at = (/** @type {string} */ level) => (/** @type {any[]} */ ...values) =>
    host.command('log', level, values.map((value) => inspect(value)).join(' ').slice(0, 1000))
  return Object.freeze({ log: at('info'), info: at('info'), debug: at('debug'), warn: at('warn'), error: at('error') })
}

/**
 * Create timers on the world's time. A callback that throws ends the run as if the program had thrown.
 * @param {import('./host').Host} host
 * @param {(error: any) => void} fatal
 * @returns {Record<string, (...args: any[]) => any>} Node's functions for timers, by name
 */
function createTimers (host, fatal) {
  /** @type {Map<number, {drop: () => void, done: boolean}>} */
  const timers = new Map()
  let nextId = 1
  /** @param {(...args: unknown[]) => unknown} fn @param {any} ms @param {unknown[]} args @param {boolean} again */
  const start = (fn, ms, args, again) => {
    if (typeof fn !== 'function') throw named('BadArgument', 'setTimeout and setInterval need a function')
    const delay = Math.max(again ? 1 : 0, Number(ms) || 0)
    const id = nextId++
    const timer = { drop: () => {}, done: false }
    timers.set(id, timer)
    const arm = () => {
      const call = host.start('sleep', [delay])
      timer.drop = call.drop
      call.promise.then(() => {
        if (timer.done) return
        if (again) arm()
        else timers.delete(id)
        try {
          const result = fn(...args)
          if (result instanceof Promise) result.catch(fatal)
        } catch (error) {
          fatal(error)
        }
      }, () => timers.delete(id))
    }
    arm()
    return id
  }
  const clear = (/** @type {number} */ id) => {
    const timer = timers.get(id)
    if (timer === undefined) return
    timer.done = true
    timers.delete(id)
    timer.drop()
  }
  return {
    setTimeout: (fn, ms = 0, ...args) => start(fn, ms, args, false),
    setInterval: (fn, ms = 0, ...args) => start(fn, ms, args, true),
    setImmediate: (fn, ...args) => start(fn, 0, args, false),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear
  }
}

/**
 * Create a Date that tells the world's time: ms since the world began.
 * @param {import('./host').Host} host
 */
function createDate (host) {
  const RealDate = Date
  const now = () => host.read('now')
  /** @this {any} @param {any[]} args */
  function WorldDate (...args) {
    if (!new.target) return new RealDate(now()).toString()
    return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, new.target)
  }
  WorldDate.prototype = RealDate.prototype
  WorldDate.prototype.constructor = WorldDate
  return Object.freeze(Object.assign(WorldDate, { now, parse: RealDate.parse, UTC: RealDate.UTC }))
}

/**
 * Create a generator of random numbers from a seed (Mulberry32): the same program in the same world draws the same.
 * @param {number} seed
 * @returns {() => number} numbers from 0 to 1, without 1
 */
function seededRandom (seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6D2B79F5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * @param {string} text
 * @returns {number} a 32-bit number from a text (FNV-1a)
 */
function hash (text) {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

module.exports = { createConsole, createDate, createTimers, hash, inspect, seededRandom }
