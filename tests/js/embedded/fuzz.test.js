'use strict'
/** Bad clients: each may lose its own connection, nobody else notices. */
const { test, before, after, afterEach } = require('node:test')
const assert = require('node:assert/strict')
const { once, EventEmitter } = require('node:events')
const v8 = require('node:v8')
const vm = require('node:vm')
const zlib = require('node:zlib')
const fc = require('fast-check')
const net = require('node:net')
const { book, click, rconPacket } = require('./hostile_packets')
const { RawClient, login, varint } = require('./raw_client')
const { startBench, until, pause, HOST, PASSWORD } = require('./support')
const { RconClient } = require('../../../bridge/servers/embedded/rcon')
const { frame, FrameReader } = require('../../../bridge/servers/embedded/codec')

/** @type {any} */
let bench
/** @type {any} */
let gizmo
let rounds = 0

before(async () => {
  bench = await startBench({ loginMs: 10_000 })
  gizmo = await bench.join('Gizmo')
})

after(() => bench.close())

// Whatever was done: the player is still there, is heard, and another can join and leave.
afterEach(async () => {
  assert.ok(!gizmo._client.ended, `the player is gone; the server's last words are ${bench.log.slice(-5).join('; ')}`)
  /** @type {string[]} */
  const heard = []
  gizmo.once('chat', (/** @type {string} */ _name, /** @type {string} */ text) => heard.push(text))
  gizmo.chat(`still here ${++rounds}`)
  await until(() => heard.length > 0, `an answer; the server's last words are ${bench.log.slice(-5).join('; ')}; it`)
  assert.equal(heard[0], `still here ${rounds}`)
  const other = await RawClient.enter(bench, `Other${rounds}`)
  await other.quit()
  await until(() => !bench.world.players.has(`Other${rounds}`), 'the end of the other')
})

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
  // Not `once` of node:events, which a reset would reject.
  return socket.destroyed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve))
}

