'use strict'
/** What is remembered so that it need not be looked at again: sections laid open, the ground of mobs at rest, counts of mobs, what grows. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { World } = require('../../../engine/world')
const { RandomStream } = require('../../../engine/world/random')
const { Dense } = require('../../../engine/world/terrain/dense')

/** @param {World} world @param {number} x @param {number} y @param {number} z what prismarine-chunk itself says */
const stored = (world, x, y, z) => world.column(x >> 4, z >> 4).getBlockStateId({ x: x & 15, y, z: z & 15 })

test('sections laid open say what their columns say, whatever is set, and however few may be open', () => {
  const world = new World({ seed: 3, terrain: 'survival' })
  world.terrain.dense = new Dense(3)
  const random = new RandomStream('cells')
  const states = Array.from({ length: 400 }, (_, i) => i * 7)
  for (let i = 0; i < 4000; i++) {
    const [x, y, z] = [random.int(-20, 20), random.int(-64, 100), random.int(-20, 20)]
    // Two sections get more states than a palette holds, one that was all air its first.
    const [tx, ty, tz] = i % 2 ? [random.int(0, 15), random.int(200, 231), random.int(0, 15)] : [x, y, z]
    const wanted = states[random.int(0, states.length - 1)]
    world.terrain.set(tx, ty, tz, wanted)
    assert.equal(world.blockAt(tx, ty, tz), wanted)
    assert.equal(world.blockAt(x, y, z), stored(world, x, y, z))
  }
  const { dense, columns } = world.terrain
  const open = [...columns.values()].flatMap(({ cells }) => cells.filter((section) => section !== null && !dense.isPlain(section)))
  assert.ok(open.length > 0 && open.length <= 3)
})

test('flat land that nobody touched shares its open sections, and a change is of one column alone', () => {
  const world = new World({ seed: 3 })
  const [grass, stone] = [world.blockAt(0, -61, 0), world.data.stateId('stone')]
  world.setBlock(0, -61, 0, stone)
  assert.deepEqual([world.blockAt(0, -61, 0), world.blockAt(16, -61, 0), world.blockAt(1, -61, 0)], [stone, grass, grass])
  world.evictColumns()
  assert.deepEqual([world.blockAt(0, -61, 0), world.blockAt(160, -61, 0)], [stone, grass])
})

test('columns that are forgotten are no longer counted among the open ones', () => {
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
    for (let dx = -2; dx <= 2; dx++) for (let dz = -2; dz <= 2; dz++) world.setBlock(Math.floor(x) + dx, -58, 8 + dz, world.data.stateId('stone'))
    const pig = /** @type {any} */ (world.summon('pig', { x, y: -57, z: 8.5 }))
    // Nobody is near: it does not walk about.
    pig.lonely = Infinity
    for (let i = 0; i < 60; i++) world.tick()
    assert.equal(pig.y, -57)
    assert.ok(pig.ground.same(), 'it knows its ground')
    for (let dx = -2; dx <= 2; dx++) for (let dz = -2; dz <= 2; dz++) world.setBlock(Math.floor(x) + dx, -58, 8 + dz, 0)
    for (let i = 0; i < 40; i++) world.tick()
    assert.equal(pig.y, -60)
  }
})

test('counts of mobs follow who comes, goes and is to stay', () => {
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

test('what grows in a section is known, however blocks were changed', () => {
  const world = new World({ seed: 1 })
  world.addPlayer('Gizmo')
  const random = new RandomStream('growing')
  const states = ['air', 'stone', 'farmland', 'wheat', 'dirt', 'oak_leaves', 'grass_block'].map((name) => world.data.stateId(name))
  for (let y = -60; y < -20; y += 16) world.growth.mark(0, y >> 4, 0)
  let living = 0
  for (let i = 0; i < 600; i++) {
    const [x, y, z] = [random.int(0, 15), random.int(-60, -20), random.int(0, 15)]
    const state = states[random.int(0, states.length - 1)]
    // Now and then a block is set that nobody is told of, as a generator sets them.
    if (i % 50 === 0) world.terrain.set(x, y, z, state)
    else world.setBlock(x, y, z, state)
    if (i % 20 !== 0) continue
    world.growth.choose()
    for (const section of world.growth.near) {
      for (let at = 0; at < 4096; at++) {
        const there = world.blockAt(section.sx * 16 + (at & 15), section.sy * 16 + (at >> 8), section.sz * 16 + ((at >> 4) & 15))
        assert.equal(world.growth.lives(section, at), world.growth.rules(there))
        if (section.live[at >> 3] & 1 << (at & 7)) living++
      }
    }
  }
  assert.ok(living > 0)
})
