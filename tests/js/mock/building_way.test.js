'use strict'
/** Bots of the mock world on ways that they dig and build: what became of the world and of their inventory. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { createMockWorld, goals } = require('../../../skills_js/mock')
const { Movements } = require('../../../skills_js/bot_facade/walking')

/** @param {string[]} commands @param {object} goal @param {(movements: any) => void} [change] */
async function walked (commands, goal, change = () => {}) {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const command of commands) world.command(command)
  const movements = new Movements(bot)
  change(movements)
  bot.pathfinder.setMovements(movements)
  /** @type {any} */
  let error = null
  await world.run(() => bot.pathfinder.goto(goal), { seconds: 200 }).catch((problem) => { error = problem })
  const [x, y, z] = world.observe('Gizmo').position.map(Math.floor)
  return {
    at: [x, y, z],
    error: error?.name ?? null,
    message: error?.message ?? '',
    items: world.items('Gizmo'),
    block: (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => world.block(x, y, z),
    world
  }
}

const PIT = [
  'fill -4 -61 -4 4 -61 4 bedrock', 'fill 2 -60 -9 2 -57 9 stone', 'fill -2 -60 -9 -2 -57 9 stone',
  'fill -2 -60 -9 2 -57 -9 stone', 'fill -2 -60 9 2 -57 9 stone'
]

test('a bot digs itself through a wall that it cannot go round', async () => {
  const end = await walked([...PIT, 'give Gizmo iron_pickaxe'], new goals.GoalBlock(5, -60, 0), (movements) => {
    movements.allow1by1towers = false
    movements.scafoldingBlocks = []
  })
  assert.deepEqual([end.error, end.at], [null, [5, -60, 0]])
  const holes = [-59, -60].flatMap((y) => [-2, -1, 0, 1, 2].map((z) => end.block(2, y, z)))
    .filter((name) => name === 'air').length
  assert.equal(holes, 2)
})

test('a bot that may not dig towers over the wall with what it has', async () => {
  const end = await walked(
    [...PIT, 'fill -2 -57 -9 2 -57 9 air', 'give Gizmo dirt 12'],
    new goals.GoalBlock(6, -60, 0),
    (movements) => { movements.canDig = false }
  )
  assert.deepEqual([end.error, end.at], [null, [6, -60, 0]])
  assert.ok((end.items.dirt ?? 0) < 12)
})

test('a bot gets over walls of any height on foot, where the ground behind is nearer than the top', async () => {
  for (const top of [-60, -59, -58]) {
    const wall = [...PIT, `fill -2 ${top + 1} -9 2 -57 9 air`, 'give Gizmo dirt 12']
    const end = await walked(wall, new goals.GoalBlock(6, -60, 0), (movements) => {
      movements.canDig = false
      movements.allowParkour = false
    })
    assert.deepEqual([top, end.error, end.at], [top, null, [6, -60, 0]])
    assert.equal(end.items.dirt, 12 - (top + 60))
  }
})

/** A trench that is one block deep on its west side and two on its east. */
const TRENCH = [
  'fill -5 -60 -4 -1 -60 4 stone', 'fill 1 -60 -4 5 -59 4 stone', 'fill 0 -60 -4 0 -57 -4 bedrock',
  'fill 0 -60 4 0 -57 4 bedrock', 'fill -5 -60 -5 5 -55 -5 bedrock', 'fill -5 -60 5 5 -55 5 bedrock'
]

test('a bot in a trench climbs its low side first, where the way leads back over its own head', async () => {
  const still = (/** @type {any} */ movements) => {
    Object.assign(movements, { canDig: false, allow1by1towers: false, scafoldingBlocks: [] })
  }
  const end = await walked([...TRENCH, 'tp Gizmo 0.52 -60 0.5'], new goals.GoalBlock(4, -58, 0), still)
  assert.deepEqual([end.error, end.at], [null, [4, -58, 0]])
  assert.ok(end.world.tick < 150, `${end.world.tick} ticks`)
})

test('a tower of five blocks stands where the bot stood', async () => {
  const end = await walked(['give Gizmo cobblestone 10'], new goals.GoalBlock(0, -55, 0))
  assert.deepEqual([end.error, end.at, end.items.cobblestone], [null, [0, -55, 0], 5])
  for (let y = -60; y < -55; y++) assert.equal(end.block(0, y, 0), 'cobblestone')
})

test('two stacks of what is built with are no trouble', async () => {
  const full = [1, 2, 3, 4, 5, 6, 7, 8].map((slot) => `item replace entity Gizmo hotbar.${slot} with stick`)
  const stacks = [
    ...full, 'item replace entity Gizmo hotbar.0 with dirt 64', 'item replace entity Gizmo inventory.3 with dirt 9'
  ]
  const end = await walked(stacks, new goals.GoalBlock(0, -56, 0))
  assert.deepEqual([end.error, end.at, end.items.dirt], [null, [0, -56, 0], 69])
})

