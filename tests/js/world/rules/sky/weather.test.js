'use strict'
/** Rain, thunder and phantoms by vanilla's numbers (minecraft.wiki, 1.20.4). */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { makeWorld, must, ticks, record, hold } = require('../../helpers')

/** Return the lengths of the weather's periods in ticks, in order. @param {any} world @param {number} n */
function stretches (world, n) {
  /** @type {[string, number][]} */
  const found = []
  for (let i = 0; i < n; i++) {
    world.sky.tick()
    world.age++
    if (found.at(-1)?.[0] === world.weather) /** @type {any} */ (found.at(-1))[1]++
    else found.push([world.weather, 1])
  }
  return found
}

test('rain and thunder come and go within vanilla\'s bounds, the same for the same seed; never with the rule off',
  () => {
  const one = stretches(makeWorld({ seed: 3 }), 1_500_000)
  assert.deepEqual(one, stretches(makeWorld({ seed: 3 }), 1_500_000))
  assert.ok(one.length > 8)
  assert.equal(one[0][0], 'clear')
  assert.ok(one[0][1] >= 12000, 'the first day is clear')
  const wet = one.slice(1, -1)
  for (const [kind, long] of wet) if (kind === 'thunder') assert.ok(long <= 15600 + 1, `${kind} ${long}`)
  assert.ok(wet.some(([kind]) => kind === 'rain'))
  const still = makeWorld({ seed: 3 })
  must(still, 'gamerule doWeatherCycle false')
  assert.deepEqual(stretches(still, 300_000), [['clear', 300_000]])
  must(still, 'weather rain 10')
  assert.deepEqual(stretches(still, 50_000), [['rain', 50_000]])
})

test('a weather command lasts its time, and each change emits an event', () => {
  const world = makeWorld()
  const told = record(world, 'weather')
  must(world, 'weather thunder 100')
  ticks(world, 99)
  assert.equal(world.weather, 'thunder')
  ticks(world, 2)
  assert.equal(world.weather, 'clear')
  assert.deepEqual(told.map(({ weather }) => weather), ['thunder', 'clear'])
})

/** Return a flat world in a biome, in the rain. @param {string} biome */
function rainy (biome = 'plains') {
  const world = makeWorld()
  const id = world.registry.biomesByName[biome].id
  world.terrain.biome = () => id
  must(world, 'weather rain 1000000')
  must(world, 'gamerule randomTickSpeed 600')
  return world
}

test('rain fills cauldrons, snow fills them with powder snow, a roof and a desert keep them empty', () => {
  for (const [biome, name] of [['plains', 'water_cauldron'], ['snowy_plains', 'powder_snow_cauldron'],
    ['desert', 'cauldron']]) {
    const world = rainy(biome)
    must(world, 'fill 3 -60 3 12 -60 12 cauldron')
    must(world, 'fill 20 -60 3 24 -60 8 cauldron')
    must(world, 'fill 20 -55 3 24 -55 8 stone')
    ticks(world, 400)
    const names = new Set()
    for (let x = 3; x <= 12; x++) for (let z = 3; z <= 12; z++) names.add(world.stateAt(x, -60, z).name)
    assert.ok(names.has(name), `${biome}: ${[...names]}`)
    for (let x = 20; x <= 24; x++) for (let z = 3; z <= 8; z++) assert.equal(world.stateAt(x, -60, z).name, 'cauldron')
  }
})

test('snow lies in the cold, in as many layers as the rule allows; water freezes; in the warm neither', () => {
  const world = rainy('snowy_plains')
  must(world, 'gamerule snowAccumulationHeight 3')
  must(world, 'fill -20 -61 -20 -10 -61 -10 water')
  ticks(world, 600)
  const layers = []
  let ice = 0
  for (let x = -20; x < 20; x++) {
    for (let z = -20; z < 20; z++) {
      const state = world.stateAt(x, -60, z)
      if (state.name === 'snow') layers.push(Number(state.props.layers))
      if (world.stateAt(x, -61, z).name === 'ice') ice++
    }
  }
  assert.ok(layers.length > 100 && Math.max(...layers) > 1 && Math.max(...layers) <= 3)
  assert.ok(ice > 3)
  const warm = rainy('plains')
  ticks(warm, 100)
  for (let x = -20; x < 20; x++) assert.equal(warm.stateAt(x, -60, 5).name, 'air')
})

