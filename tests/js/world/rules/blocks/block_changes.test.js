'use strict'
/**
 * Blocks that act by themselves or in a hand: ice, sponges, lava, portals, stands (minecraft.wiki, each block's page,
 * 1.20.4).
 */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { makeWorld, must, ticks, hold } = require('../../helpers')
const { ORIGIN } = require('../../../../../engine/world/dimensions')
const { BREW_TICKS } = require('../../../../../engine/world/rules/brewing/stand')

/** @param {any} world */
const gizmo = (world) => world.players.get('Gizmo')
/** @param {any} world @param {number} x @param {number} y @param {number} z */
const name = (world, x, y, z) => world.stateAt(x, y, z).name
/**
 * @param {any} world
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} [face]
 * @param {object} [more]
 */
const click = (world, x, y, z, face = 1, more = {}) => gizmo(world).place({ pos: { x, y, z }, face, ...more })

// --- ice ---

/** Break the ice at (2, -60, 0) by hand. @param {any} world @param {number} [x] */
function breakIce (world, x = 2) {
  gizmo(world).startDig({ x, y: -60, z: 0 }, 1)
  ticks(world, 120)
  gizmo(world).finishDig({ x, y: -60, z: 0 })
  ticks(world, 2)
}

test('broken ice leaves water: over a block or a liquid, not to silk touch, creative hands or heat', () => {
  for (const [ice, prepare, left] of /** @type {[string, (world: any) => void, string][]} */ ([
    ['ice', () => {}, 'water'], ['frosted_ice', () => {}, 'water'], ['packed_ice', () => {}, 'air'],
    ['blue_ice', () => {}, 'air'],
    ['ice', (w) => must(w, 'setblock 2 -61 0 air'), 'air'], ['ice', (w) => must(w, 'setblock 2 -61 0 lava'), 'water'],
    ['ice', (w) => must(w, 'gamemode creative Gizmo'), 'air'],
    ['ice', (w) => {
      must(
        w,
        'item replace entity Gizmo weapon.mainhand with iron_pickaxe{Enchantments:[{id:silk_touch,lvl:1s}]}')
    }, 'air']
  ])) {
    const world = makeWorld()
    must(world, `setblock 2 -60 0 ${ice}`)
    prepare(world)
    world.updates.paused = true
    breakIce(world)
    assert.equal(name(world, 2, -60, 0), left, ice)
  }
  const world = makeWorld()
  const x = ORIGIN.the_nether + 2
  gizmo(world).place3d({ x: x - 1.5, y: 40, z: 0.5 })
  for (let dx = -3; dx <= 3; dx++) {
    for (let y = 39; y <= 42; y++) world.setBlock(x + dx, y, 0, y === 39 ? world.data.stateId('stone') : 0)
  }
  world.setBlock(x, 40, 0, world.data.stateId('ice'))
  gizmo(world).startDig({ x, y: 40, z: 0 }, 1)
  ticks(world, 60)
  gizmo(world).finishDig({ x, y: 40, z: 0 })
  assert.equal(name(world, x, 40, 0), 'air', 'in the Nether it is gone')
})

// --- sponges ---

test('a sponge absorbs at most 64 blocks of water within six blocks, waterlogged blocks and plants included', () => {
  const world = makeWorld()
  must(world, 'fill -8 -62 -8 8 -61 8 bedrock')
  must(world, 'fill -3 -61 -3 3 -61 3 water')
  must(world, 'setblock 1 -61 1 kelp')
  must(world, 'setblock -1 -61 1 oak_slab[waterlogged=true]')
  gizmo(world).place3d({ x: 5.5, y: -60, z: 0.5 })
  hold(world, gizmo(world), 'sponge', 2)
  assert.ok(click(world, 4, -61, 0, 1).ok)
  ticks(world, 2)
  assert.equal(name(world, 4, -60, 0), 'sponge', 'it does not touch the water')
  assert.ok(gizmo(world).place({ pos: { x: 4, y: -61, z: 0 }, face: 4, cursor: { x: 0, y: 0.5, z: 0.5 } }).ok)
  ticks(world, 1)
  assert.equal(name(world, 3, -61, 0), 'wet_sponge')
  const left = []
  for (let x = -3; x <= 3; x++) {
    for (let z = -3; z <= 3; z++) if (world.updates.levelAt(x, -61, z, 'water') >= 0) left.push([x, z])
  }
  assert.ok(left.every(([x, z]) => Math.abs(3 - x) + Math.abs(z) > 6), JSON.stringify(left))
  assert.equal(world.stateAt(-1, -61, 1).props.waterlogged, 'false')
})

