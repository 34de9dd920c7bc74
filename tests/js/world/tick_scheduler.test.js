'use strict'
/** Suspended bodies: they skip most ticks, lose nothing by it, and resume when something happens. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { World } = require('../../../engine/world')

const HIGH = 200

/**
 * Return a world on generated land with a player, and a stone platform in the air, `east` blocks away.
 * @param {number} east
 */
function place (east) {
  const world = new World({ seed: 1, terrain: 'survival' })
  world.rules.doMobSpawning = false
  world.rules.doDaylightCycle = false
  const player = world.addPlayer('Gizmo', { gamemode: 'creative' })
  const at = { x: Math.floor(player.x) + east, y: HIGH, z: Math.floor(player.z) }
  for (let dx = -3; dx <= 3; dx++) {
    for (let dz = -3; dz <= 3; dz++) world.setBlock(at.x + dx, HIGH - 1, at.z + dz, world.data.stateId('stone'))
  }
  player.teleport({ x: at.x - east, y: HIGH, z: at.z })
  return { world, player, at: { x: at.x + 0.5, y: HIGH, z: at.z + 0.5 } }
}

/** @param {World} world @param {number} ticks */
const pass = (world, ticks) => { for (let i = 0; i < ticks; i++) world.tick() }

/** @param {World} world @param {string} type @param {any} at */
const mob = (world, type, at) => /** @type {any} */ (world.summon(type, at))

/**
 * Count the ticks, among the next ones, in which a body runs.
 * @param {World} world
 * @param {any} body
 * @param {number} ticks
 */
function lived (world, body, ticks) {
  let times = 0
  const { tick } = body
  body.tick = function () {
    times++
    tick.call(body)
  }
  pass(world, ticks)
  delete body.tick
  return times
}

test('an idle mob runs one tick of twenty with nobody near, none when long alone, and every tick near a player', () => {
  const far = place(80)
  const cow = mob(far.world, 'cow', far.at)
  pass(far.world, 40)
  assert.equal(lived(far.world, cow, 40), 2)
  pass(far.world, 100)
  assert.equal(lived(far.world, cow, 200), 0)
  const near = place(10)
  const other = mob(near.world, 'cow', near.at)
  pass(near.world, 40)
  assert.equal(lived(near.world, other, 200), 200)
})

test('a suspended mob grows, breeds, lays and idles as if it had run', () => {
  const { world, at } = place(80)
  const [calf, parent, hen, husk] = ['cow', 'cow', 'chicken',
    'husk'].map((type, i) => mob(world, type, { ...at, x: at.x + i - 2 }))
  calf.setGrowing(-24000)
  parent.growing = 6000
  hen.eggIn = 6000
  pass(world, 400)
  for (const each of [calf, parent, hen, husk]) {
    assert.ok(each.suspendedAt >= 0, each.type)
    world.scheduler.resume(each)
    // Resumed between two ticks, this one is still to come.
    assert.equal(each.age, 400)
  }
  assert.deepEqual([calf.growing, parent.growing, hen.eggIn, husk.idleTicks], [-23600, 5600, 5600, 400])
})

test('a suspended mob resumes when hurt, affected or killed', () => {
  for (const happens of [(/** @type {any} */ cow) => cow.hurt(1, { type: 'arrow' }),
    (/** @type {any} */ cow) => cow.addEffect('poison', 100, 0),
    (/** @type {any} */ cow) => cow.die({ type: 'genericKill' })]) {
    const { world, at } = place(80)
    const cow = mob(world, 'cow', at)
    pass(world, 60)
    assert.ok(!world.active.has(cow))
    happens(cow)
    assert.ok(world.active.has(cow) && cow.suspendedAt < 0)
    assert.equal(lived(world, cow, 5), 5)
  }
})

