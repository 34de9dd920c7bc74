'use strict'
/** The way to the game of a host without a network: to the world's address and nowhere else, for who was let in. */
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const { once } = require('node:events')
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { SocketProxy, MAX_CALLS } = require('../../../../bridge/host/supervisor/socket_proxy')
const { HostFleet } = require('../../../../bridge/host/supervisor/host_fleet')

const script = path.join(__dirname, '..', 'fixtures', 'caller.js')
// Abstract sockets are Linux's own; without namespaces there is no door.
const linux = { skip: process.platform !== 'linux' }

/**
 * A world that answers what it hears, and a fleet whose hosts reach it through the door only.
 * @param {import('node:test').TestContext} t
 */
async function opened (t) {
  const callers = /** @type {net.Socket[]} */ ([])
  const world = net.createServer((socket) => {
    callers.push(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => socket.write(`heard ${data}`))
  }).listen(0, '127.0.0.1')
  await once(world, 'listening')
  const events = /** @type {any[]} */ ([])
  const fleet = new HostFleet(
    (kind, tick, data) => events.push({ kind, ...data }), { script, confinement: { command: [], network: true } }
  )
  t.after(async () => { await fleet.release(); world.close() })
  await fleet.open()
  const { port } = /** @type {net.AddressInfo} */ (world.address())
  return {
    fleet,
    world,
    callers,
    said: () => events.filter(({ kind }) => kind === 'chat').map(({ text }) => text),
    seat: (/** @type {string} */ bot) => ({ bots: [bot], host: '127.0.0.1', port, version: '1.20.4' })
  }
}

/** Names of the doors that our hosts hold open: others on this machine have theirs, which come and go. */
function doors () {
  const hosts = fs.readdirSync('/proc/self/task')
    .flatMap((task) => read(`/proc/self/task/${task}/children`).match(/\d+/g) ?? [])
  const held = new Set(hosts.flatMap(sockets))
  const open = [...read('/proc/net/unix').matchAll(/(\d+) (@accord-[0-9a-f]+)$/gm)]
  return open.filter(([, number]) => held.has(number)).map(([, , name]) => name)
}

const read = (/** @type {string} */ file) => fs.readFileSync(file, 'utf8')

/** The numbers of the sockets that a process holds. */
function sockets (/** @type {string} */ pid) {
  return fs.readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(fs.readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
    } catch {
      return [] // a file that was closed meanwhile
    }
  })
}

test('bots reach the world, each by a connection of its own', linux, async (t) => {
  const { fleet, callers, said, seat } = await opened(t)
  await Promise.all([fleet.connect(seat('Gizmo')), fleet.connect(seat('Glitch'))])
  assert.deepEqual(said().sort(), ['heard Gizmo true\n', 'heard Glitch true\n'])
  assert.equal(callers.length, 2)
})

test('a world that does not answer is told by its code', linux, async (t) => {
  const { fleet, world, seat } = await opened(t)
  const nobody = seat('Gizmo')
  world.close()
  await once(world, 'close')
  await assert.rejects(fleet.connect(nobody), { name: 'BotLost', message: 'ECONNREFUSED' })
})

test('the end of either side is the end of the other', linux, async (t) => {
  const { fleet, callers, seat } = await opened(t)
  await fleet.connect(seat('Gizmo'))
  const left = once(callers[0], 'close')
  await fleet.disconnect({ bots: ['Gizmo'] })
  await left
  await fleet.connect(seat('Glitch'))
  const lost = once(callers[1], 'close')
  fleet.kill()
  await lost
})

test('a connection that was not requested is refused', linux, async (t) => {
  const { fleet, callers, seat } = await opened(t)
  const [name, ...more] = doors()
  assert.deepEqual(more, [])
  for (const words of ['x'.repeat(32), 'short']) {
    const stranger = net.connect(name.replace('@', '\0'))
    stranger.on('error', () => {})
    stranger.end(words)
    await once(stranger.resume(), 'close')
  }
  await fleet.connect(seat('Gizmo'))
  assert.equal(callers.length, 1)
})

test('a door leads nowhere before the world is known, ' +
  'and to it not more often than bots could need', linux, async (t) => {
  const { seat } = await opened(t)
  const door = new SocketProxy()
  door.handOver()
  const refused = /** @type {string[]} */ ([])
  const call = (/** @type {string} */ ticket) => door.call(ticket, (code) => refused.push(code))
  call('x'.repeat(32))
  assert.deepEqual(refused.splice(0), ['EACCES'])
  const { host, port } = seat('Gizmo')
  door.address = { host, port }
  call('too short')
  assert.deepEqual(refused.splice(0), ['EACCES'])
  for (let i = 0; i < MAX_CALLS + 6; i++) call('x'.repeat(32))
  assert.deepEqual(refused, Array.from({ length: 6 }, () => 'EACCES'))
})
