/** bot.on and its kin: listeners inside, one subscription per event outside. */
'use strict'
const { named } = require('./errors')
const { EVENTS } = require('./host_api')
const { Vec3 } = require('./vec3')

/**
 * @param {import('./host').Host} host
 * @param {{blocks: any, entities: any, fatal: (error: any) => void}} parts - fatal: a listener threw
 * @returns {any} on, once, off ... for the bot
 */
function createEvents (host, { blocks, entities, fatal }) {
  /** @type {Map<string, {fn: Function, once: boolean}[]>} */
  const listeners = new Map()

  /** @type {Record<string, (value: any) => any>} */
  const revive = {
    plain: (value) => value,
    entity: (value) => value === null ? null : entities.make(value),
    block: (value) => value === null ? null : blocks.make(value.state, new Vec3(value.position[0], value.position[1], value.position[2]))
  }

  host.onEvent = (name, args) => {
    const kinds = EVENTS[/** @type {keyof typeof EVENTS} */ (name)] ?? []
    const revived = args.map((value, index) => revive[kinds[index] ?? 'plain'](value))
    for (const entry of [...(listeners.get(name) ?? [])]) {
      if (entry.once) remove(name, entry.fn)
      try {
        const result = entry.fn(...revived)
        if (result instanceof Promise) result.catch(fatal)
      } catch (error) {
        fatal(error)
      }
    }
  }

  /** @param {any} name @param {any} fn @param {boolean} once */
  function add (name, fn, once) {
    const event = name === 'physicTick' ? 'physicsTick' : name
    if (typeof fn !== 'function') throw named('BadArgument', `bot.on(${JSON.stringify(name)}, ...): the second argument must be a function`)
    host.command('subscribe', String(event))
    const list = listeners.get(event) ?? []
    list.push({ fn, once })
    listeners.set(event, list)
  }

  /** @param {any} name @param {any} fn */
  function remove (name, fn) {
    const event = name === 'physicTick' ? 'physicsTick' : name
    const list = listeners.get(event) ?? []
    const index = list.findIndex((entry) => entry.fn === fn)
    if (index < 0) return
    list.splice(index, 1)
    host.command('unsubscribe', event)
  }

  return {
    /** @this {any} */
    on (name, fn) { add(name, fn, false); return this },
    /** @this {any} */
    once (name, fn) { add(name, fn, true); return this },
    /** @this {any} */
    addListener (name, fn) { add(name, fn, false); return this },
    /** @this {any} */
    off (name, fn) { remove(name, fn); return this },
    /** @this {any} */
    removeListener (name, fn) { remove(name, fn); return this },
    /** @this {any} */
    removeAllListeners (name) {
      const names = name === undefined ? [...listeners.keys()] : [name]
      for (const each of names) for (const entry of [...(listeners.get(each) ?? [])]) remove(each, entry.fn)
      return this
    },
    listenerCount: (name) => listeners.get(name)?.length ?? 0
  }
}

module.exports = { createEvents }
