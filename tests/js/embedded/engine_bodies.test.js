'use strict'
/** Players without clients in a server's world: by their channels, tick by tick, and as a client sees them. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { World } = require('../../../engine/world')
const { EngineBodies } = require('../../../bridge/servers/embedded/bodies/bodies')
const { Channel } = require('../../../bridge/servers/embedded/bodies/channel')
const { Turns } = require('../../../bridge/servers/embedded/bodies/turns')
const { startBench, until } = require('./support')

const MOST = 4

/** A world with one channel; what it said is in `said`. */
function begun () {
  const world = new World({ seed: 3 })
  const bodies = new EngineBodies(world, MOST)
  return { world, bodies, ...opened(bodies) }
}

/** @param {EngineBodies} bodies */
function opened (bodies) {
  /** @type {any[]} */
  const said = []
  let id = 0
  const channel = new Channel(bodies, (message) => { said.push(JSON.parse(JSON.stringify(message))) })
  return {
    said,
    channel,
    /** @param {string} k @param {object} [fields] @returns {any} the answer */
    ask (k, fields = {}) {
      channel.hear({ id: ++id, k, ...fields })
      return said.find((message) => message.id === id)
    },
    /** @param {string} kind */
    told: (kind) => said.filter((message) => message.k === 'told' && message.kind === kind).map(({ data }) => data)
  }
}

/** @param {EngineBodies} bodies @param {() => any} done @param {string} what */
function tickUntil (bodies, done, what) {
  for (let tick = 0; tick < 400; tick++) {
    const found = done()
    if (found) return found
    bodies.tick()
  }
  throw new Error(`${what} did not come in 400 ticks`)
}

test('a body joins, mines by the world\'s ticks and tells what it has and what it changed', () => {
  const { world, bodies, ask, said, channel, told } = begun()
  assert.equal(ask('join', { bot: 'Gizmo' }).ok, true)
  assert.deepEqual(told('bot'), [{ bot: 'Gizmo', state: 'spawned', reason: '' }])
  for (const text of ['tp Gizmo 0.5 -60 0.5', 'setblock 2 -60 0 iron_ore', 'give Gizmo stone_pickaxe']) {
    world.command(text)
  }
  channel.hear({ k: 'open', run: 7, bot: 'Gizmo' })
  channel.hear({ k: 'act', run: 7, call: 1, method: 'dig', args: [2, -60, 0] })
  const began = world.age
  const end = tickUntil(bodies, () => said.find(({ k }) => k === 'end'), 'the block')
  assert.deepEqual(end, { k: 'end', run: 7, call: 1, ok: true, value: true })
  assert.ok(world.age - began >= 20, 'digging takes its time')
  assert.equal(ask('read', { run: 7, method: 'blockAt', args: [2, -60, 0] }).ok, true)
  assert.equal(ask('close', { run: 7 }).ok, true)
  assert.deepEqual(told('ground_changed').map(({ changed }) => changed), [{ Gizmo: [[2, -60, 0, 'air']] }])
  assert.equal(ask('observe', { bot: 'Gizmo' }).value.items.stone_pickaxe, 1)
})

test('what lies on the ground is told to one channel, and again to the one that comes after it', () => {
  const { world, bodies, ask, channel, told } = begun()
  ask('join', { bot: 'Gizmo' })
  world.command('summon item 9.5 -60 9.5 {Item:{id:"minecraft:apple",Count:1b}}')
  tickUntil(bodies, () => told('drops').length, 'the apple')
  const [{ at }] = told('drops')
  assert.deepEqual(Object.values(at), [['apple', 1, [9.5, -60, 9.5]]])
  const other = opened(bodies)
  other.ask('join', { bot: 'Glitch' })
  for (let tick = 0; tick < 60; tick++) bodies.tick()
  assert.deepEqual(other.told('drops'), [])
  channel.close()
  tickUntil(bodies, () => other.told('drops').length, 'the apple again')
  assert.deepEqual(other.told('drops'), [{ at, gone: [] }])
})

