/**
 * Scope of a program: all names that it finds, with primitives wrapped so that they report and errors name its own
 * line.
 */
'use strict'
const { hostOf } = require('./actions')
const { copyArgument, describeArgument } = require('./primitive_arguments')
const { goals } = require('./goals')
const { handled } = require('./awaiting')
const { PROGRAM, stackOf, stackedLater } = require('./host')
const { named } = require('./errors')
const { Vec3 } = require('./vec3')
const { Movements } = require('./walking')
const { summarize } = require('./program')

/**
 * @param {string} name
 * @param {Function} primitive - async
 * @param {(name: string, error: any) => void} [tolerate] - is told each end, and goes on from it or throws it
 * @returns {Function} the same for a program: it reports each call at its end
 */
function wrapAction (name, primitive, tolerate = (_name, error) => { if (error !== null) throw error }) {
  const wrapped = { async [name] (/** @type {any} */ bot, /** @type {any[]} */ ...args) {
    const host = hostOf(bot)
    const trace = host.trace(name)
    /** @type {any[]} */
    let told = []
    try {
      const own = args.map(copyArgument)
      told = own.slice(0, 6).map(describeArgument)
      const value = await primitive(bot, ...own)
      report(host, name, told, null)
      tolerate(name, null)
      return value
    } catch (error) {
      report(host, name, told, summarize(error))
      tolerate(name, located(error, trace))
    }
  } }[name]
  return handled(wrapped)
}

/**
 * @param {Error & { code?: string }} error @param {Error} trace
 * @returns {any} the error, with a line of the program even where V8 lost it
 */
function located (error, trace) {
  if (!(error instanceof Error)) return error
  const own = Object.getOwnPropertyDescriptor(error, 'stack')
  return stackedLater(error, () => {
    const stack = own?.get === undefined ? own?.value : own.get.call(error)
    return String(stack).includes(`${PROGRAM}:`) ? stack : stackOf(error, trace)
  })
}

/**
 * @param {import('./host').Host} host @param {string} name @param {any[]} args - plain data
 * @param {{name: string, message: string} | null} error - null: it was done
 */
function report (host, name, args, error) {
  try {
    host.command(
      'action', name, args, error === null, error === null ? null : { name: error.name, message: error.message }
    )
  } catch {
    // The run is over: nobody listens any more.
  }
}

/** Plugin whose members the bot already has. */
const builtIn = () => {}

/**
 * Create `require` for the packages that policies are used to; everything is in scope anyway.
 * @param {any} mcData
 * @returns {(name: any) => any}
 */
function createRequire (mcData) {
  const known = {
    vec3: () => Object.assign((/** @type {any[]} */ ...at) => new Vec3(at[0], at[1], at[2]), { Vec3 }),
    'mineflayer-pathfinder': () => ({ goals, Movements, pathfinder: builtIn }),
    'mineflayer-collectblock': () => ({ plugin: builtIn }),
    'mineflayer-pvp': () => ({ plugin: builtIn }),
    'mineflayer-tool': () => ({ plugin: builtIn }),
    'minecraft-data': () => () => mcData
  }
  return (name) => {
    if (name === 'mineflayer') {
      throw named(
        'NotSupported', 'require("mineflayer"): the bot is there already; write async function main (bot) { ... }'
      )
    }
    if (Object.hasOwn(known, name)) return known[/** @type {keyof typeof known} */ (name)]()
    throw named(
      'NotSupported',
      `require(${JSON.stringify(String(name).slice(0, 40))}); supported: ${Object.keys(known).join(', ')}`
    )
  }
}

/**
 * @param {{bot: any, actions: Record<string, Function>, queries: Record<string, Function>, tolerate?: (name: string,
 *   error: any) => void}} parts
 * @returns {Record<string, any>} name -> value
 */
function policyScope ({ bot, actions, queries, tolerate }) {
  const wrapped = Object.entries(actions).map(([name, primitive]) => [name, wrapAction(name, primitive, tolerate)])
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
