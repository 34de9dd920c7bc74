'use strict'
/** Clients see every kind of body that a command summons, as what it is. */
const { test, before, after } = require('node:test')
const assert = require('node:assert/strict')
const { startBench, until } = require('./support')

/** @type {any} */
let bench
/** @type {any} */
let gizmo

before(async () => {
  bench = await startBench({ players: ['Gizmo'] })
  gizmo = await bench.join('Gizmo')
})

after(() => bench.close())

/** @param {string} name @returns {any} the entity in the client's sight */
const seen = (name) => Object.values(gizmo.entities).find((entity) => /** @type {any} */ (entity).name === name)
/** @param {any} entity @param {string} key @returns {any} a field of its metadata */
const meta = (entity, key) =>
  entity.metadata[bench.world.registry.entitiesByName[entity.name].metadataKeys.indexOf(key)]

test('a client sees every kind, with its size, and loses sight of it', async () => {
  const { entitiesArray } = bench.world.registry
  const kinds = entitiesArray.map((/** @type {any} */ info) => info.name).filter((/** @type {string} */ name) =>
    !['player', 'fishing_bobber', 'marker', 'item', 'experience_orb'].includes(name))
  for (const name of kinds) {
    // High up and weightless, so that nothing breaks or is far away by the time that it is seen.
    bench.run(`summon ${name} 3.5 40 3.5 {NoGravity:1b,NoAI:1b,Invulnerable:1b,fuse:400s,Duration:400}`)
    await until(() => seen(name), name)
    bench.run(`kill @e[type=${name}]`)
  }
  // Loot may lie about.
  await until(() => Object.values(gizmo.entities)
    .every((entity) => /^(player|item|experience_orb)$/.test(/** @type {any} */ (entity).name)), 'the end of all')
  assert.deepEqual(bench.log.filter((/** @type {string} */ line) => /error/i.test(line)), [])
  assert.deepEqual(bench.botErrors, [])
})

test('displays, carts and interactions carry what was said of them; a marker is seen by nobody', async () => {
  bench.run('summon marker 2 -60 2')
  bench.run('summon text_display 2 -59 2 {text:\'{"text":"Bank"}\',billboard:"center",see_through:1b,background:255}')
  bench.run('summon block_display 3 -59 2 ' +
    '{block_state:{Name:"minecraft:diamond_block"},transformation:{translation:[1f,2f,3f],scale:[2f,2f,2f],' +
    'left_rotation:[0f,0f,0f,1f],right_rotation:[0f,0f,0f,1f]}}')
  bench.run('summon item_display 4 -59 2 {item:{id:"minecraft:emerald",Count:1b},item_display:"ground"}')
  bench.run('summon interaction 5 -60 2 {width:2f,height:3f,response:1b}')
  bench.run('summon painting 6 -59 2 {variant:"minecraft:pool",facing:2b}')
  bench.run('summon pig 7 -60 2 {Glowing:1b,CustomName:\'"Bacon"\',CustomNameVisible:1b,Silent:1b,NoAI:1b}')
  for (const name of ['text_display', 'block_display', 'item_display', 'interaction', 'painting', 'pig']) {
    await until(() => seen(name)?.metadata?.length > 0, name)
  }
  assert.equal(seen('marker'), undefined)
  assert.match(JSON.stringify(meta(seen('text_display'), 'text')), /Bank/)
  assert.equal(meta(seen('text_display'), 'billboard_render_constraints'), 3)
  assert.equal(meta(seen('text_display'), 'style_flags'), 2)
  assert.equal(meta(seen('block_display'), 'block_state'), bench.world.data.stateId('diamond_block'))
  assert.deepEqual({ ...meta(seen('block_display'), 'translation') }, { x: 1, y: 2, z: 3 })
  assert.equal(meta(seen('item_display'), 'item_stack').itemId, bench.world.registry.itemsByName.emerald.id)
  assert.deepEqual(
    [meta(seen('interaction'), 'width'), meta(seen('interaction'), 'height'), meta(seen('interaction'), 'response')],
    [2, 3, true]
  )
  assert.equal(meta(seen('painting'), 'painting_variant'), 7)
  assert.equal(meta(seen('pig'), 'shared_flags') & 0x40, 0x40)
  assert.equal(meta(seen('pig'), 'custom_name_visible'), true)
  bench.run('data merge entity @e[type=text_display,limit=1] {text:\'"Shop"\'}')
  await until(() => /Shop/.test(JSON.stringify(meta(seen('text_display'), 'text'))), 'the new text')
})

test('clients are told of changed biomes and of the pace of time', async () => {
  const { Vec3 } = require('vec3')
  const at = new Vec3(2, -60, 2)
  const biome = () => gizmo.world.getBiome(at)
  await until(() => gizmo.blockAt(at), 'the land')
  assert.equal(biome(), bench.world.registry.biomesByName.plains.id)
  bench.run('fillbiome 0 -64 0 15 -57 15 desert')
  await until(() => biome() === bench.world.registry.biomesByName.desert.id, 'the desert')
  /** @type {any[]} */
  const paces = []
  gizmo._client.on('set_ticking_state', (/** @type {any} */ pace) => paces.push(pace))
  gizmo._client.on('step_tick', (/** @type {any} */ step) => paces.push(step))
  for (const text of ['tick rate 40', 'tick freeze', 'tick step 3']) bench.run(text)
  await until(() => paces.length === 4, 'the packets')
  await until(() => bench.world.steps === 0, 'the steps')
  for (const text of ['tick unfreeze', 'tick rate 20']) bench.run(text)
  assert.deepEqual(paces.slice(0, 4), [
    { tick_rate: 40, is_frozen: false }, { tick_rate: 40, is_frozen: true }, { tick_rate: 40, is_frozen: true },
    { tick_steps: 3 }
  ])
})
