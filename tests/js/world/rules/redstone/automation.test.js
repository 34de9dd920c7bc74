'use strict'
/** Observers, comparators, hoppers, locks and sensors, by vanilla's numbers (minecraft.wiki, 1.20.4). */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { World } = require('../../../../../engine/world')

/** @param {string[]} commands */
function yard (commands) {
  /** @type {any} */
  const world = new World({ seed: 1 })
  const player = world.addPlayer('Gizmo')
  player.place3d({ x: 0.5, y: -60, z: -3.5 })
  const run = (/** @type {string} */ command) => {
    const { ok, reply } = world.command(command)
    assert.ok(ok, `${command}: ${reply}`)
  }
  const tick = (/** @type {number} */ n) => { for (let i = 0; i < n; i++) world.tick() }
  commands.forEach(run)
  tick(4)
  const props = (/** @type {number} */ x, /** @type {number} */ z = 0, /** @type {number} */ y = -60) =>
    world.stateAt(x, y, z).props
  const store = (/** @type {number} */ x, /** @type {number} */ z = 0, /** @type {number} */ y = -60) =>
    world.blockEntities.at({ x, y, z }).store
  const press = (/** @type {number} */ x, /** @type {number} */ z = 0, /** @type {number} */ y = -60) =>
    player.place({ pos: { x, y, z }, face: 1 })
  return { world, player, run, tick, props, store, press }
}

/** Return a value read in each of the next ticks. @param {any} world @param {number} n @param {() => any} read */
function course (world, n, read) { return Array.from({ length: n }, () => { world.tick(); return read() }) }

/** Return the power of the dust at a place. @param {any} props @param {number} x @param {number} [z] */
const power = (props, x, z = 0) => Number(props(x, z).power)

test('an observer pulses for two ticks, two ticks after the block before its face changed, out of its back only',
  () => {
  const { world, run, props } = yard(
    ['setblock 3 -60 0 observer[facing=east]', 'setblock 2 -60 0 redstone_wire', 'setblock 3 -60 1 redstone_wire'])
  run('setblock 4 -60 0 stone')
  assert.deepEqual(course(world, 5, () => [props(3).powered, props(2).power]),
    [['false', '0'], ['true', '15'], ['true', '15'], ['false', '0'], ['false', '0']])
  assert.equal(props(3, 1).power, '0')
  run('setblock 3 -60 -1 stone')
  assert.ok(course(world, 6, () => props(3).powered).every((on) => on === 'false'), 'a change at its side is none')
})

test('two observers face to face make a clock; pistons moving one set it off', () => {
  const { world, props, run } = yard(
    ['setblock 3 -60 0 observer[facing=east]', 'setblock 4 -60 0 observer[facing=west]'])
  const beats = course(world, 40, () => props(3).powered).join('').match(/falsetrue/g)?.length ?? 0
  assert.ok(beats >= 6 && beats <= 8, `${beats} beats in 40 ticks`)
  run('setblock 3 -60 8 observer[facing=up]')
  run('setblock 2 -60 8 piston[facing=east]')
  run('setblock 2 -60 9 redstone_block')
  const after = course(world, 6, () => world.stateAt(4, -60, 8).props.powered)
  assert.ok(after.includes('true') && after.at(-1) === 'false')
})

test('a comparator reads how full a container is: 0, 1 for one item, 15 when full, both halves of a double chest',
  () => {
  const { run, tick, props, store,
    world } = yard(['setblock 2 -60 0 barrel', 'setblock 3 -60 0 comparator[facing=west]',
    'setblock 4 -60 0 redstone_wire'])
  const fill = (/** @type {number} */ n) => {
    for (let i = 0; i < 27; i++) store(2).set(i, i < n ? world.stacks.make('stone', 64) : null)
  }
  assert.equal(power(props, 4), 0)
  store(2).set(0, world.stacks.make('stone', 1))
  tick(3)
  assert.equal(power(props, 4), 1)
  fill(14)
  tick(3)
  assert.equal(power(props, 4), 1 + Math.floor(14 / 27 * 14))
  fill(27)
  tick(3)
  assert.equal(power(props, 4), 15)
  run('setblock 2 -60 5 chest[facing=north,type=left]')
  run('setblock 3 -60 5 chest[facing=north,type=right]')
  run('setblock 2 -60 6 comparator[facing=north]')
  run('setblock 2 -60 7 redstone_wire')
  for (let i = 0; i < 27; i++) store(3, 5).set(i, world.stacks.make('stone', 64))
  tick(3)
  assert.equal(power(props, 2, 7), 8)
})

