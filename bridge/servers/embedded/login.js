'use strict'
/** Phases before play: handshake, server list ping, offline login, configuration. */
const { createHash } = require('node:crypto')
const minecraftData = require('minecraft-data')
const { ProtocolError } = require('./codec')

/** @typedef {import('./connection').Connection} Connection */

const LEGAL_NAME = /^[A-Za-z0-9_]{1,16}$/
/**
 * Delay of an answer to a login, in ms. mineflayer sets up its listeners one timer after it connects; a server on the
 * same machine can be through the configuration before that, and its registries would go unheard.
 */
const LOGIN_PAUSE_MS = 15
/** Time after which a name is free again whose old connection is closing, in ms. */
const NAME_GRACE_MS = 1000
const NAME_RETRY_MS = 50

/**
 * @typedef {object} LoginServices
 * @property {number} protocol protocol number of the version served
 * @property {string} version
 * @property {string} motd
 * @property {number} maxPlayers
 * @property {number} loginMs a connection that plays not by then is closed
 * @property {() => number} online how many play
 * @property {Buffer} configuration frames of the configuration phase
 * @property {(name: string) => boolean} isTaken whether a connection plays under that name
 * @property {(connection: Connection, profile: {name: string, uuid: string, viewDistance: number}) => void} join called
 *   when play begins
 */

/**
 * Return the UUID of a name on an offline-mode server: version 3 over "OfflinePlayer:" and the name.
 * @param {string} name
 * @returns {string}
 */
function offlineUuid (name) {
  const bytes = createHash('md5').update(`OfflinePlayer:${name}`, 'utf8').digest()
  bytes[6] = (bytes[6] & 0x0f) | 0x30
  bytes[8] = (bytes[8] & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Login of one connection. */
class Login {
  /**
   * @param {Connection} connection
   * @param {LoginServices} services
   */
  constructor (connection, services) {
    this.connection = connection
    this.services = services
    this.name = ''
    this.viewDistance = 10
    this._timer = setTimeout(() => connection.kick('Took too long to log in'), services.loginMs)
    /** @type {ReturnType<typeof setTimeout> | null} */
    this._waiting = null
  }

  /** Stop the clocks; the connection has ended or plays. */
  dispose () {
    clearTimeout(this._timer)
    if (this._waiting) clearTimeout(this._waiting)
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} params
   * @throws {ProtocolError} on a packet out of its order
   */
  packet (name, params) {
    const handler = HANDLERS[this.connection.state]?.[name]
    if (handler) handler(this, params)
    this.connection.flush()
  }

  /** @param {string} username */
  start (username) {
    if (this.name) throw new ProtocolError('logged in twice')
    if (!LEGAL_NAME.test(username)) {
      return this.connection.kick('Illegal player name: 1 to 16 letters, digits or underscores')
    }
    this.name = username
    const deadline = performance.now() + NAME_GRACE_MS
    this._waiting = setTimeout(() => this._claim(deadline), LOGIN_PAUSE_MS)
  }

  /**
   * Wait for a free name: a bot that comes back can be faster than the end of its old connection.
   * @param {number} deadline on the performance clock
   */
  _claim (deadline) {
    if (this.connection.ended) return
    if (!this.services.isTaken(this.name)) {
      this.connection.write('success', { uuid: offlineUuid(this.name), username: this.name, properties: [] })
      return this.connection.flush()
    }
    if (performance.now() > deadline) return this.connection.kick(`${this.name} is already playing`)
    this._waiting = setTimeout(() => this._claim(deadline), NAME_RETRY_MS)
  }

  configured () {
    this.dispose()
    this.connection.state = 'play'
    if (this.services.isTaken(this.name)) return this.connection.kick(`${this.name} is already playing`)
    this.services.join(
      this.connection, { name: this.name, uuid: offlineUuid(this.name), viewDistance: this.viewDistance }
    )
  }
}

/**
 * @param {Login} login
 * @param {{protocolVersion: number, nextState: number}} packet
 */
function handshake (login, { protocolVersion, nextState }) {
  const { connection, services } = login
  if (nextState === 1) {
    connection.state = 'status'
    return
  }
  if (nextState !== 2) throw new ProtocolError(`no state ${nextState} follows a handshake`)
  connection.state = 'login'
  if (protocolVersion !== services.protocol) connection.kick(otherVersion(services, protocolVersion))
}

/**
 * @param {LoginServices} services
 * @param {number} protocol - the client's
 * @returns {string} for the person who tried to join
 */
function otherVersion ({ version, protocol: own }, protocol) {
  // The package's types say one version for each protocol; there are several.
  /** @type {any} */
  const versions = minecraftData.postNettyVersionsByProtocolVersion.pc
  /** @type {{minecraftVersion: string}[]} */
  const known = versions[protocol] ?? []
  const named = known.length === 0 ? `protocol ${protocol}` : known.map((each) => each.minecraftVersion).join(' or ')
  return `This server speaks Minecraft ${version} (protocol ${own}), your client ${named}: choose version ${version} ` +
    'in the launcher (Installations, New installation)'
}

/** @param {Login} login */
function answerStatus ({ connection, services }) {
  const response = JSON.stringify({
    version: { name: services.version, protocol: services.protocol },
    players: { max: services.maxPlayers, online: services.online(), sample: [] },
    description: { text: services.motd },
    enforcesSecureChat: false
  })
  connection.write('server_info', { response })
}

/** @type {Record<string, Record<string, (login: Login, params: any) => void>>} */
const HANDLERS = {
  handshaking: { set_protocol: handshake },
  status: {
    ping_start: (login) => answerStatus(login),
    ping: ({ connection }, { time }) => {
      connection.write('ping', { time })
      connection.close('pinged')
    }
  },
  login: {
    login_start: (login, { username }) => login.start(username),
    login_acknowledged: ({ connection, services, name }) => {
      if (!name) throw new ProtocolError('acknowledged a login that it did not ask for')
      connection.state = 'configuration'
      connection.send(services.configuration)
    }
  },
  configuration: {
    settings: (login, { viewDistance }) => { login.viewDistance = viewDistance },
    finish_configuration: (login) => login.configured()
  }
}

module.exports = { Login, offlineUuid, otherVersion }