test('a suspended mob falls within a second of losing its ground; burning mobs are not suspended', () => {
  const { world, at } = place(80)
  const cow = mob(world, 'cow', at)
  pass(world, 60)
  for (let dx = -3; dx <= 3; dx++) {
    for (let dz = -3; dz <= 3; dz++) world.setBlock(Math.floor(at.x) + dx, HIGH - 1, Math.floor(at.z) + dz, 0)
  }
  pass(world, 30)
  assert.ok(cow.y < HIGH)
  assert.ok(world.active.has(cow))
  const burning = place(80)
  const pig = mob(burning.world, 'pig', burning.at)
  pass(burning.world, 60)
  pig.resume()
  pig.fireTicks = 100
  assert.equal(lived(burning.world, pig, 15), 15)
})

test('a suspended mob resumes near a player, and a removed one is forgotten', () => {
  const { world, player, at } = place(80)
  const [cow, pig] = ['cow', 'pig'].map((type) => mob(world, type, at))
  pass(world, 60)
  assert.ok(!world.active.has(cow) && !world.active.has(pig))
  pig.remove()
  assert.ok(pig.suspendedAt < 0 && [...world.scheduler.cells.values()].every((square) => !square.has(pig)))
  player.teleport({ x: at.x - 2, y: HIGH, z: at.z })
  pass(world, 25)
  assert.ok(world.active.has(cow) && !cow.unattended)
})

test('on flat land mobs are not suspended', () => {
  const world = new World({ seed: 1 })
  world.addPlayer('Gizmo')
  const cow = mob(world, 'cow', { x: 100.5, y: -60, z: 0.5 })
  cow.ticksAlone = Infinity
  pass(world, 60)
  assert.equal(lived(world, cow, 40), 40)
})

test('entitiesNear finds the same bodies, suspended or not, as a full scan', () => {
  const { world, at } = place(80)
  for (let i = 0; i < 30; i++) {
    mob(world, ['cow', 'pig', 'husk'][i % 3], { x: at.x + (i % 5) - 2, y: at.y, z: at.z + (i % 7) / 2 - 1 })
  }
  pass(world, 60)
  assert.ok([...world.entities.values()].filter((each) => /** @type {any} */ (each).suspendedAt >= 0).length > 20)
  for (const [x, z, reach] of [[0, 0, 1], [2, -1, 3], [-70, 5, 71], [40, 0, 100], [200, 200, 20]]) {
    const from = { x: at.x + x, z: at.z + z }
    const asked = [...world.entities.values()].filter((each) =>
      Math.abs(each.x - from.x) <= reach && Math.abs(each.z - from.z) <= reach)
    const ids = (/** @type {any[]} */ bodies) => bodies.map(({ id }) => id).sort((a, b) => a - b)
    assert.deepEqual(ids(world.entitiesNear(from, reach)), ids(asked))
  }
})

test('a suspended mob teleported by a command is found at its new place', () => {
  const { world, at } = place(80)
  const cow = mob(world, 'cow', at)
  pass(world, 60)
  assert.ok(cow.suspendedAt >= 0)
  world.command(`tp @e[type=cow] ${at.x - 300} 200 ${at.z}`)
  assert.deepEqual(world.entitiesNear({ x: at.x - 300, z: at.z }, 2).map(({ id }) => id), [cow.id])
})

/** Return a stack at rest on flat land. @param {World} world @param {any} [at] @param {string} [name] */
function lying (world, at = { x: 4.5, y: -60, z: 4.5 }, name = 'dirt') {
  const stack = /** @type {any} */ (world.spawnItem(world.stacks.make(name, 3), at))
  pass(world, 60)
  assert.ok(!world.active.has(stack) && stack.suspendedAt >= 0, `${name} sleeps`)
  return stack
}

test('a stack at rest runs a few ticks of twenty, and ages as if it had run all', () => {
  const world = new World({ seed: 1 })
  const stack = lying(world)
  assert.ok(lived(world, stack, 200) <= 10)
  assert.equal(stack.nbt().Age.value, 260)
  pass(world, 6000 - 261)
  assert.ok(!stack.removed)
  pass(world, 1)
  assert.ok(stack.removed && !world.entities.has(stack.id))
})

