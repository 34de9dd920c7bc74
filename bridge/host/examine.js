'use strict'
/**
 * Self-examination of a host: whether anything shared by all programs was changed since it started, and what its bots
 * and its event loop hold. Used by `accord doctor --hostile` and by soak tests; policies cannot reach it.
 */
const { EventEmitter } = require('node:events')
const net = require('node:net')
const os = require('node:os')
const v8 = require('node:v8')
const vm = require('node:vm')
const { Vec3 } = require('vec3')
const { searchBudget } = require('../../skills_js/bot_facade/search_budget')

/** Variables that a host sets itself (host_process.js). */
const OWN = new Set(['HOME', 'TZ'])

/** @type {Record<string, any>} */
const SHARED = {
  EventEmitter,
  'EventEmitter.prototype': EventEmitter.prototype,
  'Socket.prototype': net.Socket.prototype,
  'Vec3.prototype': Vec3.prototype,
  'Promise.prototype': Promise.prototype,
  ...Object.fromEntries([
    Object, Function, Array, String, Number, Boolean, RegExp, Map, Set, Error, Date, Buffer, Uint8Array
  ]
    .flatMap((type) => [[type.name, type], [`${type.name}.prototype`, type.prototype]])),
  JSON,
  Math,
  Reflect
}

/**
 * @typedef {{ granted: Record<string, boolean>, environment: string[], user: number, interfaces: number }} Protections
 *   `granted` is what Node's permission model lets it do; `user` is -1 where there are none
 * @typedef {{ changed: string[], resources: Record<string, number>, listeners: Record<string, number>, debts:
 *   Record<string, number>, heap: number, protections: Protections }} Examination `changed` names members that were
 *   added, taken away or replaced; `resources` counts what keeps the event loop alive, by Node's names; `listeners`
 *   counts per bot; `debts` is cells that were searched for a bot beyond its share; `heap` is in bytes, after a full
 *   collection
 */

/** Snapshot of the shared objects at the time of its construction. */
class Integrity {
  #before = snapshot()

  /** @returns {string[]} what has changed since, such as `Array.prototype.map` */
  changed () {
    const now = snapshot()
    const names = new Set([...this.#before.keys(), ...now.keys()])
    return [...names].filter((name) => !Object.is(this.#before.get(name), now.get(name)))
  }
}

/** @returns {Map<string, any>} every member of what is shared, and the names of all globals */
function snapshot () {
  const found = new Map(Object.getOwnPropertyNames(globalThis).map((name) => [`globalThis.${name}`, true]))
  for (const [path, object] of Object.entries(SHARED)) {
    found.set(`${path} (its prototype)`, Object.getPrototypeOf(object))
    for (const key of Reflect.ownKeys(object)) {
      const field = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(object, key))
      found.set(`${path}.${String(key)}`, field.get ?? field.value)
    }
  }
  return found
}

/**
 * @param {Integrity} integrity
 * @param {Iterable<any>} bots
 * @returns {Examination}
 */
function examine (integrity, bots) {
  /** @type {Record<string, number>} */
  const resources = {}
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1
  const all = [...bots]
  const listeners = Object.fromEntries(all.map((bot) => [bot.username, listenersOf(bot) + listenersOf(bot._client)]))
  const debts = Object.fromEntries(all.map((bot) => [bot.username, searchBudget(bot).debt]))
  collect()
  return {
    changed: integrity.changed(),
    resources,
    listeners,
    debts,
    heap: process.memoryUsage().heapUsed,
    protections: protections()
  }
}

/** @returns {Protections} what shuts this process in */
function protections () {
  const may = (/** @type {string} */ scope) => !process.permission || process.permission.has(scope)
  return {
    granted: { write: may('fs.write'), start: may('child'), thread: may('worker'), read: may('fs.read') },
    environment: Object.keys(process.env).filter((name) => !OWN.has(name)),
    user: process.getuid?.() ?? -1,
    interfaces: Object.keys(os.networkInterfaces()).length
  }
}

/** V8's garbage collector; found before there is any program, and hidden again from all that come. */
const collect = collector()

/** @returns {() => void} */
function collector () {
  v8.setFlagsFromString('--expose-gc')
  const gc = vm.runInNewContext('gc')
  v8.setFlagsFromString('--no-expose-gc')
  return gc
}

/** @param {EventEmitter} emitter */
function listenersOf (emitter) {
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
}

module.exports = { Integrity, examine }
