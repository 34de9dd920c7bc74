'use strict'
/**
 * Caches of state that need not be computed again: unpacked sections, the ground of mobs at rest, counts of mobs,
 * growing plants.
 */
const test = require('node:test')
const assert = require('node:assert/strict')
const { World } = require('../../../engine/world')
const { RandomStream } = require('../../../engine/world/random')
const { Dense } = require('../../../engine/world/terrain/dense')

/** @param {World} world @param {number} x @param {number} y @param {number} z what prismarine-chunk itself says */
const stored = (world, x, y, z) => world.column(x >> 4, z >> 4).getBlockStateId({ x: x & 15, y, z: z & 15 })

test('unpacked sections equal their columns after any change, whatever the limit', () => {
  const world = new World({ seed: 3, terrain: 'survival' })
  world.terrain.dense = new Dense(3)
  const random = new RandomStream('cells')
  const states = Array.from({ length: 400 }, (_, i) => i * 7)
  for (let i = 0; i < 4000; i++) {
    const [x, y, z] = [random.int(-20, 20), random.int(-64, 100), random.int(-20, 20)]
    // Two sections get more states than a palette holds, and one that was all air gets its first block.
    const [tx, ty, tz] = i % 2 ? [random.int(0, 15), random.int(200, 231), random.int(0, 15)] : [x, y, z]
    const wanted = states[random.int(0, states.length - 1)]
    world.terrain.set(tx, ty, tz, wanted)
    assert.equal(world.blockAt(tx, ty, tz), wanted)
    const peeked = world.terrain.peek(x, y, z)
    assert.equal(world.blockAt(x, y, z), stored(world, x, y, z))
    assert.equal(peeked, world.blockAt(x, y, z))
  }
  const { dense, columns } = world.terrain
  const open = [...columns.values()].flatMap(({ cells }) =>
    cells.filter((section) => section !== null && !dense.isPlain(section)))
  assert.ok(open.length > 0 && open.length <= 3)
})

test('unmodified flat land shares its sections, and a change affects one column alone', () => {
  const world = new World({ seed: 3 })
  const [grass, stone] = [world.blockAt(0, -61, 0), world.data.stateId('stone')]
  world.setBlock(0, -61, 0, stone)
  assert.deepEqual([world.blockAt(0, -61, 0), world.blockAt(16, -61, 0), world.blockAt(1, -61, 0)],
    [stone, grass, grass])
  world.evictColumns()
  assert.deepEqual([world.blockAt(0, -61, 0), world.blockAt(160, -61, 0)], [stone, grass])
})

test('evicted columns no longer count as unpacked', () => {
  const world = new World({ seed: 3, terrain: 'survival' })
  for (let y = -60; y < 60; y++) world.blockAt(4000, y, 4000)
  const open = world.terrain.dense.count
  world.evictColumns()
  assert.ok(world.terrain.dense.count < open)
  assert.ok(![...world.terrain.dense.columns].some((cells) => cells.every((section) => section === null)))
})

test('a mob at rest falls when its ground goes, also one that stands on the border of two columns', () => {
  for (const x of [8.5, 16]) {
    const world = new World({ seed: 1 })
    for (let dx = -2; dx <= 2; dx++) {
      for (let dz = -2; dz <= 2; dz++) world.setBlock(Math.floor(x) + dx, -58, 8 + dz, world.data.stateId('stone'))
    }
    const pig = /** @type {any} */ (world.summon('pig', { x, y: -57, z: 8.5 }))
    // Nobody is near: it does not wander.
    pig.ticksAlone = Infinity
    for (let i = 0; i < 60; i++) world.tick()
    assert.equal(pig.y, -57)
    assert.ok(pig.ground.same(), 'it knows its ground')
    for (let dx = -2; dx <= 2; dx++) for (let dz = -2; dz <= 2; dz++) world.setBlock(Math.floor(x) + dx, -58, 8 + dz, 0)
    for (let i = 0; i < 40; i++) world.tick()
    assert.equal(pig.y, -60)
  }
})

test('counts of mobs follow spawns, removals and persistence', () => {
  const world = new World({ seed: 1 })
  const count = () => ({ ...world.spawning.counts() })
  const zombie = /** @type {any} */ (world.summon('zombie', { x: 4, y: -60, z: 4 }))
  assert.deepEqual(count(), { monster: 1, animal: 0 })
  world.summon('pig', { x: 6, y: -60, z: 4 })
  assert.deepEqual(count(), { monster: 1, animal: 1 })
  zombie.loadNbt({ PersistenceRequired: { type: 'byte', value: 1 } })
  assert.deepEqual(count(), { monster: 0, animal: 1 })
  world.command('kill @e[type=pig]')
  for (let i = 0; i < 30; i++) world.tick()
  assert.deepEqual(count(), { monster: 0, animal: 0 })
})

