'use strict'
/**
 * Many walking clients in one process, each as cheap as possible: it logs in, confirms, acknowledges, and sends a real
 * movement packet every tick. Incoming data is cut into frames and mostly not parsed, so that the server and not the
 * client is measured.
 * node walkers.js '{"port":25565,"first":0,"count":50,"spread":100}'; prints "ready" when all play; ends with its
 * input.
 */
const net = require('node:net')
const minecraftData = require('minecraft-data')
const { createSerializer, createDeserializer } = /** @type {any} */ (require('minecraft-protocol'))
const { FrameReader, frame } = require('../bridge/servers/embedded/codec')

const VERSION = '1.20.4'
const TICK_MS = 50
/** Blocks per tick of a walking player. */
const STEP = 0.2158
/** Ticks until a walker may turn. */
const TURN_TICKS = 40
/** Clients that log in at once. */
const AT_ONCE = 8

const { protocol } = /** @type {any} */ (minecraftData(VERSION))
const serializers = Object.fromEntries(['handshaking', 'login', 'configuration',
  'play'].map((state) => [state, createSerializer({ state, isServer: false, version: VERSION })]))
const play = createDeserializer({ state: 'play', isServer: false, version: VERSION, noErrorLogging: true })

/**
 * @param {string} state
 * @returns {Record<string, number>} clientbound packet name -> id
 */
function packetIds (state) {
  const { mappings } = protocol[state].toClient.types.packet[1][0].type[1]
  return Object.fromEntries(Object.entries(mappings).map(([id, name]) => [name, Number(id)]))
}

const LOGIN = packetIds('login')
const CONFIGURATION = packetIds('configuration')
const PLAY = packetIds('play')

/** One walking client. */
class Walker {
  /**
   * @param {number} number names it and chooses its way
   * @param {{port: number, spread: number}} options
   */
  constructor (number, { port, spread }) {
    this.name = `Walker${number}`
    this.half = spread / 2
    this.state = 'login'
    this.random = (number + 1) * 2654435761 >>> 0
    this.heading = 0
    this.age = number
    /** @type {{x: number, y: number, z: number} | null} */
    this.place = null
    this.received = 0
    this.socket = net.connect(port, '127.0.0.1')
    this.socket.setNoDelay(true)
    const reader = new FrameReader(1 << 21)
    this.ready = new Promise((resolve, reject) => {
      this.onReady = resolve
      this.socket.on('error', reject)
      this.socket.on('close', () => reject(new Error(`${this.name} was disconnected`)))
    })
    this.socket.on('connect', () => this.begin(port))
    this.socket.on('data', (chunk) => {
      this.received += chunk.length
      for (const packet of reader.push(chunk)) this.packet(packet)
    })
  }

  /**
   * @param {string} state
   * @param {string} name
   * @param {object} params
   */
  send (state, name, params) {
    this.socket.write(frame(serializers[state].createPacketBuffer({ name, params })))
  }

  /** @param {number} port */
  begin (port) {
    this.send('handshaking', 'set_protocol',
      { protocolVersion: protocolNumber(), serverHost: '127.0.0.1', serverPort: port, nextState: 2 })
    this.send('login', 'login_start', { username: this.name, playerUUID: '00000000-0000-0000-0000-000000000000' })
  }

  /** @param {Buffer} packet */
  packet (packet) {
    const id = packet[0]
    if (this.state === 'login' && id === LOGIN.success) {
      this.send('login', 'login_acknowledged', {})
      this.state = 'configuration'
    } else if (this.state === 'configuration' && id === CONFIGURATION.finish_configuration) {
      this.send('configuration', 'finish_configuration', {})
      this.state = 'play'
    } else if (this.state === 'play') this.playPacket(id, packet)
  }

  /**
   * @param {number} id
   * @param {Buffer} packet
   */
  playPacket (id, packet) {
    if (id === PLAY.chunk_batch_finished) return this.send('play', 'chunk_batch_received', { chunksPerTick: 20 })
    if (id !== PLAY.position && id !== PLAY.keep_alive) return
    const { params } = play.parsePacketBuffer(packet).data
    if (id === PLAY.keep_alive) return this.send('play', 'keep_alive', params)
    this.place = { x: params.x, y: params.y, z: params.z }
    this.send('play', 'teleport_confirm', { teleportId: params.teleportId })
    this.onReady?.(undefined)
  }

  /** Walk for one tick; turn now and then, and at the border. */
  step () {
    if (!this.place) return
    if (this.age++ % TURN_TICKS === 0) this.turn()
    const x = this.place.x + Math.cos(this.heading) * STEP
    const z = this.place.z + Math.sin(this.heading) * STEP
    if (Math.abs(x) > this.half || Math.abs(z) > this.half) return this.turn()
    this.place = { ...this.place, x, z }
    this.send('play', 'position_look',
      { ...this.place, yaw: this.heading * 180 / Math.PI - 90, pitch: 0, onGround: true })
  }

  turn () {
    this.random = (Math.imul(this.random, 1664525) + 1013904223) >>> 0
    this.heading = this.random / 2 ** 32 * 2 * Math.PI
  }
}

function protocolNumber () {
  return /** @type {any} */ (minecraftData(VERSION).version).version
}

/** @param {{port: number, first: number, count: number, spread: number}} options */
async function main (options) {
  /** @type {Walker[]} */
  const walkers = []
  process.stdin.resume()
  process.stdin.on('end', () => process.exit(0))
  const timer = setInterval(() => { for (const walker of walkers) walker.step() }, TICK_MS)
  for (let next = 0; next < options.count; next += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, options.count - next) },
      (_, n) => new Walker(options.first + next + n, options))
    walkers.push(...some)
    await Promise.all(some.map((walker) => walker.ready))
  }
  for (const walker of walkers) walker.socket.on('close', () => process.exit(1))
  process.stdout.write('ready\n')
  return timer
}

main(JSON.parse(process.argv[2]))
