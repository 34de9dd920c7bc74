'use strict'
/** Rails and minecarts by vanilla's numbers (minecraft.wiki, "Rail", "Powered Rail", "Minecart", 1.20.4). */
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
  tick(2)
  const props = (/** @type {number} */ x, /** @type {number} */ z = 0, /** @type {number} */ y = -60) =>
    world.stateAt(x, y, z).props
  const cart = (/** @type {number} */ x, /** @type {number} */ z = 0, type = 'minecart',
    /** @type {number} */ y = -60) => {
    run(`summon ${type} ${x + 0.5} ${y + 0.0625} ${z + 0.5}`)
    return [...world.entities.values()].findLast((entity) => entity.type === type)
  }
  return { world, player, run, tick, props, cart }
}

test('rails join: straight, around corners, up slopes; a junction turns by power', () => {
  const { run, props, tick } = yard(
    ['setblock 2 -60 0 rail', 'setblock 3 -60 0 rail', 'setblock 3 -60 1 rail', 'setblock 5 -60 0 stone',
    'setblock 4 -60 0 rail', 'setblock 5 -59 0 rail'])
  assert.equal(props(2).shape, 'east_west')
  assert.equal(props(3).shape, 'south_west')
  assert.equal(props(3, 1).shape, 'north_south')
  assert.equal(props(4).shape, 'ascending_east')
  run('setblock 8 -60 5 rail')
  run('setblock 8 -60 6 rail')
  run('setblock 8 -60 4 rail')
  run('setblock 9 -60 5 rail')
  tick(1)
  assert.equal(props(8, 5).shape, 'north_south')
  run('setblock 7 -60 5 redstone_block')
  tick(1)
  assert.equal(props(8, 5).shape, 'north_east')
  run('setblock 7 -60 5 air')
  tick(1)
  assert.equal(props(8, 5).shape, 'south_east')
})

test('a rail falls off with the block below it, a slope with the block under its upper end', () => {
  const { run, tick, world } = yard(['setblock 5 -60 0 stone', 'setblock 4 -60 0 rail', 'setblock 5 -59 0 rail'])
  run('setblock 5 -60 0 air')
  tick(2)
  assert.deepEqual([world.stateAt(5, -59, 0).name, world.stateAt(4, -60, 0).name], ['air', 'air'])
})

test('power runs along eight more powered rails', () => {
  const { props, run, tick } = yard(
    ['fill 2 -60 0 14 -60 0 powered_rail[shape=east_west]', 'setblock 2 -60 1 redstone_block'])
  tick(2)
  assert.deepEqual([2, 10, 11].map((x) => props(x).powered), ['true', 'true', 'false'])
  run('setblock 2 -60 1 air')
  tick(2)
  assert.deepEqual([2, 10].map((x) => props(x).powered), ['false', 'false'])
})

test(
  'a cart starts from a powered rail at a block, rolls 8 m/s at most, around a corner, and stops on an unpowered one',
  () => {
  const { tick, cart } = yard(
    ['setblock 1 -60 0 stone', 'setblock 2 -60 1 redstone_block', 'fill 2 -60 0 9 -60 0 powered_rail[shape=east_west]',
    'fill 10 -60 0 13 -60 0 rail', 'fill 13 -60 1 13 -60 2 rail', 'fill 13 -60 3 13 -60 9 powered_rail'])
  const rolling = cart(2)
  let fastest = 0
  let last = rolling.x
  for (let i = 0; i < 200; i++) {
    tick(1)
    fastest = Math.max(fastest, Math.abs(rolling.x - last))
    last = rolling.x
  }
  assert.ok(fastest > 0.35 && fastest <= 0.4 + 1e-9, `${fastest}`)
  assert.ok(Math.abs(rolling.x - 13.5) < 0.01 && rolling.z > 3 && rolling.z < 9, `${rolling.x} ${rolling.z}`)
  assert.equal(rolling.vz, 0)
})

test('a cart climbs a slope with speed and rolls back down without', () => {
  const { tick, cart } = yard(
    ['fill 6 -60 0 9 -60 0 stone', 'fill 7 -59 0 9 -59 0 stone', 'fill 2 -60 0 4 -60 0 rail', 'setblock 5 -60 0 rail',
    'setblock 6 -59 0 rail', 'setblock 7 -58 0 rail', 'setblock 8 -58 0 rail', 'setblock 9 -58 0 rail'])
  const climber = cart(2)
  climber.vx = 0.4
  let highest = -60
  for (let i = 0; i < 60; i++) {
    tick(1)
    highest = Math.max(highest, climber.y)
  }
  assert.ok(highest > -58.1, `${highest}`)
  const resting = cart(6, 0, 'minecart', -59)
  tick(80)
  assert.ok(resting.x < 5 && resting.y < -59.8, `${resting.x} ${resting.y}`)
})

