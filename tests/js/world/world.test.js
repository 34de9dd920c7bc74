'use strict'
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { createHash } = require('node:crypto')
const { World } = require('../../../engine/world')
const { makeWorld, must, ticks, record, hold, census } = require('./helpers')

test('the world is vanilla\'s superflat: bedrock, two of dirt, grass, and players stand at -60', () => {
  const world = makeWorld()
  assert.deepEqual([-64, -63, -62, -61, -60].map((y) => world.stateAt(100, y, -100).name),
    ['bedrock', 'dirt', 'dirt', 'grass_block', 'air'])
  assert.equal(world.players.get('Gizmo').y, -60)
  assert.throws(() => new World({ surfaceY: -64 }), /surfaceY -64 is not legal/)
  assert.equal(new World({ surfaceY: 4 }).stateAt(0, 3, 0).name, 'grass_block')
})

test('changed columns keep their blocks and count revisions; far unchanged ones are forgotten', () => {
  const world = makeWorld()
  must(world, 'setblock 1000 -60 1000 stone')
  assert.deepEqual([world.columnInfo(62, 62).revision, world.columnInfo(62, 62).modified], [1, true])
  for (let i = 0; i < 200; i++) world.blockAt(i * 4096, 0, 0)
  assert.ok(world.terrain.columns.size > 200)
  assert.ok(world.evictColumns() >= 198)
  assert.equal(world.stateAt(1000, -60, 1000).name, 'stone')
  assert.equal(world.stateAt(4096, -61, 0).name, 'grass_block')
})

/** Steps from the middle of a block at (0.5, -60, 0.5), and whether they are legal. @type {[string, any, boolean][]} */
const STEPS = [
  ['a step', { x: 0.7, y: -60, z: 0.5, onGround: true }, true], ['a long step', { x: 30, y: -60, z: 0.5 }, false],
  ['NaN', { x: NaN, y: -60, z: 0 }, false], ['infinity', { x: Infinity, y: -60, z: 0 }, false],
  ['1e300', { x: 1e300, y: 0, z: 0 }, false], ['the edge of the world', { x: 3e7, y: -60, z: 0 }, false],
  ['into a wall', { x: 2.5, y: -60, z: 0.5 }, false], ['through a wall', { x: 4.5, y: -60, z: 0.5 }, false],
  ['into the ground', { x: 0.5, y: -62, z: 0.5 }, false], ['up', { x: 0.5, y: -58.8, z: 0.5 }, true],
  ['a turn alone', { yaw: 90, pitch: 10 }, true], ['a turn to NaN', { yaw: NaN }, false]
]
for (const [what, to, ok] of STEPS) {
  test(`moving: ${what} is ${ok ? 'done' : 'refused, and the player put back'}`, () => {
    const world = makeWorld()
    const player = world.players.get('Gizmo')
    must(world, 'fill 2 -60 -2 2 -57 2 stone')
    const back = record(world, 'teleport')
    assert.equal(player.moveTo(to).ok, ok)
    assert.equal(back.length, ok ? 0 : 1)
    assert.ok(Number.isFinite(player.x) && Number.isFinite(player.yaw))
    assert.equal(player.x, ok ? to.x ?? 0.5 : 0.5)
  })
}

test('moving: a falling player passes below a ceiling and off an edge, not through the floor', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  must(world, 'fill 1 -60 -2 3 -55 2 stone')
  must(world, 'fill 1 -60 0 3 -59 0 air')
  must(world, 'tp Gizmo 0.7 -59.75 0.5')
  assert.equal(player.moveTo({ x: 0.73, y: -59.75, z: 0.5 }).ok, false)
  assert.equal(player.moveTo({ x: 0.73, y: -59.83, z: 0.5 }).ok, true)
  must(world, 'fill 0 -60 -2 0 -58 2 stone')
  must(world, 'tp Gizmo 0.5 -57 0.5')
  assert.equal(player.moveTo({ x: -0.4, y: -58.5, z: 0.5 }).ok, true)
  must(world, 'tp Gizmo 0.5 -57 0.5')
  assert.equal(player.moveTo({ x: 1.4, y: -60, z: 0.5 }).ok, false)
})