test('commands, death and words reach it as they reach anybody', () => {
  const { world, bodies, ask, told } = begun()
  ask('join', { bot: 'Gizmo' })
  ask('join', { bot: 'Glitch' })
  world.command('give Gizmo diamond 2')
  world.command('tp Gizmo 5 -60 5')
  world.command('clear Gizmo diamond 1')
  bodies.tick()
  const { items, position } = ask('observe', { bot: 'Gizmo' }).value
  assert.deepEqual([items, position], [{ diamond: 1 }, [5.5, -60, 5.5]])
  ask('speak', { lines: [['Gizmo', 'hello', null], ['Gizmo', 'psst', 'Glitch'], ['Nobody', 'boo', null]] })
  const heard = told('chat').map(({ from, text, to }) => [from, text, to])
  assert.deepEqual(
    heard.filter(([from]) => from !== null), [['Gizmo', 'hello', undefined], ['Gizmo', 'psst', 'Glitch']]
  )
  world.command('kill Glitch')
  tickUntil(bodies, () => told('bot').some(({ state }) => state === 'respawned'), 'its return')
  assert.deepEqual(
    told('bot').filter(({ bot }) => bot === 'Glitch').map(({ state }) => state), ['spawned', 'died', 'respawned']
  )
  assert.equal(ask('observe', { bot: 'Glitch' }).value.health, 20)
  world.command('op Gizmo')
  assert.equal(world.players.get('Gizmo')?.op, false, 'what an agent writes never runs as an operator')
})

test('a kicked player is gone at once, its act ends and its program hears of it', () => {
  const { world, bodies, ask, said, channel } = begun()
  ask('join', { bot: 'Gizmo' })
  channel.hear({ k: 'open', run: 1, bot: 'Gizmo' })
  channel.hear({ k: 'act', run: 1, call: 4, method: 'waitTicks', args: [50] })
  bodies.tick()
  world.command('kick Gizmo enough')
  assert.equal(world.players.size, 0)
  assert.deepEqual(said.filter(({ k }) => k === 'lost'), [{ k: 'lost', bot: 'Gizmo', reason: 'kicked: enough' }])
  assert.equal(said.find(({ k }) => k === 'end')?.error.name, 'PolicyAborted')
  assert.equal(ask('read', { run: 1, method: 'self', args: [] }).error.name, 'PolicyAborted')
  assert.equal(ask('observe', { bot: 'Gizmo' }).error.name, 'BotLost')
})

test('a channel that ends takes its own players out of the world and no others, and leaves nothing under way', () => {
  const { world, bodies, ask, channel } = begun()
  const other = opened(bodies)
  ask('join', { bot: 'Gizmo' })
  other.ask('join', { bot: 'Glitch' })
  channel.hear({ k: 'open', run: 1, bot: 'Gizmo' })
  channel.hear({
    k: 'act', run: 1, call: 1, method: 'goto', args: [{ kind: 'near', x: 60, y: -60, z: 0, range: 1 }, null]
  })
  for (let tick = 0; tick < 5; tick++) bodies.tick()
  assert.ok(Number(world.players.get('Gizmo')?.x) > 0.6, 'it walks')
  channel.close()
  assert.deepEqual([...world.players.keys()], ['Glitch'])
  assert.deepEqual([...bodies.simulation.clients.keys()], ['Glitch'])
  assert.equal(bodies.size, 1)
  assert.ok([...world.entities.values()].every((entity) => /** @type {any} */ (entity).name !== 'Gizmo'))
  bodies.tick()
  assert.equal(other.ask('join', { bot: 'Gizmo' }).ok, true, 'another host has it back')
})