test('a stack on evicted land despawns in time without generating land', () => {
  const world = new World({ seed: 1, terrain: 'survival' })
  world.addPlayer('Gizmo', { gamemode: 'creative' })
  const at = { x: 3000.5, y: 199, z: 0.5 }
  world.setBlock(3000, 198, 0, world.data.stateId('stone'))
  const stack = /** @type {any} */ (world.spawnItem(world.stacks.make('dirt'), at))
  pass(world, 60)
  assert.ok(stack.suspendedAt >= 0)
  world.evictColumns()
  const { has } = world.terrain
  world.terrain.has = (cx, cz) => cx !== 3000 >> 4 && has.call(world.terrain, cx, cz)
  const { info } = world.terrain
  let asked = 0
  world.terrain.info = (cx, cz) => {
    if (cx === 3000 >> 4) asked++
    return info.call(world.terrain, cx, cz)
  }
  pass(world, 6000)
  assert.ok(stack.removed)
  assert.equal(asked, 0)
})

test('a suspended stack falls without its ground, and can be teleported', () => {
  const world = new World({ seed: 1 })
  const stack = lying(world)
  world.setBlock(4, -61, 4, 0)
  assert.ok(world.active.has(stack))
  pass(world, 30)
  assert.equal(stack.y, -61)
  const other = lying(world, { x: 20.5, y: -60, z: 4.5 }, 'stone')
  world.command('tp @e[type=item] 8.5 -40 8.5')
  pass(world, 5)
  assert.ok(other.y < -40 && other.y > -45)
})

test('a floating stack is suspended, and sinks without its water', () => {
  const world = new World({ seed: 1 })
  for (let x = 2; x <= 6; x++) {
    for (let z = 2; z <= 6; z++) {
      for (let y = -60; y <= -58; y++) {
        world.setBlock(x, y, z, world.data.stateId(
          Math.max(Math.abs(x - 4), Math.abs(z - 4)) === 2 ? 'glass' : 'water'))
      }
    }
  }
  const stack = /** @type {any} */ (world.spawnItem(world.stacks.make('dirt', 3), { x: 4.5, y: -60, z: 4.5 }))
  pass(world, 600)
  assert.ok(stack.y > -58 && stack.y < -57, `it has come up to ${stack.y}`)
  assert.ok(lived(world, stack, 200) <= 30)
  for (let y = -60; y <= -58; y++) for (let x = 3; x <= 5; x++) for (let z = 3; z <= 5; z++) world.setBlock(x, y, z, 0)
  pass(world, 60)
  assert.equal(stack.y, -60)
})

test('dormant monsters idle and despawn like running ones', () => {
  const world = place(60).world
  const { x, z } = [...world.players.values()][0]
  world.rules.doMobSpawning = false
  const one = mob(world, 'spider', { x: Math.floor(x) + 60.5, y: HIGH, z: Math.floor(z) + 0.5 })
  pass(world, 400)
  assert.ok(one.suspendedAt >= 0 && one.dormant)
  assert.equal(lived(world, one, 200), 0)
  world.scheduler.resume(one)
  assert.deepEqual([one.age, one.idleTicks], [600, 600])
  one.natural = true
  pass(world, 40000)
  assert.ok(one.removed)
})

test('dormant animals grow, lay and eat like running ones', () => {
  const { world, at } = place(80)
  const [calf, hen, ram] = ['cow', 'chicken', 'sheep'].map((type, i) => mob(world, type, { ...at, x: at.x + i - 1 }))
  pass(world, 200)
  for (const each of [calf, hen, ram]) assert.ok(each.suspendedAt >= 0 && each.dormant, each.type)
  calf.setGrowing(-1000)
  hen.eggIn = 500
  world.setBlock(Math.floor(ram.x), HIGH - 1, Math.floor(ram.z), world.data.stateId('grass_block'))
  ram.setSheared(true)
  // A bite begins after two thousand ticks, on average.
  ram.random.int = (/** @type {number} */ low) => low
  pass(world, 1000)
  assert.equal(calf.baby, false)
  assert.ok(hen.eggIn > 5000, `${hen.eggIn} ticks to the next egg`)
  assert.equal([...world.loose].filter((drop) => /** @type {any} */ (drop).item?.name === 'egg').length, 1)
  assert.equal(ram.sheared, false)
})

