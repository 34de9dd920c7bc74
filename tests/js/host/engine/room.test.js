'use strict'
/** A host's players whose bodies are in the server: its end of the connection, and a program's way through it. */
const { test, after } = require('node:test')
const assert = require('node:assert/strict')
const { EngineRoom } = require('../../../../bridge/host/engine/room')
const parts = require('../../../../bridge/host/engine/parts')
const { CpuWatch } = require('../../../../bridge/host/isolates/cpu_watch')
const { PolicyRun } = require('../../../../bridge/host/isolates/isolate')
const { SpareIsolate } = require('../../../../bridge/host/isolates/spare_isolate')
const { closeParser } = require('../../../../bridge/host/isolates/syntax')
const { SignalHub } = require('../../../../skills_js/signals')
const { HOST, SECRET, bodiesServer } = require('../fixtures/bodies_server')

const LIMITS = { wall_ms: 60_000, cpu_ms: 20_000, memory_mb: 64 }

const server = bodiesServer()
after(() => closeParser())

/** A room with these players in the world. @param {string[]} bots */
async function roomOf (...bots) {
  /** @type {any[]} */
  const told = []
  const room = new EngineRoom((kind, data) => told.push({ kind, ...data }))
  for (const bot of bots) await room.connect({ bot, host: HOST, port: server.port, secret: SECRET }, null)
  return { room, told }
}

/** @param {EngineRoom} room @param {string} bot @param {string} source */
async function started (room, bot, source) {
  /** @type {any[]} */
  const emitted = []
  const entry = room.spawned(bot)
  const services = {
    signals: new SignalHub([bot]),
    tick: () => null,
    emit: (/** @type {string} */ kind, /** @type {any} */ data) => emitted.push({ kind, ...data })
  }
  const run = new PolicyRun({
    bot, source, bundle: parts.bundle(), limits: LIMITS, backend: parts.createBackend(entry.bot, services),
    watch: new CpuWatch(),
    settings: { seed: '1', version: '1.20.4' }, spare: new SpareIsolate(() => {}, true)
  })
  entry.lost.add((reason) => run.lose(reason))
  await run.prepare()
  run.start()
  return { run, emitted }
}

test('a program asks, acts and listens across the connection, and its own reports stay in the host', async () => {
  const { room, told } = await roomOf('Asker', 'Talker')
  const { run, emitted } = await started(room, 'Asker', `async function main (bot) {
    const said = new Promise((resolve) => bot.on('chat', (from, text) => resolve(from + ': ' + text)))
    const before = bot.entity.position.clone()
    bot.chat('ready')
    await bot.waitForTicks(2)
    console.log(await said, before.distanceTo(bot.entity.position), bot.blockAt(before.offset(0, -1, 0)).name)
    try { await bot.dig(bot.blockAt(before.offset(40, -1, 0))) } catch (error) { console.log(error.name) }
    try { bot.whisper('Nobody', 'x') } catch (error) { console.log(error.name) }
  }`)
  await new Promise((resolve) => server.world.once('chat', resolve))
  await room.speak([['Talker', 'hello', null]])
  const { outcome, error } = await run.ended
  assert.deepEqual([outcome, error], ['returned', null])
  assert.deepEqual(emitted.map(({ text }) => text), ['Talker: hello 0 grass_block', 'OutOfReach', 'UnknownPlayer'])
  assert.ok(told.some(({ kind, bot, state }) => kind === 'bot' && bot === 'Asker' && state === 'spawned'))
  assert.equal(server.bodies.simulation.client('Asker').tasks.size, 0)
  await room.disconnect('Asker')
  await room.disconnect('Talker')
  assert.equal(room.size, 0)
})

