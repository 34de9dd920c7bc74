'use strict'
/**
 * Mock world in motion: the engine, its players' clients and the virtual clock. It is synchronous and deterministic: it
 * depends on the seed and the calls made, never on a real clock.
 *
 * Order of a tick: every body in the order of joining, what each player is doing, the engine's own tick, alarms.
 *
 * @module skills_js/mock/simulation
 */
const { World } = require('../../engine/world')
const { blockTable } = require('../../engine/body/blocks')
const { PathFinders } = require('../../engine/body/path_finders')
const { Cells } = require('./cells')
const { VirtualClock } = require('./clock')
const { Crowds } = require('./crowds')
const { Client } = require('./client')
const { named } = require('../bot_facade/errors')

/** Engine events that concern a single player's client, and the client's reaction. */
const PERSONAL = Object.freeze({
  teleport: (/** @type {Client} */ client) => client.teleported(),
  death: (/** @type {Client} */ client) => client.died(),
  respawn: (/** @type {Client} */ client) => {
    client.teleported()
    client.emit('respawn')
  },
  health: (/** @type {Client} */ client) => client.emit('health'),
  slot: (/** @type {Client} */ client, /** @type {unknown} */ payload) => client.emit('slot', payload),
  windowItems: (/** @type {Client} */ client, /** @type {unknown} */ payload) => client.emit('slot', payload),
  window: (/** @type {Client} */ client) => {
    client.bars.clear()
    client.emit('windowOpen')
  },
  windowClose: (/** @type {Client} */ client) => {
    client.openedAt = null
    client.emit('windowClose')
  },
  windowProperty: (/** @type {Client} */ client, /** @type {any} */ { property, value }) => {
    client.bars.set(property, value)
  },
  heldSlot: (/** @type {Client} */ client) => client.emit('heldItemChanged'),
  sleep: (/** @type {Client} */ client, /** @type {any} */ { asleep }) => client.laid(asleep)
})

/** @typedef {keyof import('../../engine/world/types').WorldEvents} EventName */

/** Events of the world that every policy may listen to. */
const SHARED = Object.freeze([
  'entityAdd', 'entityRemove', 'entityMove', 'entityStatus', 'collect', 'chat', 'system', 'join', 'leave', 'time',
  'weather', 'blockAction'
])

/** Engine, clients, clock. */
class Simulation {
  #cells

  /**
   * @param {{seed?: number | string, version?: string, terrain?: string}} [options]
   * @param {World} [shared] one that others play in as well and that somebody else lets pass; else a new one of its own
   */
  constructor (options = {}, shared) {
    this.world = shared ?? new World(options)
    if (shared === undefined) this.world.freezable = false
    /**
     * Distances at which programs hear chat; null: everybody hears everything.
     * @type {import('../hearing').Reach | null}
     */
    this.hearing = null
    this.clock = new VirtualClock()
    this.clock.moveTo(this.world.age)
    /** Clients in the order of joining. @type {Map<string, Client>} */
    this.clients = new Map()
    this.crowds = new Crowds(this.clients)
    /** Events that some clients listen to, with the number of listeners. @type {Map<string, number>} */
    this.heard = new Map()
    const world = this.world
    this.#cells = new Cells((x, y, z) => world.blockAt(x, y, z))
    /** @type {import('../../engine/body/physics').Space} */
    this.space = { stateAt: this.#cells.stateAt, table: blockTable(world.registry) }
    this.paths = new PathFinders(this.space)
    // Before anybody else hears of a change.
    world.on('block', ({ x, y, z }) => {
      this.#cells.forget(x, y, z)
      this.paths.forget(x, y, z)
    })
    this.#wire()
  }

  /** @returns {number} world age in ticks */
  get age () { return this.world.age }

  /**
   * @param {string} name
   * @param {{gamemode?: 'survival' | 'creative' | 'adventure' | 'spectator'}} [options]
   * @returns {Client} a player that is there already stays
   */
  join (name, options = {}) {
    const there = this.clients.get(name)
    if (there) return there
    if (!/^\w{1,16}$/.test(name)) {
      throw named('BadArgument', `a player's name is ${JSON.stringify(name)}; give 1 to 16 letters, digits or _`)
    }
    // What an agent writes never runs as an operator, whoever is asked to make it one.
    this.world.commands.neverOps.add(name)
    const client = new Client(this, this.world.addPlayer(name, options))
    this.clients.set(name, client)
    return client
  }

  /** @param {string} name */
  leave (name) {
    const client = this.clients.get(name)
    if (!client) return
    client.rest()
    this.#forget(client)
    this.world.removePlayer(client.player)
  }

  /** @param {string} name @returns {Client} */
  client (name) {
    const client = this.clients.get(name)
    if (client) return client
    throw named(
      'UnknownPlayer',
      `${JSON.stringify(name)} is not in the world; players: ${[...this.clients.keys()].join(', ') || 'none'}`
    )
  }

  /** Advance 50 ms of game time. */
  tick () {
    for (const client of this.clients.values()) client.step()
    for (const client of this.clients.values()) client.tasks.advance()
    this.world.tick()
    this.clock.moveTo(this.world.age)
  }

  #wire () {
    const { world } = this
    for (const [event, act] of Object.entries(PERSONAL)) {
      world.on(/** @type {EventName} */ (event), (/** @type {any} */ payload) => {
        const client = this.clients.get(payload.player.name)
        if (client !== undefined) act(client, payload)
      })
    }
    for (const event of SHARED) {
      world.on(/** @type {EventName} */ (event), (/** @type {unknown} */ payload) => {
        if (this.heard.has(event)) {
          for (const client of this.clients.values()) if (client.listens(event)) client.emit(event, payload)
        }
      })
    }
    world.on('block', (change) => {
      for (const client of this.clients.values()) {
        client.blockChanged(change.x, change.y, change.z)
        if (client.listens('block')) client.emit('block', change)
      }
    })
    world.on('entityVelocity', ({ entity }) => {
      const client = entity.type === 'player'
        ? this.clients.get(/** @type {import('../../engine/world/types').Player} */ (entity).name)
        : undefined
      if (client !== undefined && client.player === entity) client.pushed()
    })
    world.on('passengers', () => { for (const client of this.clients.values()) client.seated() })
    world.on('kick', ({ player, reason }) => this.#lose(player, `kicked: ${reason}`))
    world.on('leave', ({ player }) => this.#lose(player, 'left the world'))
  }

  /** @param {import('../../engine/world/player').Player} player @param {string} reason */
  #lose (player, reason) {
    const client = this.clients.get(player.name)
    if (client === undefined || client.player !== player) return
    client.tasks.stopAll(named('PolicyAborted', `${client.name} ${reason}`))
    this.#forget(client)
    client.emit('lost', reason)
  }

  /** @param {Client} client */
  #forget (client) {
    client.gone = true
    this.clients.delete(client.name)
  }
}

module.exports = { Simulation }
