/** Implementation of bot.on and its kin: listeners inside, one subscription per event outside. */
'use strict'
const { named } = require('./errors')
const { eventOf } = require('./event_names')
const { CAPS, EVENTS } = require('./host_api')
const { Vec3 } = require('./vec3')

/**
 * @param {import('./host').Host} host
 * @param {{blocks: any, entities: any, fatal: (error: any) => void, started: Promise<any>[]}} parts - fatal: a listener
 *   threw; started: is given what listeners to the bot's arrival do, for which the run waits
 * @returns {{members: any, emit: (event: string, ...args: any[]) => void}} on, once, off ... for the bot; emit: tell
 *   listeners of what the bot facade itself does
 */
function createEvents (host, { blocks, entities, fatal, started }) {
  /** @type {Map<string, {fn: Function, once: boolean}[]>} */
  const listeners = new Map()

  /** @type {Record<string, (value: any) => any>} */
  const revive = {
    plain: (value) => value,
    entity: (value) => value === null ? null : entities.make(value),
    block: (value) => value === null
      ? null
      : blocks.make(value.state, new Vec3(value.position[0], value.position[1], value.position[2]))
  }

  /** @param {Function} fn @param {unknown[]} args @returns {unknown} what the listener returns */
  const call = (fn, args) => {
    try {
      const result = fn(...args)
      if (result instanceof Promise) result.catch(fatal)
      return result
    } catch (error) {
      fatal(error)
    }
  }

  /** @param {string} name @param {any[]} args */
  const tell = (name, args) => {
    for (const entry of [...(listeners.get(name) ?? [])]) {
      if (entry.once) remove(name, entry.fn)
      call(entry.fn, args)
    }
  }

  host.onEvent = (event, args) => {
    const kinds = EVENTS[/** @type {keyof typeof EVENTS} */ (event)] ?? []
    const revived = args.map((value, index) => revive[kinds[index] ?? 'plain'](value))
    for (const name of [...listeners.keys()]) {
      const known = eventOf(name)
      if (known.host === event) tell(name, known.args?.(revived) ?? revived)
    }
  }

  /** @param {any} name @param {any} fn @param {boolean} once */
  function add (name, fn, once) {
    if (typeof fn !== 'function') {
      throw named('BadArgument', `bot.on(${JSON.stringify(name)}, ...): the second argument must be a function`)
    }
    const { host: heard, arrival, hint } = eventOf(name)
    // The bot has arrived before the program begins.
    if (arrival === true) started.push(Promise.resolve().then(() => call(fn, [])))
    if (arrival === true && once) return
    if (hint !== undefined) host.command('log', 'info', `bot.on(${JSON.stringify(name)}): ${hint}`)
    const list = listeners.get(name) ?? []
    if (heard !== undefined) host.command('subscribe', heard)
    else if (list.length >= CAPS.listeners) {
      throw named('LimitExceeded', `more than ${CAPS.listeners} listeners: remove some with bot.removeListener`)
    }
    list.push({ fn, once })
    listeners.set(name, list)
  }

  /** @param {any} name @param {Function} fn */
  function remove (name, fn) {
    const list = listeners.get(name) ?? []
    const index = list.findIndex((entry) => entry.fn === fn)
    if (index < 0) return
    list.splice(index, 1)
    if (list.length === 0) listeners.delete(name)
    const { host: heard } = eventOf(name)
    if (heard !== undefined) host.command('unsubscribe', heard)
  }

  return { members: createMembers({ listeners, add, remove }), emit: (event, ...args) => tell(event, args) }
}

/**
 * @param {{listeners: Map<string, {fn: Function, once: boolean}[]>, add: (name: any, fn: any, once: boolean) => void,
 *   remove: (name: any, fn: any) => void}} parts
 * @returns {any} the bot's members
 */
function createMembers ({ listeners, add, remove }) {
  return {
    /** @this {any} @param {string} name @param {(...args: unknown[]) => unknown} fn */
    on (name, fn) { add(name, fn, false); return this },
    /** @this {any} @param {string} name @param {(...args: unknown[]) => unknown} fn */
    once (name, fn) { add(name, fn, true); return this },
    /** @this {any} @param {string} name @param {(...args: unknown[]) => unknown} fn */
    addListener (name, fn) { add(name, fn, false); return this },
    /** @this {any} @param {string} name @param {(...args: unknown[]) => unknown} fn */
    off (name, fn) { remove(name, fn); return this },
    /** @this {any} @param {string} name @param {(...args: unknown[]) => unknown} fn */
    removeListener (name, fn) { remove(name, fn); return this },
    /** @this {any} @param {string} [name] */
    removeAllListeners (name) {
      const names = name === undefined ? [...listeners.keys()] : [name]
      for (const each of names) for (const entry of [...(listeners.get(each) ?? [])]) remove(each, entry.fn)
      return this
    },
    listenerCount: (/** @type {string} */ name) => listeners.get(name)?.length ?? 0
  }
}

module.exports = { createEvents }