test('constant data is asked of the server once for all programs of a host', async () => {
  const { room } = await roomOf('Reader')
  const { link } = room.spawned('Reader').bot
  /** @type {string[]} */
  const asked = []
  const request = link.request.bind(link)
  link.request = (k, fields = {}) => {
    if (k === 'read') asked.push(/** @type {any} */ (fields).method)
    return request(k, fields)
  }
  const source = 'async function main (bot) { console.log(bot.blockAt(bot.entity.position.offset(0, -1, 0)).name) }'
  for (let round = 0; round < 2; round++) {
    const { run, emitted } = await started(room, 'Reader', source)
    assert.equal((await run.ended).outcome, 'returned')
    assert.deepEqual(emitted.map(({ text }) => text), ['grass_block'])
  }
  assert.deepEqual(asked.filter((method) => method === 'blockState').length, 1)
  assert.equal(asked.filter((method) => method === 'blockAt').length, 2)
  await room.disconnect('Reader')
})

test('cancelling ends what is under way in the world; the body is at rest for the next program', async () => {
  const { room } = await roomOf('Walker')
  const { run } = await started(
    room, 'Walker', 'async function main (bot) { await bot.pathfinder.goto(new goals.GoalNear(300, -60, 0, 1)) }'
  )
  const { tasks } = server.bodies.simulation.client('Walker')
  while (tasks.size === 0) await new Promise((resolve) => setImmediate(resolve))
  await run.cancel()
  assert.equal((await run.ended).outcome, 'cancelled')
  assert.equal(tasks.size, 0)
  assert.equal(server.bodies.simulation.client('Walker').walk, null)
  await room.disconnect('Walker')
})

test('a program that spins between two questions is stopped, ' +
  'and asks for no more than its share of the server\'s time', async () => {
  const { room } = await roomOf('Spinner')
  const { run } = await started(room, 'Spinner', 'async function main (bot) { for (;;); }')
  assert.deepEqual([(await run.ended).outcome], ['timeout'])
  const heavy = await started(room, 'Spinner', `async function main (bot) {
    for (;;) bot.findBlocks({ matching: (block) => block.name === 'bedrock' && block.position.y > 0,
      maxDistance: 64, count: 256 })
  }`)
  const { outcome, error } = await heavy.run.ended
  assert.notEqual(outcome, 'returned')
  assert.match(String(error?.message), /too many expensive queries|without waiting|too many cells|searched/)
  await room.disconnect('Spinner')
})

test('a player that is sent away ends its program as nobody\'s doing', async () => {
  const { room } = await roomOf('Kicked')
  const {
    run
  } = await started(room, 'Kicked', 'async function main (bot) { for (;;) { bot.health; await bot.waitForTicks(1) } }')
  server.world.command('kick Kicked bye')
  const { outcome, error } = await run.ended
  assert.deepEqual([outcome, error?.name], ['infrastructure', 'BotLost'])
  assert.match(String(error?.message), /kicked: bye/)
  assert.throws(() => room.spawned('Kicked'), { name: 'BotLost' })
})

test('without the secret nobody comes in, and a taken name is refused', async () => {
  const room = new EngineRoom(() => {})
  await assert.rejects(
    room.connect({ bot: 'Thief', host: HOST, port: server.port, secret: 'a guess' }, null), { name: 'BotLost' }
  )
  assert.equal(server.world.players.has('Thief'), false)
  const { room: first } = await roomOf('Taken')
  const second = new EngineRoom(() => {})
  await assert.rejects(
    second.connect({ bot: 'Taken', host: HOST, port: server.port, secret: SECRET }, null),
    /Taken could not join: a player of that name/
  )
  assert.throws(() => second.spawned('Taken'), { name: 'BotLost' })
  await first.disconnect('Taken')
})

test('a connection that ends loses its players in the host and in the world, and the host can come back', async () => {
  const { room, told } = await roomOf('Lost', 'Too')
  const { run } = await started(room, 'Lost', 'async function main (bot) { await bot.waitForTicks(100000) }')
  room.spawned('Lost').bot.link.close()
  const { outcome, error } = await run.ended
  assert.deepEqual([outcome, error?.name], ['infrastructure', 'BotLost'])
  assert.deepEqual(told.filter(({ state }) => state === 'ended').map(({ bot }) => bot), ['Lost', 'Too'])
  while (server.world.players.size > 0) await new Promise((resolve) => setImmediate(resolve))
  await room.connect({ bot: 'Lost', host: HOST, port: server.port, secret: SECRET }, null)
  assert.equal(room.size, 1)
  await room.disconnect('Lost')
})
