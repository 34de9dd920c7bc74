'use strict'
/** Bad clients: each may lose its own connection, nobody else notices. */
const { test, before, after, afterEach } = require('node:test')
const assert = require('node:assert/strict')
const { once } = require('node:events')
const zlib = require('node:zlib')
const fc = require('fast-check')
const { startBench, until, pause } = require('./support')
const { frame } = require('../../../bridge/servers/embedded/codec')

/** @type {any} */
let bench
/** @type {any} */
let gizmo
let rounds = 0

before(async () => {
  bench = await startBench({ loginMs: 1000 })
  gizmo = await bench.join('Gizmo')
})

after(() => bench.close())

// Whatever was done: the player is still there, is heard, and another can join and leave.
afterEach(async () => {
  const heard = once(gizmo, 'chat')
  gizmo.chat(`still here ${++rounds}`)
  assert.equal((await heard)[1], `still here ${rounds}`)
  const other = await bench.join(`Other${rounds}`)
  other.quit()
  await until(() => !bench.world.players.has(`Other${rounds}`), 'the end of the other')
})

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
  const handshake = Buffer.concat([varint(0), varint(765), text('127.0.0.1'), Buffer.from([0, 1]), varint(2)])
  return Buffer.concat([frame(handshake), frame(Buffer.concat([varint(0), text(name), Buffer.alloc(16)]))])
}

/**
 * Unlike `once`, this does not mind that the bot's own write failed before.
 * @param {any} bot
 */
function ended (bot) {
  return new Promise((resolve) => bot.once('end', resolve))
}

/** @param {import('node:net').Socket} socket */
function closed (socket) {
  socket.resume()
  return socket.destroyed ? Promise.resolve() : once(socket, 'close')
}

for (const [what, bytes] of /** @type {[string, Buffer][]} */ ([
  ['a negative frame length', Buffer.from('b3c2a5850e', 'hex')],
  ['a frame length of zero', Buffer.from([0, 0, 0])],
  ['a frame length of 2 GB', Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07])],
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  ['a next state that does not exist', frame(Buffer.concat([varint(0), varint(765), Buffer.from([1, 97, 0, 1]), varint(9)]))],
  ['an unknown packet id', frame(Buffer.from([0x7f, 1, 2, 3]))],
  ['a login without a handshake', frame(Buffer.concat([varint(0), Buffer.from([2, 72, 105]), Buffer.alloc(16)]))],
  ['an illegal name', login('no spaces!')],
  ['an empty name', login('')],
  ['an endless name', login('x'.repeat(5000))]
])) {
  test(`${what} ends that connection`, async () => {
    const socket = await bench.connect()
    socket.write(bytes)
    await closed(socket)
  })
}

test('frames of any bytes', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.boolean(), async (bytes, framed) => {
    const socket = await bench.connect()
    socket.write(framed ? frame(Buffer.from(bytes)) : Buffer.from(bytes))
    socket.end()
    await closed(socket)
  }), { numRuns: 120, seed: 4 })
})

test('resets while logging in and while playing', async () => {
  for (let n = 0; n < 30; n++) {
    const socket = await bench.connect()
    socket.write(login(`Reset${n}`))
    if (n % 2) await once(socket, 'data')
    socket.resetAndDestroy()
  }
  const bots = await Promise.all(Array.from({ length: 5 }, (_, n) => bench.join(`Gone${n}`)))
  for (const bot of bots) bot._client.socket.resetAndDestroy()
  await until(() => bots.every((bot) => !bench.world.players.has(bot.username)), 'their end')
})

test('hundreds of idle sockets', async () => {
  const sockets = []
  for (let n = 0; n < 300; n++) sockets.push(await bench.connect())
  const other = await bench.join('Patient')
  other.quit()
  for (const socket of sockets) socket.destroy()
})