test('growing plants of a section are known after any change of blocks', () => {
  const world = new World({ seed: 1 })
  world.addPlayer('Gizmo')
  const random = new RandomStream('growing')
  const states = ['air', 'stone', 'farmland', 'wheat', 'dirt', 'oak_leaves',
    'grass_block'].map((name) => world.data.stateId(name))
  for (let y = -60; y < -20; y += 16) world.growth.mark(0, y >> 4, 0)
  let living = 0
  for (let i = 0; i < 600; i++) {
    const [x, y, z] = [random.int(0, 15), random.int(-60, -20), random.int(0, 15)]
    const state = states[random.int(0, states.length - 1)]
    // Now and then a block is set without an event, as by a generator.
    if (i % 50 === 0) world.terrain.set(x, y, z, state)
    else world.setBlock(x, y, z, state)
    if (i % 20 !== 0) continue
    world.growth.choose()
    for (const section of world.growth.near) {
      for (let at = 0; at < 4096; at++) {
        const there = world.blockAt(section.sx * 16 + (at & 15), section.sy * 16 + (at >> 8),
          section.sz * 16 + ((at >> 4) & 15))
        assert.equal(section.kind(at), world.growth.rules(there))
        if (section.kind(at) !== 0) living++
      }
    }
  }
  assert.ok(living > 0)
})

test('a single read unpacks no section', () => {
  const world = new World({ seed: 3, terrain: 'survival' })
  const open = world.terrain.dense.count
  const states = new Set(Array.from({ length: 120 }, (_, i) => world.terrain.peek(4000, i - 60, 4000)))
  assert.ok(states.size > 2)
  assert.equal(world.terrain.dense.count, open)
  assert.equal(world.terrain.peek(0, 5000, 0), 0)
})

/** Return a drop that rests on stone. @param {World} world @param {number} x */
function lying (world, x) {
  const drop = /** @type {any} */ (world.spawnItem(world.stacks.make('diamond', 1), { x, y: -60, z: 8.5 }))
  for (let i = 0; i < 20; i++) world.tick()
  assert.ok(drop.onGround && drop.lies, 'it lies')
  return drop
}

test('a drop falls without its ground, leaves a block placed there, and burns in lava',
  () => {
  for (const x of [8.5, 16]) {
    const world = new World({ seed: 1 })
    const drop = lying(world, x)
    for (const dx of [-1, 0]) world.setBlock(Math.floor(x) + dx, -61, 8, 0)
    for (let i = 0; i < 20; i++) world.tick()
    assert.ok(drop.y <= -61, `${x}: it is at ${drop.y}`)
  }
  const world = new World({ seed: 1 })
  const drop = lying(world, 8.5)
  world.setBlock(8, -60, 8, world.data.stateId('stone'))
  for (let i = 0; i < 20; i++) world.tick()
  assert.ok(!world.stateAt(Math.floor(drop.x), Math.floor(drop.y), Math.floor(drop.z)).fullCube)
  const wet = lying(world, 2.5)
  world.setBlock(2, -60, 8, world.data.stateId('lava'))
  for (let i = 0; i < 20; i++) world.tick()
  assert.ok(wet.removed)
})

test('an unharmed mob at rest is harmed by new fire, walls and cacti', () => {
  for (const [name, dx, dy] of /** @type {[string, number, number][]} */ ([['fire', 0, 0], ['stone', 0, 1],
    ['cactus', 1, 0]])) {
    const world = new World({ seed: 1 })
    const husk = /** @type {any} */ (world.summon('husk', { x: dx === 0 ? 8.5 : 8.72, y: -60, z: 8.5 }))
    husk.ticksAlone = Infinity
    for (let i = 0; i < 45; i++) world.tick()
    assert.ok(husk.ground.harmless, 'it knows that nothing harms it')
    world.terrain.set(8 + dx, -60 + dy, 8, world.data.stateId(name))
    for (let i = 0; i < 15; i++) world.tick()
    assert.ok(husk.health < husk.maxHealth, name)
  }
})

test('near drops are found in the order of their ids, also within one tick', () => {
  const world = new World({ seed: 1 })
  const random = new RandomStream('litter')
  const near = (/** @type {any[]} */ drops, /** @type {any} */ at) =>
    drops.filter(({ x, z }) => Math.abs(x - at.x) < 3 && Math.abs(z - at.z) < 3).map(({ id }) => id)
  const scatter = () => world.spawnItem(world.stacks.make('stick', 1),
    { x: random.between(-30, 30), y: -60, z: random.between(-30, 30) })
  for (let i = 0; i < 300; i++) scatter()
  for (let i = 0; i < 100; i++) {
    const at = { x: random.between(-30, 30), z: random.between(-30, 30) }
    const found = near([...world.dropGrid.near(at)], at)
    assert.deepEqual(found, near([...world.drops()], at))
    scatter()
    if (i % 10 === 0) world.tick()
  }
})