test('a detector rail is on while a cart is there, and a comparator reads its chest', () => {
  const { world, tick, cart, props,
    run } = yard(['setblock 2 -60 0 detector_rail', 'setblock 2 -60 1 redstone_lamp',
    'setblock 3 -60 0 comparator[facing=west]', 'setblock 4 -60 0 redstone_wire'])
  const chest = cart(2, 0, 'chest_minecart')
  for (let i = 0; i < 27; i++) chest.store.set(i, world.stacks.make('stone', 64))
  tick(25)
  assert.deepEqual([props(2).powered, props(2, 1).lit, props(4).power], ['true', 'true', '15'])
  run('kill @e[type=chest_minecart]')
  tick(50)
  assert.deepEqual([props(2).powered, props(2, 1).lit, props(4).power], ['false', 'false', '0'])
})

test('an activator rail lights TNT, stops hoppers, and throws riders out', () => {
  const { world, player, tick,
    cart } = yard(['setblock 2 -60 0 activator_rail', 'setblock 2 -60 1 redstone_block',
    'setblock 12 -60 0 activator_rail', 'setblock 12 -60 1 redstone_block', 'setblock 1 -60 4 activator_rail',
    'setblock 1 -60 5 redstone_block', 'gamerule doTileDrops false'])
  const hopper = cart(2, 0, 'hopper_minecart')
  const plain = cart(1, 4)
  player.place3d({ x: 1.5, y: -60, z: 3.2 })
  player.mount(plain)
  world.spawnItem(world.stacks.make('dirt', 3), { x: 2.5, y: -59, z: 0.5 })
  tick(20)
  assert.equal(hopper.enabled, false)
  assert.ok(hopper.store.slots.every((/** @type {any} */ item) => item === null))
  assert.equal(player.vehicle, null)
  const bomb = cart(12, 0, 'tnt_minecart')
  tick(60)
  assert.ok(!bomb.removed)
  tick(30)
  assert.ok(bomb.removed)
})

test('a player sets a cart on a rail, rides it, leans forward to start, and gets out; blows break it', () => {
  const { world, player, tick,
    run } = yard(['fill 2 -60 0 20 -60 0 rail', 'item replace entity Gizmo weapon.mainhand with minecart'])
  player.place3d({ x: 2.5, y: -60, z: -1.5, yaw: -90, pitch: 0 })
  assert.equal(player.place({ pos: { x: 2, y: -61, z: 0 }, face: 1 }).ok, false)
  assert.ok(player.place({ pos: { x: 2, y: -60, z: 0 }, face: 1 }).ok)
  const cart = [...world.entities.values()].find(({ type }) => type === 'minecart')
  assert.equal(player.heldItem, null)
  assert.ok(player.useEntity(cart.id, 'interact').ok)
  assert.equal(player.vehicle, cart)
  player.steer(1, 0)
  tick(40)
  assert.ok(cart.x > 3.5 && Math.abs(player.x - cart.x) < 0.01, `${cart.x}`)
  player.dismount()
  assert.equal(cart.passengers.length, 0)
  run('item replace entity Gizmo weapon.mainhand with iron_sword')
  player.place3d({ x: cart.x, y: -60, z: cart.z - 1.4 })
  player.useEntity(cart.id, 'attack')
  assert.ok(cart.removed)
  assert.ok([...world.loose].some(({ item }) => item?.name === 'minecart'))
  run('kill @e[type=item]')
})

test('a furnace minecart with coal pushes itself along; a dispenser sets carts on rails', () => {
  const { world, player, tick, cart,
    run } = yard(['fill 2 -60 0 40 -60 0 rail', 'item replace entity Gizmo weapon.mainhand with coal 2',
    'setblock 2 -60 6 dispenser[facing=east]{Items:[{Slot:0b,id:"minecraft:chest_minecart",Count:1b}]}',
    'setblock 3 -60 6 rail'])
  const engine = cart(4, 0, 'furnace_minecart')
  player.place3d({ x: 2.5, y: -60, z: 0.5 })
  assert.ok(player.useEntity(engine.id, 'interact').ok)
  tick(100)
  assert.ok(engine.x > 15, `${engine.x}`)
  run('setblock 2 -60 7 redstone_block')
  tick(8)
  assert.ok([...world.entities.values()].some(({ type }) => type === 'chest_minecart'))
})

test('a minecart is summoned with its load, says so in its data, and takes a passenger that sits in it', () => {
  const { world, cart, run, tick } = yard(['setblock 2 -60 0 rail'])
  run('summon chest_minecart 2.5 -59.9 0.5 {Items:[{Slot:3b,id:"minecraft:apple",Count:2b}]}')
  const chest = [...world.entities.values()].find(({ type }) => type === 'chest_minecart')
  assert.equal(chest.store.get(3)?.name, 'apple')
  assert.match(world.command('data get entity @e[type=chest_minecart,limit=1] Items').reply, /apple/)
  const plain = cart(12)
  run('summon pig 12.5 -60 0.5')
  run('ride @e[type=pig,limit=1] mount @e[type=minecart,limit=1]')
  plain.vx = 0.3
  tick(3)
  assert.ok(Math.abs(plain.passengers[0].x - plain.x) < 0.01)
})
