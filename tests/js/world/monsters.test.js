'use strict'
/** Monsters, explosions, villagers, falling blocks and liquids, with vanilla's numbers. */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { makeWorld, must, ticks, census, hold } = require('./helpers')

/** @param {any} world @param {string} type */
const all = (world, type) => [...world.entities.values()].filter((e) => e.type === type)
/** @param {any} world @param {number} [x] */
const name = (world, x = 0, y = 0, z = 0) => world.stateAt(x, y, z).name
const isMonster = (/** @type {any} */ e) => e.kind?.is === 'monster'

test('on flat land mobs spawn only after the game rule is set', () => {
  const world = makeWorld()
  must(world, 'time set midnight')
  must(world, 'gamerule doDaylightCycle false')
  ticks(world, 400)
  assert.equal([...world.entities.values()].filter(isMonster).length, 0)
  must(world, 'gamerule doMobSpawning true')
  ticks(world, 400)
  const monsters = /** @type {any[]} */ ([...world.entities.values()].filter(isMonster))
  assert.ok(monsters.length > 10 && monsters.length <= 81, `${monsters.length} monsters`)
  const gizmo = world.players.get('Gizmo')
  assert.ok(new Set(monsters.map((e) => e.type)).size >= 3)
  must(world, 'gamerule doMobSpawning false')
  const before = world.entities.size
  must(world, 'gamemode creative Gizmo')
  ticks(world, 100)
  assert.ok(world.entities.size <= before)
  assert.ok(gizmo)
})

test('monsters spawn beyond 24 blocks, in the dark, at night, and never on peaceful', () => {
  const world = makeWorld()
  must(world, 'gamemode creative Gizmo')
  must(world, 'gamerule doDaylightCycle false')
  must(world, 'gamerule doMobSpawning true')
  /** @type {any[]} */
  const came = []
  world.on('entityAdd', (/** @type {any} */ { entity }) => {
    if (isMonster(entity)) {
      came.push({ far: Math.hypot(entity.x - 0.5, entity.z - 0.5),
        lamp: world.light.block(Math.floor(entity.x), -60, Math.floor(entity.z)) })
    }
  })
  must(world, 'time set noon')
  ticks(world, 300)
  assert.equal(came.length, 0)
  must(world, 'difficulty peaceful')
  must(world, 'time set midnight')
  ticks(world, 300)
  assert.equal(came.length, 0)
  must(world, 'difficulty normal')
  for (let x = 26; x <= 80; x += 6) for (let z = -30; z <= 30; z += 6) must(world, `setblock ${x} -60 ${z} torch`)
  ticks(world, 400)
  assert.ok(came.length > 10)
  assert.ok(came.every(({ far }) => far >= 24 && far <= 129))
  assert.ok(came.every(({ lamp }) => lamp === 0))
})

test('the cap is 70 monsters for the 289 chunks around a player; those beyond 128 blocks vanish', () => {
  const world = makeWorld()
  must(world, 'gamemode creative Gizmo')
  must(world, 'gamerule doDaylightCycle false')
  must(world, 'gamerule doMobSpawning true')
  must(world, 'time set midnight')
  ticks(world, 3000)
  const count = [...world.entities.values()].filter(isMonster).length
  // The last attempt may bring three groups of four.
  assert.ok(count >= 50 && count <= 81, `${count} monsters`)
  must(world, 'gamerule doMobSpawning false')
  world.players.get('Gizmo').place3d({ x: 2000.5, y: -60, z: 0.5 })
  ticks(world, 40)
  assert.equal([...world.entities.values()].filter(isMonster).length, 0)
})

test('summoned mobs do not despawn', () => {
  const world = makeWorld()
  must(world, 'summon zombie 300 -60 300')
  must(world, 'time set midnight')
  ticks(world, 200)
  assert.equal(all(world, 'zombie').length, 1)
})

test('zombies burn under the open sky by day, not under a roof and not by night; husks never', () => {
  const world = makeWorld()
  must(world, 'gamemode creative Gizmo')
  must(world, 'time set noon')
  must(world, 'fill 20 -57 20 24 -57 24 stone')
  for (const [type, at] of [['zombie', '10 -60 10'], ['husk', '12 -60 10'], ['skeleton', '14 -60 10'],
    ['zombie', '22 -60 22']]) {
    must(world, `summon ${type} ${at} {NoAI:1b}`)
  }
  ticks(world, 150)
  const health = [...world.entities.values()].filter(isMonster).map((/** @type {any} */ e) => [e.type, e.health < 20])
  assert.deepEqual(health, [['zombie', true], ['husk', false], ['skeleton', true], ['zombie', false]])
})

