'use strict'
/** Common part of players and onlookers: joining, the view, teleports, keep-alive. */
const { View } = require('./view')
const { component, fromJson } = require('./components')
const { borderPacket, teamPacket, tickingState } = require('./shown')

/** @typedef {import('./connection').Connection} Connection */
/** @typedef {import('./front').Front} Front */

const GAMEMODES = Object.freeze(['survival', 'creative', 'adventure', 'spectator'])
/** Ability flags by game mode: 1 invulnerable, 2 flying, 4 may fly, 8 instant building. */
const ABILITIES = Object.freeze({ survival: 0, adventure: 0, creative: 1 | 4 | 8, spectator: 1 | 2 | 4 })
const FLYING_SPEED = 0.05
const WALKING_SPEED = 0.1
/**
 * Real time between keep-alives, in ms, however slowly a busy server ticks: clients leave a server of which they have
 * not heard for 30 s.
 */
const KEEP_ALIVE_MS = 10_000
/** Time without an answer to a keep-alive after which a client is gone, in ms. */
const UNANSWERED_MS = 30_000
const OVERWORLD = 'minecraft:overworld'
/** Largest coordinate accepted from a client. */
const FAR_LANDS = 3e7

/** Client that plays or watches. */
class Viewer {
  /**
   * @param {Front} front
   * @param {Connection} connection
   * @param {{name: string, uuid: string, viewDistance: number}} profile
   * @param {{ownId: number, lit: boolean, now?: () => number}} options `now` tells real time in ms
   */
  constructor (front, connection, profile, { ownId, lit, now = () => performance.now() }) {
    this.front = front
    this.connection = connection
    this.name = profile.name
    this.uuid = profile.uuid
    this.ownId = ownId
    this.lit = lit
    /** @type {View} */
    this.view = new View(this, Math.max(2, Math.min(front.settings.viewDistance, profile.viewDistance)), front)
    this._teleportId = 0
    /** @type {number | null} */
    this._awaiting = null
    this._now = now
    this._keepAliveSent = -Infinity
    /** Time at which the unanswered keep-alive was sent. @type {number | null} */
    this._keepAliveOpen = null
  }

  /**
   * Dimension in view; onlookers see the overworld.
   * @returns {string}
   */
  get dimension () { return OVERWORLD }

  /** @returns {boolean} whether moves are disregarded until the client has confirmed a teleport */
  get teleporting () {
    return this._awaiting !== null
  }

  /**
   * @param {string} name
   * @param {object} params
   */
  write (name, params) {
    this.connection.write(name, params)
  }

  /**
   * Send the first packets of play, up to and without the position.
   * @param {string} gamemode
   */
  enter (gamemode) {
    const { front } = this
    const { world } = front
    this.write('login', {
      entityId: this.ownId,
      isHardcore: false,
      worldNames: [OVERWORLD, 'minecraft:the_nether', 'minecraft:the_end'],
      maxPlayers: front.settings.maxPlayers,
      viewDistance: this.view.radius,
      simulationDistance: this.view.radius,
      reducedDebugInfo: false,
      enableRespawnScreen: true,
      doLimitedCrafting: false,
      worldType: this.dimension,
      worldName: this.dimension,
      hashedSeed: 0n,
      gameMode: GAMEMODES.indexOf(gamemode),
      previousGameMode: -1,
      isDebug: false,
      isFlat: true,
      death: undefined,
      portalCooldown: 0
    })
    this.write('server_data', { motd: component(front.settings.motd), iconBytes: undefined, enforcesSecureChat: false })
    this.write('difficulty', { difficulty: world.difficulty, difficultyLocked: false })
    this.abilities(gamemode)
    this.sendCommands()
    this.write('initialize_world_border', borderPacket(world.border))
    this.write('set_ticking_state', tickingState(world))
    for (const team of world.teams.byName.values()) this.write('teams', teamPacket(team, 'add'))
    this.write('spawn_position', { location: spawnPoint(world.spawn), angle: world.spawn.angle })
    this.connection.send(front.timeFrame())
    this.connection.send(front.weatherFrames())
    this._expectColumns()
  }

