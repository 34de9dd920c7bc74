'use strict'
/**
 * Growth, with vanilla's numbers (Minecraft wiki, 1.20.4): farmland, crops, stalks, saplings, bone meal, leaves, grass.
 */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { makeWorld, must, ticks, record, hold } = require('../../helpers')

const UP = 1
const name = (/** @type {any} */ world, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
  world.stateAt(x, y, z).name
const props = (/** @type {any} */ world, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
  world.stateAt(x, y, z).props

/**
 * Run a random tick at one place.
 * @param {any} world
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} [times]
 */
function nudge (world, x, y, z, times = 1) {
  const random = world.random.stream('growth')
  for (let i = 0; i < times; i++) world.growth.tickAt({ x, y, z }, random, { until: Infinity })
}

test('a hoe makes farmland of grass and dirt, dirt of coarse dirt, and wears by one', () => {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  must(world, 'setblock 2 -61 0 coarse_dirt')
  hold(world, gizmo, 'iron_hoe')
  for (const x of [1, 2]) assert.deepEqual(gizmo.place({ pos: { x, y: -61, z: 0 }, face: UP }), { ok: true })
  assert.deepEqual([name(world, 1, -61, 0), name(world, 2, -61, 0)], ['farmland', 'dirt'])
  assert.equal(world.stacks.damage(gizmo.heldItem), 2)
  must(world, 'setblock 0 -60 2 stone')
  gizmo.place({ pos: { x: 0, y: -61, z: 2 }, face: UP })
  assert.equal(name(world, 0, -61, 2), 'grass_block', 'earth under a block is not tilled')
})

test(
  'farmland is moist four blocks from water, dries by one a tick elsewhere, and turns to dirt where nothing is planted',
  () => {
  const world = makeWorld()
  must(world, 'setblock 0 -61 5 water')
  must(world, 'fill 0 -61 4 0 -61 0 farmland')
  nudge(world, 0, -61, 1)
  nudge(world, 0, -61, 0)
  assert.equal(props(world, 0, -61, 1).moisture, '7')
  assert.equal(name(world, 0, -61, 0), 'dirt', 'five blocks away is too far, and it was dry')
  must(world, 'setblock 8 -61 0 farmland[moisture=2]')
  must(world, 'setblock 8 -60 0 wheat')
  nudge(world, 8, -61, 0, 5)
  assert.deepEqual([name(world, 8, -61, 0), props(world, 8, -61, 0).moisture], ['farmland', '0'],
    'what bears a crop stays, dry')
})

test('farmland is trampled by a fall of more than half a block, the crop comes off', () => {
  const world = makeWorld()
  must(world, 'setblock 0 -61 0 farmland[moisture=7]')
  must(world, 'setblock 0 -60 0 wheat[age=7]')
  const gizmo = world.players.get('Gizmo')
  gizmo.place3d({ x: 0.5, y: -57.5, z: 0.5 })
  gizmo.moveTo({ y: -60.0625, onGround: true })
  ticks(world, 3)
  assert.deepEqual([name(world, 0, -61, 0), name(world, 0, -60, 0)], ['dirt', 'air'])
  assert.ok([...world.entities.values()].some((e) => e.item?.name === 'wheat'))
})

test('farmland under a solid block becomes dirt', () => {
  const world = makeWorld()
  must(world, 'setblock 3 -61 0 farmland')
  must(world, 'setblock 3 -60 0 stone')
  ticks(world, 3)
  assert.equal(name(world, 3, -61, 0), 'dirt')
})

/**
 * Return the share of random ticks at which a wheat plant grows.
 * @param {string} ground
 * @param {number} radius of it
 * @param {boolean} crowd of wheat
 */
function rate (ground, radius, crowd) {
  const world = makeWorld()
  must(world, `fill ${-radius} -61 ${-radius} ${radius} -61 ${radius} ${ground}`)
  if (crowd) must(world, 'fill -1 -60 -1 1 -60 1 wheat')
  let grown = 0
  const tries = 6000
  for (let i = 0; i < tries; i++) {
    world.setBlock(0, -60, 0, world.data.stateId('wheat'))
    nudge(world, 0, -60, 0)
    grown += Number(props(world, 0, -60, 0).age)
  }
  return grown / tries
}

test('wheat grows by one chance in three amid moist farmland, in 15 in a lone dry block, half as well in a crowd',
  () => {
  // Points: 1 + 3 + 8 x 3/4 = 10 -> one in floor(25/10) + 1 = 3; 1 + 1 = 2 -> one in 13; 10 / 2 = 5 -> one in 6.
  assert.ok(Math.abs(rate('farmland[moisture=7]', 1, false) - 1 / 3) < 0.02)
  assert.ok(Math.abs(rate('farmland', 0, false) - 1 / 13) < 0.01)
  assert.ok(Math.abs(rate('farmland[moisture=7]', 1, true) - 1 / 6) < 0.015)
})

test('crops want light of nine to grow and of eight to stay', () => {
  const world = makeWorld()
  must(world, 'fill -3 -61 -3 3 -61 3 farmland[moisture=7]')
  must(world, 'fill -9 -58 -9 9 -58 9 stone')
  must(world, 'fill -9 -60 -9 9 -59 -9 stone')
  must(world, 'fill -9 -60 9 9 -59 9 stone')
  must(world, 'fill -9 -60 -9 -9 -59 9 stone')
  must(world, 'fill 9 -60 -9 9 -59 9 stone')
  const gizmo = world.players.get('Gizmo')
  hold(world, gizmo, 'wheat_seeds')
  assert.equal(gizmo.place({ pos: { x: 1, y: -61, z: 0 }, face: UP }).ok, false, 'in the dark nothing is planted')
  must(world, 'setblock 3 -60 3 torch')
  assert.equal(world.light.block(1, -60, 0), 9)
  assert.equal(gizmo.place({ pos: { x: 1, y: -61, z: 0 }, face: UP }).ok, true)
  nudge(world, 1, -60, 0, 60)
  assert.equal(props(world, 1, -60, 0).age, '7')
})

test('random ticks make a field ripe by themselves, near a player only', () => {
  const world = makeWorld()
  must(world, 'gamerule randomTickSpeed 300')
  for (const x of [4, 300]) {
    must(world, `fill ${x} -61 0 ${x} -61 8 farmland[moisture=7]`)
    must(world, `setblock ${x + 1} -61 4 water`)
    must(world, `fill ${x} -60 0 ${x} -60 8 wheat`)
  }
  ticks(world, 1500)
  const ages = (/** @type {number} */ x) => Array.from({ length: 9 }, (_, z) => props(world, x, -60, z).age)
  assert.deepEqual(ages(4), Array(9).fill('7'))
  assert.deepEqual(ages(300), Array(9).fill('0'))
})

test('a ripe stem lays a melon on earth beside it, and is ripe again when the melon goes', () => {
  const world = makeWorld()
  must(world, 'setblock 5 -61 5 farmland[moisture=7]')
  must(world, 'setblock 5 -60 5 melon_stem[age=7]')
  nudge(world, 5, -60, 5, 60)
  assert.equal(name(world, 5, -60, 5), 'attached_melon_stem')
  const at = [[4, 5], [6, 5], [5, 4], [5, 6]].find(([x, z]) => name(world, x, -60, z) === 'melon')
  assert.ok(at)
  must(world, `setblock ${at[0]} -60 ${at[1]} air`)
  ticks(world, 3)
  assert.deepEqual([name(world, 5, -60, 5), props(world, 5, -60, 5).age], ['melon_stem', '7'])
})

test('cane and cactus grow every 16th random tick, to three blocks; a cactus beside a block breaks', () => {
  const world = makeWorld()
  must(world, 'setblock 4 -61 4 sand')
  must(world, 'setblock 5 -61 4 water')
  must(world, 'setblock 4 -60 4 sugar_cane')
  nudge(world, 4, -60, 4, 15)
  assert.equal(name(world, 4, -59, 4), 'air')
  nudge(world, 4, -60, 4)
  assert.equal(name(world, 4, -59, 4), 'sugar_cane')
  nudge(world, 4, -59, 4, 16)
  nudge(world, 4, -58, 4, 40)
  assert.deepEqual([name(world, 4, -58, 4), name(world, 4, -57, 4)], ['sugar_cane', 'air'])
  must(world, 'setblock 9 -61 9 sand')
  must(world, 'setblock 9 -60 9 cactus')
  must(world, 'setblock 10 -59 9 stone')
  nudge(world, 9, -60, 9, 16)
  ticks(world, 3)
  assert.equal(name(world, 9, -59, 9), 'air')
  assert.ok([...world.entities.values()].some((e) => e.item?.name === 'cactus'))
})

test('a bamboo shoot becomes a stem of at most 16 blocks with leaves at its top', () => {
  const world = makeWorld()
  must(world, 'setblock 4 -60 4 bamboo_sapling')
  nudge(world, 4, -60, 4, 20)
  for (let round = 0; round < 40; round++) for (let y = -60; y < -40; y++) nudge(world, 4, y, 4, 3)
  let height = 0
  while (name(world, 4, -60 + height, 4) === 'bamboo') height++
  assert.ok(height >= 12 && height <= 16, `it is ${height} blocks high`)
  assert.deepEqual([props(world, 4, -60 + height - 1, 4).leaves, props(world, 4, -60 + height - 1, 4).stage],
    ['large', '1'])
})

for (const [kind, log, least, most] of /** @type {[string, string, number, number][]} */ ([['oak', 'oak_log', 4, 6],
  ['birch', 'birch_log', 5, 7], ['spruce', 'spruce_log', 6, 9], ['cherry', 'cherry_log', 7, 9],
  ['acacia', 'acacia_log', 5, 9]])) {
  test(`${kind} saplings grow to trees as high as vanilla's`, () => {
    const world = makeWorld()
    for (let i = 0; i < 6; i++) {
      const x = 20 * i
      must(world, `setblock ${x} -60 20 ${kind}_sapling`)
      nudge(world, x, -60, 20, 150)
      assert.equal(name(world, x, -60, 20), log)
      let top = -30
      while (!/_log$/.test([-3, -2, -1, 0, 1, 2,
        3].flatMap((dx) => [-3, -2, -1, 0, 1, 2, 3].map((dz) => name(world, x + dx, top, 20 + dz)))
        .find((n) => n === log) ?? '')) {
        top--
      }
      assert.ok(top + 61 >= least && top + 61 <= most, `${kind} is ${top + 61} high`)
      assert.equal(name(world, x, -61, 20), 'dirt')
    }
  })
}

test('four dark oak saplings make one tree, a single one never', () => {
  const world = makeWorld()
  must(world, 'setblock 30 -60 30 dark_oak_sapling')
  nudge(world, 30, -60, 30, 200)
  assert.equal(name(world, 30, -60, 30), 'dark_oak_sapling')
  must(world, 'fill 10 -60 10 11 -60 11 dark_oak_sapling')
  nudge(world, 10, -60, 10, 200)
  for (const [x, z] of [[10, 10], [11, 10], [10, 11], [11, 11]]) assert.equal(name(world, x, -60, z), 'dark_oak_log')
})

test('a sapling without room for its trunk stays one', () => {
  const world = makeWorld()
  must(world, 'setblock 4 -60 4 oak_sapling')
  must(world, 'setblock 4 -57 4 stone')
  must(world, 'setblock 5 -60 4 torch')
  nudge(world, 4, -60, 4, 200)
  assert.equal(name(world, 4, -60, 4), 'oak_sapling')
})

test('bone meal ripens wheat by 2 to 5, beetroot by one in three of four tries, saplings in 45 of 100', () => {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  must(world, 'fill 1 -61 0 3 -61 0 farmland[moisture=7]')
  must(world, 'gamemode creative Gizmo')
  hold(world, gizmo, 'bone_meal')
  const use = (/** @type {number} */ x) => gizmo.place({ pos: { x, y: -60, z: 0 }, face: UP }).ok
  const steps = new Set()
  let beet = 0
  let ripe = 0
  for (let i = 0; i < 1000; i++) {
    world.setBlock(1, -60, 0, world.data.stateId('wheat'))
    use(1)
    steps.add(props(world, 1, -60, 0).age)
    world.setBlock(2, -60, 0, world.data.stateId('beetroots'))
    use(2)
    beet += Number(props(world, 2, -60, 0).age)
    world.setBlock(3, -61, 0, world.data.stateId('dirt'))
    world.setBlock(3, -60, 0, world.data.stateId('oak_sapling'))
    use(3)
    ripe += Number(props(world, 3, -60, 0).stage)
  }
  assert.deepEqual([...steps].sort(), ['2', '3', '4', '5'])
  assert.ok(Math.abs(beet / 1000 - 0.75) < 0.05, String(beet))
  assert.ok(Math.abs(ripe / 1000 - 0.45) < 0.05, String(ripe))
  world.setBlock(1, -60, 0, world.data.stateId('wheat', { age: 7 }))
  assert.equal(use(1), false)
})

test('bone meal on grass brings up grass and flowers, and is used up', () => {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  hold(world, gizmo, 'bone_meal', 3)
  assert.equal(gizmo.place({ pos: { x: 2, y: -61, z: 2 }, face: UP }).ok, true)
  let plants = 0
  for (let x = -6; x <= 10; x++) for (let z = -6; z <= 10; z++) if (!world.stateAt(x, -60, z).air) plants++
  assert.ok(plants > 10, `${plants} plants`)
  assert.equal(gizmo.heldItem.count, 2)
})

test('a leaf held by wood is checked once, and again when wood or leaves near it are removed', () => {
  const world = makeWorld()
  must(world, 'gamerule randomTickSpeed 4096')
  must(world, 'setblock 8 -60 8 oak_log')
  must(world, 'fill 8 -59 8 8 -57 8 oak_leaves')
  const looked = /** @type {number[]} */ ([])
  const { tickAt } = world.growth
  world.growth.tickAt = function (/** @type {any[]} */ ...[pos, random, section]) {
    if (name(world, pos.x, pos.y, pos.z) === 'oak_leaves') looked.push(pos.y)
    return tickAt.call(this, pos, random, section)
  }
  const stirred = (/** @type {number} */ y) => {
    must(world, `setblock 10 ${y} 8 oak_log`)
    must(world, `setblock 10 ${y} 8 air`)
    looked.length = 0
    for (let i = 0; i < 40; i++) world.tick()
    return looked.sort((a, b) => b - a)
  }
  assert.deepEqual(stirred(-59), [-57, -58, -59])
  assert.deepEqual(stirred(-58), [-57, -58, -59])
  must(world, 'setblock 8 -60 8 air')
  for (let i = 0; i < 40; i++) world.tick()
  assert.deepEqual([-59, -58, -57].map((y) => name(world, 8, y, 8)), ['air', 'air', 'air'])
})

test('leaves without wood within six blocks decay, persistent ones do not', () => {
  const world = makeWorld()
  must(world, 'gamerule randomTickSpeed 200')
  must(world, 'setblock 8 -60 8 oak_log')
  must(world, 'fill 8 -59 8 8 -57 8 oak_leaves')
  must(world, 'setblock 9 -57 8 oak_leaves[persistent=true]')
  ticks(world, 400)
  assert.equal(name(world, 8, -57, 8), 'oak_leaves')
  must(world, 'setblock 8 -60 8 air')
  ticks(world, 1000)
  assert.deepEqual([-59, -58, -57].map((y) => name(world, 8, y, 8)), ['air', 'air', 'air'])
  assert.equal(name(world, 9, -57, 8), 'oak_leaves')
})

test('grass spreads to bare earth beside it', () => {
  const world = makeWorld()
  must(world, 'gamerule randomTickSpeed 200')
  must(world, 'setblock 8 -61 8 dirt')
  ticks(world, 400)
  assert.equal(name(world, 8, -61, 8), 'grass_block')
})

test('growing places get as many random ticks as if all places of the section were drawn, others none',
  () => {
  const world = makeWorld()
  world.updates.paused = true
  must(world, 'fill 0 -60 0 9 -60 9 cactus[age=0]')
  must(world, 'fill 0 -44 0 4 -44 4 sugar_cane')
  must(world, 'setblock 12 -60 12 oak_leaves[persistent=true]')
  for (const y of [-60, -44]) world.growth.mark(0, y >> 4, 0)
  /** @type {Map<string, number>} */
  const ticked = new Map()
  world.growth.tickAt = (/** @type {any} */ { x, y, z }) => {
    ticked.set(`${x},${y},${z}`, (ticked.get(`${x},${y},${z}`) ?? 0) + 1)
  }
  const planted = [...Array(16 ** 2).keys()].flatMap((at) => [-60, -44].map((y) => [at & 15, y, at >> 4]))
    .filter(([x, y, z]) => /cactus|sugar_cane/.test(name(world, x, y, z)))
  assert.ok(planted.length > 20)
  for (const speed of [3, 400]) {
    ticked.clear()
    must(world, `gamerule randomTickSpeed ${speed}`)
    ticks(world, 4096)
    const expected = speed * planted.length
    const all = planted.map(([x, y, z]) => ticked.get(`${x},${y},${z}`) ?? 0)
    const sum = all.reduce((a, b) => a + b, 0)
    assert.ok(Math.abs(sum - expected) < 5 * Math.sqrt(expected), `${sum} ticks, ${expected} expected`)
    for (const each of all) assert.ok(Math.abs(each - speed) < 6 * Math.sqrt(speed), `${each} ticks of one place`)
    assert.equal([...ticked.values()].reduce((a, b) => a + b, 0), sum, 'nothing else is ticked')
  }
  ticked.clear()
  must(world, 'gamerule randomTickSpeed 0')
  ticks(world, 100)
  assert.equal(ticked.size, 0)
})

test('berries are picked by hand, and the bush goes on at age one', () => {
  const world = makeWorld()
  const gizmo = world.players.get('Gizmo')
  must(world, 'setblock 2 -60 0 sweet_berry_bush[age=3]')
  assert.equal(gizmo.place({ pos: { x: 2, y: -60, z: 0 }, face: UP }).ok, true)
  assert.equal(props(world, 2, -60, 0).age, '1')
  const drop = [...world.entities.values()].find((e) => e.item)
  assert.ok(drop.item.name === 'sweet_berries' && drop.item.count >= 2 && drop.item.count <= 3)
})

test('a world without growing plants draws no random ticks and computes no light', () => {
  const world = makeWorld()
  must(world, 'fill -5 -60 -5 5 -58 5 stone')
  must(world, 'fill -5 -60 -5 5 -58 5 air')
  const seen = record(world, 'block')
  ticks(world, 400)
  assert.equal(world.growth.sections.size, 0)
  assert.equal(world.light.columns.size, 0)
  assert.equal(seen.length, 0)
})