/** @type {[string, string, object][]} */
const MALFORMED = [
  ['NaN position', 'position', { x: NaN, y: 0, z: 0, onGround: true }],
  ['infinite position', 'position', { x: Infinity, y: 0, z: 0, onGround: true }],
  ['a position at 1e300', 'position', { x: 1e300, y: 0, z: 0, onGround: true }],
  ['a NaN look', 'look', { yaw: NaN, pitch: 0, onGround: true }],
  ['a hop across the world', 'position', { x: 2.9e7, y: 0, z: 2.9e7, onGround: true }],
  ['slot 9999', 'window_click', { windowId: 0, stateId: 0, slot: 9999, mouseButton: 0, mode: 0, changedSlots: [], cursorItem: { present: false } }],
  ['mode 6, button 99', 'window_click', { windowId: 0, stateId: 0, slot: 36, mouseButton: 99, mode: 6, changedSlots: [], cursorItem: { present: false } }],
  ['mode 77', 'window_click', { windowId: 0, stateId: 0, slot: 36, mouseButton: 0, mode: 77, changedSlots: [], cursorItem: { present: false } }],
  ['a window that is not open', 'window_click', { windowId: 200, stateId: 0, slot: 1, mouseButton: 0, mode: 0, changedSlots: [], cursorItem: { present: false } }],
  ['an item that does not exist', 'window_click', { windowId: 0, stateId: 0, slot: 36, mouseButton: 0, mode: 0, changedSlots: [{ location: 36, item: { present: true, itemId: 99999, itemCount: 64, nbtData: undefined } }], cursorItem: { present: true, itemId: 99999, itemCount: -5, nbtData: undefined } }],
  ['a creative slot in survival', 'set_creative_slot', { slot: 36, item: { present: true, itemId: 99999, itemCount: 64, nbtData: undefined } }],
  ['digging at y 2000', 'block_dig', { status: 0, location: { x: 0, y: 2000, z: 0 }, face: 1, sequence: 0 }],
  ['digging far away', 'block_dig', { status: 0, location: { x: 30000000, y: -61, z: 30000000 }, face: 1, sequence: 0 }],
  ['finishing what was not begun', 'block_dig', { status: 2, location: { x: 0, y: -61, z: 0 }, face: 1, sequence: 0 }],
  ['digging status 99', 'block_dig', { status: 99, location: { x: 0, y: -61, z: 0 }, face: 120, sequence: -1 }],
  ['placing on face 99', 'block_place', { hand: 0, location: { x: 0, y: -61, z: 0 }, direction: 99, cursorX: 0, cursorY: 0, cursorZ: 0, insideBlock: false, sequence: 0 }],
  ['placing with a NaN cursor', 'block_place', { hand: 7, location: { x: 0, y: -61, z: 0 }, direction: 1, cursorX: NaN, cursorY: 0, cursorZ: 0, insideBlock: false, sequence: 0 }],
  ['hitting nobody', 'use_entity', { target: 123456, mouse: 1, sneaking: false }],
  ['hitting oneself', 'use_entity', { target: 1, mouse: 1, sneaking: false }],
  ['using in no way', 'use_entity', { target: 1, mouse: 55, sneaking: false }],
  ['hot-bar slot 99', 'held_item_slot', { slotId: 99 }],
  ['hot-bar slot -1', 'held_item_slot', { slotId: -1 }],
  ['hand 9', 'use_item', { hand: 9, sequence: 0 }],
  ['a respawn of the living', 'client_command', { actionId: 'perform_respawn' }],
  ['closing window 255', 'close_window', { windowId: 255 }],
  ['a tab completion', 'tab_complete', { transactionId: -1, text: '/'.repeat(3000) }],
  ['a long chat line', 'chat_message', { message: 'x'.repeat(20000), timestamp: 0n, salt: 0n, signature: undefined, offset: 0, acknowledged: Buffer.alloc(3) }],
  ['a plugin message', 'custom_payload', { channel: 'minecraft:register', data: Buffer.alloc(32767) }],
  ['spectating nobody', 'spectate', { target: '00000000-0000-0000-0000-000000000000' }],
  ['an animation of hand 300', 'arm_animation', { hand: 300 }],
  ['a tree of view settings', 'settings', { locale: 'x', viewDistance: -1, chatFlags: 99, chatColors: true, skinParts: 255, mainHand: 9, enableTextFiltering: false, enableServerListing: false }]
]

test('malformed play packets', async () => {
  for (const [index, [what, name, params]] of MALFORMED.entries()) {
    const bot = await bench.join(`Bad${index}`)
    bot._client.write(name, params)
    await pause(30)
    const faults = bench.log.filter((/** @type {string} */ line) => /packet failed/.test(line))
    assert.deepEqual(faults, [], what)
    bot.end()
  }
})

test('a list of two thousand million empty tags in a click', async () => {
  const bot = await bench.join('Bomber')
  const click = bot._client.serializer.createPacketBuffer({ name: 'window_click', params: { windowId: 0, stateId: 1, slot: 36, mouseButton: 0, mode: 0, changedSlots: [], cursorItem: { present: false } } })
  const bomb = Buffer.from([1, 1, 1, 10, 9, 0, 1, 97, 0, 0x7f, 0xff, 0xff, 0xff, 0])
  bot._client.writeRaw(Buffer.concat([click.subarray(0, -1), bomb]))
  await ended(bot)
  assert.ok(bench.log.some((/** @type {string} */ line) => /Bomber left.*empty tags/.test(line)))
})

test('a compressed bomb, where nobody agreed on compression', async () => {
  const socket = await bench.connect()
  socket.write(login('Zip'))
  await once(socket, 'data')
  socket.write(frame(Buffer.concat([varint(64 << 20), zlib.deflateSync(Buffer.alloc(64 << 20))])))
  await closed(socket)
})

test('a flood of packets', async () => {
  const bot = await bench.join('Flood')
  const one = frame(bot._client.serializer.createPacketBuffer({ name: 'flying', params: { onGround: true } }))
  bot._client.socket.write(Buffer.concat(Array(20000).fill(one)))
  await ended(bot)
  assert.ok(bench.log.some((/** @type {string} */ line) => /Flood left: more than/.test(line)))
})

test('a reader that does not read is cut off, others hear all', async () => {
  const bot = await bench.join('Deaf')
  bot._client.socket.pause()
  const connection = [...bench.server.front.viewers].find((viewer) => viewer.name === 'Deaf').connection
  const page = bench.server.front.codec.encode('play', 'custom_payload', { channel: 'accord:fill', data: Buffer.alloc(1 << 20) })
  for (let megabytes = 0; megabytes < 60 && !connection.ended; megabytes++) {
    connection.send(page)
    connection.flush()
    await pause(1)
  }
  assert.equal(connection.ended, true)
  assert.ok(bench.log.includes('Deaf left: reads too slowly'))
})

test('random commands', () => {
  const words = fc.constantFrom('fill', 'give', 'tp', 'kill', 'setblock', '@a', '@x', '@e[type=', '~', '^ ^', '1e9', '-', '{', '[]', '__proto__', 'constructor', 'stone', 'Gizmo', '"', '\u0000', '💎', '')
  fc.assert(fc.property(fc.array(words, { maxLength: 8 }), (parts) => {
    const text = parts.join(' ')
    fc.pre(!/kill (@a|Gizmo)/.test(text))
    assert.equal(typeof bench.server.execute(text), 'string')
  }), { numRuns: 400, seed: 11 })
  assert.deepEqual(bench.log.filter((/** @type {string} */ line) => line.startsWith('command ')), [])
})
