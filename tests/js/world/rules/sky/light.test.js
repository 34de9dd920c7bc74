'use strict'
/** Light with vanilla's levels; after any changes it must equal that of a world lit afresh. */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { RandomStream } = require('../../../../../engine/world/random')
const { World } = require('../../../../../engine/world')
const { makeWorld, must } = require('../../helpers')

test('a torch gives 14 where it stands and one less a block; stone lets nothing through, glass all', () => {
  const world = makeWorld()
  must(world, 'fill -12 -56 -12 12 -56 12 stone')
  must(world, 'setblock 0 -60 0 torch')
  assert.deepEqual([0, 1, 5, 13, 14].map((x) => world.light.block(x, -60, 0)), [14, 13, 9, 1, 0])
  must(world, 'fill 2 -60 -16 2 -57 16 stone')
  assert.equal(world.light.block(3, -60, 0), 0)
  must(world, 'setblock 2 -60 0 glass')
  assert.equal(world.light.block(3, -60, 0), 11)
  must(world, 'setblock 0 -60 0 air')
  assert.equal(world.light.block(1, -60, 0), 0)
})

test('sky light is 15 in the open, falls off under a roof, and by one a block of water or leaves', () => {
  const world = makeWorld()
  must(world, 'fill -8 -57 -8 8 -57 8 stone')
  assert.deepEqual([9, 8, 5, 0].map((x) => world.light.sky(x, -60, 0)), [15, 14, 11, 6])
  must(world, 'fill 20 -64 20 20 -61 20 water')
  assert.deepEqual([-61, -62, -63, -64].map((y) => world.light.sky(20, y, 20)), [14, 13, 12, 11])
  must(world, 'setblock 30 -57 30 oak_leaves[persistent=true]')
  assert.equal(world.light.sky(30, -57, 30), 14)
  assert.equal(world.light.seesSky(30, -60, 30), false)
  assert.equal(world.light.seesSky(31, -60, 30), true)
})

test('at night the sky gives 4 at most, a thunderstorm at noon 10 less; lamps stay', () => {
  const world = makeWorld()
  must(world, 'time set midnight')
  assert.equal(world.sky.darken, 11)
  assert.equal(world.light.now(0, -60, 0), 4)
  must(world, 'setblock 0 -60 3 torch')
  assert.equal(world.light.now(0, -60, 0), 11)
  must(world, 'time set noon')
  assert.equal(world.sky.darken, 0)
})

test('lamps shine when lit only', () => {
  const world = makeWorld()
  must(world, 'fill -9 -56 -9 9 -56 9 stone')
  for (const [block, level] of /** @type {[string, number][]} */ ([['furnace[lit=false]', 0], ['furnace[lit=true]', 13],
    ['redstone_lamp[lit=true]', 15], ['campfire[lit=false]', 0], ['candle[candles=3,lit=true]', 9], ['glowstone', 15],
    ['lava', 15]])) {
    must(world, `setblock 0 -60 0 ${block}`)
    assert.equal(world.light.block(0, -60, 0), level, block)
    must(world, 'setblock 0 -60 0 air')
  }
})

for (const seed of [1, 2, 3, 4]) {
  test(`after 300 random changes light is as in a world lit afresh (seed ${seed})`, () => {
    const world = makeWorld({ seed })
    const random = new RandomStream(`light ${seed}`)
    const kinds = ['stone', 'stone', 'stone', 'glass', 'torch', 'glowstone', 'water', 'oak_leaves[persistent=true]',
      'air', 'air']
    // Flat columns lit before, and others beside them that were not.
    world.light.sky(-20, -60, 0)
    for (let i = 0; i < 300; i++) {
      const [x, y, z] = [random.int(-10, 25), random.int(-64, -50), random.int(-10, 25)]
      const info = /^(\w+)(\[.*\])?$/.exec(kinds[random.int(0, kinds.length - 1)])
      world.setBlock(x, y, z, world.data.stateId(info?.[1], info?.[2] ? { persistent: true } : {}))
    }
    const levels = () => {
      const all = []
      for (let x = -14; x <= 30; x++) {
        for (let y = -64; y <= -45; y++) for (let z = -14; z <= 30; z++) all.push(world.light.levels(x, y, z))
      }
      return all
    }
    const followed = levels()
    world.light.columns.clear()
    world.light.last = null
    const fresh = levels()
    const wrong = followed.findIndex((level, i) => level !== fresh[i])
    assert.equal(wrong, -1, `place ${wrong}: ${followed[wrong]} followed, ${fresh[wrong]} afresh`)
  })
}

test('the sky is seen where nothing above takes light, on hills, under trees, in caves and outside of the world',
  () => {
  const world = new World({ seed: 5, terrain: 'survival' })
  const open = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
    for (let at = Math.max(y, world.minY); at < world.minY + world.height; at++) {
      if (world.light.filter(world.blockAt(x, at, z)) > 0) return false
    }
    return true
  }
  world.setBlock(3, 300, 3, world.data.stateId('stone'))
  const seen = { true: 0, false: 0 }
  for (let x = -17; x <= 33; x += 2) {
    for (let z = -17; z <= 33; z += 5) {
      for (const y of [-70, -64, 0, 61, 62, 63, 64, 65, 70, 79, 80, 90, 299, 300, 301, 319, 320, 400]) {
        const sees = world.light.seesSky(x, y, z)
        assert.equal(sees, open(x, y, z), `${x} ${y} ${z}`)
        seen[/** @type {'true' | 'false'} */ (String(sees))]++
      }
    }
  }
  assert.ok(seen.true > 100 && seen.false > 100, JSON.stringify(seen))
  assert.equal(world.light.seesSky(3, 299, 3), false)
  assert.equal(world.light.seesSky(3, 301, 3), true)
  assert.equal(world.light.seesSky(30_000_005, 0, 3), true)
})
