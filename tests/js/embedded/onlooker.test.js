'use strict'
/** A person who joins under a name that does not play: sees all, is seen by nobody, changes nothing. */
const { test, before, after } = require('node:test')
const assert = require('node:assert/strict')
const { once } = require('node:events')
const { Vec3 } = require('vec3')
const { startBench, until, pause } = require('./support')

/** @type {any} */
let bench
/** @type {any} */
let gizmo
/** @type {any} */
let person

before(async () => {
  bench = await startBench({ players: ['Gizmo'] })
  gizmo = await bench.join('Gizmo')
  person = await bench.join('Person', { physicsEnabled: false })
})

after(() => bench.close())

test('is a spectator and sees the players', async () => {
  assert.equal(person.game.gameMode, 'spectator')
  await until(() => person.players.Gizmo?.entity, 'Gizmo in sight')
})

test('is unknown to the players and to the world', async () => {
  await pause(200)
  assert.deepEqual(Object.keys(gizmo.players), ['Gizmo'])
  assert.deepEqual(Object.values(gizmo.entities).map((e) => /** @type {any} */ (e).username), ['Gizmo'])
  assert.deepEqual([...bench.world.players.keys()], ['Gizmo'])
})

test('is not heard', async () => {
  /** @type {string[]} */
  const heard = []
  gizmo.on('messagestr', (/** @type {string} */ text) => heard.push(text))
  person.chat('take the left chest')
  person.chat('/op Person')
  bench.run('say done')
  await until(() => heard.length > 0, 'the console')
  assert.equal(heard.length, 1)
  assert.match(heard[0], /done/)
})

test('hears what players say', async () => {
  const heard = once(person, 'chat')
  gizmo.chat('hello')
  assert.deepEqual((await heard).slice(0, 2), ['Gizmo', 'hello'])
})

test('touches nothing', async () => {
  bench.run('setblock 1 -60 1 chest')
  bench.run('summon item 0 -58 0 {Item:{id:"minecraft:diamond",Count:1b}}')
  await until(() => person.blockAt(new Vec3(1, -60, 1))?.name === 'chest', 'the chest')
  const location = new Vec3(1, -60, 1)
  for (const status of [0, 2, 3, 4, 6]) person._client.write('block_dig', { status, location, face: 1, sequence: 1 })
  person._client.write(
    'block_place',
    { hand: 0, location, direction: 1, cursorX: 0.5, cursorY: 0.5, cursorZ: 0.5, insideBlock: false, sequence: 2 }
  )
  person._client.write(
    'window_click',
    { windowId: 0, stateId: 0, slot: 36, mouseButton: 0, mode: 0, changedSlots: [], cursorItem: { present: false } }
  )
  person._client.write(
    'set_creative_slot', { slot: 36, item: { present: true, itemId: 1, itemCount: 64, nbtData: undefined } }
  )
  person._client.write('use_entity', { target: bench.world.players.get('Gizmo').id, mouse: 1, sneaking: false })
  person._client.write('client_command', { actionId: 'perform_respawn' })
  await pause(300)
  assert.equal(bench.world.blockAt(1, -60, 1), person.registry.blocksByName.chest.defaultState)
  assert.equal(bench.world.players.get('Gizmo').health, 20)
  assert.equal(person.currentWindow, null)
  const own = once(person._client, 'camera')
  person._client.write('entity_action', { entityId: 0, actionId: 'start_sneaking', jumpBoost: 0 })
  await own
})

test('flies anywhere, but not across the world in one hop', async () => {
  // The client tells its place once a second, too: it must be the same one.
  person.entity.position.set(60, 0, 0)
  person._client.write('position', { x: 60, y: 0, z: 0, onGround: false })
  await until(() => person.blockAt(new Vec3(100, -61, 0)), 'the ground there')
  const back = once(person._client, 'position')
  person._client.write('position', { x: 29000000, y: 0, z: 0, onGround: false })
  assert.equal((await back)[0].x, 60)
})

test('looks through the eyes of a player it hits, until it sneaks', async () => {
  const seen = once(person._client, 'camera')
  person._client.write('use_entity', { target: bench.world.players.get('Gizmo').id, mouse: 1, sneaking: false })
  assert.equal((await seen)[0].cameraId, bench.world.players.get('Gizmo').id)
  const own = once(person._client, 'camera')
  person._client.write('entity_action', { entityId: 0, actionId: 'start_sneaking', jumpBoost: 0 })
  assert.equal((await own)[0].cameraId, person.entity.id)
})

test('gets light, block entities and tags, which a Minecraft client needs', async () => {
  const watcher = require('minecraft-protocol')
    .createClient({ host: '127.0.0.1', port: bench.port, username: 'Watcher', version: '1.20.4', auth: 'offline' })
  bench.bots.push({ _client: watcher, end: () => watcher.end('') })
  const [[{ tags }], [column]] = await Promise.all([once(watcher, 'tags'), once(watcher, 'map_chunk')])
  const blocks = tags.find((/** @type {any} */ t) => t.tagType === 'minecraft:block').tags
  assert.ok(blocks.some((/** @type {any} */ t) => t.tagName === 'minecraft:mineable/pickaxe' && t.entries.length > 100))
  assert.equal(tags.find((/** @type {any} */ t) => t.tagType === 'minecraft:fluid').tags.length, 2)
  assert.ok(column.skyLight.length >= 3)
  assert.equal(column.skyLight[0].length, 2048)
  assert.deepEqual(column.blockEntities.map((/** @type {any} */ e) => [e.x, e.y, e.z, e.type]), [[1, -60, 1, 1]])
})

test('leaves without a word to the players', async () => {
  /** @type {string[]} */
  const heard = []
  gizmo.on('messagestr', (/** @type {string} */ text) => heard.push(text))
  person.quit()
  await until(() => bench.log.some((/** @type {string} */ line) => line.startsWith('Person left')), 'the log line')
  await pause(150)
  assert.deepEqual(heard, [])
})

test('whom the settings name as a player is made an operator by nobody, and commands nothing', async () => {
  assert.equal(bench.world.command('op Gizmo').ok, false)
  const heard = once(gizmo, 'message')
  gizmo.chat('/gamemode creative')
  assert.match((await heard)[0].toString(), /^Unknown or incomplete command/)
  assert.equal(bench.world.players.get('Gizmo').gamemode, 'survival')
})
