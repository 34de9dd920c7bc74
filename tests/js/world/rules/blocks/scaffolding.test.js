'use strict'
/** Scaffolding (minecraft.wiki, "Scaffolding", 1.20.4). */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { makeWorld, must, ticks, hold, census } = require('../../helpers')

/** Return a world in which Gizmo holds scaffolding and looks east. */
function start () {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  hold(world, gizmo, 'scaffolding', 64)
  gizmo.moveTo({ yaw: -90, pitch: 0 })
  const click = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z, face = 1) =>
    gizmo.place({ pos: { x, y, z }, face }).ok
  const at = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
    const { name, props } = world.stateAt(x, y, z)
    return name === 'scaffolding' ? `${props.distance}${props.bottom === 'true' ? 'b' : ''}` : name
  }
  return { world, gizmo, click, at }
}

test('scaffolding is built up from any side of its foot, and ahead from its top, at most six blocks', () => {
  const { click, at } = start()
  assert.ok(click(1, -61, 0))
  assert.equal(at(1, -60, 0), '0')
  assert.ok(click(1, -60, 0, 4))
  assert.ok(click(1, -60, 0, 4))
  assert.deepEqual([at(1, -59, 0), at(1, -58, 0)], ['0', '0'])
  for (let far = 1; far <= 6; far++) {
    assert.ok(click(1, -58, 0, 1), `${far} ahead`)
    assert.equal(at(1 + far, -58, 0), `${far}b`)
  }
  assert.ok(!click(1, -58, 0, 1), 'a seventh would not hold')
  assert.equal(at(8, -58, 0), 'air')
  assert.ok(click(4, -58, 0, 4), 'up from the middle of the beam')
  assert.equal(at(4, -57, 0), '3')
})

test('sneaking places scaffolding at the clicked face, waterlogged in water, never without support',
  () => {
  const { world, gizmo, click, at } = start()
  click(1, -61, 0)
  gizmo.setSneaking(true)
  assert.ok(click(1, -60, 0, 4))
  assert.equal(at(0, -60, 0), '0', 'also where the player stands')
  gizmo.setSneaking(false)
  must(world, 'setblock 2 -60 2 water')
  assert.ok(click(2, -61, 2))
  assert.equal(world.stateAt(2, -60, 2).props.waterlogged, 'true')
  must(world, 'setblock 1 -57 1 stone')
  assert.ok(!click(1, -57, 1, 4), 'beside a block in the air')
})

test('a tower without its foot breaks, unsupported pieces fall', () => {
  const { world, click, at } = start()
  click(1, -61, 0)
  for (let i = 0; i < 5; i++) click(1, -60, 0, 4)
  for (let far = 1; far <= 3; far++) click(1, -55, 0, 1)
  assert.equal(at(4, -55, 0), '3b')
  must(world, 'setblock 1 -60 0 air')
  ticks(world, 40)
  for (let y = -59; y <= -55; y++) assert.equal(at(1, y, 0), 'air')
  assert.equal(at(4, -55, 0), 'air')
  assert.equal(census(world, 'scaffolding'), 64 - 1)
  must(world, 'setblock 6 -50 6 scaffolding')
  ticks(world, 60)
  assert.deepEqual([at(6, -50, 6), at(6, -60, 6)], ['air', '0'])
})

test('mobs and things stand on scaffolding; players pass it from all sides, stand on it, and take no harm inside it',
  () => {
  const { world, gizmo } = start()
  must(world, 'fill 3 -60 3 3 -58 3 scaffolding[distance=0]')
  must(world, 'summon pig 3.5 -55 3.5 {NoAI:1b}')
  const drop = world.spawnItem(world.stacks.make('diamond'), { x: 3.5, y: -56, z: 3.5 })
  ticks(world, 60)
  const pig = [...world.entities.values()].find((e) => e.type === 'pig')
  assert.ok(Math.abs(pig.y + 57) < 0.01, `${pig.y}`)
  assert.ok(Math.abs(drop.y + 57) < 0.01, `${drop.y}`)
  pig.remove()
  gizmo.place3d({ x: 2.5, y: -60, z: 3.5 })
  for (const [x, y] of [[3, -60], [3.5, -60], [3.5, -59.2], [3.5, -57.9], [3.5, -57]]) {
    assert.ok(gizmo.moveTo({ x, y, z: 3.5, onGround: y === -57 || y === -60 }).ok, `${x} ${y}`)
  }
  assert.equal(gizmo.onGround, true)
  ticks(world, 20)
  for (let y = -57.2; y > -60; y -= 0.3) assert.ok(gizmo.moveTo({ x: 3.5, y, z: 3.5, onGround: false }).ok)
  gizmo.moveTo({ x: 3.5, y: -60, z: 3.5, onGround: true })
  assert.equal(gizmo.health, 20)
})

test('a torch stands on scaffolding, and water does not wash it away', () => {
  const { world, gizmo, click, at } = start()
  click(1, -61, 0)
  hold(world, gizmo, 'torch')
  assert.ok(click(1, -60, 0, 1))
  assert.equal(at(1, -59, 0), 'torch')
  must(world, 'setblock 2 -60 0 water')
  ticks(world, 40)
  assert.equal(at(1, -60, 0), '0')
})
