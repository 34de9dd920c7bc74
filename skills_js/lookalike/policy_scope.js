/** Wraps primitives for a program (reports, its own line in errors) and lists all names that a program finds. */
'use strict'
const { hostOf } = require('./actions')
const { goals } = require('./goals')
const { at, handled } = require('./host')
const { named } = require('./errors')
const { Vec3 } = require('./vec3')
const { Movements } = require('./walking')
const { describe } = require('./program')

/** Characters of an argument in an action's report. */
const MOST_SHOWN = 120

/**
 * @param {string} name
 * @param {Function} primitive - async
 * @returns {Function} the same for a program: it reports each call at its end
 */
function wrapAction (name, primitive) {
  const wrapped = { async [name] (bot, ...args) {
    const trace = new Error(name)
    const host = hostOf(bot)
    try {
      const value = await primitive(bot, ...args)
      report(host, name, args, null)
      return value
    } catch (error) {
      report(host, name, args, error)
      throw located(error, trace)
    }
  } }[name]
  return handled(wrapped)
}

/**
 * @param {any} error @param {Error} trace
 * @returns {any} the error, with a line of the program even where V8 lost it
 */
function located (error, trace) {
  if (!(error instanceof Error) || describe(error).line !== null) return error
  return at(error, trace)
}

/**
 * @param {import('./host').Host} host @param {string} name @param {any[]} args @param {any} error
 */
function report (host, name, args, error) {
  const shown = args.slice(0, 6).map(plain)
  const said = error === null ? null : { name: describe(error).name, message: describe(error).message }
  try {
    host.command('action', name, shown, error === null, said)
  } catch {
    // The run is over: nobody listens any more.
  }
}

/** @param {any} value @returns {any} */
function plain (value) {
  if (typeof value === 'function') return '(function)'
  if (value instanceof Vec3) return value.toArray()
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? value.slice(0, MOST_SHOWN) : value ?? null
  if (value.position) return plain(value.position)
  try {
    const json = JSON.stringify(value)
    return json.length > MOST_SHOWN ? `${json.slice(0, MOST_SHOWN)}...` : JSON.parse(json)
  } catch {
    return '(object)'
  }
}

/**
 * `require` of the packages that policies are used to; everything is in scope anyway.
 * @param {any} mcData
 */
function createRequire (mcData) {
  const known = {
    vec3: () => Object.assign((x, y, z) => new Vec3(x, y, z), { Vec3 }),
    'mineflayer-pathfinder': () => ({ goals, Movements, pathfinder: null }),
    'minecraft-data': () => () => mcData
  }
  return (name) => {
    if (Object.hasOwn(known, name)) return known[/** @type {keyof typeof known} */ (name)]()
    throw named('NotSupported', `require(${JSON.stringify(String(name).slice(0, 40))}); supported: ${Object.keys(known).join(', ')}`)
  }
}

/**
 * @param {{bot: any, actions: Record<string, Function>, queries: Record<string, Function>}} parts
 * @returns {Record<string, any>} name -> value
 */
function policyScope ({ bot, actions, queries }) {
  const wrapped = Object.entries(actions).map(([name, primitive]) => [name, wrapAction(name, primitive)])
  return {
    ...goals,
    ...queries,
    ...Object.fromEntries(wrapped),
    bot,
    goals,
    mcData: bot.registry,
    Movements,
    Vec3,
    require: createRequire(bot.registry)
  }
}

module.exports = { policyScope, wrapAction }