test('a tower stands on a furnace, which stays shut', async () => {
  const end = await walked(
    ['setblock 0 -60 0 furnace', 'tp Gizmo 0.5 -59 0.5', 'give Gizmo dirt 10'], new goals.GoalBlock(0, -55, 0)
  )
  assert.deepEqual([end.error, end.at, end.items.dirt], [null, [0, -55, 0], 6])
  assert.equal(end.world.join('Gizmo').currentWindow, null)
})

test('a bot that falls builds from where it lands, at once', async () => {
  const end = await walked(['tp Gizmo 0.5 -58.7 0.5', 'give Gizmo dirt 10'], new goals.GoalBlock(0, -57, 0))
  assert.deepEqual([end.error, end.at, end.items.dirt], [null, [0, -57, 0], 7])
  assert.ok(end.world.tick < 60, `${end.world.tick} ticks`)
})

test('a bot bridges a chasm block by block', async () => {
  const chasm = [
    'fill -3 -64 3 3 -61 9 air', 'fill -3 -60 -3 3 -56 -3 bedrock', 'fill -4 -60 -3 -4 -50 12 bedrock',
    'fill 4 -60 -3 4 -50 12 bedrock', 'give Gizmo dirt 20'
  ]
  const end = await walked(chasm, new goals.GoalBlock(0, -60, 11), (movements) => {
    movements.canDig = false
    movements.allowParkour = false
  })
  assert.deepEqual([end.error, end.at, end.items.dirt], [null, [0, -60, 11], 13])
  for (let z = 3; z < 10; z++) {
    assert.equal([-3, -2, -1, 0, 1, 2, 3].filter((x) => end.block(x, -61, z) === 'dirt').length, 1)
  }
})

test('a bot that swims gets over deep water, and digs down to a place below ground', async () => {
  const lake = [
    'fill -3 -64 3 3 -61 9 water', 'fill -3 -64 9 3 -62 9 stone', 'fill -3 -60 -3 3 -56 -3 bedrock',
    'fill -4 -60 -3 -4 -50 12 bedrock', 'fill 4 -60 -3 4 -50 12 bedrock'
  ]
  const swum = await walked(lake, new goals.GoalBlock(0, -60, 11), (movements) => { movements.canDig = false })
  assert.deepEqual([swum.error, swum.at], [null, [0, -60, 11]])
  const dug = await walked(['give Gizmo diamond_shovel'], new goals.GoalBlock(0, -62, 0))
  assert.deepEqual([dug.error, dug.at], [null, [0, -62, 0]])
})

test('a gate is opened where the bot may', async () => {
  const fence = [
    'fill 3 -60 -9 3 -60 9 oak_fence', 'fill -3 -60 -9 -3 -60 9 oak_fence', 'fill -3 -60 -9 3 -60 -9 oak_fence',
    'fill -3 -60 9 3 -60 9 oak_fence', 'setblock 3 -60 0 oak_fence_gate[facing=east]'
  ]
  const end = await walked(fence, new goals.GoalBlock(6, -60, 0), (movements) => {
    movements.canDig = false
    movements.scafoldingBlocks = []
    movements.canOpenDoors = true
  })
  assert.deepEqual([end.error, end.at], [null, [6, -60, 0]])
})

test('steps that the movements forbid are not taken, and protected blocks stay', async () => {
  const end = await walked([...PIT, 'give Gizmo iron_pickaxe'], new goals.GoalBlock(6, -60, 0), (movements) => {
    movements.scafoldingBlocks = []
    movements.blocksCantBreak.add(require('prismarine-registry')('1.20.4').blocksByName.stone.id)
    movements.blocksCantBreak.add(require('prismarine-registry')('1.20.4').blocksByName.grass_block.id)
    movements.blocksCantBreak.add(require('prismarine-registry')('1.20.4').blocksByName.dirt.id)
  })
  assert.equal(end.error, 'NoPath')
  assert.match(end.message, /no way that these movements allow/)
})

test('a walk that is stopped while it digs leaves hands and keys at rest', async () => {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const command of PIT) world.command(command)
  bot.pathfinder.setMovements(Object.assign(new Movements(bot), { scafoldingBlocks: [] }))
  await world.run(async () => {
    bot.pathfinder.setGoal(new goals.GoalBlock(5, -60, 0))
    await bot.waitForTicks(60)
    assert.equal(bot.pathfinder.isMining(), true)
    bot.pathfinder.setGoal(null)
    await bot.waitForTicks(2)
    assert.deepEqual([bot.pathfinder.isMining(), bot.pathfinder.isMoving()], [false, false])
    await bot.waitForTicks(200)
  })
  assert.equal(
    [-2, -1, 0, 1, 2].every((z) => world.block(2, -60, z) === 'stone' && world.block(2, -59, z) === 'stone'), true
  )
})
