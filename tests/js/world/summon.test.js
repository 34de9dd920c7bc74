'use strict'
/**
 * Every entity that vanilla summons, with its hitbox and health, and its behaviour: falling, flying, swimming, dropping
 * loot.
 */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { makeWorld, must, ticks } = require('./helpers')
const { KINDS } = require('../../../engine/world/entities/kinds')

/** @type {any} */
const DATA = makeWorld({ players: {} }).registry
const NEVER = ['player', 'fishing_bobber']
/** Living kinds according to minecraft-data. */
const LIVING = DATA.entitiesArray.filter((/** @type {any} */ info) =>
  ['mob', 'hostile', 'animal', 'passive', 'ambient', 'water_creature'].includes(info.type))
  .map((/** @type {any} */ info) => info.name)

for (const { name, width, height } of DATA.entitiesArray) {
  if (NEVER.includes(name)) continue
  test(`summon ${name}`, () => {
    const world = makeWorld({ players: {} })
    const reply = must(world,
      `summon ${name} 8.5 -60 8.5${name === 'item' ? ' {Item:{id:"minecraft:stone",Count:1b}}' : ''}`)
    assert.match(reply, /^Summoned new /)
    const found = [...world.entities.values()].find((e) => e.type === name)
    assert.ok(found)
    if (name !== 'interaction') assert.deepEqual([found.width, found.height], [width, height])
    assert.equal(must(world, `data get entity @e[type=${name},limit=1] UUID`).includes('[I;'), true)
    ticks(world, 3)
    // Thrown items may have broken by now.
    world.command('kill @e')
    ticks(world, 30)
    assert.deepEqual([...world.entities.values()].filter((e) => e.living || e.type === name).map((e) => e.type), [])
  })
}

test('every living kind has health, and loot of known items', () => {
  for (const name of LIVING) {
    const kind = KINDS[name]
    assert.ok(kind, name)
    assert.ok(kind.health > 0, name)
    for (const [item] of kind.drops) assert.ok(DATA.itemsByName[item], `${name} drops ${item}`)
    for (const item of kind.food ?? []) assert.ok(DATA.itemsByName[item], `${name} eats ${item}`)
  }
})

test('entities that no command creates are refused by name', () => {
  const world = makeWorld()
  for (const name of NEVER) {
    assert.equal(world.command(`summon ${name}`).reply, `Can't summon entity of type minecraft:${name}`)
  }
  assert.match(world.command('summon item').reply, /^An item is summoned with what it is: summon item/)
})

test('flying mobs keep their height, fish need water, mobs of the Nether do not burn', () => {
  const world = makeWorld({ players: {} })
  must(world, 'summon bat 0.5 -40 0.5')
  must(world, 'fill 9 -60 9 15 -57 15 stone')
  must(world, 'fill 10 -60 10 14 -57 14 water')
  must(world, 'summon cod 12.5 -59 12.5')
  must(world, 'summon salmon 20.5 -60 20.5')
  must(world, 'setblock 30 -60 30 lava')
  must(world, 'summon blaze 30.5 -60 30.5 {NoAI:1b}')
  const find = (/** @type {string} */ type) => [...world.entities.values()].find((e) => e.type === type)
  ticks(world, 600)
  assert.equal(Math.round(find('bat').y), -40)
  assert.equal(find('cod').health, 3)
  assert.equal(find('salmon'), undefined)
  assert.equal(find('blaze').health, 20)
})

test('saved data sets flags, passengers and fields of each kind', () => {
  const world = makeWorld({ players: {} })
  must(world,
    'summon pig 2 -60 2 {UUID:[I;1,2,3,4],Invulnerable:1b,NoGravity:1b,Glowing:1b,' +
    'Passengers:[{id:"minecraft:chicken",Passengers:[{id:"minecraft:bat"}]}]}')
  const pig = [...world.entities.values()].find((e) => e.type === 'pig')
  assert.equal(pig.uuid, '00000001-0000-0002-0000-000300000004')
  assert.deepEqual([pig.passengers[0].type, pig.passengers[0].passengers[0].type], ['chicken', 'bat'])
  assert.equal(world.command('summon pig 2 -60 2 {UUID:[I;1,2,3,4]}').reply,
    'Unable to summon entity due to duplicate UUIDs')
  pig.hurt(5, { type: 'generic' })
  assert.equal(pig.health, 10)
  must(world, 'kill @e[type=pig]')
  ticks(world, 30)
  assert.equal([...world.entities.values()].find((e) => e.type === 'chicken').vehicle, null)
  must(world, 'summon falling_block 5 -50 5 {BlockState:{Name:"minecraft:oak_log",Properties:{axis:"x"}}}')
  ticks(world, 60)
  assert.deepEqual([world.stateAt(5, -60, 5).name, world.stateAt(5, -60, 5).props.axis], ['oak_log', 'x'])
})

