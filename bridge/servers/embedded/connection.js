'use strict'
/** Socket of one client: frames in, packets out, and every guard that keeps its faults from others. */
const { FrameReader, ProtocolError } = require('./codec')

/** @typedef {import('./codec').State} State */
/** @typedef {import('./codec').Codec} Codec */

/**
 * Largest frame by state, in bytes. Before play clients send names and settings; while they play, a book is the
 * largest.
 */
const MAX_FRAME = Object.freeze({
  handshaking: 1024, status: 1024, login: 4096, configuration: 65536, play: 512 * 1024
})
/** Most bytes queued for a client before it is cut off; a join sends about 1 MB. */
const MAX_BACKLOG = 8 * 1024 * 1024
/** Work per second in plain packets (codec.js): a bot's is about 25; a burst of window clicks takes some hundreds. */
const PACKETS_PER_SECOND = 600
const PACKET_BURST = 3000
/** Work before play: a login takes seven packets. */
const BEFORE_PLAY = 200
/** Maximum total size of unfinished frames, in bytes; beyond it the largest are cut off. */
const MAX_PENDING = 32 * 1024 * 1024
const MIN_PENDING = 16 * 1024
/** Time for a kicked client to read the reason, in ms. */
const LINGER_MS = 2000

/**
 * @typedef {object} ConnectionEvents
 * @property {(name: string, params: any) => void} packet
 * @property {(reason: string) => void} end called once
 */

/** Bytes of unfinished frames in this process. */
const unfinished = { bytes: 0 }

/** Socket in one protocol state. Packets are queued and leave by `flush`, in one write. */
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
    this._spentBefore = 0
    this._allowance = PACKET_BURST
    this._pending = 0
    this._refilled = performance.now()
    this._spend = this._take.bind(this)
    this._reader = new FrameReader(MAX_FRAME.handshaking)
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
        const { name, params } = this.codec.decode(this.state, payload, this._spend)
        this.events.packet(name, params)
        this._reader.limit = MAX_FRAME[this.state]
        if (this.ended || this._kicked) return
      }
      this._count(this._reader.pending)
    } catch (error) {
      // The boundary of one client: whatever its bytes brought about ends its connection only.
      this.destroy(error instanceof ProtocolError ? error.message : `packet failed: ${error.stack}`)
    }
  }

  /** @param {number} pending bytes of an unfinished frame */
  _count (pending) {
    unfinished.bytes += pending - this._pending
    this._pending = pending
    if (unfinished.bytes > MAX_PENDING && pending > MIN_PENDING) {
      throw new ProtocolError(`a frame of ${pending} bytes is unfinished, and ${unfinished.bytes} in all`)
    }
  }

  /**
   * Take work from the allowance.
   * @param {number} cost
   */
  _take (cost) {
    if (this.state !== 'play' && (this._spentBefore += cost) > BEFORE_PLAY) {
      throw new ProtocolError(`more than ${BEFORE_PLAY} packets before play`)
    }
    this._allowance -= cost
    if (this._allowance >= 0) return
    const now = performance.now()
    const earned = (now - this._refilled) * PACKETS_PER_SECOND / 1000
    this._allowance = Math.min(PACKET_BURST, this._allowance + earned)
    this._refilled = now
    if (this._allowance < 0) {
      throw new ProtocolError(`more than ${PACKETS_PER_SECOND} packets a second, or as much work in fewer`)
    }
  }

  /** Bytes waiting to be written. */
  get backlog () {
    return this.socket.writableLength
  }

  /**
   * Queue a framed packet.
   * @param {Buffer} framed
   */
  send (framed) {
    if (!this.ended) this._queue.push(framed)
  }

  /**
   * Serialize and queue a packet that only this client gets.
   * @param {string} name
   * @param {object} params
   */
  write (name, params) {
    if (!this.ended) this._queue.push(this.codec.encode(this.state, name, params))
  }

  /** Send everything queued in one write. */
  flush () {
    if (this._queue.length === 0 || this.ended) return
    const bytes = this._queue.length === 1 ? this._queue[0] : Buffer.concat(this._queue)
    this._queue = []
    this.socket.write(bytes)
    if (this.backlog > MAX_BACKLOG) this.destroy('reads too slowly')
  }

  /** Flush at the end of this turn of the event loop, for answers that should not wait for the tick. */
  flushSoon () {
    if (this._soon) return
    this._soon = true
    setImmediate(() => {
      this._soon = false
      this.flush()
    })
  }

  /**
   * Tell the client why and close.
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
   * Send what is queued, then closes; a client that does not read it is cut off.
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
   * Close at once.
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
    unfinished.bytes -= this._pending
    this._pending = 0
    this.events.end(reason)
  }
}

module.exports = { Connection }