test('nobody walks faster than the budget, however small the steps', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  let refused = 0
  for (let tick = 0; tick < 100; tick++) {
    for (let i = 0; i < 5; i++) if (!player.moveTo({ x: player.x + 0.9, y: -60, z: 0.5, onGround: true }).ok) refused++
    world.tick()
  }
  assert.ok(refused > 0)
  assert.ok(player.x < 0.5 + 20 + 100 + 1, `walked ${player.x} blocks in 5 s`)
})

test('a fall hurts by vanilla\'s rule, and kills from high enough; death drops all, respawn restores', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  must(world, 'gamerule naturalRegeneration false')
  must(world, 'give Gizmo diamond 5')
  const fall = (/** @type {number} */ height) => {
    must(world, `tp Gizmo 0.5 ${-60 + height} 0.5`)
    for (let y = -60 + height - 1; y >= -60; y--) player.moveTo({ x: 0.5, y, z: 0.5, onGround: y === -60 })
    ticks(world, 12)
  }
  fall(3)
  assert.equal(player.health, 20)
  fall(10)
  assert.equal(player.health, 13)
  const deaths = record(world, 'death')
  fall(30)
  assert.equal(player.dead, true)
  assert.equal(deaths[0].message, 'Gizmo hit the ground too hard')
  assert.deepEqual([player.count(), census(world, 'diamond')], [0, 5])
  assert.equal(player.moveTo({ x: 1, y: -60, z: 0.5 }).ok, false)
  assert.equal(player.respawn().ok, true)
  assert.deepEqual([player.health, player.food, player.dead, player.y], [20, 20, false, -60])
  assert.equal(player.respawn().ok, false)
})

test('keepInventory keeps it', () => {
  const world = makeWorld()
  must(world, 'gamerule keepInventory true')
  must(world, 'give Gizmo diamond 5')
  must(world, 'kill Gizmo')
  assert.equal(world.players.get('Gizmo').count('diamond'), 5)
  assert.equal(world.drops().size, 0)
})

test('a tossed stack flies, lands, and can be picked up after 40 ticks', () => {
  const world = makeWorld({ players: { A: { x: 0.5, z: 0.5 }, B: { x: 20.5, z: 0.5 } } })
  const [a, b] = [...world.players.values()]
  hold(world, a, 'diamond', 12)
  const collected = record(world, 'collect')
  assert.equal(a.dropHeld(true).ok, true)
  ticks(world, 38)
  const [drop] = world.drops()
  assert.deepEqual([drop.onGround, drop.item.count, Math.round(drop.y * 100)], [true, 12, -6000])
  b.place3d({ x: drop.x, y: -60, z: drop.z })
  a.place3d({ x: 30, y: -60, z: 0 })
  ticks(world, 4)
  assert.deepEqual([b.count('diamond'), collected.length, collected[0].count, world.drops().size], [12, 1, 12, 0])
})

test('equal stacks on the ground merge up to a full stack; items that do not fit stay', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  for (let i = 0; i < 5; i++) world.popItem(world.stacks.make('dirt', 30), { x: 10, y: -60, z: 10 })
  ticks(world, 100)
  assert.equal(census(world, 'dirt'), 150)
  assert.ok(world.drops().size <= 4)
  for (let i = 9; i < 45; i++) player.store.set(i, world.stacks.make('stone', 64))
  player.store.set(9, world.stacks.make('dirt', 60))
  player.place3d({ x: 10.5, y: -60, z: 10.5 })
  ticks(world, 3)
  assert.equal(player.count('dirt'), 64)
  assert.equal(census(world, 'dirt'), 210)
})

test('drops despawn after five minutes', () => {
  const world = makeWorld({ players: {} })
  world.popItem(world.stacks.make('dirt', 1), { x: 0, y: -60, z: 0 })
  ticks(world, 5999)
  assert.equal(world.drops().size, 1)
  ticks(world, 1)
  assert.equal(world.drops().size, 0)
})

