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
const meta = (entity, key) => entity.metadata[bench.world.registry.entitiesByName[entity.name].metadataKeys.indexOf(key)]

test('a client sees every kind, with its size, and loses sight of it', async () => {
  const { entitiesArray } = bench.world.registry
  const kinds = entitiesArray.map((/** @type {any} */ info) => info.name).filter((/** @type {string} */ name) => !['player', 'fishing_bobber', 'marker', 'item', 'experience_orb'].includes(name))
  for (const name of kinds) {
    // High up and weightless, so that nothing breaks or is far away by the time that it is seen.
    bench.run(`summon ${name} 3.5 40 3.5 {NoGravity:1b,NoAI:1b,Invulnerable:1b,fuse:400s,Duration:400}`)
    await until(() => seen(name), name)
    bench.run(`kill @e[type=${name}]`)
  }
  // Loot may lie about.
  await until(() => Object.values(gizmo.entities).every((entity) => /^(player|item|experience_orb)$/.test(/** @type {any} */ (entity).name)), 'the end of all')
  assert.deepEqual(bench.log.filter((/** @type {string} */ line) => /error/i.test(line)), [])
  assert.deepEqual(bench.botErrors, [])
})

test('displays, carts and interactions carry what was said of them; a marker is seen by nobody', async () => {
  bench.run('summon marker 2 -60 2')
  bench.run('summon text_display 2 -59 2 {text:\'{"text":"Bank"}\',billboard:"center",see_through:1b,background:255}')
  bench.run('summon block_display 3 -59 2 {block_state:{Name:"minecraft:diamond_block"},transformation:{translation:[1f,2f,3f],scale:[2f,2f,2f],left_rotation:[0f,0f,0f,1f],right_rotation:[0f,0f,0f,1f]}}')
  bench.run('summon item_display 4 -59 2 {item:{id:"minecraft:emerald",Count:1b},item_display:"ground"}')
  bench.run('summon interaction 5 -60 2 {width:2f,height:3f,response:1b}')
  bench.run('summon painting 6 -59 2 {variant:"minecraft:pool",facing:2b}')
  bench.run('summon pig 7 -60 2 {Glowing:1b,CustomName:\'"Bacon"\',CustomNameVisible:1b,Silent:1b,NoAI:1b}')
  for (const name of ['text_display', 'block_display', 'item_display', 'interaction', 'painting', 'pig']) await until(() => seen(name)?.metadata?.length > 0, name)
  assert.equal(seen('marker'), undefined)
  assert.match(JSON.stringify(meta(seen('text_display'), 'text')), /Bank/)
  assert.equal(meta(seen('text_display'), 'billboard_render_constraints'), 3)
  assert.equal(meta(seen('text_display'), 'style_flags'), 2)
  assert.equal(meta(seen('block_display'), 'block_state'), bench.world.data.stateId('diamond_block'))
  assert.deepEqual({ ...meta(seen('block_display'), 'translation') }, { x: 1, y: 2, z: 3 })
  assert.equal(meta(seen('item_display'), 'item_stack').itemId, bench.world.registry.itemsByName.emerald.id)
  assert.deepEqual([meta(seen('interaction'), 'width'), meta(seen('interaction'), 'height'), meta(seen('interaction'), 'response')], [2, 3, true])
  assert.equal(meta(seen('painting'), 'painting_variant'), 7)
  assert.equal(meta(seen('pig'), 'shared_flags') & 0x40, 0x40)
  assert.equal(meta(seen('pig'), 'custom_name_visible'), true)
  bench.run('data merge entity @e[type=text_display,limit=1] {text:\'"Shop"\'}')
  await until(() => /Shop/.test(JSON.stringify(meta(seen('text_display'), 'text'))), 'the new text')
})