test('a sponge drinks 64 blocks of a sea; a wet one dries in the Nether', () => {
  const world = makeWorld()
  must(world, 'fill -8 -62 -8 8 -58 8 water')
  world.setBlock(0, -60, 0, world.data.stateId('sponge'))
  ticks(world, 1)
  let dry = 0
  for (let x = -8; x <= 8; x++) {
    for (let y = -62; y <= -58; y++) for (let z = -8; z <= 8; z++) if (name(world, x, y, z) === 'air') dry++
  }
  assert.equal(dry, 64)
  assert.equal(name(world, 0, -60, 0), 'wet_sponge')
  const x = ORIGIN.the_nether + 2
  world.setBlock(x, 40, 0, world.data.stateId('wet_sponge'))
  ticks(world, 2)
  assert.equal(name(world, x, 40, 0), 'sponge')
})

// --- lava ---

test('lava over soul soil beside blue ice is basalt, without either it is not', () => {
  for (const [soil, ice, made] of [['soul_soil', 'blue_ice', 'basalt'], ['stone', 'blue_ice', 'lava'],
    ['soul_soil', 'packed_ice', 'lava'], ['soul_soil', 'water', 'obsidian']]) {
    const world = makeWorld()
    must(world, `setblock 0 -61 0 ${soil}`)
    must(world, `setblock 1 -60 0 ${ice}`)
    must(world, 'setblock 0 -60 0 lava')
    ticks(world, 31)
    assert.equal(name(world, 0, -60, 0), made, `${soil} ${ice}`)
  }
})

test('flowing lava makes basalt, again and again', () => {
  const world = makeWorld()
  must(world, 'setblock 1 -61 0 soul_soil')
  must(world, 'setblock 1 -60 1 blue_ice')
  must(world, 'setblock 0 -60 0 lava')
  ticks(world, 62)
  assert.equal(name(world, 1, -60, 0), 'basalt')
  must(world, 'setblock 1 -60 0 air')
  ticks(world, 62)
  assert.equal(name(world, 1, -60, 0), 'basalt')
})

// --- portals ---

/** Return a world with a portal of two blocks, and Gizmo outside it. */
function portal () {
  const world = makeWorld()
  must(world, 'fill 8 -60 0 11 -56 0 obsidian')
  must(world, 'fill 9 -59 0 10 -57 0 nether_portal')
  return world
}

test('a portal takes players that arrive by teleport, respawn, login, or by leaving spectator mode', () => {
  for (const [way, put] of /** @type {[string, (world: any, player: any) => any][]} */ ([
    ['tp', (world) => must(world, 'tp Gizmo 9.5 -59 0.5')],
    ['respawn', (world) => {
      must(world, 'spawnpoint Gizmo 9 -59 0')
      must(world, 'kill Gizmo')
      gizmo(world).respawn()
    }],
    ['login', (world, player) => {
      world.removePlayer(player)
      world.saved.byName.get('Gizmo').state.x = 9.5
      Object.assign(world.saved.byName.get('Gizmo').state, { y: -59, z: 0.5 })
      world.addPlayer('Gizmo')
    }],
    ['gamemode', (world) => {
      must(world, 'gamemode spectator Gizmo')
      must(world, 'tp Gizmo 9.5 -59 0.5')
      ticks(world, 100)
      must(world, 'gamemode survival Gizmo')
    }]
  ])) {
    const world = portal()
    put(world, gizmo(world))
    ticks(world, 79)
    assert.equal(gizmo(world).dimension, 'overworld', way)
    ticks(world, 2)
    assert.equal(gizmo(world).dimension, 'the_nether', way)
    ticks(world, 200)
    assert.equal(gizmo(world).dimension, 'the_nether', `${way}: it stays until it has left the portal`)
  }
})

