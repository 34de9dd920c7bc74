'use strict'
/** Packets that attackers send, for the fuzz tests and the benchmark of attacks. */
const { varint } = require('./raw_client')

/** @param {number} type @param {string} body @returns {Buffer} an RCON packet with id 7 */
function rconPacket (type, body) {
  const packet = Buffer.alloc(14 + body.length)
  packet.writeInt32LE(10 + body.length, 0)
  packet.writeInt32LE(7, 4)
  packet.writeInt32LE(type, 8)
  packet.write(body, 12)
  return packet
}

/** A click whose item carries so many tags. @param {number} tags */
function click (tags) {
  const bytes = Buffer.from([0x0d, 0, 1, 0, 36, 0, 0, 0, 1, 1, 1, 10, 9, 0, 1, 97, 1])
  const count = Buffer.alloc(4)
  count.writeInt32BE(tags)
  return Buffer.concat([bytes, count, Buffer.alloc(tags), Buffer.from([0])])
}

/** An edited book that says it has so many pages. @param {number} pages @param {Buffer} rest */
const book = (pages, rest) => Buffer.concat([varint(0x11), varint(0), varint(pages), rest])

module.exports = { rconPacket, click, book }
