'use strict'
/** The words between /execute and run: relations, conditions, and stored results. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { makeWorld, must, ticks } = require('./helpers')

/** @param {any} world @param {string} what @returns {string} its data as text */
const dataOf = (world, what) => must(world, `data get ${what}`).replace(/^.*?(?:contents|data): /, '')
const pair = () => makeWorld({ players: { A: { x: 0.5, z: 0.5 }, B: { x: 4.5, z: 0.5 } } })

test('results are stored in storages, blocks, entities, boss bars and scores, one for each branch', () => {
  const world = pair()
  must(world, 'execute store result storage t:s found.n int 2.5 if entity @a')
  assert.equal(dataOf(world, 'storage t:s'), '{found: {n: 5}}')
  must(world, 'execute store success storage t:s ok byte 1 run say hello')
  assert.equal(dataOf(world, 'storage t:s ok'), '1b')
  must(world, 'setblock 3 -60 3 furnace')
  must(world, 'execute store result block 3 -60 3 CookTime short 1 if entity @a')
  assert.equal(dataOf(world, 'block 3 -60 3 CookTime'), '2s')
  must(world, 'summon pig 2 -60 2')
  must(world, 'execute store result entity @e[type=pig,limit=1] Health float 1.5 if entity @a')
  assert.equal(dataOf(world, 'entity @e[type=pig,limit=1] Health'), '3.0f')
  must(world, 'bossbar add t:b "bar"')
  must(world, 'execute store result bossbar t:b value if entity @a')
  assert.equal(world.command('bossbar get t:b value').value, 2)
  must(world, 'scoreboard objectives add n dummy')
  must(world, 'execute as @a store result score @s n run data get entity @s Pos[0]')
  assert.deepEqual(['A', 'B'].map((name) => world.command(`scoreboard players get ${name} n`).value), [0, 4])
})

test('a refused command is stored as a failure; without a source nothing is stored', () => {
  const world = pair()
  must(world, 'data merge storage t:s {ok:7b}')
  world.command('execute as @e[type=cow] store success storage t:s ok byte 1 run say never')
  assert.equal(dataOf(world, 'storage t:s ok'), '7b')
  world.command('execute store success storage t:s ok byte 1 run clear A diamond')
  assert.equal(dataOf(world, 'storage t:s ok'), '0b')
  must(world, 'execute store result entity A Health float 1 if entity @a')
  assert.equal(world.players.get('A').health, 20)
})

test('execute on finds passengers, owners, shooters and targets', () => {
  const world = pair()
  must(world, 'summon pig 2 -60 2 {Tags:["mount"]}')
  must(world, 'summon zombie 3 -60 3 {NoAI:1b}')
  assert.equal(must(world, 'ride @e[type=zombie,limit=1] mount @e[type=pig,limit=1]'), 'Zombie started riding Pig')
  assert.equal(must(world, 'execute as @e[type=pig] on passengers if entity @s[type=zombie]'), 'Test passed, count: 1')
  assert.equal(must(world, 'execute as @e[type=pig] on controller if entity @s[type=zombie]'), 'Test passed, count: 1')
  assert.equal(must(world, 'execute as @e[type=zombie] on vehicle if entity @s[tag=mount]'), 'Test passed, count: 1')
  must(world, 'tp @e[type=pig] 8 -60 8')
  ticks(world, 2)
  const zombie = [...world.entities.values()].find((e) => e.type === 'zombie')
  assert.deepEqual([zombie.x, zombie.z], [8.5, 8.5])
  assert.equal(zombie.y > -60, true)
  assert.equal(world.command('ride @e[type=pig,limit=1] mount @e[type=zombie,limit=1]').reply,
    'Can\'t mount entity on itself or any of its passengers')
  assert.equal(must(world, 'ride @e[type=zombie,limit=1] dismount'), 'Zombie stopped riding Pig')
  must(world, 'ride A mount @e[type=pig,limit=1]')
  assert.equal(must(world, 'execute as A on vehicle if entity @s[type=pig]'), 'Test passed, count: 1')
  must(world, 'kill @e[type=pig]')
  ticks(world, 30)
  assert.equal(world.players.get('A').vehicle, null)
  assert.equal(world.command('execute as A on leasher run say no').value, 0)
})

test('execute if tests biomes, dimensions, functions, heights and predicates', () => {
  const world = pair()
  assert.equal(must(world, 'execute if biome 0 -60 0 plains'), 'Test passed')
  assert.equal(world.command('execute if biome 0 -60 0 #is_ocean').reply, 'Test failed')
  assert.equal(world.command('execute if biome 0 -60 0 nowhere').reply,
    'Can\'t find element \'minecraft:nowhere\' of type \'minecraft:worldgen/biome\'')
  assert.equal(must(world, 'execute if dimension overworld'), 'Test passed')
  assert.equal(must(world, 'execute in the_nether if dimension the_nether'), 'Test passed')
  assert.equal(world.command('execute if predicate t:p').reply, 'Unknown predicate: t:p')
  must(world, 'setblock 3 -50 3 oak_leaves')
  must(world, 'execute positioned 3 0 3 positioned over motion_blocking run setblock ~ ~ ~ stone')
  assert.equal(world.stateAt(3, -49, 3).name, 'stone')
  must(world, 'setblock 3 -49 3 air')
  must(world, 'execute positioned 3 0 3 positioned over motion_blocking_no_leaves run setblock ~ ~ ~ stone')
  assert.equal(world.stateAt(3, -60, 3).name, 'stone')
  world.commands.functions.byName = new Map([['t:yes', ['return 3']], ['t:no', ['return 0']], ['t:void', ['say hi']],
    ['t:pass', ['return run clear A diamond 0', 'say never']]])
  assert.deepEqual(['yes', 'no', 'void',
    'pass'].map((name) => world.command(`execute if function t:${name} run say x`).value), [1, 0, 0, 0])
})

test('selectors know teams and tags of kinds', () => {
  const world = pair()
  for (const kind of ['skeleton', 'stray', 'pig']) must(world, `summon ${kind} 3 -60 3 {NoAI:1b}`)
  assert.equal(must(world, 'execute if entity @e[type=#skeletons]'), 'Test passed, count: 2')
  assert.equal(must(world, 'execute if entity @e[type=!#minecraft:skeletons,type=!player]'), 'Test passed, count: 1')
  assert.equal(world.command('execute if entity @e[type=#nothing]').reply, 'Test failed')
  must(world, 'team add red')
  must(world, 'team join red A')
  assert.equal(must(world, 'execute as @a[team=red] if entity @s[name=A]'), 'Test passed, count: 1')
  assert.equal(must(world, 'execute as @a[team=] if entity @s[name=B]'), 'Test passed, count: 1')
  assert.equal(must(world, 'execute if entity @a[team=!red]'), 'Test passed, count: 1')
})

test('macros are filled in by words or by data', () => {
  const world = pair()
  world.commands.functions.byName = new Map([['t:set', ['$setblock $(x) -60 $(z) $(block)']]])
  must(world, 'function t:set {x:5,z:6b,block:"stone"}')
  assert.equal(world.stateAt(5, -60, 6).name, 'stone')
  must(world, 'data merge storage t:s {args:{x:7L,z:8,block:"dirt"}}')
  must(world, 'function t:set with storage t:s args')
  assert.equal(world.stateAt(7, -60, 8).name, 'dirt')
  assert.equal(world.command('function t:set').reply,
    'Failed to instantiate function t:set: Missing arguments to function t:set')
  assert.equal(world.command('function t:set {x:1}').reply,
    'Failed to instantiate function t:set: Missing argument z to function t:set')
})
