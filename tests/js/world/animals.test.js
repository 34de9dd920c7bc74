'use strict'
/** Animals with vanilla's numbers: breeding, growing up, shearing, milking, taming, eggs, food that is followed. */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { makeWorld, must, ticks, record, hold, census } = require('./helpers')

/** @param {any} world @param {string} type */
const all = (world, type) => [...world.entities.values()].filter((e) => e.type === type)

/**
 * A world with one animal that stands still beside Gizmo.
 * @param {string} type
 * @param {{ seed?: number, nbt?: string, count?: number }} [options]
 */
function pen (type, { seed = 1, nbt = '', count = 1 } = {}) {
  const world = makeWorld({ seed })
  for (let i = 0; i < count; i++) must(world, `summon ${type} ${1.5 + i} -60 1.5 ${nbt}`)
  return { world, gizmo: world.players.get('Gizmo'), animals: all(world, type) }
}

for (const [type, food, other] of [['cow', 'wheat', 'carrot'], ['sheep', 'wheat', 'wheat_seeds'],
  ['pig', 'carrot', 'wheat'], ['chicken', 'wheat_seeds', 'wheat'], ['rabbit', 'dandelion', 'wheat']]) {
  test(`two ${type}s that are fed ${food} have one young; it is grown after 24000 ticks, they rest 6000`, () => {
    const { world, gizmo, animals } = pen(type, { count: 2 })
    hold(world, gizmo, other, 2)
    assert.equal(gizmo.useEntity(animals[0].id, 'interact').ok, false)
    hold(world, gizmo, food, 3)
    for (const each of animals) assert.equal(gizmo.useEntity(each.id, 'interact').ok, true)
    assert.equal(gizmo.useEntity(animals[0].id, 'interact').ok, false, 'in love already')
    assert.equal(gizmo.heldItem.count, 1)
    gizmo.store.set(36, null)
    ticks(world, 200)
    assert.equal(all(world, type).length, 3)
    const child = all(world, type).find((/** @type {any} */ each) => each.baby)
    assert.ok(child && child.width < animals[0].width)
    assert.ok(animals.every((/** @type {any} */ each) => each.growing > 5700 && each.love === 0))
    assert.ok(census(world, 'x') === 0 && all(world, 'experience_orb').length + gizmo.experience.total > 0)
    child.setGrowing(-2)
    ticks(world, 3)
    assert.equal(child.baby, false)
  })
}

test('feeding a baby shortens its growth by a tenth of the remaining time', () => {
  const { world, gizmo, animals: [calf] } = pen('cow', { nbt: '{Age:-24000}' })
  assert.equal(calf.baby, true)
  hold(world, gizmo, 'wheat', 2)
  gizmo.useEntity(calf.id, 'interact')
  assert.equal(calf.growing, -21600)
  assert.equal(gizmo.heldItem.count, 1)
  assert.equal(calf.width, 0.45)
  const meat = census(world, 'beef')
  calf.hurt(99, { type: 'player', attacker: gizmo })
  assert.equal(census(world, 'beef'), meat, 'young ones leave nothing')
})

test('a single animal in love has no baby, and its love ends after 600 ticks', () => {
  const { world, gizmo, animals: [cow] } = pen('cow', { nbt: '{NoAI:1b}' })
  hold(world, gizmo, 'wheat', 1)
  gizmo.useEntity(cow.id, 'interact')
  ticks(world, 599)
  assert.equal(cow.love, 1)
  ticks(world, 1)
  assert.deepEqual([cow.love, all(world, 'cow').length], [0, 1])
})

test('shears take one to three wool of the sheep\'s colour, once; grass brings it back and becomes dirt', () => {
  const counts = new Set()
  for (let seed = 0; seed < 20; seed++) {
    const { world, gizmo, animals: [sheep] } = pen('sheep', { seed, nbt: '{Color:14b,NoAI:1b}' })
    hold(world, gizmo, 'shears')
    assert.equal(gizmo.useEntity(sheep.id, 'interact').ok, true)
    assert.equal(gizmo.useEntity(sheep.id, 'interact').ok, false)
    counts.add(census(world, 'red_wool'))
    assert.equal(world.stacks.damage(gizmo.heldItem), 1)
    if (seed > 0) continue
    sheep.noAi = false
    sheep.eating = 40
    const at = sheep.pasture()
    ticks(world, 41)
    assert.equal(sheep.sheared, false)
    assert.equal(world.stateAt(at.x, at.y, at.z).name, 'dirt')
  }
  assert.deepEqual([...counts].sort(), [1, 2, 3])
})

test('by itself a sheep eats about every 2000 ticks, and spares the grass where mobs may not change blocks', () => {
  const world = makeWorld()
  must(world, 'gamerule mobGriefing false')
  for (let i = 0; i < 20; i++) must(world, `summon sheep ${10 + 3 * i} -60 10 {Sheared:1b}`)
  const blocks = record(world, 'block')
  ticks(world, 2000)
  const shorn = all(world, 'sheep').filter((/** @type {any} */ each) => each.sheared).length
  assert.ok(shorn >= 2 && shorn <= 14, `${shorn} of 20 are shorn still; 1/e = 7 are to be expected`)
  assert.equal(blocks.length, 0)
})

