'use strict'
/** Listener for hosts of programs: JSON lines on a loopback port, after a first line with the secret. */
const net = require('node:net')
const { createHash, timingSafeEqual } = require('node:crypto')
const { gatheringWriter, readLines } = require('../../../host/lines')
const { Channel } = require('./channel')

/** Time for a connection to send the secret, in ms. */
const AUTH_MS = 10_000
const MAX_CONNECTIONS = 256
/** Most bytes waiting for a host to read; a slower one is cut off. */
const MAX_BACKLOG = 64 * 1024 * 1024

/** Listener that gives each host a channel. */
class ChannelServer {
  #digest
  #bodies
  #server
  /** @type {Set<net.Socket>} */
  #sockets = new Set()

  /**
   * @param {string} secret
   * @param {import('./bodies').EngineBodies} bodies
   */
  constructor (secret, bodies) {
    this.#digest = digest(secret)
    this.#bodies = bodies
    this.#server = net.createServer((socket) => this.#accept(socket))
  }

  /**
   * @param {string} host
   * @returns {Promise<number>} the port
   */
  listen (host) {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(0, host, () => resolve(/** @type {net.AddressInfo} */ (this.#server.address()).port))
    })
  }

  /** @returns {Promise<void>} when every connection has ended */
  close () {
    const closed = new Promise((resolve) => this.#server.close(() => resolve(undefined)))
    for (const socket of this.#sockets) socket.destroy()
    return closed
  }

  /** @param {net.Socket} socket */
  #accept (socket) {
    if (this.#sockets.size >= MAX_CONNECTIONS) return socket.destroy()
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    /** @type {Channel | null} */
    let channel = null
    const timer = setTimeout(() => { if (channel === null) socket.destroy() }, AUTH_MS)
    const say = bounded(socket)
    readLines(socket, (message) => {
      if (channel !== null) channel.hear(/** @type {any} */ (message))
      else if (socket.destroyed) return
      else if (timingSafeEqual(digest(String(message.secret)), this.#digest)) channel = new Channel(this.#bodies, say)
      else socket.destroy()
    }, () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(timer)
      this.#sockets.delete(socket)
      channel?.close()
    })
  }
}

/** @param {net.Socket} socket @returns {(message: object) => void} */
function bounded (socket) {
  const write = gatheringWriter(socket)
  return (message) => {
    if (socket.writableLength > MAX_BACKLOG) socket.destroy()
    else write(message)
  }
}

/** @param {string} text */
function digest (text) {
  return createHash('sha256').update(text, 'utf8').digest()
}

module.exports = { ChannelServer }
