/**
 * Border of the isolate, from inside: `read` (at once), `act` (a promise) and `deliver` (messages of the host).
 *
 * Between two messages of the host the world cannot change for a program, as in mineflayer, where one thread runs both.
 * So answers are kept until the next message or the bot's next act: loops over the world stay cheap.
 */
'use strict'
const { handled } = require('./awaiting')
const { named } = require('./errors')
const { deepFreeze } = require('./harden')

/** Maximum number of cached answers; a search that reads more blocks asks again. */
const MAX_KEPT = 4096
/** Commands that only tell the host something: the world stays as it is, and so do the kept answers. */
const RECORDED = new Set(['log', 'action', 'subscribe', 'unsubscribe'])
/** Name of the agent's program in stack traces. */
const PROGRAM = 'policy.js'

/**
 * @typedef {{read: (method: string, argsJson: string) => string, act: (id: number, method: string, argsJson: string) =>
 *   void, drop: (id: number) => void}} RawHost
 * @typedef {{resolve: (value: any) => void, reject: (error: any) => void, trace: Error}} Pending trace: made at the
 *   call
 */

class Host {
  /** @param {RawHost} raw - what the host put into the isolate */
  constructor (raw) {
    this.raw = raw
    this.nextId = 1
    /** @type {Map<number, Pending>} */
    this.pending = new Map()
    /** @type {Map<string, any>} */
    this.kept = new Map()
    /** @type {(name: string, args: any[]) => void} */
    this.onEvent = () => {}
  }

  /**
   * Ask the host; the same question in the same slice is not asked twice.
   * @param {string} method
   * @param {any[]} args - plain data
   * @returns {any} plain data; shared with the program and frozen, so that neither spoils it for the other
   */
  read (method, ...args) {
    const argsJson = JSON.stringify(args)
    const key = method + argsJson
    if (this.kept.has(key)) return this.kept.get(key)
    const value = this.cross(method, argsJson)
    if (this.kept.size < MAX_KEPT) this.kept.set(key, value)
    return value
  }

  /**
   * Perform an instantaneous action, such as pressing a key.
   * @param {string} method
   * @param {any[]} args
   * @returns {any}
   */
  command (method, ...args) {
    if (!RECORDED.has(method)) this.kept.clear()
    return this.cross(method, JSON.stringify(args))
  }

  /**
   * Start something that takes time.
   * @param {string} method
   * @param {any[]} args
   * @returns {Promise<any>}
   */
  act (method, ...args) {
    return this.start(method, args).promise
  }

  /**
   * @param {string} method
   * @param {any[]} args
   * @returns {{promise: Promise<any>, drop: () => void}} drop: the end is no longer of interest, stop it
   */
  start (method, args) {
    const id = this.nextId++
    const trace = this.trace(method)
    this.kept.clear()
    const promise = new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject, trace })
      try {
        this.raw.act(id, method, JSON.stringify(args))
      } catch (error) {
        this.pending.delete(id)
        reject(at(fromHost(error), trace))
      }
    })
    promise.catch(() => {})
    return { promise, drop: () => this.drop(id) }
  }

  /**
   * @param {string} method
   * @returns {Error} its stack says where the program called
   */
  trace (method) { return new Error(method) }

  /**
   * @param {string} json - a message of the host
   */
  deliver (json) {
    const message = JSON.parse(json)
    this.kept.clear()
    if (message.event !== undefined) return this.onEvent(message.event, message.args)
    const call = this.pending.get(message.call)
    if (call === undefined) return
    this.pending.delete(message.call)
    if (message.ok) return call.resolve(message.value)
    call.reject(at(named(String(message.error.name), String(message.error.message)), call.trace))
  }

  /**
   * @param {number} id
   */
  drop (id) {
    if (this.pending.delete(id)) this.raw.drop(id)
  }

  /**
   * @param {string} method
   * @param {string} argsJson
   * @returns {any}
   */
  cross (method, argsJson) {
    let text
    try {
      text = this.raw.read(method, argsJson)
    } catch (error) {
      throw fromHost(error)
    }
    const answer = JSON.parse(text)
    if (answer.error) throw named(answer.error.name, answer.error.message)
    return deepFreeze(answer.value)
  }
}

/**
 * @param {any} error - thrown by the host's border itself: a cap was hit, or the run is over
 * @returns {Error}
 */
function fromHost (error) {
  const text = String(error?.message ?? error)
  const over = /^PolicyAborted: (.*)$/.exec(text)
  return over ? named('PolicyAborted', over[1]) : named('LimitExceeded', text)
}

/**
 * Give an error the program's own line: where the action was called, since its end comes from outside.
 * @param {Error} error
 * @param {Error} trace - made at the call
 * @returns {Error}
 */
function at (error, trace) {
  return stackedLater(error, () => stackOf(error, trace))
}

/**
 * @param {Error} error @param {Error} trace
 * @returns {string} a stack with the program's lines of the trace
 */
function stackOf (error, trace) {
  const frames = String(trace.stack).split('\n').filter((line) => line.includes(PROGRAM + ':'))
  return [`${error.name}: ${error.message}`, ...frames].join('\n')
}

/**
 * Let an error's stack be made when it is first read: V8 takes longer to write one out than for the rest of a failed
 * action, and programs that expect a failure look at its name only.
 * @param {Error} error
 * @param {() => string} make
 * @returns {Error} the same
 */
function stackedLater (error, make) {
  /** @type {unknown} */
  let stack
  let known = false
  const set = (/** @type {unknown} */ value) => {
    stack = value
    known = true
  }
  const get = () => {
    if (!known) set(make())
    return stack
  }
  Reflect.defineProperty(error, 'stack', { get, set, configurable: true })
  return error
}

/**
 * @param {any} members - its functions are replaced by handled ones
 * @param {string} path - in reports, e.g. "bot"
 */
function handleAll (members, path) {
  for (const name of Object.getOwnPropertyNames(members)) {
    const field = Object.getOwnPropertyDescriptor(members, name)
    if (!field?.configurable || typeof field.value !== 'function' || name === 'constructor') continue
    if (field.writable) members[name] = handled(field.value, `${path}.${name}`)
    else Object.defineProperty(members, name, { ...field, value: handled(field.value, `${path}.${name}`) })
  }
}

module.exports = { Host, PROGRAM, at, handleAll, stackOf, stackedLater }