test('a zombie finds a path around a wall', () => {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  must(world, 'time set midnight')
  must(world, 'summon zombie 0.5 -60 5.5')
  const [zombie] = all(world, 'zombie')
  ticks(world, 1)
  assert.equal(zombie.target, gizmo)
  must(world, 'fill -2 -60 4 2 -57 4 stone')
  must(world, 'fill -2 -60 4 -2 -57 6 stone')
  must(world, 'fill 2 -60 4 2 -57 6 stone')
  ticks(world, 400)
  assert.ok(gizmo.health < 20, 'it came out of its corner and struck')
})

/** Return a zombie and a player with a wall between them. */
function apart () {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  must(world, 'time set midnight')
  must(world, 'fill -3 -60 3 3 -56 3 stone')
  must(world, 'summon zombie 0.5 -60 6.5')
  const [zombie] = all(world, 'zombie')
  return { world, gizmo, zombie }
}

test('a monster pursues only players that it has seen, and gives up three seconds after losing sight', () => {
  const { world, gizmo, zombie } = apart()
  ticks(world, 40)
  assert.equal(zombie.target, null)
  must(world, 'fill -3 -60 3 3 -56 3 air')
  ticks(world, 11)
  assert.equal(zombie.target, gizmo)
  must(world, 'tp @e[type=zombie] 0.5 -60 6.5')
  must(world, 'fill -3 -60 3 3 -56 9 stone hollow')
  ticks(world, 50)
  assert.equal(zombie.target, gizmo)
  ticks(world, 30)
  assert.equal(zombie.target, null)
})

test('a monster pursues an unseen attacker', () => {
  const { world, gizmo, zombie } = apart()
  ticks(world, 20)
  zombie.hurt(1, { type: 'player', attacker: gizmo })
  ticks(world, 11)
  assert.equal(zombie.target, gizmo)
})

for (const [difficulty, damage] of /** @type {[string, number][]} */ ([['easy', 2.5], ['normal', 3], ['hard', 4.5]])) {
  test(`a zombie's blow takes ${damage} on ${difficulty}`, () => {
    const world = makeWorld()
    world.difficulty = difficulty
    must(world, 'time set midnight')
    must(world, 'gamerule naturalRegeneration false')
    must(world, 'summon zombie 0.5 -60 1.6')
    ticks(world, 3)
    assert.equal(world.players.get('Gizmo').health, 20 - damage)
  })
}

test('a skeleton shoots players in sight, not through a wall', () => {
  const world = makeWorld()
  must(world, 'time set midnight')
  must(world, 'fill -9 -60 3 9 -54 3 stone')
  must(world, 'summon skeleton 0.5 -60 8.5')
  const [skeleton] = all(world, 'skeleton')
  ticks(world, 3)
  assert.equal(all(world, 'arrow').length, 0)
  must(world, 'fill -9 -60 3 9 -54 3 air')
  skeleton.cooldown = 0
  // A zombie looks around every tenth tick.
  ticks(world, 11)
  assert.equal(all(world, 'arrow').length, 1)
})

test('a creeper swells 30 ticks within three blocks, hurts by distance, breaks blocks where mobs may', () => {
  for (const griefing of [true, false]) {
    const world = makeWorld()
    const gizmo = world.players.get('Gizmo')
    must(world, `gamerule mobGriefing ${griefing}`)
    must(world, 'time set midnight')
    must(world, 'summon creeper 0.5 -60 3')
    ticks(world, 29)
    assert.equal(all(world, 'creeper').length, 1)
    ticks(world, 3)
    assert.equal(all(world, 'creeper').length, 0)
    assert.ok(gizmo.health < 10 || gizmo.dead, `health ${gizmo.health}`)
    assert.equal(name(world, 0, -61, 3), griefing ? 'air' : 'grass_block')
  }
})

test('a creeper that loses sight of its prey beyond seven blocks calms down', () => {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  must(world, 'summon creeper 0.5 -60 3')
  const [creeper] = all(world, 'creeper')
  ticks(world, 20)
  assert.equal(creeper.swells, true)
  gizmo.place3d({ x: 0.5, y: -60, z: -12.5 })
  ticks(world, 20)
  assert.deepEqual([creeper.swells, creeper.swelling, gizmo.health], [false, 0, 20])
})