  /**
   * Send the viewer's permission level (entity status 24 is level 0, 28 is 4) and the commands that it allows.
   * @param {number} [level]
   */
  sendCommands (level = 0) {
    this.write('entity_status', { entityId: this.ownId, entityStatus: 24 + level })
    this.connection.send(this.front.commandTrees.frame(level))
  }

  /** @param {string} gamemode */
  abilities (gamemode) {
    const flags = ABILITIES[/** @type {keyof typeof ABILITIES} */ (gamemode)]
    this.write('abilities', { flags, flyingSpeed: FLYING_SPEED, walkingSpeed: WALKING_SPEED })
  }

  /** @param {string} gamemode tells the client its new game mode */
  changeGamemode (gamemode) {
    this.write('game_state_change', { reason: 'change_game_mode', gameMode: GAMEMODES.indexOf(gamemode) })
    this.abilities(gamemode)
  }

  /**
   * Put the client somewhere; the columns there go first, so that it does not fall.
   * @param {{x: number, y: number, z: number, yaw: number, pitch: number}} to
   */
  teleport ({ x, y, z, yaw, pitch }) {
    this.view.follow(x, z)
    this.view.pump()
    this._awaiting = ++this._teleportId
    this.write('position', { x, y, z, yaw, pitch, flags: 0, teleportId: this._awaiting })
  }

  /** @param {number} id the client is where it was put */
  confirmTeleport (id) {
    if (id === this._awaiting) this._awaiting = null
  }

  /**
   * Send a new life: the client drops its world and gets it again.
   * @param {string} gamemode
   */
  reenter (gamemode) {
    this.write('respawn', {
      dimension: this.dimension,
      worldName: this.dimension,
      hashedSeed: 0n,
      gamemode: GAMEMODES.indexOf(gamemode),
      previousGamemode: 255,
      isDebug: false,
      isFlat: true,
      death: undefined,
      portalCooldown: 0,
      copyMetadata: false
    })
    this.view.forget()
    this.abilities(gamemode)
    this.write('spawn_position', { location: spawnPoint(this.front.world.spawn), angle: this.front.world.spawn.angle })
    this._expectColumns()
  }

  /** Let a client's loading screen wait for its columns. */
  _expectColumns () {
    this.write('game_state_change', { reason: 'level_chunks_load_start', gameMode: 0 })
  }

  /**
   * @param {string} text a plain line, or the JSON text of a component
   * @param {boolean} overlay above the hot bar instead of in the chat
   */
  sendSystem (text, overlay = false) {
    this.write('system_chat', { content: fromJson(text), isActionBar: overlay })
  }

  /** Process the answer to a keep-alive. */
  alive () {
    this._keepAliveOpen = null
  }

  /** @param {number} age world age in ticks; once a tick, before the flush */
  tick (age) {
    const now = this._now()
    if (this._keepAliveOpen !== null && now - this._keepAliveOpen >= UNANSWERED_MS) {
      return this.connection.kick('Timed out')
    }
    if (now - this._keepAliveSent >= KEEP_ALIVE_MS) {
      this._keepAliveSent = now
      this._keepAliveOpen ??= now
      this.write('keep_alive', { keepAliveId: BigInt(age) })
    }
    this.view.pump()
  }

  /** Leave every column; the connection has ended. */
  leave () {
    this.view.leave()
  }
}

/** @param {{x: number, y: number, z: number}} spawn */
function spawnPoint ({ x, y, z }) {
  return { x: Math.floor(x), y: Math.floor(y), z: Math.floor(z) }
}

/**
 * @param {Record<string, unknown>} params numbers of a movement packet
 * @returns {boolean} whether every number in it is one that a place in the world can have
 */
function isSane (params) {
  return ['x', 'y', 'z', 'yaw', 'pitch'].every((field) => {
    const value = params[field]
    return value === undefined || (typeof value === 'number' && Number.isFinite(value) && Math.abs(value) <= FAR_LANDS)
  })
}

module.exports = { Viewer, GAMEMODES, isSane }