test('a channel moves and hears of its own players only, and asks for nothing that is not there', () => {
  const { bodies, ask } = begun()
  const other = opened(bodies)
  ask('join', { bot: 'Gizmo' })
  const name = (/** @type {any} */ answer) => answer.error?.name
  assert.equal(name(other.ask('observe', { bot: 'Gizmo' })), 'BotLost')
  assert.equal(name(other.ask('open', { run: 1, bot: 'Gizmo' })), 'BotLost')
  assert.equal(other.ask('leave', { bot: 'Gizmo' }).ok, true)
  assert.equal(bodies.size, 1)
  assert.equal(name(other.ask('join', { bot: 'gizmo' })), 'BotLost')
  assert.equal(name(other.ask('__proto__')), 'BadArgument')
  assert.equal(name(other.ask('join', { bot: 'no name!' })), 'BadArgument')
  for (const bot of ['A', 'B', 'C']) other.ask('join', { bot })
  assert.match(other.ask('join', { bot: 'D' }).error.message, /the server is full with 4 players/)
  assert.equal(other.told('bot').some(({ bot }) => bot === 'Gizmo'), false)
})

test('in a frozen world a body stands still, and goes on with it', () => {
  const { world, bodies, ask, said, channel } = begun()
  ask('join', { bot: 'Gizmo' })
  channel.hear({ k: 'open', run: 1, bot: 'Gizmo' })
  channel.hear({ k: 'act', run: 1, call: 1, method: 'waitTicks', args: [3] })
  world.command('tick freeze')
  for (let tick = 0; tick < 10; tick++) bodies.tick()
  assert.equal(said.some(({ k }) => k === 'end'), false)
  world.command('tick unfreeze')
  tickUntil(bodies, () => said.some(({ k }) => k === 'end'), 'the end of its wait')
})

test('beyond the share of a tick askers take turns, each in its order', () => {
  let now = 0
  const turns = new Turns(() => now, 2)
  /** @type {string[]} */
  const done = []
  const take = (/** @type {string} */ who, /** @type {number} */ n) => turns.take(who, () => {
    done.push(who + n)
    now++
  })
  for (const n of [1, 2, 3, 4]) take('a', n)
  take('b', 1)
  take('b', 2)
  assert.deepEqual(done, ['a1', 'a2'])
  turns.renew()
  assert.deepEqual(done, ['a1', 'a2', 'a3', 'b1'])
  turns.forget('a')
  turns.renew()
  assert.deepEqual(done, ['a1', 'a2', 'a3', 'b1', 'b2'])
  assert.equal(turns.waiting, 0)
})

test('a client sees it come, move, hold, speak and go, and cannot take its name', async () => {
  const bench = await startBench()
  try {
    const { bodies } = bench.server
    const { ask, channel } = opened(bodies)
    const person = await bench.join('Person')
    ask('join', { bot: 'Gizmo' })
    await until(() => person.players.Gizmo?.entity, 'Gizmo in the list and in sight')
    bench.run('give Gizmo iron_pickaxe')
    await until(() => person.players.Gizmo.entity.heldItem?.name === 'iron_pickaxe', 'what it holds')
    channel.hear({ k: 'open', run: 1, bot: 'Gizmo' })
    channel.hear({
      k: 'act', run: 1, call: 1, method: 'goto', args: [{ kind: 'near', x: 4, y: -60, z: 0, range: 0 }, null]
    })
    await until(() => person.players.Gizmo.entity.position.x > 3, 'its walk')
    /** @type {string[]} */
    const heard = []
    person.on('chat', (/** @type {string} */ from, /** @type {string} */ text) => heard.push(`${from}: ${text}`))
    ask('speak', { lines: [['Gizmo', 'hello', null]] })
    await until(() => heard.includes('Gizmo: hello'), 'its word')
    await assert.rejects(bench.join('Gizmo'), /did not come in/)
    ask('leave', { bot: 'Gizmo' })
    await until(() => !person.players.Gizmo, 'its going')
  } finally {
    await bench.close()
  }
})
