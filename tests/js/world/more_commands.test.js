'use strict'
/** Effects of loot, place, fillbiome, spreadplayers, advancement, recipe, trigger and tick, beyond their replies. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { World } = require('../../../engine/world')
const { makeWorld, must, ticks, record, census } = require('./helpers')
const { PARENTS } = require('../../../engine/world/rules/operators/advancements')

/** @param {any} world @param {string} text @returns {string} the reply of a command that must be refused */
const refused = (world, text) => {
  const { ok, reply } = world.command(text)
  assert.equal(ok, false, reply)
  return reply
}
const crowd = () => makeWorld(
  { players: { A: { x: 0.5, z: 0.5 }, B: { x: 4.5, z: 0.5 }, C: { x: 8.5, z: 0.5 }, D: { x: 12.5, z: 0.5 } } })

test('loot of blocks, bodies, chests and water goes to hands, the ground and slots', () => {
  const world = makeWorld()
  must(world, 'setblock 2 -60 2 diamond_ore')
  assert.equal(must(world, 'loot give Gizmo mine 2 -60 2 iron_pickaxe'),
    'Dropped 1 [Diamond] from loot table minecraft:blocks/diamond_ore')
  assert.equal(world.stateAt(2, -60, 2).name, 'diamond_ore')
  assert.equal(must(world, 'loot give Gizmo mine 2 -60 2 wooden_pickaxe'),
    'Dropped 0 items from loot table minecraft:blocks/diamond_ore')
  must(world, 'summon cow 3 -60 3 {NoAI:1b}')
  assert.match(must(world, 'loot spawn 5 -60 5 kill @e[type=cow,limit=1]'), /from loot table minecraft:entities\/cow$/)
  assert.equal(census(world, 'beef') >= 1, true)
  must(world, 'setblock 4 -60 4 chest')
  const chest = world.blockEntities.at({ x: 4, y: -60, z: 4 }).store
  must(world, 'loot insert 4 -60 4 loot minecraft:chests/simple_dungeon')
  assert.equal(chest.slots.filter(Boolean).length > 0, true)
  must(world, 'loot replace block 4 -60 4 container.5 3 loot blocks/stone')
  assert.deepEqual([5, 6, 7].map((i) => chest.get(i)?.name ?? null), [null, null, null])
  must(world, 'loot replace block 4 -60 4 container.5 mine 2 -60 2 iron_pickaxe')
  assert.equal(chest.get(5).name, 'diamond')
  assert.match(must(world, 'loot replace entity Gizmo weapon.offhand fish gameplay/fishing/fish ~ ~ ~'), /^Dropped 1 /)
  assert.match(world.players.get('Gizmo').store.get(45).name, /cod|salmon|fish/)
  assert.match(refused(world, 'loot give Gizmo loot minecraft:chests/bastion_other'),
    /^This world does not have the loot table minecraft:chests\/bastion_other: /)
  assert.equal(refused(world, 'loot give Gizmo mine 2 -60 2 mainhand'), 'Entity can\'t hold any items')
})

test('players are spread apart on the ground, the same way for the same seed', () => {
  const places = [1, 1, 2].map((seed) => {
    const world = makeWorld({ seed, players: { A: { x: 0.5, z: 0.5 }, B: { x: 4.5, z: 0.5 }, C: { x: 8.5, z: 0.5 } } })
    must(world, 'fill -30 -60 -30 30 -60 -1 water')
    assert.match(must(world, 'spreadplayers 0 0 12 30 false @a'),
      /^Spread 3 player\(s\) around 0\.00, 0\.00 with an average distance of \d+\.\d\d blocks apart$/)
    return [...world.players.values()].map(({ x, y, z }) => ({ x, y, z }))
  })
  assert.deepEqual(places[0], places[1])
  assert.notDeepEqual(places[0], places[2])
  for (const spots of places) {
    for (const { x, y, z } of spots) assert.equal(Math.abs(x) <= 31 && z >= 0 && z <= 31 && y === -60, true)
    for (const a of spots) {
      for (const b of spots) if (a !== b) assert.equal(Math.hypot(a.x - b.x, a.z - b.z) >= 11, true)
    }
  }
  const world = crowd()
  must(world, 'team add red')
  for (const name of ['A', 'B']) must(world, `team join red ${name}`)
  assert.match(must(world, 'spreadplayers 50 50 5 20 true @a'), /^Spread 2 team\(s\)/)
  const [a, b, c] = ['A', 'B', 'C'].map((name) => world.players.get(name))
  assert.deepEqual([a.x, a.z], [b.x, b.z])
  assert.notDeepEqual([a.x, a.z], [c.x, c.z])
  assert.match(refused(world, 'spreadplayers 0 0 500 501 under -64 false @a'),
    /^Could not spread 4 entity\/entities around 0\.00, 0\.00/)
})