/** Blocks to place, places, and whether each is legal. @type {[string, string, any, boolean][]} */
const PLACES = [
  ['on the ground', 'stone', { pos: { x: 2, y: -61, z: 0 }, face: 1 }, true],
  ['in another block', 'stone', { pos: { x: 3, y: -60, z: 3 }, face: 0 }, false],
  ['in one\'s own body', 'stone', { pos: { x: 0, y: -61, z: 0 }, face: 1 }, false],
  ['out of reach', 'stone', { pos: { x: 12, y: -61, z: 0 }, face: 1 }, false],
  ['a torch in the air', 'torch', { pos: { x: 3, y: -60, z: 3 }, face: 0 }, false],
  ['seeds on grass', 'wheat_seeds', { pos: { x: 2, y: -61, z: 0 }, face: 1 }, false],
  ['at NaN', 'stone', { pos: { x: NaN, y: -61, z: 0 }, face: 1 }, false],
  ['at face 9', 'stone', { pos: { x: 2, y: -61, z: 0 }, face: 9 }, false],
  ['with a wild cursor', 'stone', { pos: { x: 2, y: -61, z: 0 }, face: 1, cursor: { x: NaN, y: 0, z: 0 } }, false],
  ['with no request', 'stone', undefined, false],
  ['what is no block', 'stick', { pos: { x: 2, y: -61, z: 0 }, face: 1 }, false]
]
for (const [what, item, request, ok] of PLACES) {
  test(`placing ${what} is ${ok ? 'done' : 'refused'}`, () => {
    const world = makeWorld()
    const player = world.players.get('Gizmo')
    must(world, 'setblock 3 -60 3 stone')
    hold(world, player, item, 5)
    const shown = record(world, 'windowItems')
    assert.equal(player.place(request).ok, ok)
    assert.equal(player.count(item), ok ? 4 : 5)
    assert.equal(shown.length, ok ? 0 : 1)
  })
}

for (const [height, ok] of /** @type {[number, boolean][]} */ ([[0.5, false], [0.73, false], [0.75, true],
  [1.1, true]])) {
  test(`pillaring with the feet ${height} above the block is ${ok ? 'tolerated' : 'refused'}`, () => {
    const world = makeWorld()
    const player = world.players.get('Gizmo')
    hold(world, player, 'dirt', 5)
    player.place3d({ x: 0.5, y: -60 + height, z: 0.5 })
    assert.equal(player.place({ pos: { x: 0, y: -61, z: 0 }, face: 1 }).ok, ok)
    assert.equal(player.moveTo({ x: 0.5, y: -60 + height + 0.1, z: 0.5 }).ok, true)
  })
}

/** Item, yaw, request, resulting state. @type {[string, number, any, Record<string, string>][]} */
const TURNED = [
  ['chest', 0, { face: 1 }, { facing: 'north', type: 'single', waterlogged: 'false' }],
  ['furnace', 90, { face: 1 }, { facing: 'east', lit: 'false' }], ['oak_log', 0, { face: 1 }, { axis: 'y' }],
  ['oak_stairs', 180, { face: 1 }, { facing: 'north', half: 'bottom' }],
  ['oak_slab', 0, { face: 1 }, { type: 'bottom' }],
  ['oak_door', 0, { face: 1 }, { facing: 'south', half: 'lower', open: 'false' }], ['torch', 0, { face: 1 }, {}],
  ['red_bed', -90, { face: 1 }, { facing: 'east', part: 'foot' }]
]
for (const [item, yaw, request, props] of TURNED) {
  test(`${item} placed with yaw ${yaw} gets ${JSON.stringify(props)}`, () => {
    const world = makeWorld()
    const player = world.players.get('Gizmo')
    player.yaw = yaw
    hold(world, player, item)
    assert.deepEqual(player.place({ pos: { x: 2, y: -61, z: 2 }, ...request }), { ok: true })
    const state = world.stateAt(2, -60, 2)
    assert.equal(state.name, item)
    assert.deepEqual(Object.fromEntries(Object.keys(props).map((key) => [key, state.props[key]])), props)
  })
}

test('a door opens with both halves, and breaks with both', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  hold(world, player, 'oak_door')
  player.place({ pos: { x: 2, y: -61, z: 0 }, face: 1 })
  player.place({ pos: { x: 2, y: -60, z: 0 }, face: 4 })
  assert.deepEqual([-60, -59].map((y) => world.stateAt(2, y, 0).props.open), ['true', 'true'])
  must(world, 'setblock 2 -59 0 air destroy')
  ticks(world, 3)
  assert.equal(world.stateAt(2, -60, 0).name, 'air')
  assert.equal(census(world, 'oak_door'), 1)
})