test('a mob in snow, grass or berries is dormant; in wither roses it is harmed', () => {
  for (const [block, harms] of /** @type {[string, boolean][]} */ ([['snow', false], ['short_grass', false],
    ['sweet_berry_bush', false], ['wither_rose', true]])) {
    const { world, at } = place(80)
    // No plant stays on stone.
    world.setBlock(Math.floor(at.x), HIGH - 1, Math.floor(at.z), world.data.stateId('dirt'))
    world.setBlock(Math.floor(at.x), HIGH, Math.floor(at.z), world.data.stateId(block))
    const cow = mob(world, 'cow', at)
    cow.maxHealth = cow.health = 1000
    pass(world, 200)
    assert.equal(world.stateAt(Math.floor(at.x), HIGH, Math.floor(at.z)).name, block)
    assert.deepEqual([block, lived(world, cow, 200) === 0, cow.health < 1000], [block, !harms, harms])
  }
})

test('a zombie under a roof is dormant by day, and burns without the roof', () => {
  const { world, at } = place(80)
  world.rules.doDaylightCycle = false
  for (let dx = -3; dx <= 3; dx++) {
    for (let dz = -3; dz <= 3; dz++) {
      world.setBlock(Math.floor(at.x) + dx, HIGH + 4, Math.floor(at.z) + dz, world.data.stateId('stone'))
    }
  }
  const zombie = mob(world, 'zombie', at)
  pass(world, 400)
  assert.equal(world.sky.isNight, false)
  assert.equal(lived(world, zombie, 200), 0)
  for (let dx = -3; dx <= 3; dx++) {
    for (let dz = -3; dz <= 3; dz++) world.setBlock(Math.floor(at.x) + dx, HIGH + 4, Math.floor(at.z) + dz, 0)
  }
  pass(world, 400)
  assert.ok(zombie.health < 20 || zombie.removed)
})

test('a suspended stack is picked up, and merges with another', () => {
  const world = new World({ seed: 1 })
  const stack = lying(world)
  world.spawnItem(world.stacks.make('dirt', 5), { x: 4.6, y: -60, z: 4.5 })
  pass(world, 100)
  assert.equal(world.loose.size, 1)
  assert.equal(/** @type {any} */ ([...world.loose][0]).item.count, 8)
  const player = world.addPlayer('Gizmo')
  player.teleport({ x: 4.5, y: -60, z: 4.5 })
  pass(world, 3)
  assert.equal(player.count('dirt'), 8)
  assert.equal(world.loose.size, 0)
  assert.ok(stack.removed || !world.entities.has(stack.id))
})

test('a floating mob is suspended with nobody near, a drowning one is not', () => {
  const { world, at } = place(80)
  for (let dx = -3; dx <= 3; dx++) {
    for (let dz = -3; dz <= 3; dz++) {
      for (let up = 0; up < 5; up++) {
        world.setBlock(Math.floor(at.x) + dx, HIGH + up, Math.floor(at.z) + dz,
          world.data.stateId(Math.max(Math.abs(dx), Math.abs(dz)) === 3 ? 'glass' : 'water'))
      }
    }
  }
  const cow = mob(world, 'cow', { ...at, y: HIGH + 4 })
  pass(world, 100)
  assert.ok(lived(world, cow, 200) <= 60)
  assert.ok(Math.abs(cow.y - HIGH - 4.5) < 1.5, `it floats at ${cow.y - HIGH}`)
  world.setBlock(Math.floor(at.x), HIGH + 5, Math.floor(at.z), world.data.stateId('stone'))
  const drowned = mob(world, 'pig', at)
  drowned.air = 20
  world.tick()
  assert.equal(drowned.isIdle, false)
})