test('advancements are kept for each player, told, asked for, and stay when one leaves', () => {
  const world = crowd()
  const told = record(world, 'system')
  const titles = Object.keys(world.registry.language).filter((key) => /^advancements\.\w+\.\w+\.title$/.test(key))
    .map((key) => key.slice(13, -6).replace('.', '/'))
  assert.deepEqual([...PARENTS.keys()].sort(), titles.sort())
  assert.equal(must(world, 'advancement grant A until minecraft:story/mine_diamond'), 'Granted 6 advancements to A')
  assert.equal(told.some(({ text }) => text === 'A has made the advancement [Stone Age]'), true)
  assert.equal(must(world, 'execute if entity @a[advancements={story/iron_tools=true}]'), 'Test passed, count: 1')
  assert.equal(refused(world, 'advancement grant A only minecraft:story/root'),
    'Couldn\'t grant advancement [Minecraft] to A as they already have it')
  assert.equal(must(world, 'advancement grant @a only minecraft:story/root'),
    'Granted the advancement [Minecraft] to 4 players')
  const revoked = world.command('advancement revoke A from story/smelt_iron')
  // The text tells the number meant, the value the number changed.
  assert.deepEqual([revoked.reply, revoked.value], ['Revoked 13 advancements from A', 3])
  assert.equal(refused(world, 'advancement grant A only t:nope'), 'Unknown advancement: t:nope')
  const left = world.players.get('A')
  world.removePlayer(left)
  world.addPlayer('A')
  assert.deepEqual([...world.players.get('A').advancements], ['story/root', 'story/mine_stone', 'story/upgrade_tools'])
  assert.match(must(world, 'recipe give A *'), /^Unlocked \d+ recipes for A$/)
  assert.equal(refused(world, 'recipe give A stick'), 'No new recipes were learned')
})

test('a player can trigger an enabled objective once', () => {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  must(world, 'scoreboard objectives add vote trigger')
  assert.equal(world.command('trigger vote', gizmo).reply, 'You cannot trigger this objective yet')
  must(world, 'scoreboard players enable Gizmo vote')
  assert.equal(world.command('trigger vote set 3', gizmo).reply, 'Triggered [vote] (set value to 3)')
  assert.equal(world.command('scoreboard players get Gizmo vote').value, 3)
  assert.equal(world.command('trigger vote', gizmo).ok, false)
  must(world, 'scoreboard players enable Gizmo vote')
  assert.equal(world.command('trigger vote add 2', gizmo).value, 5)
  must(world, 'scoreboard objectives add n dummy')
  assert.equal(world.command('trigger n', gizmo).reply, 'You can only trigger objectives that are \'trigger\' type')
  assert.equal(refused(world, 'trigger vote'), 'A player is required to run this command here')
})

