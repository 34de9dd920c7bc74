'use strict'
/** A whole embedded server in this process, on free ports, and real mineflayer bots that join it. */
const net = require('node:net')
const { once } = require('node:events')
const mineflayer = require('mineflayer')
const { EmbeddedServer } = require('../../../bridge/servers/embedded/server')
const { DEFAULTS } = require('../../../bridge/servers/embedded/settings')

const HOST = '127.0.0.1'
const PASSWORD = 'test password'
const WAIT_MS = 60_000
const POLL_MS = 20

/**
 * Waits until something is so; the test's own limit bounds it as well.
 * @template T
 * @param {() => T} ask truthy when it is so
 * @param {string} what named when it never comes
 * @returns {Promise<T>}
 */
async function until (ask, what) {
  const end = performance.now() + WAIT_MS
  for (let answer = ask(); ; answer = ask()) {
    if (answer) return answer
    if (performance.now() > end) throw new Error(`${what} did not come within ${WAIT_MS} ms`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** A server with its bots and sockets; `close` ends all of them. */
class Bench {
  /** @param {object} [settings] */
  constructor (settings = {}) {
    /** @type {string[]} */
    this.log = []
    this.stopped = false
    this.server = new EmbeddedServer(/** @type {any} */ ({
      ...DEFAULTS, rconPassword: PASSWORD, seed: 7, ...settings
    }), {
      log: (_level, text) => this.log.push(text),
      onStop: () => { this.stopped = true }
    })
    /** @type {string[]} */
    this.botErrors = []
    /** @type {any[]} */
    this.bots = []
    /** @type {net.Socket[]} */
    this.sockets = []
    this.port = 0
    this.rcon = 0
  }

  async start () {
    const { port, rcon } = await this.server.start()
    this.port = port
    this.rcon = rcon
    return this
  }

  get world () {
    return this.server.world
  }

  /** @param {string} text a console command that must succeed */
  run (text) {
    const { ok, reply } = this.world.command(text)
    if (!ok) throw new Error(`${text}: ${reply}`)
    return reply
  }

  /**
   * @param {string} name
   * @param {object} [options] of mineflayer
   * @returns {Promise<any>} a bot that has spawned
   */
  async join (name, options = {}) {
    const bot = mineflayer.createBot(/** @type {any} */ ({
      host: HOST, port: this.port, username: name, version: '1.20.4', auth: 'offline', hideErrors: true, ...options
    }))
    // A server that closes a connection may meet the bot in the middle of a write.
    bot.on('error', (/** @type {Error} */ error) => { this.botErrors.push(`${name}: ${error.message}`) })
    this.bots.push(bot)
    const gone = new AbortController()
    bot.once('end', (/** @type {string} */ reason) =>
      gone.abort(new Error(`${name} did not come in: ${reason}; ${this.log.slice(-3).join('; ')}`)))
    await once(bot, 'spawn', { signal: gone.signal }).catch((error) => { throw error.cause ?? error })
    await until(() => bot.blockAt(bot.entity.position.offset(0, -1, 0)), `${name}'s ground`)
    return bot
  }

  /** @returns {Promise<net.Socket>} a bare connection to the game port */
  async connect () {
    const socket = net.connect(this.port, HOST)
    socket.on('error', () => socket.destroy())
    this.sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }

  async close () {
    for (const bot of this.bots) if (!bot._client.ended) bot.end()
    for (const socket of this.sockets) socket.destroy()
    this.server.stop()
    await until(() => this.server.front.viewers.size === 0, 'the end of all connections')
    // minecraft-protocol's client keeps a timer of 30 s when it is ended after its socket.
    for (const bot of this.bots) clearTimeout(bot._client.closeTimer)
  }
}

/** @param {object} [settings] */
function startBench (settings) {
  return new Bench(settings).start()
}

/**
 * @param {any} bot
 * @param {string} name item
 * @returns {number} how many the bot believes it has
 */
function carries (bot, name) {
  return bot.inventory.items()
    .filter((/** @type {any} */ item) => item.name === name)
    .reduce((/** @type {number} */ sum, /** @type {any} */ item) => sum + item.count, 0)
}

/** @param {number} ms */
function pause (ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

module.exports = { startBench, until, carries, pause, HOST, PASSWORD }