test('a comparator reads through a solid block, and the turn of the item in a frame behind one', () => {
  const { world, tick, props, store,
    player } = yard(['setblock 1 -60 0 hopper', 'setblock 2 -60 0 stone', 'setblock 3 -60 0 comparator[facing=west]',
    'setblock 4 -60 0 redstone_wire', 'setblock 2 -60 6 stone', 'setblock 3 -60 6 comparator[facing=west]',
    'setblock 4 -60 6 redstone_wire'])
  store(1).set(0, world.stacks.make('stone', 64))
  tick(4)
  assert.ok(power(props, 4) > 0)
  world.command('item replace entity Gizmo weapon.mainhand with item_frame')
  player.place3d({ x: 0.5, y: -60, z: 5.5 })
  assert.ok(player.place({ pos: { x: 2, y: -60, z: 6 }, face: 4 }).ok)
  const frame = [...world.entities.values()].find(({ type }) => type === 'item_frame')
  frame.show(world.stacks.make('diamond'), 4)
  tick(4)
  assert.equal(power(props, 4, 6), 5)
})

for (const [block, reading] of /** @type {[string, number][]} */ ([
  ['composter[level=5]', 5], ['cake[bites=2]', 10], ['water_cauldron[level=2]', 2], ['lava_cauldron', 3],
  ['cauldron', 0], ['end_portal_frame[eye=true]', 15], ['beehive[honey_level=4]', 4], ['respawn_anchor[charges=2]', 7]
])) {
  test(`a comparator reads ${reading} from ${block}, when it comes to be so`, () => {
    const { run, tick, props } = yard(['setblock 3 -60 0 comparator[facing=west]', 'setblock 4 -60 0 redstone_wire'])
    run(`setblock 2 -60 0 ${block}`)
    tick(4)
    assert.equal(power(props, 4), reading)
    run('setblock 2 -60 0 air')
    tick(4)
    assert.equal(power(props, 4), 0)
  })
}

test('comparators compare or subtract their side inputs, and a click switches the mode', () => {
  const side = (/** @type {number} */ far) => `fill 3 -60 1 3 -60 ${far} redstone_wire`
  const { run, tick, props,
    press } = yard(['setblock 2 -60 0 redstone_block', 'setblock 3 -60 0 comparator[facing=west]',
    'setblock 4 -60 0 redstone_wire', side(6), 'setblock 3 -60 7 redstone_block'])
  tick(3)
  assert.equal(power(props, 3, 1), 10)
  assert.equal(power(props, 4), 15)
  press(3)
  assert.equal(props(3).mode, 'subtract')
  tick(3)
  assert.equal(power(props, 4), 5)
  run('setblock 3 -60 7 air')
  tick(3)
  assert.equal(power(props, 4), 15)
  run('setblock 2 -60 0 air')
  tick(4)
  assert.deepEqual([power(props, 4), props(3).powered], [0, 'false'])
})

test('a comparator takes two ticks, and a repeater two a step, to the tick', () => {
  const { world, run, props } = yard(
    ['setblock 3 -60 0 comparator[facing=west]', 'setblock 3 -60 4 repeater[facing=west,delay=3]'])
  run('setblock 2 -60 0 redstone_block')
  run('setblock 2 -60 4 redstone_block')
  assert.deepEqual(course(world, 8, () => `${props(3).powered} ${props(3, 4).powered}`),
    [...Array(2).fill('false false'), ...Array(4).fill('true false'), ...Array(2).fill('true true')])
})

test('a repeater is locked by one that is on beside it', () => {
  const { run, tick, props } = yard(
    ['setblock 3 -60 0 repeater[facing=west]', 'setblock 3 -60 1 repeater[facing=south]',
    'setblock 3 -60 2 redstone_block'])
  tick(4)
  assert.equal(props(3).locked, 'true')
  run('setblock 2 -60 0 redstone_block')
  tick(6)
  assert.equal(props(3).powered, 'false')
  run('setblock 3 -60 2 air')
  tick(8)
  assert.deepEqual([props(3).locked, props(3).powered], ['false', 'true'])
})

