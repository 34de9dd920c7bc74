'use strict'
/** Portals, the Nether, the End, brewing and wings, by vanilla's numbers (minecraft.wiki, 1.20.4). */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { World } = require('../../../engine/world')
const { ORIGIN, across, dimensionAt } = require('../../../engine/world/dimensions')
const { WAIT } = require('../../../engine/world/rules/functional_blocks/portals')
const { BREW_TICKS, FUEL } = require('../../../engine/world/rules/brewing/stand')
const { brewed, bottled, potionOf, effectsOf } = require('../../../engine/world/rules/brewing/recipes')

/** @param {any} [options] */
function start (options = {}) {
  /** @type {any} */
  const world = new World({ seed: 3, ...options })
  const player = world.addPlayer('Gizmo')
  return { world, player, tick: (/** @type {number} */ n) => { for (let i = 0; i < n; i++) world.tick() } }
}

/** Light a frame of 4 x 5 at x = 8. @param {any} world @param {any} player */
function lit (world, player) {
  world.command('fill 8 -60 0 11 -56 0 obsidian')
  world.command('fill 9 -59 0 10 -57 0 air')
  world.command('item replace entity Gizmo weapon.mainhand with flint_and_steel')
  player.place3d({ x: 9.5, y: -59, z: 1.5 })
  assert.ok(player.place({ pos: { x: 9, y: -60, z: 0 }, face: 1 }).ok)
}

test('a frame is lit; 80 ticks inside lead to the Nether, at an eighth of the way, and back to the same portal', () => {
  const { world, player, tick } = start()
  lit(world, player)
  assert.equal([-59, -58, -57].flatMap((y) => [9, 10].map((x) => world.stateAt(x, y, 0).name))
    .filter((name) => name === 'nether_portal').length, 6)
  player.moveTo({ x: 9.5, y: -59, z: 0.5 })
  tick(WAIT - 1)
  assert.equal(player.dimension, 'overworld')
  tick(2)
  assert.equal(player.dimension, 'the_nether')
  assert.ok(Math.abs(player.x - ORIGIN.the_nether - 9.5 / 8) < 20)
  assert.equal(world.stateAt(Math.floor(player.x), Math.floor(player.y), Math.floor(player.z)).name, 'nether_portal')
  // A player in the portal stays until it has left and entered again.
  tick(2 * WAIT)
  assert.equal(player.dimension, 'the_nether')
  const { x, y, z } = player
  player.moveTo({ x, y, z: z + 1 })
  player.moveTo({ x, y, z })
  tick(WAIT + 1)
  assert.deepEqual([player.dimension, Math.floor(player.z)], ['overworld', 0])
  assert.ok(Math.floor(player.x) === 9 || Math.floor(player.x) === 10)
})

test('broken frames put portals out; a frame with a gap is not lit', () => {
  const { world, player } = start()
  lit(world, player)
  world.command('setblock 8 -58 0 air')
  assert.equal(world.stateAt(10, -59, 0).name, 'air')
  assert.equal(world.portals.light({ x: 9, y: -59, z: 0 }), false)
})

test(
  'the Nether of a seed is the same in whatever order it is made, with bedrock above and below and lava up to y = 31',
  () => {
  const [one, two] = [start().world, start().world]
  const cx = ORIGIN.the_nether >> 4
  two.column(cx + 1, 1)
  const text = (/** @type {any} */ world) =>
    JSON.stringify(world.column(cx, 0).sections.map((/** @type {any} */ section) => section.toJson()))
  assert.equal(text(one), text(two))
  const names = (/** @type {number} */ y) =>
    new Set(Array.from({ length: 256 }, (_, i) => one.stateAt((cx << 4) + (i & 15), y, i >> 4).name))
  assert.deepEqual([names(0), names(127)].map((each) => [...each]), [['bedrock'], ['bedrock']])
  assert.ok(!names(31).has('air') && !names(32).has('lava'))
  assert.ok(one.biomeAt(ORIGIN.the_nether, 60, 0).match(/nether|crimson|warped|soul|basalt/))
})

test('twelve eyes open the End; one comes out on a platform at (100, 49, 0), and home by the portal there', () => {
  const { world, player, tick } = start()
  for (const [facing, x, z] of /** @type {[string, number, number][]} */ ([['south', 0, -2], ['north', 0, 2],
    ['east', -2, 0], ['west', 2, 0]])) {
    for (let i = -1; i <= 1; i++) {
      world.command(`setblock ${20 + (x || i)} -60 ${20 + (z || i)} end_portal_frame[facing=${facing},eye=${x === 2 &&
        i === 1 ? 'false' : 'true'}]`)
    }
  }
  world.command('item replace entity Gizmo weapon.mainhand with ender_eye')
  player.place3d({ x: 24.5, y: -60, z: 21.5 })
  assert.equal(world.stateAt(20, -60, 20).name, 'air')
  player.place({ pos: { x: 22, y: -60, z: 21 }, face: 1 })
  assert.equal(world.stateAt(20, -60, 20).name, 'end_portal')
  player.place3d({ x: 20.5, y: -60, z: 20.5 })
  world.portals.moved(player)
  tick(2)
  assert.deepEqual([player.dimension, player.x - ORIGIN.the_end, player.y], ['the_end', 100.5, 49])
  assert.equal(world.stateAt(ORIGIN.the_end + 100, 48, 0).name, 'obsidian')
  player.place3d({ x: ORIGIN.the_end + 1.5, y: 68, z: 1.5 })
  world.portals.moved(player)
  tick(2)
  assert.equal(player.dimension, 'overworld')
})

