'use strict'
/**
 * Codec of packets of one protocol version, on minecraft-protocol's compiled definitions.
 *
 * minecraft-protocol's own `createServer` chains four streams per client, deflates every packet for every receiver and
 * dies of a negative frame length. The front therefore uses the definitions alone: a packet is serialized and framed
 * once and the same buffer goes to every receiver, uncompressed (the wire is the loopback device).
 */
require('../../../engine/lean_protodef').leanProtoDef()
/**
 * The package's index would load its client with the log-in to Microsoft: half of the time to load this server.
 *
 * @type {any}
 */
const { createSerializer, createDeserializer } = require('minecraft-protocol/src/transforms/serializer')
const { examine } = require('./nbt_guard')

/** @typedef {'handshaking'|'status'|'login'|'configuration'|'play'} State */

/** Bytes of a VarInt frame length; three bytes reach 2 097 151, the largest frame that Minecraft allows. */
const LENGTH_BYTES = 3
/** Bytes, NBT tags or texts that take as much work as a plain packet (measured: about 10 microseconds). */
const BYTES_PER_UNIT = 256
const PARTS_PER_UNIT = 8

/** Violation of the protocol by a peer; it ends that peer's connection and nothing else. */
class ProtocolError extends Error {
  /** @param {string} message what was wrong, for the log */
  constructor (message) {
    super(message)
    this.name = 'ProtocolError'
  }
}

/**
 * Put the length before a packet.
 * @param {Buffer} payload packet id and fields
 * @returns {Buffer}
 */
function frame (payload) {
  const head = []
  let rest = payload.length
  do {
    head.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>>= 7
  } while (rest > 0)
  return Buffer.concat([Buffer.from(head), payload])
}

/** Serializers and parsers of every protocol state, shared by all connections of a front. */
class Codec {
  /** @param {string} version Minecraft version, such as "1.20.4" */
  constructor (version) {
    this.version = version
    /** @type {Map<State, {serializer: any, deserializer: any}>} */
    this._states = new Map()
  }

  /** @param {State} state */
  _of (state) {
    let found = this._states.get(state)
    if (!found) {
      const options = { state, isServer: true, version: this.version, noErrorLogging: true }
      found = { serializer: createSerializer(options), deserializer: createDeserializer(options) }
      this._states.set(state, found)
    }
    return found
  }

  /**
   * @param {State} state
   * @param {string} name packet name as minecraft-data has it
   * @param {object} params its fields
   * @returns {Buffer} a framed packet, ready for any number of sockets
   */
  encode (state, name, params) {
    const payload = this._of(state).serializer.createPacketBuffer({ name, params })
    // The definitions leave the byte open that says "by name, not by number".
    if (name === 'sound_effect' && /** @type {any} */ (params).sound.data) payload[1] = 0
    return frame(payload)
  }

  /**
   * @param {State} state
   * @param {Buffer} payload
   * @returns {number} work of reading it, in plain packets
   * @throws {ProtocolError} when no client sends as much in one packet
   */
  cost (state, payload) {
    try {
      return 1 + payload.length / BYTES_PER_UNIT + (state === 'play' ? examine(payload) / PARTS_PER_UNIT : 0)
    } catch (error) {
      const why = String(error.message).slice(0, 120)
      throw new ProtocolError(`unreadable ${state} packet of ${payload.length} bytes: ${why}`)
    }
  }

  /**
   * @param {State} state
   * @param {Buffer} payload one unframed packet from a client
   * @param {(cost: number) => void} [spend] told what reading the packet costs, in plain packets, before it is read;
   *   may throw
   * @returns {{name: string, params: any}}
   * @throws {ProtocolError} when it is no packet of that state
   */
  decode (state, payload, spend = () => {}) {
    spend(this.cost(state, payload))
    try {
      const { data } = this._of(state).deserializer.parsePacketBuffer(payload)
      if (typeof data.name !== 'string') throw new RangeError(`no packet has id ${data.name}`)
      return data
    } catch (error) {
      const why = String(error.message).slice(0, 120)
      throw new ProtocolError(`unreadable ${state} packet of ${payload.length} bytes: ${why}`)
    }
  }
}

/** Initial buffer of an unfinished frame in bytes; it doubles as bytes come, so that a length alone takes no memory. */
const FIRST_ROOM = 1024

/**
 * Reader that cuts a byte stream into frames; an unfinished frame is kept in one buffer, however small its pieces are.
 */
class FrameReader {
  /** @param {number} limit largest frame in bytes; may be changed between frames */
  constructor (limit) {
    this.limit = limit
    this._kept = Buffer.alloc(0)
    /** Bytes of an unfinished frame. */
    this.pending = 0
    this._needed = 1
  }

  /**
   * @param {Buffer} chunk what the socket gave
   * @returns {Generator<Buffer>} whole packets, unframed; each is good until the next is asked for
   * @throws {ProtocolError} on a length that is negative, zero or above the limit
   */
  * push (chunk) {
    let rest = this.pending === 0 ? chunk : this._join(chunk)
    while (rest.length >= this._needed) {
      const head = readLength(rest)
      if (head && (head.value < 1 || head.value > this.limit)) {
        throw new ProtocolError(`frame of ${head.value} bytes: legal are 1 to ${this.limit}`)
      }
      const end = head ? head.size + head.value : rest.length + 1
      if (head === null || rest.length < end) {
        this._needed = end
        break
      }
      const packet = rest.subarray(head.size, end)
      rest = rest.subarray(end)
      this._needed = 1
      yield packet
    }
    this._keep(rest)
  }

  /** @param {Buffer} chunk goes behind what is kept @returns {Buffer} both */
  _join (chunk) {
    const length = this.pending + chunk.length
    if (length > this._kept.length) {
      const wider = Buffer.alloc(Math.max(FIRST_ROOM, length, this._kept.length * 2))
      this._kept.copy(wider, 0, 0, this.pending)
      this._kept = wider
    }
    chunk.copy(this._kept, this.pending)
    return this._kept.subarray(0, length)
  }

  /** @param {Buffer} rest of an unfinished frame */
  _keep (rest) {
    const { length } = rest
    if (length === 0) this._kept = EMPTY
    else if (rest.buffer !== this._kept.buffer || rest.byteOffset !== this._kept.byteOffset) {
      this._kept = Buffer.from(rest)
    }
    this.pending = length
  }
}

const EMPTY = Buffer.alloc(0)

/**
 * @param {Buffer} buffer
 * @returns {{value: number, size: number} | null} null while the length itself is incomplete
 * @throws {ProtocolError} when the length takes more than three bytes (negative numbers take five)
 */
function readLength (buffer) {
  let value = 0
  for (let size = 0; size < LENGTH_BYTES; size++) {
    if (size >= buffer.length) return null
    value |= (buffer[size] & 0x7f) << (7 * size)
    if (buffer[size] < 0x80) return { value, size: size + 1 }
  }
  throw new ProtocolError('frame length of more than three bytes')
}

module.exports = { Codec, FrameReader, ProtocolError, frame }