test('rain puts fires and burning bodies out, under a roof it does not; netherrack burns on', () => {
  const world = rainy()
  must(world, 'gamerule randomTickSpeed 0')
  for (const [x, below] of [[5, 'stone'], [8, 'netherrack'], [11, 'stone']]) {
    must(world, `setblock ${x} -61 5 ${below}`)
    must(world, `setblock ${x} -60 5 fire`)
  }
  must(world, 'fill 10 -57 4 12 -57 6 stone')
  must(world, 'summon cow 0.5 -60 6.5 {NoAI:1b}')
  const cow = [...world.entities.values()].find(({ type }) => type === 'cow')
  cow.fireTicks = 200
  ticks(world, 400)
  assert.deepEqual([5, 8, 11].map((x) => world.stateAt(x, -60, 5).name), ['air', 'fire', 'fire'])
  assert.ok(cow.fireTicks === 0 && cow.health > 5)
})

test('rain wets farmland and hurts endermen; in the desert it does neither', () => {
  for (const [biome, wet] of /** @type {[string, boolean][]} */ ([['plains', true], ['desert', false]])) {
    const world = rainy(biome)
    must(world, 'fill 3 -61 3 9 -61 9 farmland')
    must(world, 'fill 3 -60 3 9 -60 9 wheat')
    must(world, 'summon enderman 0.5 -60 6.5 {NoAI:1b}')
    const enderman = [...world.entities.values()].find(({ type }) => type === 'enderman')
    ticks(world, 60)
    let moist = 0
    for (let x = 3; x <= 9; x++) {
      for (let z = 3; z <= 9; z++) if (world.stateAt(x, -61, z).props.moisture === '7') moist++
    }
    assert.equal(moist > 0, wet, `${biome}: ${moist}`)
    assert.equal(enderman.health < 40, wet)
  }
})

test('lightning hurts, burns, sets fire, turns pigs and villagers, and powers a rod that draws it', () => {
  const world = makeWorld()
  must(world, 'summon pig 6.5 -60 6.5 {NoAI:1b}')
  must(world, 'summon cow 7.5 -60 6.5 {NoAI:1b}')
  must(world, 'summon lightning_bolt 6.5 -60 6.5')
  ticks(world, 3)
  const kinds = [...world.entities.values()].map(({ type }) => type)
  assert.ok(kinds.includes('zombified_piglin') && !kinds.includes('pig') && !kinds.includes('lightning_bolt'))
  const cow = [...world.entities.values()].find(({ type }) => type === 'cow')
  assert.ok(cow.health <= 5 && cow.fireTicks > 100)
  assert.equal(world.stateAt(6, -60, 6).name, 'fire')
  must(world, 'setblock 30 -60 30 lightning_rod')
  must(world, 'setblock 31 -60 30 redstone_wire')
  must(world, 'weather thunder')
  world.precipitation.strike(4, 4)
  ticks(world, 2)
  assert.equal(world.stateAt(30, -60, 30).props.powered, 'true')
  assert.equal(world.stateAt(31, -60, 30).props.power, '15')
  ticks(world, 10)
  assert.equal(world.stateAt(30, -60, 30).props.powered, 'false')
})

test('in a storm bolts come by themselves, one in 100,000 ticks of a chunk; in rain none', () => {
  const world = makeWorld()
  must(world, 'weather thunder 1000000')
  let bolts = 0
  world.on('entityAdd', (/** @type {any} */ { entity }) => { if (entity.type === 'lightning_bolt') bolts++ })
  for (let i = 0; i < 20000; i++) {
    world.age++
    world.precipitation.tick()
  }
  assert.ok(bolts > 30 && bolts < 90, `${bolts} bolts, 58 expected`)
  must(world, 'weather rain 1000000')
  const before = bolts
  for (let i = 0; i < 5000; i++) {
    world.age++
    world.precipitation.tick()
  }
  assert.equal(bolts, before)
})

