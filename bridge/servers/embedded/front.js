'use strict'
/**
 * Network front of the world engine: Minecraft 1.20.4 clients on one side, the engine's verbs and events on the other.
 * One tick is the engine's step and then one write per client.
 */
const net = require('node:net')
const minecraftData = require('minecraft-data')
const { Codec } = require('./codec')
const { Connection } = require('./connection')
const { Login } = require('./login')
const { Columns } = require('./columns')
const { Interest } = require('./interest')
const { EntityFrames } = require('./entities')
const { BlockChanges } = require('./block_changes')
const { PlayerSession } = require('./player_session')
const { Onlooker } = require('./onlooker')
const { GAMEMODES } = require('./viewer')
const { configurationFrames } = require('./registries')
const { CommandTrees } = require('./command_tree')
const { connectWorld } = require('./outbound')
const { containerNbt } = require('../../../engine/world/nbt/items')
const { signNbt } = require('../../../engine/world/rules/functional_blocks/signs')

/** @typedef {import('./settings').Settings} Settings */
/** @typedef {import('../../../engine/world/types').WorldSurface} WorldSurface */
/** @typedef {PlayerSession | Onlooker} AnyViewer */
/** @typedef {(level: 'info' | 'warn' | 'error', text: string) => void} Log */

const BRAND = 'accord'
/** Most sockets at once; idle ones are closed after `loginMs`. */
const MAX_CONNECTIONS = 2000
/** Most sockets of one address that do not play yet; with one more the oldest goes. */
const MAX_BEFORE_PLAY = 512
/** Most bytes waiting for all clients together; beyond that the slowest readers are cut off. */
const MAX_BACKLOG = 64 * 1024 * 1024
const TIME_TICKS = 20
/** Onlookers' entity ids count down from here; the world's count up from 1. */
const ONLOOKER_IDS = 0x7ffffff0

/** Clients of one world. */
class Front {
  /**
   * @param {WorldSurface} world
   * @param {Settings} settings
   * @param {{log: Log, onStop?: () => void}} services
   */
  constructor (world, settings, { log, onStop = () => {} }) {
    this.world = world
    this.settings = settings
    this.log = log
    this.onStop = onStop
    this.codec = new Codec(world.version)
    this.columns = new Columns(
      this.codec,
      (cx, cz) => world.column(cx, cz),
      (cx, cz) => world.columnReady(cx, cz),
      (cx, cz) => world.light.reach(cx, cz),
      (pos) => this.blockEntityNbt(pos)
    )
    this._particles = minecraftData(world.version).particlesByName
    this.entityFrames = new EntityFrames(this.codec, world.Item)
    this.interest = new Interest(this.codec, (entity) => this.entityFrames.spawn(entity))
    this.blockChanges = new BlockChanges(this)
    this.commandTrees = new CommandTrees(this.codec, world.commands.roots)
    for (const name of settings.players ?? []) world.commands.neverOps.add(name)
    world.commands.whitelist.on = settings.whitelist
    /** @type {Set<AnyViewer>} */
    this.viewers = new Set()
    /** @type {Map<number, PlayerSession>} by entity id */
    this._sessions = new Map()
    /** @type {Set<Connection>} */
    this._connections = new Set()
    /** Connections that do not play yet, by address, oldest first. @type {Map<string, Set<Connection>>} */
    this._waiting = new Map()
    this._onlookers = 0
    this._loginServices = this._makeLoginServices()
    this._server = net.createServer((socket) => this._accept(socket))
    for (const entity of world.entities.values()) this.appear(entity)
    connectWorld(this)
  }

  /** @returns {import('./login').LoginServices} */
  _makeLoginServices () {
    return {
      protocol: /** @type {any} */ (minecraftData(this.world.version).version).version,
      version: this.world.version,
      motd: this.settings.motd,
      maxPlayers: this.settings.maxPlayers,
      loginMs: this.settings.loginMs,
      online: () => this.world.players.size,
      configuration: configurationFrames(this.codec, BRAND),
      isTaken: (name) => this._isTaken(name.toLowerCase()),
      join: (connection, profile) => this._join(connection, profile)
    }
  }

  /**
   * @param {string} name in lower case
   * @returns {boolean} whether somebody has it: a client, or a player without one
   */
  _isTaken (name) {
    return [...this.viewers, ...this.world.players.values()].some((other) => other.name.toLowerCase() === name)
  }

  /**
   * @param {number} port 0 for a free one
   * @param {string} host
   * @returns {Promise<number>} the port
   */
  listen (port, host) {
    return new Promise((resolve, reject) => {
      this._server.once('error', reject)
      this._server.listen(port, host, () => resolve(/** @type {net.AddressInfo} */ (this._server.address()).port))
    })
  }