test('lightning hurts, burns and turns a pig; TNT bursts after its fuse; a fireball bursts where it hits', () => {
  const world = makeWorld({ players: {} })
  must(world, 'summon cow 2.5 -60 2.5 {NoAI:1b}')
  must(world, 'summon pig 3.5 -60 2.5 {NoAI:1b}')
  must(world, 'summon lightning_bolt 2.5 -60 3.5')
  ticks(world, 2)
  const types = [...world.entities.values()].map((e) => e.type)
  assert.equal(types.includes('pig'), false)
  assert.equal(types.includes('zombified_piglin'), true)
  const cow = [...world.entities.values()].find((e) => e.type === 'cow')
  assert.equal(cow.health <= 5 && cow.fireTicks > 0, true)
  must(world, 'summon tnt 40 -60 40 {fuse:10}')
  ticks(world, 8)
  assert.equal(world.stateAt(40, -61, 40).name, 'grass_block')
  ticks(world, 4)
  assert.equal(world.stateAt(40, -61, 40).name, 'air')
  must(world, 'summon fireball 80 -50 80 {power:[0.0,-0.2,0.0],ExplosionPower:2}')
  ticks(world, 40)
  assert.equal([...world.entities.values()].some((e) => e.type === 'fireball'), false)
  assert.equal(world.stateAt(80, -61, 80).name !== 'grass_block', true)
})

test('an interaction records its attacker and clicker; a marker keeps its data', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  must(world, 'summon interaction 2 -60 0 {width:1f,height:2f}')
  const box = [...world.entities.values()].find((e) => e.type === 'interaction')
  assert.equal(box.height, 2)
  assert.equal(player.useEntity(box.id, 'attack').ok, true)
  assert.equal(player.useEntity(box.id, 'interact').ok, true)
  assert.equal(must(world, 'execute as @e[type=interaction] on attacker if entity @s[name=Gizmo]'),
    'Test passed, count: 1')
  assert.equal(must(world, 'execute as @e[type=interaction] on target if entity @s[name=Gizmo]'),
    'Test passed, count: 1')
  must(world, 'summon marker 2 -60 2 {data:{round:3}}')
  assert.match(must(world, 'data get entity @e[type=marker,limit=1] data.round'), /3$/)
})

test('saved data of wrong types is ignored', () => {
  const names = ['Pos', 'Motion', 'Rotation', 'Tags', 'CustomName', 'Health', 'Fire', 'UUID', 'Passengers', 'Item',
    'Facing', 'BlockState', 'fuse', 'power', 'ExplosionPower', 'transformation', 'block_state', 'text', 'brightness',
    'width', 'height', 'Duration', 'facing', 'variant', 'Age', 'Value', 'pickup', 'Type', 'Offers', 'VillagerData',
    'Color']
  const values = ['1', '-1b', '[]', '[1,2,3]', '["x"]', '[{}]', '{}', '{Name:5}', '"x"', '[I;1,2]', 'NaNd', '1e300',
    '[{id:"minecraft:player"}]']
  const kinds = ['pig', 'sheep', 'villager', 'item_frame', 'painting', 'falling_block', 'tnt', 'fireball', 'arrow',
    'text_display', 'block_display', 'interaction', 'area_effect_cloud', 'boat', 'armor_stand', 'experience_orb']
  const world = makeWorld({ players: {} })
  for (const kind of kinds) {
    for (const name of names) {
      for (const value of values) {
        assert.equal(typeof world.command(`summon ${kind} 5 -40 5 {${name}:${value}}`).reply, 'string')
      }
    }
    ticks(world, 2)
    for (const name of names) {
      for (const value of values) {
        assert.equal(typeof world.command(`data modify entity @e[limit=1] ${name} set value ${value}`).reply, 'string')
      }
    }
    ticks(world, 2)
    for (const entity of [...world.entities.values()]) entity.remove()
  }
})