test('a torch that powers its own block burns out after eight times, and comes back', () => {
  const { world, props } = yard(
    ['setblock 2 -60 0 stone', 'setblock 2 -59 0 redstone_torch', 'setblock 3 -60 0 redstone_wire',
    'setblock 3 -59 0 stone', 'setblock 4 -60 0 stone'])
  world.command('setblock 2 -59 0 air')
  world.command('setblock 3 -59 0 air')
  world.command('setblock 2 -60 4 stone')
  world.command('setblock 1 -60 4 redstone_wall_torch[facing=west]')
  world.command('setblock 1 -59 4 stone')
  world.command('setblock 2 -59 4 redstone_wire')
  const lit = course(world, 120, () => props(1, 4).lit)
  assert.equal(lit.join('').match(/truefalse/g)?.length, 8)
  assert.ok(course(world, 200, () => props(1, 4).lit).includes('true'), 'it comes back')
})

test('hoppers push and pull an item every eight ticks, down a chain, and hold still under power', () => {
  const { world, run, tick,
    store } = yard(['setblock 2 -58 0 chest', 'setblock 2 -59 0 hopper[facing=down]', 'setblock 2 -60 0 chest'])
  store(2, 0, -58).set(0, world.stacks.make('stone', 64))
  tick(81)
  assert.ok(Math.abs(store(2).slots.reduce((/** @type {number} */ n, /** @type {any} */ item) => n + (item?.count ?? 0),
    0) - 10) <= 1)
  run('setblock 3 -59 0 redstone_block')
  tick(2)
  assert.equal(world.stateAt(2, -59, 0).props.enabled, 'false')
  const before = store(2).get(0).count
  tick(40)
  assert.equal(store(2).get(0).count, before)
  run('setblock 3 -59 0 air')
  tick(64 * 8)
  assert.equal(store(2).get(0).count, 64)
  assert.equal(store(2, 0, -59).get(0), null)
})

test('hoppers take stacks off the ground and off rails, and feed furnaces by their sides', () => {
  const { world, run, tick,
    store } = yard(['setblock 2 -60 0 hopper', 'setblock 6 -59 0 hopper[facing=down]', 'setblock 6 -60 0 furnace',
    'setblock 7 -60 0 hopper[facing=west]', 'setblock 6 -61 0 hopper[facing=down]'])
  world.spawnItem(world.stacks.make('dirt', 20), { x: 2.5, y: -59, z: 0.5 })
  tick(12)
  assert.equal(store(2).get(0).count, 20)
  assert.equal(world.loose.size, 0)
  store(6, 0, -59).set(0, world.stacks.make('raw_iron', 2))
  store(7).set(0, world.stacks.make('coal', 3))
  store(7).set(1, world.stacks.make('dirt', 3))
  tick(40)
  assert.deepEqual([store(6).get(0).name, store(6).get(0).count + store(6).get(1).count, store(7).get(1).name],
    ['raw_iron', 2 + 2, 'dirt'])
  tick(500)
  assert.equal(store(6, 0, -61).get(0)?.name, 'iron_ingot')
  assert.equal(store(6, 0, -61).get(0)?.count, 2)
  assert.equal(store(6).get(1)?.name, 'coal', 'its fuel stays')
  run('setblock 10 -60 0 hopper')
  run('setblock 10 -59 0 rail')
  assert.ok(world.command('summon chest_minecart 10.5 -58.9 0.5').ok)
  const cart = [...world.entities.values()].find(({ type }) => type === 'chest_minecart')
  cart.store.set(3, world.stacks.make('apple', 2))
  tick(20)
  assert.equal(store(10).get(0)?.name, 'apple')
  assert.equal(store(10).get(0)?.count, 2)
})

test('hoppers fill a brewing stand by its faces, which then brews', () => {
  const { world, tick, store } = yard(
    ['setblock 2 -60 0 brewing_stand', 'setblock 2 -59 0 hopper[facing=down]', 'setblock 3 -60 0 hopper[facing=west]'])
  store(2, 0, -59).set(0, world.stacks.make('nether_wart', 1))
  const water = world.stacks.make('potion', 1,
    { type: 'compound', name: '', value: { Potion: { type: 'string', value: 'minecraft:water' } } })
  store(3).set(0, water)
  store(3).set(1, world.stacks.make('blaze_powder', 1))
  tick(30)
  assert.equal(store(2).get(3).name, 'nether_wart')
  tick(420)
  assert.match(JSON.stringify(store(2).get(0).nbt), /awkward/)
})