test('a dye colours a sheep', () => {
  const { world, gizmo, animals: [sheep] } = pen('sheep', { nbt: '{NoAI:1b}' })
  hold(world, gizmo, 'blue_dye', 2)
  gizmo.useEntity(sheep.id, 'interact')
  assert.equal(sheep.colour, 'blue')
  assert.equal(gizmo.useEntity(sheep.id, 'interact').ok, false)
  assert.equal(gizmo.heldItem.count, 1)
})

test('cows give milk, calves none; a mooshroom gives stew into a bowl', () => {
  const { world, gizmo, animals: [cow] } = pen('cow', { nbt: '{NoAI:1b}' })
  hold(world, gizmo, 'bucket')
  assert.equal(gizmo.useEntity(cow.id, 'interact').ok, true)
  assert.equal(gizmo.heldItem.name, 'milk_bucket')
  cow.setGrowing(-100)
  hold(world, gizmo, 'bucket')
  assert.equal(gizmo.useEntity(cow.id, 'interact').ok, false)
  const stew = pen('mooshroom')
  hold(stew.world, stew.gizmo, 'bowl')
  stew.gizmo.useEntity(stew.animals[0].id, 'interact')
  assert.equal(stew.gizmo.heldItem.name, 'mushroom_stew')
})

test('a chicken lays an egg every 6000 to 11999 ticks and takes no harm from a fall', () => {
  const { world, animals: [hen] } = pen('chicken')
  assert.ok(hen.eggIn >= 6000 && hen.eggIn < 12000)
  hen.noAi = true
  hen.eggIn = 2
  ticks(world, 3)
  assert.equal(census(world, 'egg'), 1)
  Object.assign(hen, { y: -40, noAi: false, onGround: false })
  ticks(world, 200)
  assert.equal(hen.health, 4)
})

test('one thrown egg in eight hatches', () => {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  must(world, 'gamemode creative Gizmo')
  hold(world, gizmo, 'egg')
  gizmo.moveTo({ yaw: 0, pitch: 80 })
  for (let i = 0; i < 400; i++) {
    gizmo.useItem()
    ticks(world, 4)
    gizmo.place3d({ x: 0.5 + (i % 40) * 8, y: -60, z: 0.5 })
  }
  ticks(world, 40)
  const chicks = all(world, 'chicken').length
  assert.ok(chicks >= 30 && chicks <= 85, `${chicks} of 400`)
  assert.ok(all(world, 'chicken').every((/** @type {any} */ each) => each.baby))
})

test('bones tame one wolf in three tries; it sits, follows, teleports and fights for its owner', () => {
  let tries = 0
  for (let seed = 0; seed < 30; seed++) {
    const { world, gizmo, animals: [wolf] } = pen('wolf', { seed, nbt: '{NoAI:1b}' })
    hold(world, gizmo, 'bone', 64)
    while (wolf.owner === null) {
      tries++
      assert.equal(gizmo.useEntity(wolf.id, 'interact').ok, true)
    }
    assert.deepEqual([wolf.owner, wolf.sitting, wolf.maxHealth], ['Gizmo', true, 20])
    if (seed > 0) continue
    gizmo.store.set(36, null)
    gizmo.useEntity(wolf.id, 'interact')
    assert.equal(wolf.sitting, false)
    wolf.noAi = false
    gizmo.place3d({ x: 60.5, y: -60, z: 0.5 })
    ticks(world, 5)
    assert.ok(wolf.distanceTo(gizmo) < 6, 'it came after its owner')
    must(world, 'summon pig 64.5 -60 2.5 {NoAI:1b}')
    const [pig] = all(world, 'pig')
    pig.hurt(1, { type: 'player', attacker: gizmo })
    ticks(world, 80)
    assert.ok(pig.health <= 5, `the pig has ${pig.health}`)
  }
  assert.ok(tries / 30 > 2 && tries / 30 < 4.5, `${tries / 30} tries each`)
})

test('cats are tamed by fish', () => {
  const { world, gizmo, animals: [cat] } = pen('cat', { nbt: '{NoAI:1b}' })
  hold(world, gizmo, 'cod', 64)
  while (cat.owner === null) assert.equal(gizmo.useEntity(cat.id, 'interact').ok, true)
  assert.equal(cat.sitting, true)
})

test('animals follow food within ten blocks, not beyond', () => {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  must(world, 'summon cow 8.5 -60 0.5')
  must(world, 'summon cow 40.5 -60 0.5')
  hold(world, gizmo, 'wheat')
  ticks(world, 200)
  const [near, far] = all(world, 'cow')
  assert.ok(near.distanceTo(gizmo) < 3.5)
  assert.ok(far.distanceTo(gizmo) > 20)
})
