/**
 * Read-only, lazy mcData: an entry crosses the border when it is first read. All of it would cost every run more memory
 * and time than the run itself.
 */
'use strict'
const { named } = require('./errors')
const { deepFreeze } = require('./harden')

/** Tables that a program may look into; `...Array` ones are built from the table named. */
const TABLES = ['blocks', 'blocksByName', 'items', 'itemsByName', 'foods', 'foodsByName', 'entities', 'entitiesByName',
  'biomes', 'biomesByName', 'recipes', 'enchantmentsByName', 'effectsByName', 'materials', 'blocksByStateId']
/** @type {Readonly<Record<string, string>>} */
const ARRAYS = {
  blocksArray: 'blocks', itemsArray: 'items', foodsArray: 'foods', entitiesArray: 'entities', biomesArray: 'biomes'
}

/**
 * @param {import('./host').Host} host
 * @param {string} table
 * @returns {any} an object that looks like the table
 */
function lazyTable (host, table) {
  /** @type {Map<string, any>} */
  const known = new Map()
  /** @type {Set<any> | null} */
  let keys = null
  /** @param {string | symbol} key */
  const entry = (key) => {
    if (typeof key !== 'string' || key.length > 64) return undefined
    if (!known.has(key)) known.set(key, host.read('data', table, key) ?? undefined)
    return known.get(key)
  }
  const names = () => (keys ??= new Set(host.read('dataKeys', table)))
  return new Proxy(Object.create(null), {
    get: (_target, key) => entry(key),
    has: (_target, key) => names().has(key),
    ownKeys: () => [...names()],
    // A getter, so that listing the names does not fetch every entry.
    getOwnPropertyDescriptor: (_target, key) => names().has(key)
      ? { get: () => entry(key), enumerable: true, configurable: true }
      : undefined,
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse
  })
}

/**
 * @param {import('./host').Host} host
 * @param {{version: string, members: (name: string, known: readonly string[]) => never}} options - members: how to
 *   refuse
 * @returns {any} mcData
 */
function createRegistry (host, { version, members }) {
  /** @type {Map<string, any>} */
  const made = new Map()
  /** @param {string} name */
  const make = (name) => {
    if (name === 'version') return Object.freeze({ minecraftVersion: version, type: 'pc', '>=': () => true })
    if (Object.hasOwn(ARRAYS, name)) {
      return deepFreeze(Object.values(made.get(ARRAYS[name]) ?? lazyTable(host, ARRAYS[name])))
    }
    return lazyTable(host, name)
  }
  const names = [...TABLES, ...Object.keys(ARRAYS), 'version']
  return new Proxy(Object.create(null), {
    get: (_target, key) => {
      if (typeof key !== 'string' || key === 'then' || key === 'toJSON') return undefined
      if (!names.includes(key)) return members(key, names)
      if (!made.has(key)) made.set(key, make(key))
      return made.get(key)
    },
    has: (_target, key) => typeof key === 'string' && names.includes(key),
    set: refuse,
    defineProperty: refuse,
    deleteProperty: refuse
  })
}

/** @returns {never} */
function refuse () {
  throw named('NotSupported', 'mcData is read-only')
}

module.exports = { TABLES, createRegistry }