/** @returns {Promise<net.Socket>} a connection to the console's port */
async function rconSocket () {
  const socket = net.connect(bench.rcon, HOST)
  socket.on('error', () => socket.destroy())
  bench.sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

for (const [what, bytes] of /** @type {[string, Buffer][]} */ ([
  ['a negative frame length', Buffer.from('b3c2a5850e', 'hex')],
  ['a frame length of zero', Buffer.from([0, 0, 0])],
  ['a frame length of 2 GB', Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07])],
  ['an HTTP request', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
  [
    'a next state that does not exist',
    frame(Buffer.concat([varint(0), varint(765), Buffer.from([1, 97, 0, 1]), varint(9)]))
  ],
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
  await fc.assert(fc.asyncProperty(fc.uint8Array({
    minLength: 1, maxLength: 400
  }), fc.boolean(), async (bytes, framed) => {
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
  const names = Array.from({ length: 5 }, (_, n) => `Gone${n}`)
  const clients = await Promise.all(names.map((name) => RawClient.enter(bench, name)))
  for (const client of clients) client.socket.resetAndDestroy()
  await until(() => names.every((name) => !bench.world.players.has(name)), 'their end')
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
  [
    'slot 9999', 'window_click',
    { windowId: 0, stateId: 0, slot: 9999, mouseButton: 0, mode: 0, changedSlots: [], cursorItem: { present: false } }
  ],
  [
    'mode 6, button 99', 'window_click',
    { windowId: 0, stateId: 0, slot: 36, mouseButton: 99, mode: 6, changedSlots: [], cursorItem: { present: false } }
  ],
  [
    'mode 77', 'window_click',
    { windowId: 0, stateId: 0, slot: 36, mouseButton: 0, mode: 77, changedSlots: [], cursorItem: { present: false } }
  ],
  [
    'a window that is not open', 'window_click',
    { windowId: 200, stateId: 0, slot: 1, mouseButton: 0, mode: 0, changedSlots: [], cursorItem: { present: false } }
  ],
  ['an item that does not exist', 'window_click', {
    windowId: 0, stateId: 0, slot: 36, mouseButton: 0, mode: 0,
    changedSlots: [{ location: 36, item: { present: true, itemId: 99999, itemCount: 64, nbtData: undefined } }],
    cursorItem: { present: true, itemId: 99999, itemCount: -5, nbtData: undefined }
  }],
  [
    'a creative slot in survival', 'set_creative_slot',
    { slot: 36, item: { present: true, itemId: 99999, itemCount: 64, nbtData: undefined } }
  ],
  ['digging at y 2000', 'block_dig', { status: 0, location: { x: 0, y: 2000, z: 0 }, face: 1, sequence: 0 }],
  [
    'digging far away', 'block_dig', { status: 0, location: { x: 30000000, y: -61, z: 30000000 }, face: 1, sequence: 0 }
  ],
  ['finishing what was not begun', 'block_dig', { status: 2, location: { x: 0, y: -61, z: 0 }, face: 1, sequence: 0 }],
  ['digging status 99', 'block_dig', { status: 99, location: { x: 0, y: -61, z: 0 }, face: 120, sequence: -1 }],
  ['placing on face 99', 'block_place', {
    hand: 0, location: { x: 0, y: -61, z: 0 }, direction: 99, cursorX: 0, cursorY: 0, cursorZ: 0, insideBlock: false,
    sequence: 0
  }],
  ['placing with a NaN cursor', 'block_place', {
    hand: 7, location: { x: 0, y: -61, z: 0 }, direction: 1, cursorX: NaN, cursorY: 0, cursorZ: 0, insideBlock: false,
    sequence: 0
  }],
  ['hitting nobody', 'use_entity', { target: 123456, mouse: 1, sneaking: false }],
  ['hitting oneself', 'use_entity', { target: 1, mouse: 1, sneaking: false }],
  ['using in no way', 'use_entity', { target: 1, mouse: 55, sneaking: false }],
  ['hot-bar slot 99', 'held_item_slot', { slotId: 99 }],
  ['hot-bar slot -1', 'held_item_slot', { slotId: -1 }],
  ['hand 9', 'use_item', { hand: 9, sequence: 0 }],
  ['a respawn of the living', 'client_command', { actionId: 'perform_respawn' }],
  ['closing window 255', 'close_window', { windowId: 255 }],
  ['a tab completion', 'tab_complete', { transactionId: -1, text: '/'.repeat(3000) }],
  ['a long chat line', 'chat_message', {
    message: 'x'.repeat(20000), timestamp: 0n, salt: 0n, signature: undefined, offset: 0, acknowledged: Buffer.alloc(3)
  }],
  ['a plugin message', 'custom_payload', { channel: 'minecraft:register', data: Buffer.alloc(32767) }],
  ['spectating nobody', 'spectate', { target: '00000000-0000-0000-0000-000000000000' }],
  ['an animation of hand 300', 'arm_animation', { hand: 300 }],
  ['a tree of view settings', 'settings', {
    locale: 'x', viewDistance: -1, chatFlags: 99, chatColors: true, skinParts: 255, mainHand: 9,
    enableTextFiltering: false, enableServerListing: false
  }]
]

test('malformed play packets', async () => {
  for (const [index, [what, name, params]] of MALFORMED.entries()) {
    const client = await RawClient.enter(bench, `Bad${index}`)
    client.write(name, params)
    await client.quit()
    // Its packet came before its end.
    await until(() => !bench.world.players.has(`Bad${index}`), `the end after ${what}`)
    const faults = bench.log.filter((/** @type {string} */ line) => /packet failed/.test(line))
    assert.deepEqual(faults, [], what)
  }
})

test('a list of two thousand million empty tags in a click', async () => {
  const bot = await bench.join('Bomber')
  const click = bot._client.serializer.createPacketBuffer({ name: 'window_click', params: {
    windowId: 0, stateId: 1, slot: 36, mouseButton: 0, mode: 0, changedSlots: [], cursorItem: { present: false }
  } })
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
  const page = bench.server.front.codec.encode(
    'play', 'custom_payload', { channel: 'accord:fill', data: Buffer.alloc(1 << 20) }
  )
  for (let megabytes = 0; megabytes < 60 && !connection.ended; megabytes++) {
    connection.send(page)
    connection.flush()
    await pause(1)
  }
  assert.equal(connection.ended, true)
  assert.ok(bench.log.includes('Deaf left: reads too slowly'))
})

v8.setFlagsFromString('--expose-gc')
/** @type {() => void} */
const collectGarbage = vm.runInNewContext('gc')

/**
 * Bytes outside of V8's heap that somebody holds: what is garbage already says how busy the machine is, not what an
 * attack took.
 */
function outside () {
  collectGarbage()
  const { external, arrayBuffers } = process.memoryUsage()
  return external + arrayBuffers
}

/**
 * Waits until what is held is within the bound; buffers are freed by a thread of V8's own, a moment after their
 * collection.
 * @param {number} before bytes
 */
function settles (before) {
  return until(() => outside() - before < ROOM, 'memory outside of the heap within its bound')
}

const MEGABYTE = 1 << 20
/** Memory that one attack may add outside of V8's heap; without bounds each took a gigabyte. */
const ROOM = 100 * MEGABYTE

test('RCON clients that have no password, ask all the time and never read', async () => {
  const before = outside()
  const asked = Buffer.concat(Array(2000).fill(rconPacket(2, 'list'))) // each would be answered
  const sockets = []
  for (let n = 0; n < 62; n++) sockets.push(await rconSocket())
  for (const socket of sockets) {
    socket.pause()
    socket.write(asked)
  }
  await until(() => bench.server.rcon._sockets.size === 0, 'their end')
  await settles(before)
  for (const socket of sockets) socket.destroy()
})

test('strangers do not keep the console from RCON', async () => {
  const strangers = []
  for (let n = 0; n < 70; n++) strangers.push(await rconSocket())
  const console_ = await rconSocket()
  console_.write(rconPacket(3, PASSWORD))
  const [answer] = await once(console_, 'data')
  assert.equal(answer.readInt32LE(4), 7)
  assert.ok(bench.server.rcon._sockets.size <= 17)
  for (const socket of [...strangers, console_]) socket.destroy()
})

test('a console that does not read its answers is not heard until it has', () => {
  const { socket, asked } = stillSocket()
  const client = new RconClient(
    /** @type {any} */ (socket),
    /** @type {any} */ ({ accepts: () => true, known: () => {}, execute: () => 'x'.repeat(100_000) })
  )
  socket.emit('data', rconPacket(3, PASSWORD))
  socket.emit('data', Buffer.concat(Array(50).fill(rconPacket(2, 'list'))))
  assert.equal(asked.paused, true)
  assert.ok(socket.writableLength < 1.2 * MEGABYTE)
  let answered = 0
  for (let rounds = 0; asked.paused; rounds++) {
    assert.ok(rounds < 10)
    answered += socket.writableLength
    socket.writableLength = 0
    socket.emit('drain')
  }
  assert.ok(answered + socket.writableLength > 50 * 100_000)
  assert.equal(client.authenticated, true)
  socket.emit('close')
})

/** A socket whose other end reads nothing, except when the test says so. */
function stillSocket () {
  const asked = { paused: false }
  const socket = Object.assign(new EventEmitter(), {
    writableLength: 0,
    destroyed: false,
    setNoDelay () {},
    write (/** @type {Buffer} */ bytes) { socket.writableLength += bytes.length },
    pause () { asked.paused = true },
    resume () { asked.paused = false },
    destroy () { socket.destroyed = true }
  })
  return { socket, asked }
}

test('unfinished frames of 2 MB before login', async () => {
  const before = outside()
  const sockets = []
  for (let n = 0; n < 500; n++) sockets.push(await bench.connect())
  const begun = Buffer.concat([Buffer.from([0xff, 0xff, 0x7f]), Buffer.alloc(64 * 1024)])
  for (const socket of sockets) socket.write(begun)
  await Promise.all(sockets.map(closed))
  await settles(before)
})

test('small frames without end before login', async () => {
  const socket = await bench.connect()
  const text = (/** @type {string} */ s) => Buffer.concat([varint(s.length), Buffer.from(s)])
  socket.write(frame(Buffer.concat([varint(0), varint(765), text('127.0.0.1'), Buffer.from([0, 1]), varint(1)])))
  socket.write(Buffer.concat(Array(5000).fill(frame(Buffer.from([0])))))
  await closed(socket)
})

test('more connections than one address may hold before play: the oldest go', async () => {
  /** @type {import('node:net').Socket[]} */
  const sockets = []
  for (let n = 0; n < 530; n++) sockets.push(await bench.connect())
  await until(
    () => sockets.slice(0, 18).every((socket) => socket.destroyed || socket.readableEnded), 'the end of the oldest'
  )
  for (const socket of sockets) socket.destroy()
})

test('unfinished frames while they play', async () => {
  // One after the other: eight at once on a busy machine take longer than this server lets anybody log in.
  const clients = []
  for (let n = 0; n < 8; n++) clients.push(await RawClient.enter(bench, `Slow${n}`))
  const before = outside()
  const begun = Buffer.concat([varint(500 * 1024), Buffer.alloc(400 * 1024)])
  for (const client of clients) client.socket.write(begun)
  const theirs = () => [...bench.server.front.viewers].filter(({ name }) => name.startsWith('Slow'))
    .map(({ connection }) => connection)
  await until(
    () => theirs().length === clients.length && theirs().every((connection) => connection._reader.pending > 400 * 1024),
    'all that was begun'
  )
  // While all of it waits to be finished.
  await settles(before)
  assert.ok(theirs().every((connection) => connection._reader._kept.length <= MEGABYTE))
  for (const client of clients) await client.quit()
})

test('a frame in single bytes takes as much room as in one', async () => {
  const reader = new FrameReader(512 * 1024)
  const before = process.memoryUsage().heapUsed + outside()
  assert.deepEqual([...reader.push(varint(400 * 1024))], [])
  const byte = Buffer.from([1])
  for (let n = 0; n < 300 * 1024; n++) assert.equal(reader.push(byte).next().done, true)
  assert.equal(reader.pending, 300 * 1024 + 3)
  assert.ok(process.memoryUsage().heapUsed + outside() - before < 60 * MEGABYTE)
})

/**
 * Play packets that cost more to read than they weigh, what the log says, and how often until the end.
 * @type {[string, () => Buffer, RegExp, number][]}
 */
const COSTLY = [
  ['a book of two million pages', () => book(2_000_000, Buffer.alloc(400_000)), /pages of a book: at most 200/, 1],
  [
    'books of 200 pages, again and again', () => book(200, Buffer.concat([Buffer.alloc(200), Buffer.from([0])])),
    /as much work in fewer/, 200
  ],
  ['a command with a million signatures', () => Buffer.concat([
    varint(4), varint(1), Buffer.from('x'), Buffer.alloc(16), varint(1_000_000), Buffer.alloc(1000)
  ]), /signatures of a command/, 1],
  ['a click with NBT of 20000 tags', () => click(20000), /NBT of more than 4096 tags/, 1],
  ['clicks with as much NBT as is legal, again and again', () => click(4000), /as much work in fewer/, 20],
  [
    'packets of half a megabyte, again and again',
    () => Buffer.concat([varint(0x10), varint(5), Buffer.from('a:bcd'), Buffer.alloc(500_000)]),
    /as much work in fewer/, 10
  ]
]

for (const [index, [what, make, message, times]] of COSTLY.entries()) {
  test(`${what} ends that connection`, async () => {
    const client = await RawClient.enter(bench, `Dear${index}`)
    const packet = frame(make())
    for (let n = 0; n < times; n++) client.socket.write(packet)
    await closed(client.socket)
    assert.ok(
      bench.log.some((/** @type {string} */ line) => line.startsWith(`Dear${index} left`) && message.test(line)),
      bench.log.at(-1)
    )
  })
}

test('many that do not read share the room that one may take', async () => {
  const clients = []
  for (let n = 0; n < 12; n++) clients.push(await RawClient.enter(bench, `Dull${n}`))
  const page = bench.server.front.codec.encode(
    'play', 'custom_payload', { channel: 'accord:fill', data: Buffer.alloc(MEGABYTE) }
  )
  const connections = [...bench.server.front.viewers].filter(({ name }) => name.startsWith('Dull'))
    .map(({ connection }) => connection)
  for (const client of clients) client.socket.pause()
  for (let round = 0; round < 40; round++) {
    for (const connection of connections) {
      connection.send(page)
      connection.flush()
    }
    bench.server.front._dropSlowest()
    const waits = connections.reduce((sum, connection) => sum + (connection.ended ? 0 : connection.backlog), 0)
    assert.ok(waits <= 64 * MEGABYTE, `${waits} bytes wait`)
  }
  assert.ok(connections.every((connection) => connection.ended))
})

test('an effect of the highest level reaches its client', async () => {
  const got = once(gizmo._client, 'entity_effect')
  bench.run('effect give Gizmo hunger 10 255')
  const [packet] = await got
  assert.deepEqual([packet.amplifier, packet.duration], [-1, 200])
  bench.run('effect clear Gizmo')
})

test('random commands', () => {
  const words = fc.constantFrom(
    'fill', 'give', 'tp', 'kill', 'setblock', '@a', '@x', '@e[type=', '~', '^ ^', '1e9', '-', '{', '[]', '__proto__',
    'constructor', 'stone', 'Gizmo', '"', '\u0000', '💎', ''
  )
  fc.assert(fc.property(fc.array(words, { maxLength: 8 }), (parts) => {
    const text = parts.join(' ')
    fc.pre(!/kill (@a|Gizmo)/.test(text))
    assert.equal(typeof bench.server.execute(text), 'string')
  }), { numRuns: 400, seed: 11 })
  assert.deepEqual(bench.log.filter((/** @type {string} */ line) => line.startsWith('command ')), [])
})