test('a daylight detector gives 15 at noon, 0 at midnight, and the other way round when a hand inverts it', () => {
  const { world, run, tick, props, press } = yard(['time set noon', 'setblock 2 -60 0 daylight_detector'])
  tick(25)
  assert.equal(power(props, 2), 15)
  run('time set midnight')
  tick(25)
  assert.equal(power(props, 2), 0)
  press(2)
  tick(25)
  assert.ok(power(props, 2) > 8)
  assert.equal(world.redstone.sensors.detectors.size, 1)
})

test('a target gives more power the nearer to its middle an arrow hits, for 20 ticks', () => {
  const { world, tick, props, player } = yard(['setblock 0 -59 4 target'])
  player.place3d({ x: 0.5, y: -60, z: 0.5, yaw: 0, pitch: 0 })
  const { Projectile } = require('../../../../../engine/world/entities/projectiles')
  const arrow = new Projectile(world, 'arrow', player, 3, 0)
  arrow.y = -58.5
  arrow.aim({ x: 0, y: 0.01, z: 1 }, 3, 0)
  world.enter(arrow)
  tick(3)
  assert.ok(Number(props(0, 4, -59).power) >= 13, props(0, 4, -59).power)
  tick(20)
  assert.equal(props(0, 4, -59).power, '0')
})

test('a trapped chest gives a point of power for each player who looks into it', () => {
  const { tick, props, press, player } = yard(['setblock 2 -60 0 trapped_chest', 'setblock 3 -60 0 redstone_wire'])
  press(2)
  tick(2)
  assert.equal(power(props, 3), 1)
  player.closeWindow(player.openWindow.id)
  tick(2)
  assert.equal(power(props, 3), 0)
})

test('a world without redstone does no work for it: nothing watches, no set grows', () => {
  const { world, tick } = yard(['fill 0 -60 0 9 -60 9 stone', 'fill 0 -60 0 9 -60 9 air'])
  tick(10)
  const { redstone, hoppers } = world
  assert.deepEqual([redstone.watched, redstone.outputs.size, redstone.pending.size, redstone.toggles.size,
    redstone.sensors.detectors.size, redstone.rails.carts.size, redstone.rails.pressed.size, hoppers.clocks.size],
    [false, 0, 0, 0, 0, 0, 0, 0])
})

test('slime and honey take along what touches them, not each other, glazed terracotta never; 12 blocks at most', () => {
  const { world, run, tick } = yard(
    ['setblock 2 -58 0 sticky_piston[facing=east]', 'setblock 3 -58 0 slime_block', 'setblock 3 -57 0 stone',
    'setblock 3 -59 0 honey_block', 'setblock 3 -58 1 white_glazed_terracotta', 'setblock 3 -58 -1 chest'])
  const name = (/** @type {number} */ x, /** @type {number} */ y, z = 0) => world.stateAt(x, y, z).name
  run('setblock 1 -58 0 redstone_block')
  tick(2)
  assert.deepEqual([name(3, -58), name(4, -58), name(4, -57), name(3, -59), name(3, -58, 1), name(3, -58, -1)],
    ['piston_head', 'slime_block', 'stone', 'honey_block', 'white_glazed_terracotta', 'chest'])
  run('setblock 1 -58 0 air')
  tick(2)
  assert.deepEqual([name(3, -58), name(3, -57), name(4, -58)], ['slime_block', 'stone', 'air'])
  run('fill 3 -58 6 14 -58 6 slime_block')
  run('setblock 8 -57 6 stone')
  run('setblock 2 -58 6 piston[facing=east]')
  run('setblock 1 -58 6 redstone_block')
  tick(3)
  assert.equal(name(3, -58, 6), 'slime_block', '13 blocks are too many')
  run('setblock 8 -57 6 air')
  tick(3)
  run('setblock 1 -58 6 air')
  tick(2)
  run('setblock 1 -58 6 redstone_block')
  tick(3)
  assert.equal(name(15, -58, 6), 'slime_block')
})