test('a frozen world steps the given ticks, and freezes again', () => {
  const world = makeWorld()
  const paces = record(world, 'ticking')
  assert.equal(refused(world, 'tick step 5'), 'Unable to step the game - the game must be frozen first')
  must(world, 'tick freeze')
  const { age } = world
  assert.equal(must(world, 'tick step 5'), 'Stepping 5 tick(s)')
  ticks(world, 8)
  assert.equal(world.age, age + 5)
  must(world, 'tick step 100')
  ticks(world, 2)
  assert.equal(must(world, 'tick step stop'), 'A tick step interrupted')
  ticks(world, 2)
  assert.equal(world.age, age + 7)
  must(world, 'tick sprint 10t')
  assert.equal(must(world, 'tick query'), 'The game is sprinting')
  ticks(world, 12)
  assert.deepEqual([world.age, world.sprint], [age + 17, 0])
  assert.equal(world.command('tick rate 40').value, 40)
  assert.deepEqual(paces.map(({ steps }) => steps), [undefined, 5, 100, undefined])
  world.freezable = false
  assert.match(refused(world, 'tick rate 10'), /^tick rate is not needed here/)
})

test('biomes are filled in cells, with a filter, and clients are told of the columns', () => {
  const world = makeWorld()
  const told = record(world, 'biomes')
  assert.equal(must(world, 'fillbiome 0 -60 0 15 -57 15 desert'),
    '16 biome entry/entries set between 0, -60, 0 and 12, -60, 12')
  assert.deepEqual([world.biomeAt(5, -60, 5), world.biomeAt(5, -50, 5), world.biomeAt(17, -60, 5)],
    ['desert', 'plains', 'plains'])
  assert.deepEqual(told[0].columns, [{ cx: 0, cz: 0 }])
  assert.equal(world.command('fillbiome 0 -60 0 31 -57 15 jungle replace desert').value, 16)
  assert.equal(must(world, 'execute if biome 5 -60 5 #is_jungle'), 'Test passed')
  assert.equal(refused(world, 'fillbiome 0 -60 0 500 100 500 desert'),
    'Too many blocks in the specified volume (maximum 32768, specified 40411161)')
  assert.equal(world.terrain.info(100, 100).chunk.getBiome({ x: 5, y: -60, z: 5 }),
    world.registry.biomesByName.plains.id)
})

test('trees, veins and structures are placed; other features are refused with a list', () => {
  const world = makeWorld()
  assert.equal(must(world, 'place feature oak 5 -60 5'), 'Placed "minecraft:oak" at 5, -60, 5')
  assert.equal(world.stateAt(5, -60, 5).name, 'oak_log')
  must(world, 'fill 30 -60 30 45 -45 45 stone')
  must(world, 'place feature ore_diamond_large 37 -53 37')
  assert.equal(must(world,
    'execute store result storage t:s n int 1 run fill 30 -60 30 45 -45 45 air replace diamond_ore').length > 0, true)
  assert.equal(Number(/n: (\d+)/.exec(must(world, 'data get storage t:s'))?.[1]) > 0, true)
  assert.equal(refused(world, 'place feature oak 5 -20 5'), 'Failed to place feature')
  assert.match(refused(world, 'place feature fossil_coal'),
    /^This world cannot place the feature fossil_coal: it has oak, /)
  must(world, 'place structure stronghold 80 -50 80')
  assert.equal(world.stateAt(80, -50, 78).name, 'end_portal_frame')
  assert.match(refused(world, 'place structure village_plains 80 -50 80'),
    /^This world cannot place village_plains here: /)
  assert.match(refused(world, 'place structure mansion'),
    /^This world cannot place the structure mansion: it has village_plains/)
})

test('a village is placed on generated land', () => {
  const world = new World({ seed: 4, terrain: 'survival' })
  const { x, z } = world.spawn
  must(world, `place structure village_plains ${Math.floor(x)} 70 ${Math.floor(z)}`)
  let bells = 0
  for (let dx = -12; dx <= 12; dx++) {
    for (let dz = -12; dz <= 12; dz++) {
      for (let y = 55; y < 120; y++) {
        if (world.stateAt(Math.floor(x) + dx, y, Math.floor(z) + dz).name === 'bell') bells++
      }
    }
  }
  assert.equal(bells, 1)
})