test('TNT lit by flint and steel goes off after 80 ticks with power 4, and lights other TNT', () => {
  const world = makeWorld({ players: { Gizmo: { x: 0.5, z: 0.5 } } })
  const gizmo = world.players.get('Gizmo')
  must(world, 'setblock 3 -60 0 tnt')
  must(world, 'setblock 5 -60 0 tnt')
  must(world, 'setblock 3 -60 2 obsidian')
  hold(world, gizmo, 'flint_and_steel')
  assert.equal(gizmo.place({ pos: { x: 3, y: -60, z: 0 }, face: 1 }).ok, true)
  gizmo.place3d({ x: 60.5, y: -60, z: 0.5 })
  ticks(world, 79)
  assert.equal(all(world, 'tnt').length, 1)
  assert.equal(name(world, 3, -61, 0), 'grass_block')
  ticks(world, 1)
  assert.deepEqual([name(world, 3, -61, 0), name(world, 3, -60, 2), name(world, 5, -60, 0)], ['air', 'obsidian', 'air'])
  const [second] = all(world, 'tnt')
  assert.ok(second.fuse >= 10 && second.fuse <= 30)
  assert.ok(census(world, 'dirt') >= 1, 'TNT lets all blocks drop')
  assert.equal(world.stateAt(3, -64, 0).name, 'bedrock')
})

test('an explosion\'s harm follows vanilla\'s formula, and a wall keeps it off', () => {
  const world = makeWorld()
  must(world, 'difficulty hard')
  must(world, 'difficulty normal')
  must(world, 'summon iron_golem 3.5 -60 0.5 {NoAI:1b}')
  must(world, 'summon iron_golem -2.5 -60 0.5 {NoAI:1b}')
  const [open, hidden] = all(world, 'iron_golem')
  must(world, 'fill -2 -60 -5 -2 -54 5 obsidian')
  must(world, 'fill -5 -57 -5 -2 -57 5 obsidian')
  world.players.get('Gizmo').place3d({ x: 50.5, y: -60, z: 0.5 })
  world.explosions.explode({ x: 0.5, y: -59, z: 0.5 }, 4, { blocks: false, decay: false })
  const impact = 1 - Math.hypot(3, -1) / 8
  assert.equal(100 - open.health, Math.floor((impact * impact + impact) / 2 * 7 * 8 + 1))
  assert.equal(hidden.health >= 99, true)
})

test('villagers go to work, to the bell and to bed by vanilla\'s schedule', () => {
  const world = makeWorld()
  must(world, 'gamerule doDaylightCycle false')
  must(world, 'setblock 12 -60 0 composter')
  must(world, 'setblock 0 -60 14 bell')
  must(world, 'setblock -14 -60 0 red_bed[part=foot,facing=west]')
  must(world, 'setblock -15 -60 0 red_bed[part=head,facing=west]')
  must(world, 'summon villager 0.5 -60 0.5')
  const [villager] = all(world, 'villager')
  for (const [time, x, z, within] of /** @type {[number, number, number, number][]} */ ([[3000, 12.5, 0.5, 6],
    [9500, 0.5, 14.5, 8], [13000, -14.5, 0.5, 4]])) {
    must(world, `time set ${time}`)
    ticks(world, 700)
    assert.ok(Math.hypot(villager.x - x, villager.z - z) < within,
      `at ${time} it is at ${villager.x.toFixed(1)}, ${villager.z.toFixed(1)}`)
  }
})

test('two villagers do not share a bed', () => {
  const world = makeWorld()
  must(world, 'time set 13000')
  for (const z of [0, 6]) {
    must(world, `setblock 10 -60 ${z} red_bed[part=foot,facing=east]`)
    must(world, `setblock 11 -60 ${z} red_bed[part=head,facing=east]`)
  }
  for (const z of [0, 1]) must(world, `summon villager 5.5 -60 ${z}.5`)
  ticks(world, 5)
  const beds = all(world, 'villager').map((/** @type {any} */ each) => each.places.rest?.z)
  assert.deepEqual(beds.sort(), [0, 6])
})

test('sand falls as an entity, breaks on a torch, and concrete powder sets in water', () => {
  const world = makeWorld()
  must(world, 'setblock 5 -50 5 gravel')
  ticks(world, 4)
  assert.equal(all(world, 'falling_block').length, 1)
  ticks(world, 30)
  assert.deepEqual([all(world, 'falling_block').length, name(world, 5, -60, 5)], [0, 'gravel'])
  must(world, 'setblock 8 -60 8 torch')
  must(world, 'setblock 8 -58 8 sand')
  ticks(world, 30)
  assert.deepEqual([name(world, 8, -60, 8), census(world, 'sand')], ['torch', 1])
  must(world, 'setblock 12 -61 12 water')
  must(world, 'setblock 12 -58 12 red_concrete_powder')
  ticks(world, 30)
  assert.equal(name(world, 12, -61, 12), 'red_concrete')
})

test('water runs to the nearest hole within five blocks and nowhere else', () => {
  const world = makeWorld()
  must(world, 'setblock 13 -61 10 air')
  must(world, 'setblock 10 -60 10 water')
  ticks(world, 100)
  assert.deepEqual([name(world, 12, -60, 10), name(world, 13, -61, 10)], ['water', 'water'])
  assert.deepEqual([name(world, 9, -60, 10), name(world, 10, -60, 9), name(world, 10, -60, 11)], ['air', 'air', 'air'])
})