test('sand falls, a torch breaks off, water flows and is gone with its source', () => {
  const world = makeWorld()
  must(world, 'setblock 10 -50 10 sand')
  must(world, 'setblock 12 -60 10 stone')
  must(world, 'setblock 12 -59 10 torch')
  // Ten blocks under a gravity of 0.04 and a drag of 0.98 a tick take 25 ticks.
  ticks(world, 30)
  assert.equal(world.stateAt(10, -60, 10).name, 'sand')
  must(world, 'setblock 12 -60 10 air')
  ticks(world, 5)
  assert.equal(census(world, 'torch'), 1)
  must(world, 'setblock 30 -60 30 water')
  ticks(world, 60)
  assert.deepEqual([1, 4, 7, 8].map((d) => world.stateAt(30 + d, -60, 30).props.level), ['1', '4', '7', undefined])
  must(world, 'setblock 30 -60 30 air')
  ticks(world, 200)
  assert.deepEqual([0, 1, 4, 7].map((d) => world.stateAt(30 + d, -60, 30).name), ['air', 'air', 'air', 'air'])
})

test('a furnace smelts with fuel and time, and stops without', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  must(world, 'setblock 2 -60 0 furnace')
  must(world, 'item replace block 2 -60 0 container.0 with raw_iron 9')
  must(world, 'item replace block 2 -60 0 container.1 with coal 1')
  const bars = record(world, 'windowProperty')
  player.place({ pos: { x: 2, y: -60, z: 0 }, face: 1 })
  ticks(world, 201)
  assert.equal(must(world, 'data get block 2 -60 0 Items[{Slot:2b}].Count'),
    '2, -60, 0 has the following block data: 1b')
  assert.equal(world.stateAt(2, -60, 0).props.lit, 'true')
  assert.ok(bars.some(({ property, value }) => property === 2 && value > 100))
  ticks(world, 2000)
  assert.equal(must(world, 'data get block 2 -60 0 Items[{Slot:2b}].Count'),
    '2, -60, 0 has the following block data: 8b')
  assert.equal(world.stateAt(2, -60, 0).props.lit, 'false')
})

test('eating takes 32 ticks, fills, and is broken off by another slot', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  player.hunger.food = 10
  hold(world, player, 'apple', 2)
  assert.equal(player.useItem().ok, true)
  ticks(world, 31)
  assert.deepEqual([player.food, player.count('apple')], [10, 2])
  ticks(world, 1)
  assert.deepEqual([player.food, player.count('apple'), player.usingItem], [14, 1, false])
  player.useItem()
  player.holdSlot(3)
  ticks(world, 40)
  assert.equal(player.count('apple'), 1)
})

test('full players heal, hungry ones do not, starving ones suffer', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  player.setHealth(10)
  ticks(world, 60)
  assert.ok(player.health > 12)
  player.hunger.food = 5
  player.hunger.saturation = 0
  const before = player.health
  ticks(world, 200)
  assert.equal(player.health, before)
  player.hunger.food = 0
  ticks(world, 200)
  assert.ok(player.health < before)
})

test('a pig is killed by blows, and drops pork and experience', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  hold(world, player, 'iron_sword')
  must(world, 'summon pig 2 -60 0.5 {NoAI:1b}')
  const pig = [...world.entities.values()].find((e) => e.type === 'pig')
  for (let i = 0; i < 10 && !pig.dead; i++) {
    player.useEntity(pig.id, 'attack')
    ticks(world, 15)
  }
  assert.equal(pig.dead, true)
  assert.ok(census(world, 'porkchop') >= 1)
  ticks(world, 30)
  assert.equal(world.entities.has(pig.id), false)
  assert.equal(player.useEntity(99999, 'attack').ok, false)
})

test('a zombie follows and hits; an arrow from a bow hits it', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  must(world, 'time set night')
  must(world, 'summon zombie 0.5 -60 8.5')
  const zombie = [...world.entities.values()].find((e) => e.type === 'zombie')
  must(world, 'give Gizmo arrow 5')
  hold(world, player, 'bow')
  player.store.set(37, world.stacks.make('arrow', 5))
  player.moveTo({ yaw: 0, pitch: 0 })
  player.useItem()
  ticks(world, 22)
  player.releaseItem()
  ticks(world, 12)
  assert.ok(zombie.health < 20, `the zombie has ${zombie.health}`)
  ticks(world, 200)
  assert.ok(player.health < 20)
})

