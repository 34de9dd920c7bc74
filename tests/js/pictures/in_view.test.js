'use strict'
/** Views as data: what hides what, what is behind, and agreement with the picture of the same eyes. */
const test = require('node:test')
const assert = require('node:assert')
const { inView } = require('../../../engine/view/in_view')
const { View } = require('../../../engine/view')
const { World } = require('../../../engine/world')
const scenes = require('./scenes')

const EYE = { x: 0.5, y: -58.38, z: 0.5 }
const SOUTH = { eye: EYE, yaw: 0, pitch: 0 }
const BODY = { id: 7, x: 0.5, y: -60, z: 6.5, width: 0.6, height: 1.8 }

/** @param {string[]} commands */
function landWith (...commands) {
  const world = new World({ seed: 1 })
  scenes.run(world, commands)
  return world
}

/**
 * @param {World} world
 * @param {{ pose?: import('../../../engine/view/camera').Pose, bodies?: (typeof BODY)[], reach?: number }} [options]
 */
function seenIn (world, { pose = SOUTH, bodies = [], reach = 32 } = {}) {
  const land = new View(world).land
  return inView(world.data.version, (x, y, z) => land.blockAt(x, y, z), pose, bodies, reach)
}
/** @param {ReturnType<typeof seenIn>} seen */
const names = ({ blocks }) => blocks.map(({ name }) => name)

test('a wall hides what is behind it, glass does not', () => {
  const hidden = ['setblock 0 -59 8 gold_block', 'fill -9 -60 5 9 -54 5 stone']
  assert.ok(!names(seenIn(landWith(...hidden))).includes('gold_block'))
  assert.ok(names(seenIn(landWith(...hidden.slice(0, 1), 'fill -9 -60 5 9 -54 5 glass'))).includes('gold_block'))
})

test('what is behind the eyes, or out of reach, is not in view', () => {
  const world = landWith('setblock 0 -59 -6 redstone_block', 'setblock 0 -59 20 gold_block')
  assert.ok(!names(seenIn(world)).includes('redstone_block'))
  assert.ok(names(seenIn(world, { pose: { ...SOUTH, yaw: 180 } })).includes('redstone_block'))
  assert.ok(names(seenIn(world)).includes('gold_block'))
  assert.ok(!names(seenIn(world, { reach: 10 })).includes('gold_block'))
})

test('blocks of a name are one entry with the nearest place and their number, the nearest first', () => {
  const { blocks } = seenIn(landWith('setblock 2 -59 6 iron_ore', 'setblock -2 -59 9 iron_ore',
    'setblock 0 -59 4 chest'))
  const ores = blocks.filter(({ name }) => name === 'iron_ore')
  assert.deepStrictEqual(ores.map(({ at, count }) => ({ at, count })), [{ at: [2, -59, 6], count: 2 }])
  const distances = blocks.map(({ distance }) => distance)
  assert.deepStrictEqual(distances, [...distances].sort((a, b) => a - b))
})

test('bodies are in view unless a block hides them; fences and flowers do not', () => {
  assert.deepStrictEqual(seenIn(landWith(), { bodies: [BODY] }).bodies.map(({ id }) => id), [7])
  assert.deepStrictEqual(seenIn(landWith('fill -2 -60 4 2 -57 4 stone'), { bodies: [BODY] }).bodies, [])
  assert.strictEqual(seenIn(landWith('setblock 0 -60 4 oak_fence', 'setblock 0 -60 5 poppy'),
    { bodies: [BODY] }).bodies.length, 1)
})

test('the bodies in view are those of the picture through the same eyes', () => {
  const world = landWith('fill -8 -60 6 -1 -57 6 stone', 'summon cow -3 -60 9 {NoAI:1b}',
    'summon pig 3 -60 9 {NoAI:1b}', 'summon sheep 0 -60 -5 {NoAI:1b}')
  const drawn = new View(world).take(SOUTH, { width: 256, height: 144 }).seen.map(({ id }) => id)
  const bodies = [...world.entities.values()].map(({ id, x, y, z, width, height }) => ({ id, x, y, z, width, height }))
  assert.deepStrictEqual(seenIn(world, { bodies }).bodies.map(({ id }) => id), drawn)
  assert.strictEqual(drawn.length, 1)
})
