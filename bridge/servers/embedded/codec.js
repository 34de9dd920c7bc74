'use strict'
/**
 * Packets of one protocol version to bytes and back, on minecraft-protocol's compiled definitions.
 *
 * minecraft-protocol's own `createServer` chains four streams per client, deflates every packet for every receiver
 * and dies of a negative frame length. The front therefore uses the definitions alone: a packet is serialized and
 * framed once and the same buffer goes to every receiver, uncompressed (the wire is the loopback device).
 */
const { createSerializer, createDeserializer } = /** @type {any} */ (require('minecraft-protocol'))
const { checkPacketNbt } = require('./nbt_guard')

/** @typedef {'handshaking'|'status'|'login'|'configuration'|'play'} State */

/** Bytes of a VarInt frame length; three bytes reach 2 097 151, the largest frame that Minecraft allows. */
const LENGTH_BYTES = 3

/** A peer broke the protocol; ends that peer's connection and nothing else. */
class ProtocolError extends Error {
  /** @param {string} message what was wrong, for the log */
  constructor (message) {
    super(message)
    this.name = 'ProtocolError'
  }
}

/**
 * Puts the length before a packet.
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
    return frame(this._of(state).serializer.createPacketBuffer({ name, params }))
  }

  /**
   * @param {State} state
   * @param {Buffer} payload one unframed packet from a client
   * @returns {{name: string, params: any}}
   * @throws {ProtocolError} when it is no packet of that state
   */
  decode (state, payload) {
    try {
      if (state === 'play') checkPacketNbt(payload)
      const { data } = this._of(state).deserializer.parsePacketBuffer(payload)
      if (typeof data.name !== 'string') throw new RangeError(`no packet has id ${data.name}`)
      return data
    } catch (error) {
      throw new ProtocolError(`unreadable ${state} packet of ${payload.length} bytes: ${String(error.message).slice(0, 120)}`)
    }
  }
}

/** Cuts a byte stream into frames without ever joining more than one frame's bytes. */
class FrameReader {
  /** @param {number} limit largest frame in bytes */
  constructor (limit) {
    this.limit = limit
    /** @type {Buffer[]} */
    this._chunks = []
    this._length = 0
    this._needed = 1
  }

  /**
   * @param {Buffer} chunk what the socket gave
   * @returns {Generator<Buffer>} whole packets, unframed
   * @throws {ProtocolError} on a length that is negative, zero or above the limit
   */
  * push (chunk) {
    this._chunks.push(chunk)
    this._length += chunk.length
    while (this._length >= this._needed) {
      const buffer = this._chunks.length === 1 ? this._chunks[0] : Buffer.concat(this._chunks)
      const head = readLength(buffer)
      if (head && (head.value < 1 || head.value > this.limit)) {
        throw new ProtocolError(`frame of ${head.value} bytes: legal are 1 to ${this.limit}`)
      }
      const end = head ? head.size + head.value : buffer.length + 1
      const whole = head !== null && buffer.length >= end
      this._keep(whole ? buffer.subarray(end) : buffer, whole ? 1 : end)
      if (whole) yield buffer.subarray(head.size, end)
    }
  }

  /**
   * @param {Buffer} rest
   * @param {number} needed bytes that must be there before it is worth looking again
   */
  _keep (rest, needed) {
    this._chunks = rest.length > 0 ? [rest] : []
    this._length = rest.length
    this._needed = needed
  }
}

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
