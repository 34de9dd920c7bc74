'use strict'
/**
 * Players of one host whose bodies are in the server: the counterpart of `BotRoom` for mineflayer's bots. One
 * connection carries all of them; when it ends they are lost, and the server removes them from the world.
 */
const net = require('node:net')
const { named } = require('../../../skills_js/bot_facade/errors')
const { WorldClock } = require('../clock')
const { ServerLink } = require('./link')

/** Minecraft version of the server, for programs. */
const VERSION = '1.20.4'

/**
 * @typedef {{ bot: { username: string, version: string, link: ServerLink }, name: string, lost: Set<(reason: string) =>
 *   void> }} Entry
 * @typedef {{ bot: string, host: string, port: number, secret: string, hearing?:
 *   import('../../../skills_js/hearing').Reach | null }} Connect
 * @typedef {(kind: string, data: object, tick?: number|null) => void} Emit
 */

/** All players of the host. */
class EngineRoom {
  #emit
  /** @type {Map<string, Entry>} */
  #entries = new Map()
  /** @type {Promise<ServerLink> | null} */
  #link = null
  clock = new WorldClock(() => performance.timeOrigin + performance.now())
  /** Bodies in the server need no idling. */
  idle = { hold () {}, release () {} }
  /** The server itself reports what the bodies mine and place, before the end of a run is known. */
  ground = { tell () {} }

  /** @param {Emit} emit */
  constructor (emit) {
    this.#emit = emit
  }

  /** Number of players. */
  get size () { return this.#entries.size }

  /** Bots whose listeners are to be examined: none. */
  get bots () { return [] }

  /**
   * Join one player.
   * @param {Connect} spec
   * @param {import('../supervisor/socket_proxy').ProxyCalls|null} calls how the server is reached, where the host has
   *   no network
   */
  async connect (spec, calls) {
    if (this.#entries.has(spec.bot)) return
    const link = await this.#linked(spec, calls)
    // Known before the answer: it may be lost again in the moment of its arrival.
    this.#entries.set(
      spec.bot, { bot: { username: spec.bot, version: VERSION, link }, name: spec.bot, lost: new Set() }
    )
    await link.request('join', { bot: spec.bot }).catch((error) => {
      this.#entries.delete(spec.bot)
      throw error
    })
  }

  /**
   * Take a player out of the world; do nothing if it is not there.
   * @param {string} name
   */
  async disconnect (name) {
    await this.#entries.get(name)?.bot.link.request('leave', { bot: name })
  }

  /** @param {string} name @returns {Promise<object>} what the player is and has now */
  async observe (name) {
    return this.spawned(name).bot.link.request('observe', { bot: name })
  }

  /** Refuse a picture: the server draws its bodies itself. @param {string} name @returns {string} */
  picture (name) {
    throw named('BadArgument', `ask the server for what ${name} sees: its body is there`)
  }

  /**
   * @param {string[]} names
   * @param {import('../../../skills_js/nearby').Senses} senses
   * @returns {Promise<object[]>} what each of them that is in the world is, has and sees around it
   */
  async sense (names, senses) {
    const bots = names.filter((name) => this.#entries.has(name))
    return bots.length === 0 ? [] : (await this.#open())?.request('sense', { bots, senses }) ?? []
  }

  /**
   * @param {import('../../../skills_js/hearing').Reach | null} reach how far words carry; null: everybody hears
   *   everything
   */
  async hearing (reach) {
    await (await this.#open())?.request('hearing', { reach })
  }

  /** @param {[string, string, string|null][]} lines who, what, and to whom it is whispered (null: everybody) */
  async speak (lines) {
    await (await this.#open())?.request('speak', { lines: lines.filter(([name]) => this.#entries.has(name)) })
  }

  /**
   * Return the entry of a player that is in the world.
   * @param {string} name
   * @returns {Entry}
   */
  spawned (name) {
    const entry = this.#entries.get(name)
    if (entry !== undefined) return entry
    throw named('BotLost', `${name} is not in the world`)
  }

  /**
   * Return the connection, opened if necessary.
   * @returns {Promise<ServerLink | null>}
   */
  async #open () {
    const link = await this.#link?.catch(() => null) ?? null
    return link?.alive ? link : null
  }

  /**
   * @param {Connect} spec
   * @param {import('../supervisor/socket_proxy').ProxyCalls|null} calls
   * @returns {Promise<ServerLink>}
   */
  #linked (spec, calls) {
    this.#link ??= this.#dial(spec, calls).catch((error) => {
      this.#link = null
      throw named(
        'BotLost', `${spec.bot} could not join ${spec.host}:${spec.port}: ${String(error.code ?? error.message)}`
      )
    })
    return this.#link
  }

  /**
   * @param {Connect} spec
   * @param {import('../supervisor/socket_proxy').ProxyCalls|null} calls
   * @returns {Promise<ServerLink>}
   */
  async #dial ({ host, port, secret, hearing }, calls) {
    const socket = calls === null ? await dialled(host, port) : await calls.connect()
    const link = new ServerLink(socket, secret, {
      onTold: (kind, tick, data) => this.#emit(kind, data, tick),
      onAge: (age) => this.clock.update(age),
      onLost: (bot, reason) => this.#gone(bot, reason),
      onGone: (reason) => this.#cutOff(reason)
    })
    await link.request('hearing', { reach: hearing ?? null })
    return link
  }

  /** @param {string} name @param {string} reason */
  #gone (name, reason) {
    const entry = this.#entries.get(name)
    this.#entries.delete(name)
    for (const tell of [...entry?.lost ?? []]) tell(`${name} left the world: ${reason}`)
  }

  /** @param {string} reason */
  #cutOff (reason) {
    this.#link = null
    for (const name of [...this.#entries.keys()]) {
      this.#gone(name, reason)
      this.#emit('bot', { bot: name, state: 'ended', reason })
    }
  }
}

/** @param {string} host @param {number} port @returns {Promise<net.Socket>} */
function dialled (host, port) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port }, () => {
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
}

module.exports = { EngineRoom }
