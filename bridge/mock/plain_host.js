'use strict'
/**
 * Border for calls of primitives. An isolate gets answers as JSON; calls get the same values as frozen plain data,
 * since no agent's code is involved.
 */
const { Host } = require('../../skills_js/bot_facade/host')
const { named } = require('../../skills_js/bot_facade/errors')

/** Reads of the game's own data. */
const CONSTANT = new Set(['data', 'dataKeys'])
/** Stack trace of a call, where there is no program and so no line of it. */
const NOWHERE = new Error('a call')

/** @typedef {(method: string, args: any[]) => { value?: any, error?: { name: string, message: string } }} Read */

/** Border that asks the backend directly. */
class PlainHost extends Host {
  #read
  #constants
  /** Number of listeners that the backend has for it. */
  #listeners = 0

  /**
   * @param {import('../../skills_js/bot_facade/host').RawHost} raw what acts @param {Read} read what answers
   * @param {Map<string, any>} constants what was answered of the game's own data, which never changes: for all borders
   *   of a world
   */
  constructor (raw, read, constants) {
    super(raw)
    this.#read = read
    this.#constants = constants
  }

  /**
   * Start serving another run: its actions are counted from zero, and earlier answers no longer hold.
   * @param {import('../../skills_js/bot_facade/host').RawHost} raw
   * @param {Read} read
   */
  serve (raw, read) {
    this.raw = raw
    this.#read = read
    this.nextId = 1
    this.kept.clear()
  }

  /** @returns {boolean} nobody waits for an action or listens */
  get atRest () { return this.pending.size === 0 && this.#listeners === 0 }

  /** @returns {Error} */
  trace () { return NOWHERE }

  /** @param {string} method @param {string} argsJson @returns {any} */
  cross (method, argsJson) {
    if (!CONSTANT.has(method)) return this.#answer(method, argsJson)
    const key = method + argsJson
    let value = this.#constants.get(key)
    if (value === undefined) this.#constants.set(key, value = this.#answer(method, argsJson))
    return value
  }

  /** @param {string} method @param {string} argsJson @returns {any} */
  #answer (method, argsJson) {
    if (method === 'subscribe') this.#listeners++
    else if (method === 'unsubscribe') this.#listeners--
    const { value, error } = this.#read(method, JSON.parse(argsJson))
    if (error) throw named(error.name, error.message)
    return asJson(value)
  }
}

/**
 * Return what JSON would make of a value, frozen.
 * @param {unknown} value numbers, texts, booleans, null, lists and plain objects
 * @returns {unknown} a copy; undefined for what JSON leaves out
 */
function asJson (value) {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || typeof value === 'symbol' ? undefined : value
  }
  if (Array.isArray(value)) return Object.freeze(listAsJson(value))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return asJson(JSON.parse(JSON.stringify(value) ?? 'null'))
  // Copied whole, and mended where it is not plain: that is a third of the work of putting a copy together.
  /** @type {Record<string, any>} */
  const copy = { ...value }
  for (const key in copy) {
    const was = copy[key]
    if (was === null || typeof was === 'string' || typeof was === 'boolean') continue
    const part = asJson(was)
    if (part === undefined) delete copy[key]
    else if (part !== was || part === 0) copy[key] = part
  }
  return Object.freeze(copy)
}

/** @param {unknown[]} value @returns {unknown[]} a copy; null for what JSON leaves out, and for what is not there */
function listAsJson (value) {
  const copy = value.slice()
  for (let at = 0; at < copy.length; at++) {
    const was = copy[at]
    const part = asJson(was) ?? null
    if (part !== was || part === 0) copy[at] = part
  }
  return copy
}

module.exports = { PlainHost, asJson }
