'use strict'
/**
 * Proxy for a bot host without a network. The host is given a listening socket; the supervisor connects to it and to
 * the world's address, and forwards both directions. The host cannot ask for anything else.
 *
 * The socket has an abstract name (Linux), which is valid in the supervisor's network namespace only: no file, nothing
 * to clean up.
 */
const crypto = require('node:crypto')
const net = require('node:net')

/** File descriptor of the listening socket in the host. */
const DOOR_FD = 5
/** Concurrent connections of one host; more than its bots ever need. */
const MAX_CALLS = 64
/** Length of a ticket in characters; it tells which request a connection answers. */
const TICKET = 32

/** Supervisor's side, opened before the host is spawned, with whose file descriptors it goes. */
class SocketProxy {
  #name = `\0accord-${crypto.randomBytes(16).toString('hex')}`
  #listener = net.createServer().listen(this.#name)
  /** @type {Set<net.Socket>} */
  #open = new Set()
  /** @type {{ host: string, port: number }|null} the world's address; nothing is reached before it is known */
  address = null

  /**
   * File descriptor that the host inherits.
   * @returns {number}
   */
  get fd () { return /** @type {any} */ (this.#listener)._handle.fd }

  /** Close this process's copy of the socket after the host has inherited it. */
  handOver () {
    this.#listener.close()
  }

  /**
   * Connect the host to the world.
   * @param {string} ticket
   * @param {(code: string) => void} refuse called with an error code when the world does not answer
   */
  call (ticket, refuse) {
    if (!this.address || this.#open.size >= MAX_CALLS || ticket.length !== TICKET) return refuse('EACCES')
    const game = net.connect({ ...this.address, noDelay: true })
    this.#open.add(game)
    game.on('close', () => this.#open.delete(game))
    let answered = false
    game.on('error', (/** @type {Error & { code?: string }} */ error) => { if (!answered) refuse(String(error.code)) })
    game.once('connect', () => {
      answered = true
      const door = net.connect(this.#name)
      door.on('error', () => game.destroy())
      door.write(ticket)
      game.pipe(door)
      door.pipe(game)
      game.on('close', () => door.end())
      door.on('close', () => game.destroy())
    })
  }

  /** End all connections. */
  close () {
    for (const game of this.#open) game.destroy()
  }
}

/** Host's side. */
class ProxyCalls {
  #listener
  #say
  /** @type {Map<string, { resolve: (socket: net.Socket) => void, reject: (error: Error) => void }>} */
  #waiting = new Map()

  /** @param {(ticket: string) => void} say asks the supervisor for a connection */
  constructor (say) {
    this.#say = say
    this.#listener = net.createServer((socket) => this.#called(socket)).listen({ fd: DOOR_FD })
  }

  /**
   * Return a socket that is connected to the world.
   * @returns {Promise<net.Socket>}
   */
  connect () {
    const ticket = crypto.randomBytes(TICKET / 2).toString('hex')
    return new Promise((resolve, reject) => {
      this.#waiting.set(ticket, { resolve, reject })
      this.#say(ticket)
    })
  }

  /**
   * Handle that the world did not answer.
   * @param {{ ticket: string, code: string }} said
   */
  refuse ({ ticket, code }) {
    this.#waiting.get(ticket)?.reject(Object.assign(new Error(`the connection was refused: ${code}`), { code }))
    this.#waiting.delete(ticket)
  }

  /** @param {net.Socket} socket */
  #called (socket) {
    socket.on('error', () => socket.destroy())
    const look = () => {
      const head = socket.read(TICKET)
      if (head === null) return
      socket.off('readable', look)
      const ticket = String(head)
      const waiting = this.#waiting.get(ticket)
      this.#waiting.delete(ticket)
      if (waiting) waiting.resolve(socket)
      else socket.destroy()
    }
    socket.on('readable', look)
  }

  /** Stop accepting connections. */
  close () {
    this.#listener.close()
  }
}

module.exports = { ProxyCalls, SocketProxy, MAX_CALLS }
