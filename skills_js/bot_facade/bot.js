/**
 * Bot facade: mineflayer's names over the host API. It decides nothing about the world, it asks the host. A member that
 * it lacks is refused by name, since `undefined` would let a program continue with a wrong assumption.
 */
'use strict'
const { register } = require('./actions')
const { BlockSource } = require('./block')
const { createActions } = require('./bot_actions')
const { createState } = require('./bot_state')
const { instead } = require('./documented')
const { EntitySource } = require('./entity')
const { named } = require('./errors')
const { createEvents } = require('./events')
const { handleAll } = require('./host')
const { nearestNames } = require('./nearest_names')
const { createRegistry } = require('./registry')
const { Movements, createPathfinder } = require('./walking')

/** Members that the language or printing asks for, never a policy on purpose. */
const SILENT = new Set(['then', 'catch', 'toJSON', 'constructor', 'inspect', 'nodeType', 'prototype', '$$typeof'])

/**
 * @param {string} path - e.g. 'bot.pathfinder'
 * @param {any} members
 * @returns {any} the same, refusing unknown members, and keeping what a policy adds apart from the wiring
 */
function guarded (path, members) {
  handleAll(members, path)
  const known = new Set([...propertyNames(members)])
  /** @type {Map<PropertyKey, any>} */
  const own = new Map()
  return new Proxy(members, {
    get: (target, key) => {
      if (own.has(key)) return own.get(key)
      if (typeof key === 'symbol' || SILENT.has(key) || known.has(key)) return Reflect.get(target, key)
      return refuse(path, key, known)
    },
    has: (_target, key) => own.has(key) || (typeof key === 'string' && known.has(key)),
    set: (_target, key, value) => {
      if (typeof key === 'string' && known.has(key)) throw named('NotSupported', `${path}.${key} cannot be replaced`)
      own.set(key, value)
      return true
    },
    deleteProperty: (_target, key) => own.delete(key) || true,
    defineProperty: () => { throw named('NotSupported', `members of ${path} cannot be redefined`) },
    setPrototypeOf: () => false
  })
}

/**
 * Copy members to a new bot: setting a plain field takes V8 a fifth of the time of defining it.
 * @param {any} to
 * @param {{ x: number, y: number, z: number }} from - a literal
 */
function copyMembers (to, from) {
  for (const name of Object.getOwnPropertyNames(from)) {
    const field = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(from, name))
    if ('value' in field) to[name] = field.value
    else Object.defineProperty(to, name, field)
  }
}

/** @param {any} object @returns {string[]} its members, inherited ones too */
function propertyNames (object) {
  const names = []
  for (let level = object; level !== null && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    names.push(...Object.getOwnPropertyNames(level))
  }
  return names
}

/**
 * @param {string} path @param {string} key @param {Iterable<string>} known
 * @returns {never}
 */
function refuse (path, key, known) {
  const advice = instead(path, key)
  if (advice !== null) throw named('NotSupported', `${path}.${key} is not here: ${advice}`)
  const near = nearestNames(key, [...known].filter((name) => !name.startsWith('_')), 3)
  throw named('NotSupported', `${path}.${key}; nearest supported: ${near.map((name) => `${path}.${name}`).join(', ')}`)
}

/**
 * @param {import('./host').Host} host
 * @param {{username: string, version: string, fatal?: (error: any) => void, started?: Promise<any>[], builds?:
 *   boolean}} settings - fatal: what to do with an error that a listener throws; started: is given what listeners to
 *   the bot's arrival do; builds: it digs and builds on its way, if its program says nothing of that
 * @returns {any} the bot
 */
function createBot (host, settings) {
  const blocks = new BlockSource(host)
  const entities = new EntitySource(host)
  const registry = createRegistry(
    host, { version: settings.version, members: (key, known) => refuse('mcData', key, known) }
  )
  /** @type {any} */
  let bot = null
  const pathfinder = guarded(
    'bot.pathfinder', createPathfinder(host, () => settings.builds === true ? new Movements(bot) : null)
  )
  const parts = Object.create(null)
  const {
    members, emit
  } = createEvents(host, { blocks, entities, fatal: settings.fatal ?? (() => {}), started: settings.started ?? [] })
  for (const part of [
    createState(host, { blocks, entities, settings }),
    createActions(host, { pathfinder, registry, bot: () => bot, emit }),
    members
  ]) copyMembers(parts, part)
  for (const name of ['inventory', 'world', 'collectBlock', 'pvp', 'tool']) {
    parts[name] = guarded(`bot.${name}`, parts[name])
  }
  bot = guarded('bot', parts)
  register(bot, host)
  return bot
}

module.exports = { createBot, guarded }