  /** @param {net.Socket} socket */
  _accept (socket) {
    if (this._connections.size >= MAX_CONNECTIONS) return socket.destroy()
    /** @type {Connection} */
    const connection = new Connection(socket, this.codec, {
      packet: (name, params) => (connection.viewer ?? login).packet(name, params),
      end: (reason) => this._ended(connection, login, reason)
    })
    const login = new Login(connection, this._loginServices)
    this._connections.add(connection)
    this._makeRoom(connection, socket.remoteAddress ?? '')
  }

  /**
   * Close the oldest connection of an address that has too many before play.
   * @param {Connection} connection the new one
   * @param {string} address its peer's
   */
  _makeRoom (connection, address) {
    let waiting = this._waiting.get(address)
    if (!waiting) this._waiting.set(address, waiting = new Set())
    waiting.add(connection)
    if (waiting.size > MAX_BEFORE_PLAY) {
      [...waiting].find((other) => !other.viewer)?.destroy('too many connections that do not play')
    }
  }

  /** @param {Connection} connection plays or has ended */
  _waitsNoMore (connection) {
    for (const [address, waiting] of this._waiting) {
      if (waiting.delete(connection) && waiting.size === 0) this._waiting.delete(address)
    }
  }

  /** Cut off the slowest readers while more waits to be written than there is room for. */
  _dropSlowest () {
    let total = 0
    for (const { connection } of this.viewers) total += connection.backlog
    if (total <= MAX_BACKLOG) return
    const slowest = [...this.viewers].map(({ connection }) => connection).sort((a, b) => b.backlog - a.backlog)
    for (const connection of slowest) {
      if (total <= MAX_BACKLOG) return
      total -= connection.backlog
      connection.destroy('reads too slowly')
    }
  }

  /**
   * @param {Connection} connection
   * @param {Login} login
   * @param {string} reason
   */
  _ended (connection, login, reason) {
    login.dispose()
    this._connections.delete(connection)
    this._waitsNoMore(connection)
    /** @type {AnyViewer | undefined} */
    const viewer = connection.viewer
    const who = viewer?.name ?? (login.name || 'a client that did not log in')
    if (viewer || login.name) this.log('info', `${who} left: ${reason}`)
    if (!viewer || !this.viewers.delete(viewer)) return
    viewer.leave()
    if (!(viewer instanceof PlayerSession)) return
    this._sessions.delete(viewer.ownId)
    this.world.removePlayer(viewer.player)
  }

  /**
   * @param {Connection} connection
   * @param {{name: string, uuid: string, viewDistance: number}} profile
   */
  _join (connection, profile) {
    const { players, maxPlayers } = this.settings
    const { on, names } = this.world.commands.whitelist
    if (on && !names.has(profile.name)) return connection.kick('You are not white-listed on this server!')
    if (players !== null && !players.includes(profile.name)) {
      const onlooker = new Onlooker(this, connection, profile, ONLOOKER_IDS - this._onlookers++)
      this._enter(connection, onlooker, 'watches')
      return
    }
    if (this.world.players.size >= maxPlayers) return connection.kick('The server is full')
    const player = this.world.addPlayer(profile.name, { uuid: profile.uuid })
    const session = new PlayerSession(this, connection, profile, player)
    this._sessions.set(player.id, session)
    this._enter(connection, session, 'plays')
  }

  /**
   * @param {Connection} connection
   * @param {AnyViewer} viewer
   * @param {string} how for the log
   */
  _enter (connection, viewer, how) {
    connection.viewer = viewer
    this._waitsNoMore(connection)
    this.viewers.add(viewer)
    this.log('info', `${viewer.name} ${how}`)
    viewer.begin()
  }

  /**
   * @param {number} entityId
   * @returns {PlayerSession | undefined} the connection that plays it
   */
  session (entityId) {
    return this._sessions.get(entityId)
  }

  /** @param {any} entity comes into the world; other players' spectators and markers are seen by nobody */
  appear (entity) {
    if (entity.hidden) return
    if (entity.type === 'player') {
      this.tellAllFrame(this._playerInfo([entity]))
      if (entity.gamemode === 'spectator') return
    }
    this.interest.add(entity)
  }

  /**
   * @param {Onlooker} [onlooker] is in its own list only
   * @returns {Buffer} player_info with everybody who plays
   */
  playerList (onlooker) {
    const self = onlooker ? [{ uuid: onlooker.uuid, name: onlooker.name, gamemode: 'spectator' }] : []
    return this._playerInfo([...this.world.players.values(), ...self])
  }

  /** @param {{uuid: string, name?: string, gamemode?: string}[]} players */
  _playerInfo (players) {
    return this.codec.encode('play', 'player_info', {
      action: { add_player: true, update_game_mode: true, update_listed: true, update_latency: true },
      data: players.map(({ uuid, name, gamemode }) => ({
        uuid, player: { name, properties: [] }, gamemode: GAMEMODES.indexOf(/** @type {string} */ (gamemode)),
        listed: 1, latency: 0
      }))
    })
  }

