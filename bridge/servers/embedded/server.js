'use strict'
/** Embedded server as one object: world, clock, network front and RCON. */
const { World } = require('../../../engine/world')
const { Front } = require('./front')
const { RconServer } = require('./rcon')
const { Clock } = require('./clock')
const { EngineBodies } = require('./bodies/bodies')
const { readFunctions } = require('../../../engine/world/commands/functions')

/** @typedef {import('./settings').Settings} Settings */
/** @typedef {import('./front').Log} Log */

const STOPPED = 'Server closed'
const STATS = 'accord:stats'
const PICTURE = 'accord:picture '
const FAILED = 'An unexpected error occurred trying to execute that command'

/** Server; `start` it once, `stop` it once. */
class EmbeddedServer {
  /**
   * @param {Settings} settings
   * @param {{log: Log, onStop: () => void}} services `onStop` is called when a `stop` command came
   */
  constructor (settings, { log, onStop }) {
    this.settings = settings
    this.log = log
    /** Pictures of the world, from the first request on. @type {import('../../../engine/view').View | undefined} */
    this.view = undefined
    this.world = new World({ seed: settings.seed, surfaceY: settings.surfaceY, terrain: settings.terrain })
    this.world.commands.maxPlayers = settings.maxPlayers
    this.world.defaultGamemode = settings.gamemode
    if (settings.functions) this.world.commands.functions.byName = readFunctions(settings.functions)
    this.front = new Front(/** @type {any} */ (this.world), settings, { log, onStop })
    this.rcon = new RconServer(settings.rconPassword, (command) => this.execute(command))
    /** Players without clients. */
    this.bodies = new EngineBodies(this.world, settings.maxPlayers)
    /** Connections of the hosts whose programs move these players. */
    this.channels = settings.bodiesSecret === null ? null : channelServer(settings.bodiesSecret, this.bodies)
    this.clock = new Clock(() => {
      this.bodies.tick()
      this.front.flush()
    }, undefined, () => (this.world.sprint > 0 ? 0 : 1000 / this.world.tickRate))
    this._begun = process.cpuUsage()
  }

  /**
   * @returns {Promise<{port: number, rcon: number, bodies: number | null}>} the ports in use; `bodies` is for hosts of
   *   engine bodies
   * @throws {NodeJS.ErrnoException} when a port is taken or not allowed
   */
  async start () {
    const { host, port, rconPort } = this.settings
    const game = await this.front.listen(port, host)
    const rcon = await this.rcon.listen(rconPort, host)
    const bodies = await this.channels?.listen(host) ?? null
    this.clock.start()
    return { port: game, rcon, bodies }
  }

  /**
   * End the clock, kicks everybody, closes the ports.
   * @returns {Promise<unknown>} when every client has gone
   */
  stop () {
    this.clock.stop()
    return Promise.all([this.front.close(STOPPED), this.rcon.close(), this.channels?.close()])
  }

  /**
   * Run a command as the console.
   * @param {string} text with or without a leading slash
   * @returns {string} vanilla's reply
   */
  execute (text) {
    const command = text.trim().replace(/^\//, '')
    if (command === '') return ''
    if (command.startsWith(STATS)) return this._stats(command.slice(STATS.length).trim())
    try {
      if (command.startsWith(PICTURE)) return this._picture(command.slice(PICTURE.length))
      return this.world.command(command).reply
    } catch (error) {
      // A fault of the engine, not of the caller: the console gets vanilla's sentence, the log gets the cause.
      this.log('error', `command ${JSON.stringify(command)}: ${error.stack}`)
      return FAILED
    }
  }

  /**
   * Return a picture as JSON: `png` in base64, or `error` with the reason; this is no vanilla command.
   * @param {string} argument JSON of the player and `PictureRequest`
   */
  _picture (argument) {
    // Loaded at the first request: most servers are never asked.
    const { View, encodePng } = require('../../../engine/view')
    this.view ??= new View(this.world)
    try {
      const { player, ...request } = JSON.parse(argument)
      return JSON.stringify({ png: encodePng(this.view.fromPlayer(player, request)).toString('base64') })
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
      return JSON.stringify({ error: error.message })
    }
  }

  /**
   * Return the server's cost as JSON, for benchmarks and `doctor`; this is no vanilla command.
   * @param {string} argument "reset" begins a new measurement
   */
  _stats (argument) {
    const cpu = process.cpuUsage(this._begun)
    if (argument === 'reset') {
      this.clock.reset()
      this._begun = process.cpuUsage()
    }
    const memory = process.memoryUsage()
    return JSON.stringify({
      ...this.clock.statistics(),
      age: this.world.age,
      players: this.world.players.size,
      bodies: this.bodies.size,
      viewers: this.front.viewers.size,
      entities: this.world.entities.size,
      cpu_ms: Math.round((cpu.user + cpu.system) / 1000),
      memory: { rss: memory.rss, heap: memory.heapUsed, buffers: memory.arrayBuffers }
    })
  }
}

/**
 * Load the code of engine bodies, a quarter of the server's start, only where players are such bodies.
 * @param {string} secret
 * @param {EngineBodies} bodies
 * @returns {import('./bodies/channel_server').ChannelServer}
 */
function channelServer (secret, bodies) {
  const { ChannelServer } = require('./bodies/channel_server')
  return new ChannelServer(secret, bodies)
}

module.exports = { EmbeddedServer }
