'use strict'
/** Redstone by vanilla's numbers (minecraft.wiki, 1.20.4): power, its range, and delays. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { World } = require('../../../../../engine/world')

/** @param {string[]} commands */
function yard (commands) {
  /** @type {any} */
  const world = new World({ seed: 1 })
  const player = world.addPlayer('Gizmo')
  for (const command of commands) assert.ok(world.command(command).ok, command)
  const tick = (/** @type {number} */ n) => { for (let i = 0; i < n; i++) world.tick() }
  tick(4)
  const props = (/** @type {number} */ x, /** @type {number} */ z = 0, /** @type {number} */ y = -60) =>
    world.stateAt(x, y, z).props
  return { world, player, tick, props,
    press: (/** @type {number} */ x, /** @type {number} */ z = 0) => player.place({ pos: { x, y: -60, z }, face: 1 }) }
}

test('dust carries power 15 blocks far, one less a step, and a lamp goes out 4 ticks later', () => {
  const { tick, props, press } = yard(
    ['setblock 2 -60 0 lever[face=floor]', 'fill 3 -60 0 18 -60 0 redstone_wire', 'setblock 3 -60 1 redstone_lamp',
    'setblock 3 -60 -1 stone'])
  press(2)
  tick(2)
  assert.deepEqual([3, 17, 18].map((x) => props(x).power), ['15', '1', '0'])
  // Dust that runs past a lamp does not point at it.
  assert.equal(props(3, 1).lit, 'false')
  press(2)
  tick(2)
  assert.equal(props(3).power, '0')
})

test('a lever powers through a solid block; the lamp behind it stays lit for 4 ticks', () => {
  const { tick, props, press } = yard(
    ['setblock 3 -60 0 stone', 'setblock 2 -60 0 lever[face=wall,facing=west]', 'setblock 4 -60 0 redstone_lamp'])
  press(2)
  tick(2)
  assert.equal(props(4).lit, 'true')
  press(2)
  tick(3)
  assert.equal(props(4).lit, 'true')
  tick(4)
  assert.equal(props(4).lit, 'false')
})

test('a torch on a powered block goes out after 2 ticks; a repeater takes 2 for each step of its delay', () => {
  const { tick, props, press } = yard(
    ['setblock 3 -60 0 stone', 'setblock 3 -59 0 redstone_torch', 'setblock 2 -60 0 lever[face=wall,facing=west]',
    'setblock 4 -60 0 repeater[facing=west,delay=4]', 'setblock 5 -60 0 redstone_lamp'])
  press(2)
  tick(4)
  assert.equal(props(3, 0, -59).lit, 'false')
  assert.equal(props(5).lit, 'false')
  tick(7)
  assert.equal(props(5).lit, 'true')
})

test('an iron door opens by a plate and closes a second after it was left', () => {
  const { tick, props, player } = yard(
    ['setblock 1 -60 8 iron_door[half=lower]', 'setblock 1 -59 8 iron_door[half=upper]',
    'setblock 0 -60 8 stone_pressure_plate'])
  player.place3d({ x: 0.5, y: -60, z: 8.5 })
  tick(3)
  assert.deepEqual([props(1, 8).open, props(1, 8, -59).open, props(0, 8).powered], ['true', 'true', 'true'])
  player.place3d({ x: 9.5, y: -60, z: 8.5 })
  tick(15)
  assert.equal(props(1, 8).open, 'true')
  tick(10)
  assert.equal(props(1, 8).open, 'false')
})

test('a piston pushes 12 blocks, not 13 and no obsidian; a sticky one pulls back', () => {
  const { world, tick } = yard(
    ['setblock 2 -60 0 piston[facing=east]', 'fill 3 -60 0 14 -60 0 stone', 'setblock 2 -60 1 redstone_block',
    'setblock 2 -60 4 piston[facing=east]', 'fill 3 -60 4 15 -60 4 stone', 'setblock 2 -60 5 redstone_block',
    'setblock 2 -60 8 sticky_piston[facing=east]', 'setblock 3 -60 8 stone', 'setblock 2 -60 9 redstone_block',
    'setblock 2 -60 12 piston[facing=east]', 'setblock 3 -60 12 obsidian', 'setblock 2 -60 13 redstone_block'])
  const name = (/** @type {number} */ x, /** @type {number} */ z) => world.stateAt(x, -60, z).name
  assert.deepEqual([name(3, 0), name(4, 0), name(15, 0)], ['piston_head', 'stone', 'stone'])
  assert.deepEqual([name(3, 4), name(16, 4), name(3, 12)], ['stone', 'air', 'obsidian'])
  assert.deepEqual([name(3, 8), name(4, 8)], ['piston_head', 'stone'])
  world.command('setblock 2 -60 9 air')
  tick(3)
  assert.deepEqual([name(3, 8), name(4, 8)], ['stone', 'air'])
  world.command('setblock 2 -60 0 air')
  assert.equal(name(3, 0), 'air')
})

test('dispensers shoot and pour, droppers fill the chest before them, TNT is lit, notes are played, commands run',
  () => {
  const { world, tick } = yard(
    ['setblock 2 -60 0 dispenser[facing=east]{Items:[{Slot:0b,id:"minecraft:arrow",Count:2b}]}',
    'setblock 2 -60 4 dropper[facing=east]{Items:[{Slot:0b,id:"minecraft:dirt",Count:1b}]}', 'setblock 3 -60 4 chest',
    'setblock 2 -60 8 tnt', 'setblock 2 -60 12 command_block{Command:"setblock ~ ~3 ~ gold_block"}',
    'setblock 2 -60 16 dispenser[facing=east]{Items:[{Slot:4b,id:"minecraft:water_bucket",Count:1b}]}'])
  for (const z of [0, 4, 8, 12, 16]) world.command(`setblock 1 -60 ${z} redstone_block`)
  tick(7)
  assert.equal(world.blockEntities.at({ x: 2, y: -60, z: 0 }).store.get(0).count, 1)
  assert.ok([...world.entities.values()].some(({ type }) => type === 'arrow'))
  assert.equal(world.blockEntities.at({ x: 3, y: -60, z: 4 }).store.get(0).name, 'dirt')
  assert.ok([...world.entities.values()].some(({ type }) => type === 'tnt'))
  assert.equal(world.stateAt(2, -57, 12).name, 'gold_block')
  assert.equal(world.stateAt(3, -60, 16).name, 'water')
  assert.equal(world.blockEntities.at({ x: 2, y: -60, z: 16 }).store.get(4).name, 'bucket')
})

test('a command block runs once each time that power comes, and not above level 2', () => {
  const { world, tick } = yard(
    ['scoreboard objectives add n dummy', 'scoreboard players set x n 0',
    'setblock 2 -60 0 command_block{Command:"scoreboard players add x n 1"}',
    'setblock 5 -60 0 command_block{Command:"stop"}'])
  let stopped = false
  world.on('stop', () => { stopped = true })
  for (let i = 0; i < 2; i++) {
    world.command('setblock 1 -60 0 redstone_block')
    world.command('setblock 6 -60 0 redstone_block')
    tick(4)
    world.command('setblock 1 -60 0 air')
    tick(4)
  }
  assert.equal(world.command('scoreboard players get x n').value, 2)
  assert.ok(!stopped)
})
