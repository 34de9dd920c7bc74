'use strict'
/**
 * Source RCON of a Minecraft server: one password, commands as the console, replies cut at 4096 characters. Unlike the
 * original, several packets may arrive in one segment, or one in several.
 */
const net = require('node:net')
const { timingSafeEqual, createHash } = require('node:crypto')

const TYPE = Object.freeze({ RESPONSE: 0, COMMAND: 2, LOGIN: 3 })
/** Bytes of id, type and the two closing zeros. */
const OVERHEAD = 10
/** Largest length field: a Minecraft server reads at most 1460 bytes, including the four of the length field. */
const MAX_LENGTH = 1456
/** Characters (UTF-16 units, as in Java) of one reply packet. */
const REPLY_CHARS = 4096
/** Time for a connection to send the password, in ms. */
const AUTH_MS = 10000
const MAX_CONNECTIONS = 64
/** Most connections without the password; with one more the oldest goes. */
const MAX_STRANGERS = 16
/** Answers to a connection without the password before it is closed. */
const ANSWERS_TO_STRANGERS = 5
/** Most bytes of unread answers; beyond that no more requests are taken from the client. */
const MAX_BACKLOG = 1 << 20
/** Time without reading after which a client is cut off, in ms. */
const STALLED_MS = 30000

/**
 * @param {number} id
 * @param {number} type
 * @param {string} body
 * @returns {Buffer}
 */
function encode (id, type, body) {
  const text = Buffer.from(body, 'utf8')
  const packet = Buffer.alloc(4 + OVERHEAD + text.length)
  packet.writeInt32LE(OVERHEAD + text.length, 0)
  packet.writeInt32LE(id, 4)
  packet.writeInt32LE(type, 8)
  text.copy(packet, 12)
  return packet
}

/**
 * Cut a reply into packets; an empty reply is one empty packet.
 * @param {number} id
 * @param {string} text
 */
function encodeReply (id, text) {
  const packets = []
  for (let at = 0; at === 0 || at < text.length; at += REPLY_CHARS) {
    packets.push(encode(id, TYPE.RESPONSE, text.slice(at, at + REPLY_CHARS)))
  }
  return Buffer.concat(packets)
}

/** RCON connection. */
class RconClient {
  /**
   * @param {net.Socket} socket
   * @param {RconServer} server
   */
  constructor (socket, server) {
    this.socket = socket
    this.server = server
    this.authenticated = false
    this._buffer = Buffer.alloc(0)
    this._answers = 0
    const timer = setTimeout(() => { if (!this.authenticated) socket.destroy() }, AUTH_MS)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this._receive(chunk))
    socket.on('drain', () => this._resume())
    // An error is always followed by 'close'; the peer has gone, and nobody is left to tell.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(timer)
      clearTimeout(this._stalled)
    })
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this._stalled = undefined
  }

  /** Take no more until the client has read its answers. */
  _pause () {
    if (this._stalled) return
    this.socket.pause()
    this._stalled = setTimeout(() => this.socket.destroy(), STALLED_MS)
  }

  /** Continue after the client has read everything. */
  _resume () {
    clearTimeout(this._stalled)
    this._stalled = undefined
    this._take()
    if (!this._stalled) this.socket.resume()
  }

  /** @param {Buffer} chunk */
  _receive (chunk) {
    this._buffer = Buffer.concat([this._buffer, chunk])
    this._take()
  }

  /** Answer what has come, as long as the answers are read. */
  _take () {
    while (this._buffer.length >= 4) {
      if (this.socket.writableLength > MAX_BACKLOG) return this._pause()
      const length = this._buffer.readInt32LE(0)
      if (length < OVERHEAD || length > MAX_LENGTH) return this.socket.destroy()
      if (this._buffer.length < 4 + length) return
      const packet = this._buffer.subarray(4, 4 + length)
      this._buffer = this._buffer.subarray(4 + length)
      this._answer(packet.readInt32LE(0), packet.readInt32LE(4), packet.subarray(8, length - 2))
      if (this.socket.destroyed) return
    }
  }

  /**
   * @param {number} id
   * @param {number} type
   * @param {Buffer} body
   */
  _answer (id, type, body) {
    if (!this.authenticated && ++this._answers > ANSWERS_TO_STRANGERS) return this.socket.destroy()
    const end = body.indexOf(0)
    const text = (end < 0 ? body : body.subarray(0, end)).toString('utf8')
    if (type === TYPE.LOGIN) {
      this.authenticated = this.server.accepts(text)
      this.server.known(this.socket, this.authenticated)
      this.socket.write(encode(this.authenticated ? id : -1, TYPE.COMMAND, ''))
    } else if (type === TYPE.COMMAND) {
      this.socket.write(this.authenticated ? encodeReply(id, this.server.execute(text)) : encode(-1, TYPE.COMMAND, ''))
    } else {
      this.socket.write(encodeReply(id, `Unknown request ${(type >>> 0).toString(16)}`))
    }
  }
}

/** RCON server that runs commands of its connections. */
class RconServer {
  /**
   * @param {string} password an empty one lets nobody in
   * @param {(command: string) => string} execute runs one command as the console; its text goes back
   */
  constructor (password, execute) {
    this._digest = digest(password)
    this._open = password !== ''
    this.execute = execute
    /** @type {Set<net.Socket>} */
    this._sockets = new Set()
    /** Connections without the password, oldest first. @type {Set<net.Socket>} */
    this._strangers = new Set()
    this._server = net.createServer((socket) => {
      if (this._sockets.size >= MAX_CONNECTIONS) return socket.destroy()
      this._sockets.add(socket)
      socket.on('close', () => {
        this._sockets.delete(socket)
        this._strangers.delete(socket)
      })
      this.known(socket, false)
      if (this._strangers.size > MAX_STRANGERS) [...this._strangers][0].destroy()
      return new RconClient(socket, this)
    })
  }

  /** @param {net.Socket} socket @param {boolean} yes it has given the password */
  known (socket, yes) {
    if (yes) this._strangers.delete(socket)
    else this._strangers.add(socket)
  }

  /** @param {string} password */
  accepts (password) {
    return this._open && timingSafeEqual(digest(password), this._digest)
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

  /**
   * Send what is queued and close every connection.
   * @returns {Promise<void>} when every client has gone
   */
  close () {
    const closed = new Promise((resolve) => this._server.close(() => resolve(undefined)))
    for (const socket of this._sockets) socket.end()
    return closed
  }
}

/** @param {string} text */
function digest (text) {
  return createHash('sha256').update(text, 'utf8').digest()
}

module.exports = { RconServer, RconClient }