test('a player that came out of a portal stays in it, also after a rejoin; outside the next wait begins', () => {
  const world = portal()
  must(world, 'tp Gizmo 9.5 -59 0.5')
  ticks(world, 81)
  const out = gizmo(world)
  assert.equal(out.dimension, 'the_nether')
  const { x, y, z } = out
  must(world, `tp Gizmo ${x} ${y} ${z}`)
  ticks(world, 100)
  world.removePlayer(out)
  world.addPlayer('Gizmo')
  ticks(world, 100)
  assert.equal(gizmo(world).dimension, 'the_nether')
  must(world, `tp Gizmo ${x} ${y} ${z + 20}`)
  must(world, `tp Gizmo ${x} ${y} ${z}`)
  ticks(world, 81)
  assert.equal(gizmo(world).dimension, 'overworld')
})

test('a player moved from one portal into another waits again, as long as the game rules say', () => {
  const world = portal()
  must(world, 'tp Gizmo 9.5 -59 0.5')
  ticks(world, 60)
  must(world, 'tp Gizmo 10.5 -59 0.5')
  ticks(world, 60)
  assert.equal(gizmo(world).dimension, 'overworld')
  ticks(world, 21)
  assert.equal(gizmo(world).dimension, 'the_nether')
  const quick = portal()
  must(quick, 'gamerule playersNetherPortalDefaultDelay 10')
  must(quick, 'tp Gizmo 9.5 -59 0.5')
  ticks(quick, 11)
  assert.equal(gizmo(quick).dimension, 'the_nether')
})

test('a portal of the End that is set onto a player takes it', () => {
  const world = makeWorld()
  must(world, 'setblock 0 -60 0 end_portal')
  ticks(world, 2)
  assert.equal(gizmo(world).dimension, 'the_end')
})

// --- contents that commands change ---

test('ingredients put in by commands brew, and brewing stops when they are removed', () => {
  const stand = (/** @type {any} */ world) => world.blockEntities.at({ x: 2, y: -60, z: 0 })
  const water = '{id:"minecraft:potion",Count:1b,tag:{Potion:"minecraft:water"}'
  const ways = /** @type {((world: any) => void)[]} */ ([
    (world) => {
      must(world, 'setblock 2 -60 0 brewing_stand')
      must(world, 'item replace block 2 -60 0 container.4 with blaze_powder')
      must(world, 'item replace block 2 -60 0 container.0 with potion{Potion:"minecraft:water"}')
      must(world, 'item replace block 2 -60 0 container.3 with nether_wart')
    },
    (world) => must(world, `setblock 2 -60 0 brewing_stand{Items:[{Slot:0b,${water.slice(
      1)}},{Slot:3b,id:"minecraft:nether_wart",Count:1b},{Slot:4b,id:"minecraft:blaze_powder",Count:1b}]}`)
  ])
  for (const put of ways) {
    const world = makeWorld()
    put(world)
    ticks(world, 2)
    assert.equal(world.stateAt(2, -60, 0).props.has_bottle_0, 'true')
    ticks(world, BREW_TICKS)
    assert.match(JSON.stringify(stand(world).store.get(0).nbt), /awkward/)
    assert.equal(stand(world).store.get(3), null)
    assert.equal(stand(world).brew.fuel, 19)
  }
  const world = makeWorld()
  ways[0](world)
  ticks(world, 100)
  must(world, 'item replace block 2 -60 0 container.3 with air')
  ticks(world, 2)
  assert.equal(stand(world).brew.until, -1)
})

test('a furnace restarts its progress with another ingredient', () => {
  const world = makeWorld()
  must(world, 'setblock 2 -60 0 furnace')
  must(world, 'item replace block 2 -60 0 container.1 with coal')
  must(world, 'item replace block 2 -60 0 container.0 with beef 8')
  ticks(world, 150)
  must(world, 'item replace block 2 -60 0 container.0 with raw_iron')
  ticks(world, 150)
  assert.equal(world.blockEntities.at({ x: 2, y: -60, z: 0 }).store.get(2), null)
  ticks(world, 51)
  assert.equal(world.blockEntities.at({ x: 2, y: -60, z: 0 }).store.get(2).name, 'iron_ingot')
})
