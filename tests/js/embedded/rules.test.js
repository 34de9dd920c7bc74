'use strict'
/** Rules of the world as clients meet them: what is shown of shields, totems, frost and swimming, over the wire. */
const { test, before, after } = require('node:test')
const assert = require('node:assert/strict')
const { startBench, until } = require('./support')

/** @type {any} */
let bench
/** @type {any} */
let gizmo
/** @type {any} */
let glitch
/**
 * Packets that Gizmo's and Glitch's clients got, by name.
 * @type {{ gizmo: Record<string, any[]>, glitch: Record<string, any[]> }}
 */
const got = { gizmo: {}, glitch: {} }

before(async () => {
  bench = await startBench({ players: ['Gizmo', 'Glitch'] })
  ;[gizmo, glitch] = await Promise.all([bench.join('Gizmo'), bench.join('Glitch')])
  for (const [who, bot] of /** @type {[keyof typeof got, any][]} */ ([['gizmo', gizmo], ['glitch', glitch]])) {
    bot._client.on(
      'packet', (/** @type {any} */ data, /** @type {any} */ { name }) => { (got[who][name] ??= []).push(data) }
    )
  }
  bench.run('tp Gizmo 0.5 -60 0.5 0 0')
  bench.run('tp Glitch 0.5 -60 2.5 180 0')
  await until(
    () => Math.abs(gizmo.entity.position.z - 0.5) < 0.01 && Math.abs(glitch.entity.position.z - 2.5) < 0.01,
    'both in their places'
  )
})

after(() => bench.close())

/** @param {keyof typeof got} who @param {number} status @param {any} about */
const status = (who, status, about) =>
  (got[who].entity_status ?? []).some((packet) => packet.entityStatus === status && packet.entityId === about.id)

/**
 * @param {keyof typeof got} who
 * @param {any} about
 * @param {number} key
 * @returns {any} the last value of that part of the metadata
 */
const metadata = (who, about, key) => (got[who].entity_metadata ?? []).filter(({ entityId }) => entityId === about.id)
  .flatMap((packet) => packet.metadata)
  .filter((entry) => entry.key === key)
  .at(-1)?.value

const HAND_STATES = 8
const FROZEN = 7

test('a shield is seen raised, hit and disabled, and its client is told how long', async () => {
  const [player, other] = ['Gizmo', 'Glitch'].map((name) => bench.world.players.get(name))
  player.store.set(45, bench.world.stacks.make('shield'))
  await until(() => gizmo.inventory.slots[45]?.name === 'shield', 'the shield')
  gizmo.activateItem(true)
  await until(() => metadata('glitch', player, HAND_STATES) === 3, 'the raised shield')
  await until(() => player.using.now?.ticks >= 5, 'a shield that is up')
  other.store.set(36, bench.world.stacks.make('iron_axe'))
  other.holdSlot(0)
  glitch.attack(glitch.players.Gizmo.entity)
  await until(() => status('glitch', 30, player) && status('gizmo', 29, player), 'the blow on the shield')
  const { itemID, cooldownTicks } = await until(() => got.gizmo.set_cooldown?.[0], 'the cooldown')
  assert.deepEqual([itemID, cooldownTicks], [gizmo.registry.itemsByName.shield.id, 100])
  assert.equal(player.health, 20)
  await until(() => metadata('glitch', player, HAND_STATES) === 0, 'the lowered shield')
})

test('a totem is seen to save', async () => {
  const player = bench.world.players.get('Gizmo')
  player.store.set(45, bench.world.stacks.make('totem_of_undying'))
  bench.run('damage Gizmo 100')
  await until(() => status('gizmo', 35, player) && status('glitch', 35, player), 'the totem')
  await until(() => gizmo.health === 1, 'one point of health')
  assert.equal(gizmo.inventory.slots[45], null)
})

test('a client is told how cold its player is', async () => {
  const player = bench.world.players.get('Gizmo')
  player.frozenTicks = 0
  bench.run('setblock 0 -60 0 powder_snow')
  await until(() => metadata('gizmo', player, FROZEN) >= 10, 'cold')
  bench.run('setblock 0 -60 0 air')
  await until(() => metadata('gizmo', player, FROZEN) === 0, 'warmth')
})


test('a client sees what lies on a campfire', async () => {
  const player = bench.world.players.get('Gizmo')
  bench.run('setblock 2 -60 0 campfire')
  player.store.set(36, bench.world.stacks.make('beef'))
  player.holdSlot(0)
  await until(() => gizmo.blockAt(gizmo.entity.position.offset(2, 0, 0))?.name === 'campfire', 'the campfire')
  assert.ok(player.place({ pos: { x: 2, y: -60, z: 0 }, face: 1 }).ok)
  const { nbtData } = await until(() => got.glitch.tile_entity_data?.at(-1), 'the beef on the fire')
  assert.equal(nbtData.value.Items.value.value[0].id.value, 'minecraft:beef')
})
