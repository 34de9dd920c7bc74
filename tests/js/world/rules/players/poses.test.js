'use strict'
/** Swimming, crawling and crouching: heights, eyes and counters (minecraft.wiki, "Swimming", "Crawling", 1.20.4). */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { makeWorld, must, ticks, record } = require('../../helpers')

/** Return Gizmo in a pool that is 4 deep, feet at -64 + `y`. @param {number} y */
function pool (y) {
  const world = makeWorld()
  must(world, 'fill -8 -63 -8 8 -60 8 water')
  const player = world.players.get('Gizmo')
  player.place3d({ x: 0.5, y: -63 + y, z: 0.5 })
  ticks(world, 1)
  return { world, player }
}

test('a player that sprints under water swims, is 0.6 high and sees from 0.4', () => {
  const { world, player } = pool(1)
  const seen = record(world, 'entityMeta')
  player.setSprinting(true)
  ticks(world, 1)
  assert.deepEqual([player.swimming, player.height, player.eyeHeight, player.pose], [true, 0.6, 0.4, 'swimming'])
  assert.ok(seen.some(({ entity }) => entity === player))
  player.setSprinting(false)
  ticks(world, 1)
  assert.deepEqual([player.swimming, player.height, player.eyeHeight, player.pose], [false, 1.8, 1.62, 'standing'])
})

test('a head above water does not begin to swim; a swimmer goes on at the surface, and stops on land', () => {
  const { world, player } = pool(2.6)
  player.setSprinting(true)
  ticks(world, 1)
  assert.equal(player.swimming, false)
  player.place3d({ x: 0.5, y: -62, z: 0.5 })
  ticks(world, 1)
  assert.equal(player.swimming, true)
  player.place3d({ x: 0.5, y: -59.5, z: 0.5 })
  ticks(world, 1)
  assert.equal(player.swimming, true, 'its middle is in the water')
  player.place3d({ x: 20.5, y: -60, z: 0.5 })
  ticks(world, 1)
  assert.deepEqual([player.swimming, player.height], [false, 1.8])
})

test('a swimmer passes a gap of one block, comes out of the water in it, and crawls until there is room to stand',
  () => {
  const { world, player } = pool(1)
  must(world, 'fill 2 -63 -8 4 -60 8 stone')
  must(world, 'fill 2 -62 0 4 -62 0 water')
  assert.equal(player.moveTo({ x: 1.6, y: -62, z: 0.5 }).ok, true)
  assert.equal(player.moveTo({ x: 2.5, y: -62, z: 0.5 }).ok, false, 'too tall while it stands')
  player.setSprinting(true)
  ticks(world, 1)
  assert.equal(player.moveTo({ x: 2.5, y: -62, z: 0.5 }).ok, true)
  must(world, 'fill 2 -62 0 4 -62 0 air')
  player.setSprinting(false)
  ticks(world, 1)
  assert.deepEqual([player.swimming, player.pose, player.height], [false, 'swimming', 0.6])
  assert.equal(player.health, 20)
  must(world, 'fill 2 -61 0 4 -61 0 air')
  ticks(world, 1)
  assert.deepEqual([player.pose, player.height], ['standing', 1.8])
})

test('a player under a low roof crouches; passengers and spectators do not mind', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  must(world, 'setblock 0 -59 0 oak_slab[type=top]')
  ticks(world, 10)
  assert.deepEqual([player.pose, player.height, player.eyeHeight, player.sneaking], ['sneaking', 1.5, 1.27, false])
  must(world, 'gamemode spectator Gizmo')
  ticks(world, 10)
  assert.equal(player.pose, 'standing')
})

test('distances in water are counted by the way of moving', () => {
  const { world, player } = pool(1)
  must(world, 'scoreboard objectives add swum minecraft.custom:minecraft.swim_one_cm')
  must(world, 'scoreboard objectives add under minecraft.custom:minecraft.walk_under_water_one_cm')
  const score = (/** @type {string} */ name) =>
    Number(/(\d+)/.exec(world.command(`scoreboard players get Gizmo ${name}`).reply.replace('Gizmo', ''))?.[1] ?? 0)
  player.moveTo({ x: 1.5, y: -62, z: 0.5 })
  assert.ok(score('under') >= 99, `${score('under')}`)
  player.setSprinting(true)
  ticks(world, 1)
  player.moveTo({ x: 0.5, y: -62, z: 0.5 })
  assert.ok(score('swum') >= 99, `${score('swum')}`)
})
