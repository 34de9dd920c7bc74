'use strict'
/** Routines of explorers (skills_js/routines/explorer_routines.js), one by one, on the mock bot. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')
const { createMockWorld, goals, skills, Vec3 } = require('../../../skills_js/mock')
const { Movements } = require('../../../skills_js/bot_facade/walking')

const TEXT = fs.readFileSync(path.join(__dirname, '../../../skills_js/routines/explorer_routines.js'), 'utf8')

/** A player with those commands done, and the routines in its scope. @param {string[]} commands */
function land (commands) {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const command of commands) world.command(command)
  const scope = vm.createContext({ ...skills, ...goals, Movements, Vec3, mcData: bot.registry })
  vm.runInContext(TEXT, scope)
  const call = (/** @type {string} */ routine, /** @type {any[]} */ ...args) =>
    world.run(() => /** @type {any} */ (scope)[routine](bot, ...args))
  return { world, bot, call }
}

test('a log is stripped and taken up again', async () => {
  const { world, call } = land(['give Gizmo birch_log 3', 'give Gizmo stone_axe'])
  await call('strip', 'birch_log', 'stone_axe')
  assert.deepEqual(world.items('Gizmo'), { birch_log: 2, stone_axe: 1, stripped_birch_log: 1 })
})

test('items never held and useful items are taken from a chest', async () => {
  const { world, call } = land([
    'setblock 4 -60 3 chest', 'item replace block 4 -60 3 container.0 with saddle 1',
    'item replace block 4 -60 3 container.1 with bread 5', 'item replace block 4 -60 3 container.2 with dirt 9',
    'item replace block 4 -60 3 container.3 with iron_ingot 4'
  ])
  await call('loot', ['dirt', 'iron_ingot'], ['iron_ingot'])
  assert.deepEqual(world.items('Gizmo'), { bread: 2, iron_ingot: 4, saddle: 1 })
})

test('to a villager is sold what is left over, and bought what was never held', async () => {
  const offers =
    '{buy:{id:"minecraft:paper",Count:24},sell:{id:"minecraft:emerald",Count:1},maxUses:3},' +
      '{buy:{id:"minecraft:emerald",Count:1},sell:{id:"minecraft:lantern",Count:1},maxUses:3}'
  const {
    world, call
  } = land([
    `summon villager 6 -60 0 {NoAI:1,VillagerData:{profession:"minecraft:librarian",level:1},` +
      `Offers:{Recipes:[${offers}]}}`,
    'give Gizmo paper 30'
  ])
  await call('bargain', ['paper'], ['paper'])
  assert.deepEqual(world.items('Gizmo'), { paper: 6, lantern: 1 })
})

test('items held before are not bought from a villager', async () => {
  const offers = '{buy:{id:"minecraft:emerald",Count:1},sell:{id:"minecraft:lantern",Count:1},maxUses:3}'
  const {
    world, call
  } = land([
    `summon villager 3 -60 0 {NoAI:1,VillagerData:{profession:"minecraft:librarian",level:1},` +
      `Offers:{Recipes:[${offers}]}}`,
    'give Gizmo emerald 2'
  ])
  await call('bargain', ['lantern'], [])
  assert.deepEqual(world.items('Gizmo'), { emerald: 2 })
})

test('a field is tilled, sown, fed with bone meal and harvested', async () => {
  const {
    world, call
  } = land(['give Gizmo wooden_hoe', 'give Gizmo wheat_seeds 4', 'give Gizmo bone_meal 16', 'setblock 3 -61 3 water'])
  await call('farm', 'wheat')
  assert.ok(world.items('Gizmo').wheat >= 1)
})

test('a bottle is filled at the water', async () => {
  const { world, call } = land(['fill 5 -61 -1 7 -61 1 water', 'give Gizmo glass_bottle'])
  await call('scoop', 'water', 'glass_bottle')
  assert.deepEqual(world.items('Gizmo'), { potion: 1 })
})

test('items left behind are not picked up again', async () => {
  const { world, call } = land(['give Gizmo dirt 40', 'give Gizmo stone_pickaxe'])
  await call('tidy', ['dirt'], { x: 1, z: 0 })
  assert.deepEqual(world.items('Gizmo'), { stone_pickaxe: 1 })
})