  /** @returns {Buffer} */
  timeFrame () {
    const { age, timeOfDay } = this.world
    // A negative time of day tells clients that it stands still; of 0 there is no negative.
    const stands = !this.world.rules.doDaylightCycle
    return this.codec.encode(
      'play', 'update_time', { age: BigInt(age), time: BigInt(stands ? -timeOfDay || -1 : timeOfDay) }
    )
  }

  /** @returns {Buffer} */
  weatherFrames () {
    const { weather } = this.world
    const change = (/** @type {string} */ reason, /** @type {number} */ gameMode) =>
      this.codec.encode('play', 'game_state_change', { reason, gameMode })
    return Buffer.concat([
      change(weather === 'clear' ? 'stop_raining' : 'start_raining', 0),
      change('rain_level_change', weather === 'clear' ? 0 : 1),
      change('thunder_level_change', weather === 'thunder' ? 1 : 0)
    ])
  }

  /** @param {Buffer} framed */
  tellAllFrame (framed) {
    for (const viewer of this.viewers) viewer.connection.send(framed)
  }

  /**
   * @param {string} name
   * @param {object} params
   */
  tellAll (name, params) {
    if (this.viewers.size > 0) this.tellAllFrame(this.codec.encode('play', name, params))
  }

  /**
   * Tell all who have that block in view.
   * @param {number} x
   * @param {number} z
   * @param {string} name
   * @param {object} params
   */
  tellAround (x, z, name, params) {
    const framed = this.codec.encode('play', name, params)
    for (const viewer of this.interest.watchers(x >> 4, z >> 4)) viewer.connection.send(framed)
  }

  /**
   * @param {{x: number, y: number, z: number}} pos
   * @returns {unknown} what clients are told of a block's own data; undefined for nothing
   */
  blockEntityNbt (pos) {
    const entity = this.world.blockEntities.at(pos)
    if (entity?.sign) return { type: 'compound', value: signNbt(entity.sign) }
    return entity && entity.cooking.length > 0 ? containerNbt(entity) : undefined
  }

  /** @param {{x: number, y: number, z: number}} pos whose sign or other data changed */
  tellBlockEntity (pos) {
    const nbtData = this.blockEntityNbt(pos)
    if (!nbtData) return
    this.columns.invalidate(pos.x >> 4, pos.z >> 4)
    this.tellAround(
      pos.x,
      pos.z,
      'tile_entity_data',
      { location: pos, action: this.columns.blockEntityType(this.world.blockAt(pos.x, pos.y, pos.z)), nbtData }
    )
  }

  /** Send a column again to all who have it. @param {number} cx @param {number} cz */
  resendColumn (cx, cz) {
    this.columns.invalidate(cx, cz)
    for (const viewer of this.viewers) {
      if (viewer.view.has(cx, cz)) viewer.connection.send(this.columns.frame(cx, cz, viewer.lit))
    }
  }

  /** @param {import('../../../engine/world/types').WorldEvents['particle']} particle */
  particle ({ name, x, y, z, dx, dy, dz, speed, count, force, player, data }) {
    const params = {
      particleId: this._particles[name]?.id ?? 0, longDistance: force, x, y, z, offsetX: dx, offsetY: dy, offsetZ: dz,
      particleData: speed, particles: count, data
    }
    const framed = this.codec.encode('play', 'world_particles', params)
    if (player) return this.session(player.id)?.connection.send(framed)
    for (const viewer of this.interest.watchers(Math.floor(x) >> 4, Math.floor(z) >> 4)) viewer.connection.send(framed)
  }

  /**
   * Send sounds to people; bots do not get them.
   * @param {number} x
   * @param {number} z
   * @param {() => object} params
   */
  tellPeople (x, z, params) {
    const people = [
      ...this.interest.watchers(Math.floor(x) >> 4, Math.floor(z) >> 4)
    ].filter((viewer) => /** @type {any} */ (viewer).lit)
    if (people.length === 0) return
    const framed = this.codec.encode('play', 'sound_effect', params())
    for (const viewer of people) viewer.connection.send(framed)
  }

  /**
   * Show a swing to others; it has no meaning to the world.
   * @param {PlayerSession} session
   * @param {number} hand
   */
  swing (session, hand) {
    this.interest.tellAbout(
      session.player, this.codec.encode('play', 'animation', { entityId: session.ownId, animation: hand === 1 ? 3 : 0 })
    )
  }

  /** Send everything that happened after the world's step, one write per client. */
  flush () {
    const { age } = this.world
    this.columns.nextTick()
    this.blockChanges.flush()
    this.interest.flushMoves()
    if (age % TIME_TICKS === 0) this.tellAllFrame(this.timeFrame())
    for (const viewer of this.viewers) {
      viewer.tick(age)
      viewer.connection.flush()
    }
    this._dropSlowest()
  }

  /**
   * Kick everybody and stop listening.
   * @param {string} reason
   * @returns {Promise<void>} when every client has gone
   */
  close (reason) {
    const closed = new Promise((resolve) => this._server.close(() => resolve(undefined)))
    for (const connection of [...this._connections]) connection.kick(reason)
    return closed
  }
}

module.exports = { Front }