test('spectators cannot touch anything', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  hold(world, player, 'stone', 3)
  must(world, 'gamemode spectator Gizmo')
  for (const verdict of [player.place({ pos: { x: 2, y: -61, z: 0 }, face: 1 }), player.dropHeld(true),
    player.useItem(), player.swapHands(), player.startDig({ x: 1, y: -61, z: 0 }, 1)]) {
    assert.equal(verdict.ok, false)
  }
  assert.equal(player.moveTo({ x: 1, y: -70, z: 0 }).ok, true)
})

test('chat is passed on, bounded and clean', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  const said = record(world, 'chat')
  assert.equal(player.chat('hello there').ok, true)
  for (const text of ['', 'x'.repeat(257), 'a\u0000b', '§c', /** @type {any} */ (undefined)]) {
    assert.equal(player.chat(text).ok, false)
  }
  assert.deepEqual(said, [{ from: 'Gizmo', text: 'hello there' }])
})

test('names are checked, and nobody joins twice', () => {
  const world = makeWorld()
  assert.throws(() => world.addPlayer('Gizmo'), /is in the world already/)
  assert.throws(() => world.addPlayer('a b'), /is not legal/)
  const player = world.players.get('Gizmo')
  world.removePlayer(player)
  assert.equal(world.entities.has(player.id), false)
  world.addPlayer('Gizmo')
})

/** Return the bytes of all events of one world in a busy half minute. @param {number} seed */
function logOf (seed) {
  const world = makeWorld({ seed, players: { A: { x: 0.5, z: 0.5 }, B: { x: 4.5, z: 0.5 } } })
  const hash = createHash('sha256')
  const plain = (/** @type {any} */ v) =>
    JSON.stringify(v, (key, value) =>
    (value && typeof value === 'object' && 'world' in value && 'uuid' in value
    ? `${value.type} ${value.id} ${value.uuid} ${value.x} ${value.y} ${value.z}` : value))
  const emit = world.emit.bind(world)
  world.emit = (/** @type {any} */ name, /** @type {any[]} */ ...args) => {
    hash.update(name + plain(args))
    return emit(name, ...args)
  }
  const [a, b] = [...world.players.values()]
  for (const type of ['pig', 'zombie', 'skeleton', 'chicken']) must(world, `summon ${type} 10 -60 10`)
  must(world, 'fill 2 -60 -3 2 -60 3 red_mushroom_block')
  for (let i = -3; i <= 3; i++) {
    for (const player of [a, b]) player.startDig({ x: 2, y: -60, z: i }, 1)
    ticks(world, 8)
    for (const player of [a, b]) player.finishDig({ x: 2, y: -60, z: i })
  }
  must(world, 'tp @r ~ ~1 ~')
  ticks(world, 400)
  return hash.digest('hex')
}

test('the same seed and the same calls give the same bytes; another seed gives others', () => {
  assert.equal(logOf(5), logOf(5))
  assert.notEqual(logOf(5), logOf(6))
})

test('a player rejoins with its items, place and game mode', () => {
  const world = makeWorld()
  must(world, 'give Gizmo diamond 5')
  must(world, 'tp Gizmo 7.5 -60 7.5')
  const player = world.players.get('Gizmo')
  player.click({ windowId: 0, slot: 36, button: 1, mode: 0 })
  player.click({ windowId: 0, slot: 1, button: 0, mode: 0 })
  world.removePlayer(player)
  assert.equal(world.drops().size, 0)
  const again = world.addPlayer('Gizmo')
  assert.deepEqual([again.count('diamond'), again.x, again.z, again.gamemode], [5, 7.5, 7.5, 'survival'])
  must(world, 'kill Gizmo')
  world.removePlayer(again)
  const third = world.addPlayer('Gizmo')
  assert.deepEqual([third.count('diamond'), third.dead, third.health, third.x], [0, false, 20, 0.5])
  assert.equal(census(world, 'diamond'), 5)
})

test('an item on the cursor outlives death with keepInventory', () => {
  const world = makeWorld()
  must(world, 'gamerule keepInventory true')
  must(world, 'give Gizmo diamond 5')
  const player = world.players.get('Gizmo')
  player.click({ windowId: 0, slot: 36, button: 0, mode: 0 })
  must(world, 'kill Gizmo')
  assert.deepEqual([player.count('diamond'), world.drops().size], [5, 0])
})
