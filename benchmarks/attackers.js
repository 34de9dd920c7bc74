'use strict'
/**
 * One attack on an embedded server, repeated until the input ends; a client that is cut off reconnects at once. The
 * attacks are those of tests/js/embedded/fuzz.test.js.
 * node attackers.js '{"attack":"books","port":25565,"rcon":25575}'; prints "ready" when it has begun.
 */
const net = require('node:net')
const { once } = require('node:events')
const { frame } = require('../bridge/servers/embedded/codec')
const { book, click, rconPacket } = require('../tests/js/embedded/hostile_packets')
const { RawClient, varint } = require('../tests/js/embedded/raw_client')

const HOST = '127.0.0.1'
/** Delay before an attacker that was cut off reconnects, in ms. */
const BACK_MS = 20
/** Delay between two packets of one attacker, in ms. */
const NEXT_MS = 5

/** @param {number} port @returns {Promise<net.Socket>} */
async function connect (port) {
  const socket = net.connect(port, HOST)
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  return socket
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {number} count @param {(number: number) => Promise<net.Socket>} attack - one attacker, until it is cut off */
function crowd (count, attack) {
  for (let number = 0; number < count; number++) again(number, attack)
}

/** @param {number} number @param {(number: number) => Promise<net.Socket>} attack */
async function again (number, attack) {
  for (;;) {
    const socket = await attack(number).catch(() => null)
    if (socket !== null && !socket.destroyed) await once(socket.resume(), 'close').catch(() => {})
    await pause(BACK_MS)
  }
}

/** @param {Buffer} packet - of a player in play, as fast as it may */
const flood = (packet) => (/** @type {{ port: number }} */ { port }) => crowd(4, async (number) => {
  const { socket } = await RawClient.enter(/** @type {any} */ ({ connect: () => connect(port),
    world: { players: { has: () => true } }, log: [] }), `Bad${number}`)
  const framed = frame(packet)
  while (!socket.destroyed) {
    if (!socket.write(framed)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
    await pause(NEXT_MS)
  }
  return socket
})

/** Attacks by name. @type {Record<string, (where: { port: number, rcon: number }) => void>} */
const ATTACKS = {
  none: () => {},
  rcon: ({ rcon }) => crowd(62, async () => {
    const socket = await connect(rcon)
    socket.write(Buffer.concat(Array(2000).fill(rconPacket(2, 'list'))))
    socket.pause()
    await pause(200)
    return socket
  }),
  frames: ({ port }) => crowd(500, async () => {
    const socket = await connect(port)
    socket.write(Buffer.concat([Buffer.from([0xff, 0xff, 0x7f]), Buffer.alloc(64 * 1024)]))
    return socket
  }),
  slow: ({ port }) => crowd(8, async (number) => {
    const { socket } = await RawClient.enter(/** @type {any} */ ({ connect: () => connect(port),
      world: { players: { has: () => true } }, log: [] }), `Slow${number}`)
    socket.write(Buffer.concat([varint(500 * 1024), Buffer.alloc(400 * 1024)]))
    return socket
  }),
  deaf: ({ port }) => crowd(12, async (number) => {
    const { socket } = await RawClient.enter(/** @type {any} */ ({ connect: () => connect(port),
      world: { players: { has: () => true } }, log: [] }), `Deaf${number}`)
    socket.pause()
    await pause(5000)
    return socket
  }),
  book: flood(book(2_000_000, Buffer.alloc(400_000))),
  books: flood(book(200, Buffer.concat([Buffer.alloc(200), Buffer.from([0])]))),
  nbt: flood(click(20_000)),
  'legal-nbt': flood(click(4000)),
  signatures: flood(Buffer.concat(
    [varint(4), varint(1), Buffer.from('x'), Buffer.alloc(16), varint(1_000_000), Buffer.alloc(1000)])),
  payloads: flood(Buffer.concat([varint(0x10), varint(5), Buffer.from('a:bcd'), Buffer.alloc(500_000)]))
}

const { attack, ...where } = JSON.parse(process.argv[2])
if (attack === 'names') console.log(Object.keys(ATTACKS).join(' '))
else {
  ATTACKS[attack](where)
  console.log('ready')
  process.stdin.resume().on('end', () => process.exit())
}
