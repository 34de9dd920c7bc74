'use strict'
/** Shared chunk columns, idle bots and telemetry, on bots made of real prismarine parts and no network. */
const { EventEmitter } = require('node:events')
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Vec3 } = require('vec3')
const registry = require('prismarine-registry')('1.20.4')
const Chunk = /** @type {any} */ (require('prismarine-chunk'))(registry)
const World = /** @type {any} */ (require('prismarine-world'))(registry)
const windows = /** @type {any} */ (require('prismarine-windows'))('1.20.4')
const Item = /** @type {any} */ (require('prismarine-item'))(registry)
const { SharedColumns } = require('../../../../bridge/host/bots/columns')
const { IdleTicker, SETTLED_TICKS, LOOK_TICKS } = require('../../../../bridge/host/bots/idle_physics')
const { itemsOf, observationOf, reasonText } = require('../../../../bridge/host/telemetry/telemetry')

const STONE = registry.blocksByName.stone.defaultState
const AT = new Vec3(3, 5, 4)

/** A bot with a world and a column parser, as mineflayer has them. */
function botOf () {
  const bot = /** @type {any} */ (new EventEmitter())
  bot.registry = registry
  bot._client = new EventEmitter()
  bot.world = new World(null, null).sync
  bot.parsed = 0
  bot._client.on('map_chunk', (/** @type {any} */ packet) => {
    bot.parsed++
    const column = bot.world.getColumn(packet.x, packet.z) ?? new Chunk({ minY: -64, worldHeight: 384 })
    column.setBlockStateId(AT, packet.state)
    bot.world.setColumn(packet.x, packet.z, column)
  })
  bot.updates = []
  bot.world.on(
    'blockUpdate',
    (/** @type {any} */ before, /** @type {any} */ after) => bot.updates.push([before.stateId, after.stateId])
  )
  return bot
}

function twoBots () {
  const clock = { now: 0 }
  const columns = new SharedColumns(() => clock.now)
  const [a, b] = [botOf(), botOf()]
  for (const bot of [a, b]) {
    columns.join(bot)
    bot._client.emit('map_chunk', { x: 0, z: 0, state: STONE, blockEntities: [] })
  }
  return { columns, a, b, clock }
}

test('a column is parsed once and held until the last bot lets go', () => {
  const { columns, a, b } = twoBots()
  assert.deepEqual([a.parsed, b.parsed], [1, 0])
  assert.equal(a.world.getColumn(0, 0), b.world.getColumn(0, 0))
  a.world.unloadColumn(0, 0)
  assert.equal(columns.size, 1)
  assert.equal(b.world.getBlockStateId(AT), STONE)
  columns.leave(b)
  assert.equal(columns.size, 0)
})

test('bots are not given the light of columns, which programs are not shown', () => {
  const bot = botOf()
  /** @type {any[]} */
  const given = []
  bot._client.on('map_chunk', (/** @type {any} */ packet) => given.push([packet.x, packet.skyLight]))
  bot._client.on('update_light', () => given.push('light'))
  new SharedColumns(() => 0).join(bot)
  bot._client.emit('map_chunk', { x: 0, z: 0, state: STONE, blockEntities: [], skyLight: [Buffer.alloc(2048)] })
  bot._client.emit('update_light', { chunkX: 0, chunkZ: 0, skyLight: [] })
  assert.deepEqual(given, [[0, undefined]])
})

test('both bots are told what a block was before', () => {
  const { a, b } = twoBots()
  a.world.setBlockStateId(AT, 0)
  b.world.setBlockStateId(AT, 0)
  assert.deepEqual(a.updates, [[STONE, 0]])
  assert.deepEqual(b.updates, [[STONE, 0]])
})

test('a bot that changed a block ahead of the server sees the change once', () => {
  const { a } = twoBots()
  a.world.setBlockStateId(AT, 0) // its own dig, at the end of the dig time
  a.world.setBlockStateId(AT, 0) // the server's word
  assert.deepEqual(a.updates, [[STONE, 0], [0, 0]])
})

test('an old change is no longer told', () => {
  const { a, b, clock } = twoBots()
  a.world.setBlockStateId(AT, 0)
  clock.now += 10_000
  b.world.setBlockStateId(AT, 0)
  assert.deepEqual(b.updates, [[0, 0]])
})

