'use strict'
/**
 * A player without a bot's mind: it goes through login and configuration as a client does, confirms its place, says
 * that it lives, and reads no packet that it need not. Whoever has to see whether a server lets people in needs no
 * more, and most of a bot's cost is reading.
 */
const { once } = require('node:events')
const { createSerializer } = require('minecraft-protocol')
const { frame, FrameReader } = require('../../../bridge/servers/embedded/codec')

const VERSION = '1.20.4'
const PROTOCOL = 765
const MAX_FRAME = 1 << 21
/** Ids of the packets that a client has to answer: of the server's in each state, and its answer. */
const LOGIN = { success: 0x02, acknowledged: 0x03 }
const CONFIGURATION = { finish: 0x02, finished: 0x02 }
const PLAY = { position: 0x3e, confirm: 0x00, keepAlive: 0x24, alive: 0x15 }
/** Bytes of a `position` before the number that is to be confirmed: three doubles, two floats, flags. */
const PLACE = 33

/** Says play packets by their names. @type {any} */
const serializer = createSerializer(/** @type {any} */ ({
  state: 'play', isServer: false, version: VERSION, customPackets: {}
}))

/** @param {number} n as a VarInt */
function varint (n) {
  const bytes = []
  for (let rest = n >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}

/**
 * @param {string} name
 * @returns {Buffer} handshake and login start
 */
function login (name) {
  const text = (/** @type {string} */ s) => Buffer.concat([varint(s.length), Buffer.from(s)])
  const handshake = Buffer.concat([varint(0), varint(PROTOCOL), text('127.0.0.1'), Buffer.from([0, 1]), varint(2)])
  return Buffer.concat([frame(handshake), frame(Buffer.concat([varint(0), text(name), Buffer.alloc(16)]))])
}

/** A connection that is in play. */
class RawClient {
  /** @param {import('node:net').Socket} socket */
  constructor (socket) {
    this.socket = socket
    this.ended = false
    socket.on('error', () => socket.destroy())
    socket.once('close', () => { this.ended = true })
  }

  /**
   * @param {{ connect: () => Promise<import('node:net').Socket>, world: any, log: string[] }} bench
   * @param {string} name
   * @returns {Promise<RawClient>} in play, where the server has put it
   */
  static async enter (bench, name) {
    const client = new RawClient(await bench.connect())
    await client.#comeIn(name).catch((error) => {
      throw new Error(`${name} did not come in: ${error.message}; ${bench.log.slice(-3).join('; ')}`)
    })
    if (!bench.world.players.has(name)) throw new Error(`${name} is in play, and not in the world`)
    return client
  }

  /** @param {string} name @returns {Promise<void>} when its place is confirmed */
  #comeIn (name) {
    const reader = new FrameReader(MAX_FRAME)
    let state = 'login'
    return new Promise((resolve, reject) => {
      this.socket.once('close', () => reject(new Error(`the connection ended in ${state}`)))
      this.socket.on('data', (bytes) => {
        for (const packet of reader.push(bytes)) {
          const id = packet[0]
          if (state === 'login' && id === LOGIN.success) {
            this.socket.write(frame(varint(LOGIN.acknowledged)))
            state = 'configuration'
          } else if (state === 'configuration' && id === CONFIGURATION.finish) {
            this.socket.write(frame(varint(CONFIGURATION.finished)))
            state = 'play'
          } else if (state === 'play' && id === PLAY.position) {
            this.socket.write(frame(Buffer.concat([varint(PLAY.confirm), packet.subarray(1 + PLACE)])))
            state = 'in play'
            resolve()
          } else if (state === 'in play' && id === PLAY.keepAlive && this.socket.writable) {
            this.socket.write(frame(Buffer.concat([varint(PLAY.alive), packet.subarray(1)])))
          }
        }
      })
      this.socket.write(login(name))
    })
  }

  /** @param {string} name of a play packet @param {object} params */
  write (name, params) {
    this.socket.write(frame(serializer.createPacketBuffer({ name, params })))
  }

  /** All that was written is sent, and then the end. @returns {Promise<void>} */
  async quit () {
    if (this.ended) return
    const closed = once(this.socket, 'close')
    this.socket.end()
    await closed
  }
}

module.exports = { RawClient, login, varint }
