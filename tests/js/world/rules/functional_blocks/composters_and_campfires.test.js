'use strict'
/** Composters and campfires (minecraft.wiki, "Composter", "Campfire", 1.20.4). */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { makeWorld, must, ticks, hold, record, census } = require('../../helpers')

/** @param {any} world */
const gizmo = (world) => world.players.get('Gizmo')
/** @param {any} world */
const use = (world) => gizmo(world).place({ pos: { x: 2, y: -60, z: 0 }, face: 1 })
/** @param {any} world */
const props = (world) => world.stateAt(2, -60, 0).props

test('a composter fills by chance, ripens in a second and gives bone meal', () => {
  const world = makeWorld()
  must(world, 'setblock 2 -60 0 composter')
  hold(world, gizmo(world), 'cake', 9)
  for (let level = 1; level <= 7; level++) {
    assert.ok(use(world).ok)
    assert.equal(props(world).level, String(level), 'cake fills for certain')
  }
  assert.ok(use(world).ok)
  assert.deepEqual([props(world).level, gizmo(world).heldItem.count], ['7', 2], 'a full one takes nothing')
  ticks(world, 19)
  assert.equal(props(world).level, '7')
  ticks(world, 1)
  assert.equal(props(world).level, '8')
  assert.ok(use(world).ok)
  assert.equal(props(world).level, '0')
  assert.equal(census(world, 'bone_meal'), 1)
  hold(world, gizmo(world), 'stone')
  assert.notEqual(use(world).ok && world.stateAt(2, -59, 0).name, 'air', 'what does not rot is placed')
  assert.equal(props(world).level, '0')
})

test('chances of a composter: seeds 30, cane 50, apples 65, bread 85 per cent; the first layer is certain', () => {
  for (const [item, chance] of /** @type {[string, number][]} */ ([['wheat_seeds', 0.3], ['sugar_cane', 0.5],
    ['apple', 0.65], ['bread', 0.85]])) {
    const world = makeWorld()
    let grown = 0
    for (let i = 0; i < 400; i++) {
      world.setBlock(2, -60, 0, world.data.stateId('composter', { level: i % 2 }))
      hold(world, gizmo(world), item)
      assert.ok(use(world).ok)
      if (i % 2 === 0) assert.equal(props(world).level, '1')
      else if (props(world).level === '2') grown++
      assert.equal(gizmo(world).heldItem, null)
    }
    assert.ok(Math.abs(grown / 200 - chance) < 0.12, `${item}: ${grown} of 200`)
  }
})

test('a broken composter that is ripe gives its bone meal, too', () => {
  const world = makeWorld()
  must(world, 'setblock 2 -60 0 composter[level=8]')
  world.breaking.remove({ x: 2, y: -60, z: 0 }, { drop: true })
  assert.deepEqual([census(world, 'bone_meal'), census(world, 'composter')], [1, 1])
})

test('a campfire cooks four things in 30 seconds each and throws them out', () => {
  const world = makeWorld()
  must(world, 'setblock 2 -60 0 campfire')
  const told = record(world, 'blockEntity')
  hold(world, gizmo(world), 'beef', 6)
  for (let i = 0; i < 4; i++) assert.ok(use(world).ok)
  assert.equal(gizmo(world).heldItem.count, 2)
  assert.ok(told.length >= 4)
  const before = world.entities.size
  assert.ok(!use(world).ok, 'there is no fifth place')
  assert.equal(world.entities.size, before)
  ticks(world, 599)
  assert.equal(census(world, 'cooked_beef'), 0)
  ticks(world, 1)
  assert.equal(census(world, 'cooked_beef'), 4)
  assert.equal(census(world, 'beef'), 2)
})

test('an unlit campfire takes food and cools; a broken one gives back what lies on it; it is no container', () => {
  const world = makeWorld()
  must(world, 'setblock 2 -60 0 campfire')
  hold(world, gizmo(world), 'potato', 2)
  assert.ok(use(world).ok)
  ticks(world, 300)
  hold(world, gizmo(world), 'iron_shovel')
  assert.ok(use(world).ok)
  assert.equal(props(world).lit, 'false')
  ticks(world, 100)
  hold(world, gizmo(world), 'flint_and_steel')
  assert.ok(use(world).ok)
  ticks(world, 499)
  assert.equal(census(world, 'baked_potato'), 0, '300 - 2 * 100 done, 500 left')
  ticks(world, 1)
  assert.equal(census(world, 'baked_potato'), 1)
  hold(world, gizmo(world), 'kelp')
  assert.ok(use(world).ok)
  assert.equal(world.command('item replace block 2 -60 0 container.0 with beef').ok, false)
  world.breaking.remove({ x: 2, y: -60, z: 0 }, { drop: true })
  assert.equal(census(world, 'kelp'), 1)
})

test('a campfire refuses other items and sneaking players, is not lit in water, and signals over hay', () => {
  const world = makeWorld()
  must(world, 'setblock 2 -60 0 campfire')
  hold(world, gizmo(world), 'stick')
  assert.ok(!use(world).ok)
  must(world, 'setblock 3 -60 2 water')
  gizmo(world).place3d({ x: 1.5, y: -60, z: 2.5 })
  hold(world, gizmo(world), 'campfire', 2)
  assert.ok(gizmo(world).place({ pos: { x: 3, y: -61, z: 2 }, face: 1 }).ok)
  assert.deepEqual([world.stateAt(3, -60, 2).props.lit, world.stateAt(3, -60, 2).props.waterlogged], ['false', 'true'])
  hold(world, gizmo(world), 'flint_and_steel')
  gizmo(world).place({ pos: { x: 3, y: -60, z: 2 }, face: 1 })
  assert.equal(world.stateAt(3, -60, 2).props.lit, 'false')
  must(world, 'setblock 2 -61 0 hay_block')
  ticks(world, 2)
  assert.equal(props(world).signal_fire, 'true')
})

test('a campfire set by saved data continues cooking', () => {
  const world = makeWorld()
  must(world, 'setblock 2 -60 0 campfire{Items:[{Slot:1b,id:"minecraft:cod",Count:1b}]}')
  ticks(world, 600)
  assert.equal(census(world, 'cooked_cod'), 1)
  assert.match(must(world, 'data get block 2 -60 0 CookingTotalTimes'), /600/)
})