test('a column that is sent again to a bot that has it is parsed again', () => {
  const { a, b } = twoBots()
  a._client.emit('map_chunk', { x: 0, z: 0, state: 0, blockEntities: [] })
  assert.equal(a.parsed, 2)
  assert.equal(b.world.getBlockStateId(AT), 0)
})

/** A bot that stands still or falls. */
function restingBot () {
  const bot = /** @type {any} */ (new EventEmitter())
  bot._client = new EventEmitter()
  bot.physicsEnabled = true
  bot.entity = { id: 7, onGround: true, velocity: new Vec3(0, -0.08, 0) }
  return bot
}

test('an idle bot falls asleep, looks now and then, and wakes for a policy', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const ticker = new IdleTicker()
  const bot = restingBot()
  ticker.add(bot)
  const ticks = (/** @type {number} */ count) => { for (let i = 0; i < count; i++) ticker.tick() }
  ticks(SETTLED_TICKS)
  assert.equal(bot.physicsEnabled, false)
  ticks(LOOK_TICKS)
  assert.equal(bot.physicsEnabled, true)
  ticks(3)
  assert.equal(bot.physicsEnabled, false)
  ticker.hold(bot)
  ticks(100)
  assert.equal(bot.physicsEnabled, true)
  ticker.release(bot)
  ticks(SETTLED_TICKS)
  assert.equal(bot.physicsEnabled, false)
  bot._client.emit('entity_velocity', { entityId: 7 })
  assert.equal(bot.physicsEnabled, true)
  ticker.remove(bot)
})

test('a falling bot is never put to sleep', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const ticker = new IdleTicker()
  const bot = restingBot()
  bot.entity.onGround = false
  ticker.add(bot)
  for (let i = 0; i < 100; i++) ticker.tick()
  assert.equal(bot.physicsEnabled, true)
  ticker.remove(bot)
})

/** @param {string} name @param {number} count */
function item (name, count) {
  return new Item(registry.itemsByName[name].id, count)
}

function carrier () {
  const bot = /** @type {any} */ ({
    username: 'Gizmo',
    inventory: windows.createWindow(0, 'minecraft:inventory', 'Inventory'),
    currentWindow: null,
    heldItem: null,
    game: { gameMode: 'survival' },
    health: 20,
    food: 18,
    entity: { position: new Vec3(1.5, -60, 2.5) }
  })
  bot.inventory.updateSlot(5, item('iron_helmet', 1))
  bot.inventory.updateSlot(9, item('raw_iron', 3))
  bot.inventory.updateSlot(36, item('raw_iron', 2))
  bot.inventory.updateSlot(45, item('shield', 1))
  return bot
}

test('items: the whole inventory, armour and off-hand included, the crafting grid not', () => {
  const bot = carrier()
  bot.inventory.updateSlot(1, item('dirt', 1))
  assert.deepEqual(itemsOf(bot), { iron_helmet: 1, raw_iron: 5, shield: 1 })
})

test('items: with a chest open its player part counts, its own part does not', () => {
  const bot = carrier()
  const chest = windows.createWindow(1, 'minecraft:generic_9x3', 'Chest', 27)
  chest.updateSlot(0, item('diamond', 9))
  chest.updateSlot(chest.inventoryStart, item('emerald', 4))
  chest.selectedItem = item('coal', 1)
  bot.currentWindow = chest
  assert.deepEqual(itemsOf(bot), { coal: 1, emerald: 4, iron_helmet: 1, shield: 1 })
})

test('an observation is plain data', () => {
  const bot = carrier()
  assert.deepEqual(JSON.parse(JSON.stringify(observationOf(bot, 77))), {
    name: 'Gizmo',
    position: [1.5, -60, 2.5],
    health: 20,
    food: 18,
    items: { iron_helmet: 1, raw_iron: 5, shield: 1 },
    held: null,
    gamemode: 'survival',
    tick: 77
  })
})

for (const [reason, text] of /** @type {[any, string][]} */ ([
  ['{"text":"Server closed"}', 'Server closed'],
  ['plain words', 'plain words'],
  [
    { type: 'compound', value: { translate: { type: 'string', value: 'multiplayer.disconnect.kicked' } } },
    'multiplayer.disconnect.kicked'
  ],
  [{ type: 'string', value: 'Kicked by an operator' }, 'Kicked by an operator'],
  [{ translate: 'disconnect.spam', extra: [{ text: 'slow down' }] }, 'disconnect.spam slow down'],
  [null, 'no reason given']
])) {
  test(`a kick's reason in plain words: ${text}`, () => assert.equal(reasonText(reason), text))
}
