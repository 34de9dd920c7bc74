'use strict'
/** One client's socket: frames in, packets out, and every guard that keeps its trouble its own. */
const { FrameReader, ProtocolError } = require('./codec')

/** @typedef {import('./codec').State} State */
/** @typedef {import('./codec').Codec} Codec */

const MAX_FRAME = 2097151
/** A reader this far behind (bytes queued) is cut off; a join sends about 1 MB. */
const MAX_BACKLOG = 32 * 1024 * 1024
/** A bot sends about 25 packets a second; a burst of window clicks some hundreds. */
const PACKETS_PER_SECOND = 600
const PACKET_BURST = 3000
/** How long a kicked client may take to read the reason, in milliseconds. */
const LINGER_MS = 2000

/**
 * @typedef {object} ConnectionEvents
 * @property {(name: string, params: any) => void} packet
 * @property {(reason: string) => void} end called once
 */

/** A socket in one protocol state. Packets are queued and leave by `flush`, in one write. */
class Connection {
  /**
   * @param {import('node:net').Socket} socket
   * @param {Codec} codec
   * @param {ConnectionEvents} events
   */
  constructor (socket, codec, events) {
    this.socket = socket
    this.codec = codec
    this.events = events
    /** @type {State} */
    this.state = 'handshaking'
    /** @type {any} who plays or watches by this connection, once it does */
    this.viewer = undefined
    this.ended = false
    this._kicked = false
    /** @type {Buffer[]} */
    this._queue = []
    this._soon = false
    this._allowance = PACKET_BURST
    this._refilled = performance.now()
    this._reader = new FrameReader(MAX_FRAME)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this._receive(chunk))
    socket.on('error', (error) => this.destroy(error.message))
    socket.on('end', () => this.destroy('closed by the client'))
    socket.on('close', () => this.destroy('closed'))
  }

  /** @param {Buffer} chunk */
  _receive (chunk) {
    if (this.ended || this._kicked) return
    try {
      for (const payload of this._reader.push(chunk)) {
        this._spend()
        const { name, params } = this.codec.decode(this.state, payload)
        this.events.packet(name, params)
        if (this.ended || this._kicked) return
      }
    } catch (error) {
      // The boundary of one client: whatever its bytes brought about ends its connection only.
      this.destroy(error instanceof ProtocolError ? error.message : `packet failed: ${error.stack}`)
    }
  }

  /** Takes one packet from the allowance. */
  _spend () {
    if (--this._allowance >= 0) return
    const now = performance.now()
    const earned = (now - this._refilled) * PACKETS_PER_SECOND / 1000
    this._allowance = Math.min(PACKET_BURST, this._allowance + earned)
    this._refilled = now
    if (this._allowance < 0) throw new ProtocolError(`more than ${PACKETS_PER_SECOND} packets a second`)
  }

  /**
   * Queues a framed packet.
   * @param {Buffer} framed
   */
  send (framed) {
    if (!this.ended) this._queue.push(framed)
  }

  /**
   * Serializes and queues a packet that only this client gets.
   * @param {string} name
   * @param {object} params
   */
  write (name, params) {
    if (!this.ended) this._queue.push(this.codec.encode(this.state, name, params))
  }

  /** Everything queued leaves in one write. */
  flush () {
    if (this._queue.length === 0 || this.ended) return
    const bytes = this._queue.length === 1 ? this._queue[0] : Buffer.concat(this._queue)
    this._queue = []
    this.socket.write(bytes)
    if (this.socket.writableLength > MAX_BACKLOG) this.destroy('reads too slowly')
  }

  /** Flushes at the end of this turn of the event loop, for answers that should not wait for the tick. */
  flushSoon () {
    if (this._soon) return
    this._soon = true
    setImmediate(() => {
      this._soon = false
      this.flush()
    })
  }

  /**
   * Tells the client why and closes.
   * @param {string} reason shown to the person
   */
  kick (reason) {
    if (this.ended || this._kicked) return
    if (this.state === 'login') this.write('disconnect', { reason: JSON.stringify({ text: reason }) })
    else if (this.state !== 'handshaking' && this.state !== 'status') {
      const component = { type: 'string', value: reason }
      this.write(this.state === 'play' ? 'kick_disconnect' : 'disconnect', { reason: component })
    }
    this.close(reason)
  }

  /**
   * Sends what is queued, then closes; a client that does not read it is cut off.
   * @param {string} reason for the log
   */
  close (reason) {
    this.flush()
    if (this.ended || this._kicked) return
    this._kicked = true
    this.socket.end()
    const timer = setTimeout(() => this.socket.destroy(), LINGER_MS)
    timer.unref()
    this.socket.once('close', () => clearTimeout(timer))
    this._finish(reason)
  }

  /**
   * Closes at once.
   * @param {string} reason for the log
   */
  destroy (reason) {
    this.socket.destroy()
    this._finish(reason)
  }

  /** @param {string} reason */
  _finish (reason) {
    if (this.ended) return
    this.ended = true
    this._queue = []
    this.events.end(reason)
  }
}

module.exports = { Connection }