test('commands take coordinates in the dimension of their source', () => {
  const { world, player } = start()
  player.place3d({ x: ORIGIN.the_nether + 5, y: 70, z: 5 })
  player.op = true
  assert.ok(world.command('setblock 3 90 3 gold_block', player).ok)
  assert.equal(world.stateAt(ORIGIN.the_nether + 3, 90, 3).name, 'gold_block')
  assert.ok(world.command('execute in minecraft:the_nether run setblock 4 90 3 gold_block').ok)
  assert.equal(world.stateAt(ORIGIN.the_nether + 4, 90, 3).name, 'gold_block')
  assert.deepEqual([across({ x: 800, y: 64, z: -80 }, 'the_nether'), dimensionAt(ORIGIN.the_end)],
    [{ x: ORIGIN.the_nether + 100, y: 64, z: -10 }, 'the_end'])
})

test('a brew takes 400 ticks, a blaze powder serves 20 of them', () => {
  const { world, player, tick } = start()
  world.command('setblock 2 -60 0 brewing_stand')
  const { stacks } = world
  const stand = world.blockEntities.at({ x: 2, y: -60, z: 0 })
  assert.ok(player.place({ pos: { x: 2, y: -60, z: 0 }, face: 1 }).ok)
  const put = (/** @type {number} */ slot, /** @type {any} */ item) => {
    player.store.set(36, item)
    player.click({ windowId: player.openWindow.id, slot: 32, button: 0, mode: 0 })
    player.click({ windowId: player.openWindow.id, slot, button: 0, mode: 0 })
  }
  for (const i of [0, 1, 2]) put(i, bottled(stacks, 'water'))
  put(3, stacks.make('nether_wart'))
  tick(BREW_TICKS + 2)
  assert.equal(potionOf(stand.store.get(0)), 'water')
  put(4, stacks.make('blaze_powder'))
  assert.equal(stand.brew.fuel, FUEL - 1)
  tick(BREW_TICKS - 1)
  assert.equal(potionOf(stand.store.get(0)), 'water')
  tick(2)
  assert.deepEqual([0, 1, 2].map((i) => potionOf(stand.store.get(i))), ['awkward', 'awkward', 'awkward'])
  assert.deepEqual([stand.store.get(3), stand.store.get(4), world.stateAt(2, -60, 0).props.has_bottle_2],
    [null, null, 'true'])
})

test('potions are brewed by vanilla\'s chain: healing II, a splash potion, and their effects', () => {
  const { world, player, tick } = start()
  const { stacks } = world
  let bottle = bottled(stacks, 'water')
  for (const by of ['nether_wart', 'glistering_melon_slice', 'glowstone_dust', 'gunpowder']) {
    bottle = /** @type {any} */ (brewed(stacks, bottle, stacks.make(by)))
  }
  assert.deepEqual([bottle.name, potionOf(bottle)], ['splash_potion', 'strong_healing'])
  assert.equal(brewed(stacks, bottled(stacks, 'water'), stacks.make('sugar'))?.name, 'potion')
  assert.equal(brewed(stacks, bottled(stacks, 'mundane'), stacks.make('nether_wart')), null)
  assert.deepEqual(effectsOf('long_swiftness'), [['speed', 0, 9600]])
  player.store.set(36, bottled(stacks, 'fire_resistance'))
  player.useItem(0)
  tick(33)
  assert.equal(player.effects.get('fire_resistance').amplifier, 0)
  assert.equal(player.heldItem.name, 'glass_bottle')
})

test('elytra open in the air only, wear by one a second and allow a flat glide', () => {
  const { world, player, tick } = start()
  world.command('item replace entity Gizmo armor.chest with elytra')
  player.place3d({ x: 0.5, y: 40, z: 0.5 })
  player.onGround = true
  assert.equal(player.glide().ok, false)
  player.moveTo({ x: 0.5, y: 39.9, z: 0.5, onGround: false })
  assert.ok(player.glide().ok && player.gliding)
  tick(41)
  assert.equal(world.stacks.damage(player.store.get(6)), 2)
  for (let i = 0; i < 50; i++) {
    player.moveTo({ x: 0.5, y: player.y - 0.4, z: player.z + 0.9, onGround: false })
    tick(1)
  }
  assert.ok(player.gliding && player.fallDistance <= 1.5, `${player.fallDistance}`)
})