/** Return a night in which a player has not slept for some days. @param {number} days @param {string[]} [rules] */
function sleepless (days, rules = []) {
  const world = makeWorld()
  for (const rule of ['gamerule doMobSpawning true', 'gamerule doDaylightCycle false', 'time set midnight',
    'difficulty hard', ...rules]) {
    must(world, rule)
  }
  world.spawning.tick = () => {}
  const player = world.players.get('Gizmo')
  world.stats.add(player, 'custom', 'time_since_rest', days * 24000)
  return { world, player, phantoms: () => [...world.entities.values()].filter(({ type }) => type === 'phantom').length }
}

test('phantoms come to players under the open sky after three days without sleep, if doInsomnia is on', () => {
  const seen = (/** @type {number} */ days, /** @type {string[]} */ rules = []) => {
    const { world, player, phantoms } = sleepless(days, rules)
    player.hurt = () => false
    let most = 0
    for (let i = 0; i < 12000; i++) {
      world.tick()
      most = Math.max(most, phantoms())
      if (most > 0) break
    }
    return most
  }
  assert.ok(seen(30) > 0)
  assert.equal(seen(0.5), 0)
  assert.equal(seen(30, ['gamerule doInsomnia false']), 0)
  assert.equal(seen(30, ['fill -3 -55 -3 3 -55 3 stone']), 0)
  assert.equal(seen(30, ['time set noon']), 0)
})

test('time without rest is counted, shown by a score, and ends in bed and by death', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  must(world, 'scoreboard objectives add awake minecraft.custom:minecraft.time_since_rest')
  ticks(world, 100)
  assert.equal(world.phantoms.awake(player), 100)
  assert.match(must(world, 'scoreboard players get Gizmo awake'), /100/)
  must(world, 'time set midnight')
  must(world, 'setblock 1 -60 1 red_bed[part=head,facing=south]')
  must(world, 'setblock 1 -60 0 red_bed[part=foot,facing=south]')
  player.place({ pos: { x: 1, y: -60, z: 1 }, face: 1 })
  assert.ok(player.sleeping)
  assert.equal(world.phantoms.awake(player), 0)
  must(world, 'time set day')
  ticks(world, 40)
  assert.ok(world.phantoms.awake(player) > 0)
  must(world, 'kill Gizmo')
  assert.equal(world.phantoms.awake(player), 0)
})

test('a phantom circles, swoops, bites for 6 and rises; the sun burns it', () => {
  const world = makeWorld()
  must(world, 'gamerule doDaylightCycle false')
  must(world, 'time set midnight')
  must(world, 'summon phantom 0.5 -45 0.5')
  const phantom = [...world.entities.values()].find(({ type }) => type === 'phantom')
  const player = world.players.get('Gizmo')
  hold(world, player, 'stick')
  let [bites, highest] = [0, -60]
  world.on('entityStatus', (/** @type {any} */ { entity, status }) => {
    if (entity === player && status === 2) bites++
  })
  for (let i = 0; i < 1500 && bites === 0; i++) ticks(world, 1)
  assert.equal(bites, 1)
  assert.equal(player.health, 14)
  for (let i = 0; i < 120; i++) {
    ticks(world, 1)
    highest = Math.max(highest, phantom.y)
  }
  assert.ok(highest > -50, `${highest}`)
  must(world, 'time set noon')
  ticks(world, 60)
  assert.ok(phantom.removed || phantom.fireTicks > 0 || phantom.health < 20)
})

test('clear weather costs no work, and draws nothing', () => {
  const world = makeWorld()
  ticks(world, 50)
  assert.deepEqual([world.precipitation.chunks.length, world.precipitation.owed,
    world.random.streams.has('precipitation')], [0, 0, false])
})