test('items left behind in a closed room are not picked up again, either', async () => {
  const { world, bot, call } = land(room(-50, 'give Gizmo dirt 40', 'give Gizmo iron_pickaxe'))
  await call('tidy', ['dirt'], { x: 1, z: 0 })
  assert.ok(bot.entity.position.x > 4, String(bot.entity.position))
  assert.equal(world.items('Gizmo').dirt ?? 0, 0)
})

/** A closed room of one cell in rock, up to that height. @param {number} top @param {string[]} commands */
const room = (top, ...commands) => [
  `fill -4 -61 -4 4 ${top} 4 netherrack`, 'fill 0 -60 0 0 -59 0 air', 'tp Gizmo 0.5 -60 0.5', ...commands
]

test('a bot in closed rock comes out on a pillar of gravel', async () => {
  const { world, bot, call } = land(room(-55, 'give Gizmo gravel 10'))
  await call('rise', 1000, () => null)
  assert.ok(bot.entity.position.y >= -55, String(bot.entity.position))
  assert.equal(world.items('Gizmo').gravel, 5)
})

test('a bot in a shaft below water digs out to the side', async () => {
  const {
    world, bot, call
  } = land(room(-56, 'fill -1 -58 -1 1 -55 1 water', 'give Gizmo gravel 10', 'give Gizmo iron_pickaxe'))
  await call('rise', 1000, () => null)
  assert.ok(Math.abs(bot.entity.position.x) > 4 || Math.abs(bot.entity.position.z) > 4, String(bot.entity.position))
  assert.equal(world.items('Gizmo').iron_pickaxe, 1)
})

test('a bot without building blocks cuts steps into the rock', async () => {
  const { world, bot, call } = land(room(-57))
  await call('rise', 1000, () => null)
  assert.ok(bot.entity.position.y >= -57, String(bot.entity.position))
  assert.deepEqual(world.items('Gizmo'), {})
})

test('a bot does not dig up into water', async () => {
  const {
    world, bot, call
  } = land(room(-55, 'fill -3 -57 -3 3 -57 3 water', 'give Gizmo iron_pickaxe', 'give Gizmo gravel'))
  await call('rise', 15, () => null)
  assert.ok(bot.entity.position.y < -58, String(bot.entity.position))
  assert.match(world.command('execute if block 0 -57 0 water'), /passed/)
})

test('one goes down to a height by steps, and stops where something is seen', async () => {
  const { bot, call } = land(['fill -6 -60 -6 6 -46 6 stone', 'tp Gizmo 0.5 -45 0.5', 'give Gizmo iron_pickaxe'])
  const way = { x: 1, y: -51, z: 0 }
  await call('sink', way, 1000, () => bot.entity.position.y < -47.5)
  assert.equal(bot.entity.position.y, -48)
  await call('sink', way, 1000, () => null)
  assert.equal(bot.entity.position.y, -50)
})

test('items for the next tool are taken before nearer ones', async () => {
  const { world, call } = land(['setblock 3 -60 0 dandelion', 'setblock 12 -60 0 oak_log'])
  await call('forage', { dandelion: 1, oak_log: 1 }, { x: 1, y: null, z: 0 }, 30, 1, ['oak_log'])
  assert.deepEqual(world.items('Gizmo'), { oak_log: 1 })
})

test('blocks deep under water are left alone, and a routine ends when there is enough for the tool', async () => {
  const { world, call } = land([
    'fill 3 -63 -2 6 -61 2 water', 'fill 3 -64 -2 6 -64 2 sand', 'fill 9 -60 0 9 -57 0 oak_log',
    'setblock 10 -60 3 dandelion'
  ])
  await call('forage', { sand: 4, oak_log: 3, dandelion: 1 }, { x: 1, y: null, z: 0 }, 60, 16, ['oak_log'], 2)
  const { oak_log: logs, ...rest } = world.items('Gizmo')
  assert.ok(logs >= 2)
  assert.deepEqual(rest, {})
})

test('out at sea one turns round', async () => {
  const { bot, call } = land(['fill 3 -62 -60 63 -61 -1 water', 'fill 3 -62 0 63 -61 60 water'])
  const way = { x: 1, y: null, z: 0 }
  await call('stroll', way, 60, () => null)
  assert.deepEqual([way.x, Math.abs(way.z)], [-1, 0])
  const out = bot.entity.position.x
  await call('stroll', way, 4, () => null)
  assert.ok(bot.entity.position.x < out - 4, `${out} -> ${bot.entity.position.x}`)
})
