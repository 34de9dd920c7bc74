/**
 * Common part of every backend of the host API: the checks of the method table, the limits that count over a run, and
 * errors as values, since an exception loses its name on its way into an isolate.
 */
'use strict'
const { CAPS, EVENTS, checkCall } = require('./host_api')
const { named } = require('./errors')
const { unsaid } = require('./talk')

/**
 * @typedef {{signals: import('../signals').SignalHub, tick: () => number | null, emit: (kind: string, data: object) =>
 *   void}} Services
 * @typedef {{
 *   reads: Record<string, (...args: any[]) => any>,
 *   acts: Record<string, (signal: AbortSignal, ...args: any[]) => Promise<any>>,
 *   listen: (event: string, tell: (name: string, args: any[]) => void) => () => void,
 *   hush?: () => string[],
 *   quiesce: () => Promise<void>
 *   }} Parts
 *   `reads` has the reads and the commands, except the few that are answered here; `listen` returns a function that
 *   ends it; `hush` takes back the chat lines that are still waiting
 */

/** Backend of one run: `read`, `act`, `quiesce`, `onEvent` as described in section 4 of seams.md. */
class Backend {
  /** @type {Parts} */
  #parts
  /** @type {Services} */
  #services
  #player
  /** @type {(name: string, args: any[]) => void} */
  #tell = () => {}
  /** @type {Map<string, {count: number, stop: () => void}>} */
  #listening = new Map()
  #lines = 0

  /**
   * @param {Parts} parts
   * @param {Services} services
   * @param {string} player - whose run it is
   */
  constructor (parts, services, player) {
    this.#parts = parts
    this.#services = services
    this.#player = player
  }

  /**
   * @param {string} method
   * @param {any[]} args
   * @returns {{value?: any, error?: {name: string, message: string}}}
   */
  read = (method, args) => {
    try {
      checkCall(method, args, ['read', 'command'])
      return { value: this.#answer(method, args) }
    } catch (error) {
      return { error: { name: String(error.name), message: String(error.message) } }
    }
  }

  /**
   * @param {string} method
   * @param {any[]} args
   * @param {AbortSignal} signal
   * @returns {Promise<any>}
   */
  act = async (method, args, signal) => {
    checkCall(method, args, ['act'])
    if (signal.aborted) throw named('Cancelled', `${method} was cancelled before it began`)
    if (method === 'waitSignal') return this.#waitSignal(signal, wantedOf(args))
    const hub = this.#services.signals
    if (method === 'sendSignal') return hub.send(this.#player, args[0], args[1])
    hub.busy(this.#player, 1)
    try {
      return await part(this.#parts.acts, method)(signal, ...args) ?? null
    } finally {
      hub.busy(this.#player, -1)
    }
  }

  /**
   * @param {AbortSignal} signal
   * @param {string | import('../signals').Wanted} wanted
   * @returns {Promise<import('../signals').Signal | null>}
   */
  #waitSignal (signal, wanted) {
    return new Promise((resolve, reject) => {
      const giveUp = this.#services.signals.wait(this.#player, wanted, (error, arrived) => {
        if (error) reject(error)
        else resolve(arrived)
      })
      signal.addEventListener('abort', () => {
        giveUp()
        reject(named('Cancelled', 'the wait for a signal was given up'))
      }, { once: true })
    })
  }

  /**
   * Drop the chat lines that were not said by now: they would take the place of the next program's.
   * @returns {Promise<void>} when nothing of the run moves the bot any more and no listener is left
   */
  quiesce = async () => {
    this.#tell = () => {}
    for (const entry of this.#listening.values()) entry.stop()
    this.#listening.clear()
    const lines = this.#parts.hush?.() ?? []
    if (lines.length > 0) this.#services.emit('log', { level: 'warn', text: unsaid(lines) })
    await this.#parts.quiesce()
  }

  /** @param {(name: string, args: any[]) => void} fn */
  onEvent = (fn) => {
    this.#tell = fn
  }

  /**
   * @param {string} method
   * @param {any[]} args
   * @returns {any}
   */
  #answer (method, args) {
    if (method === 'log') return this.#log(args[0], args[1])
    if (method === 'action') return this.#action(args[0], args[1], args[2], args[3])
    if (method === 'subscribe') return this.#subscribe(args[0])
    if (method === 'unsubscribe') return this.#unsubscribe(args[0])
    return part(this.#parts.reads, method)(...args) ?? null
  }

  /**
   * @param {string} level
   * @param {string} text
   */
  #log (level, text) {
    this.#lines++
    if (this.#lines > CAPS.logLines) return
    const last = this.#lines === CAPS.logLines ? ' (further lines of this run are not kept)' : ''
    this.#services.emit('log', { level: level.slice(0, 16), text: text.slice(0, CAPS.logChars) + last })
  }

  /**
   * @param {string} name
   * @param {any} args
   * @param {boolean} ok
   * @param {any} error
   */
  #action (name, args, ok, error) {
    this.#services.emit('action', { name, args, ok, error: error ?? null })
  }

  /** @param {string} event */
  #subscribe (event) {
    if (!Object.hasOwn(EVENTS, event)) {
      throw named('NotSupported', `bot.on(${JSON.stringify(event)}): events are ${Object.keys(EVENTS).join(', ')}`)
    }
    const entry = this.#listening.get(event)
    const total = [...this.#listening.values()].reduce((sum, one) => sum + one.count, 0)
    if (total >= CAPS.listeners) {
      throw named('LimitExceeded', `more than ${CAPS.listeners} listeners: remove some with bot.removeListener`)
    }
    if (entry) entry.count++
    else {
      this.#listening.set(event, { count: 1, stop: this.#parts.listen(event, (name, args) => this.#tell(name, args)) })
    }
  }

  /** @param {string} event */
  #unsubscribe (event) {
    const entry = this.#listening.get(event)
    if (entry === undefined) return
    entry.count--
    if (entry.count > 0) return
    entry.stop()
    this.#listening.delete(event)
  }
}

/**
 * @param {Record<string, (...args: any[]) => any>} parts
 * @param {string} method
 * @returns {(...args: any[]) => any}
 * @throws {NotSupported} this world's backend does not have it
 */
function part (parts, method) {
  if (Object.hasOwn(parts, method)) return parts[method]
  throw named('NotSupported', `${method} is not available in this world`)
}

/**
 * @param {any[]} args of `waitSignal`, checked
 * @returns {string | import('../signals').Wanted} the sender is named apart where the program did so
 */
function wantedOf ([name, from]) {
  return typeof from === 'string' ? { from, name } : name
}

module.exports = { Backend, wantedOf }