test('a lectern keeps a book; its pages give a pulse and a number, up to 15 on the last; the book can be taken', () => {
  const { world, run, tick, props, press,
    player } = yard(['setblock 2 -60 0 lectern', 'setblock 3 -60 0 comparator[facing=west]',
    'setblock 4 -60 0 redstone_wire', 'setblock 2 -60 1 redstone_lamp'])
  run('item replace entity Gizmo weapon.mainhand with writable_book{pages:["a","b","c"]}')
  press(2)
  tick(4)
  assert.deepEqual([props(2).has_book, power(props, 4), player.heldItem], ['true', 1, null])
  press(2)
  const { id } = player.openWindow
  assert.ok(player.pressButton(id, 2).ok)
  const lit = course(world, 8, () => props(2, 1).lit)
  assert.deepEqual([power(props, 4), lit.includes('true'), lit.at(-1)], [8, true, 'false'])
  assert.ok(player.pressButton(id, 102).ok)
  assert.ok(!player.pressButton(id, 103).ok)
  tick(4)
  assert.equal(power(props, 4), 15)
  assert.ok(player.pressButton(id, 3).ok)
  tick(4)
  assert.deepEqual([props(2).has_book, power(props, 4)], ['false', 0])
  assert.equal(player.count('writable_book'), 1)
})

test('a jukebox gives full power while its disc plays, and comparators the number of the disc; hoppers feed it', () => {
  const { world, run, tick, props, press,
    store } = yard(['setblock 2 -60 0 jukebox', 'setblock 2 -60 1 redstone_wire',
    'setblock 3 -60 0 comparator[facing=west]', 'setblock 4 -60 0 redstone_wire', 'setblock 2 -61 0 hopper',
    'item replace entity Gizmo weapon.mainhand with music_disc_11'])
  press(2)
  tick(4)
  assert.deepEqual([props(2).has_record, power(props, 2, 1), power(props, 4)], ['true', 15, 11])
  tick(71 * 20 - 10)
  assert.equal(power(props, 2, 1), 15)
  tick(16)
  assert.equal(power(props, 2, 1), 0)
  assert.equal(store(2, 0, -61).get(0)?.name, 'music_disc_11')
  run('setblock 2 -59 0 hopper[facing=down]')
  store(2, 0, -59).set(0, world.stacks.make('music_disc_cat'))
  tick(12)
  assert.equal(power(props, 4), 2)
})

test('a body on a string between two hooks powers both, and lets them go ten ticks after it left', () => {
  const { world, run, tick, props,
    player } = yard(['setblock 1 -60 8 stone', 'setblock 2 -60 8 tripwire_hook[facing=east]',
    'fill 3 -60 8 6 -60 8 tripwire', 'setblock 8 -60 8 stone', 'setblock 7 -60 8 tripwire_hook[facing=west]',
    'setblock 1 -60 9 redstone_lamp'])
  assert.deepEqual([props(2, 8).attached, props(7, 8).attached, props(2, 8).powered], ['true', 'true', 'false'])
  player.place3d({ x: 4.5, y: -60, z: 8.5 })
  tick(2)
  assert.deepEqual([props(2, 8).powered, props(7, 8).powered, props(1, 9).lit], ['true', 'true', 'true'])
  player.place3d({ x: 4.5, y: -60, z: 2.5 })
  tick(20)
  assert.deepEqual([props(2, 8).powered, props(1, 9).lit], ['false', 'false'])
  run('setblock 5 -60 8 air')
  tick(3)
  assert.deepEqual([props(2, 8).attached, props(7, 8).attached], ['false', 'false'])
  assert.equal(world.redstone.tripwires.byPos.size, 3)
})

test('hoppers fill a composter from above and take its bone meal below', () => {
  const { world, tick, store } = yard(
    ['setblock 2 -59 0 hopper[facing=down]', 'setblock 2 -60 0 composter', 'setblock 2 -61 0 hopper[facing=down]'])
  store(2, 0, -59).set(0, world.stacks.make('cake', 1))
  store(2, 0, -59).set(1, world.stacks.make('pumpkin_pie', 9))
  store(2, 0, -59).set(2, world.stacks.make('stone', 2))
  tick(130)
  assert.equal(store(2, 0, -61).get(0)?.name, 'bone_meal')
  assert.equal(store(2, 0, -59).get(2).count, 2)
})
