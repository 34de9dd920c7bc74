'use strict'
/** Survival terrain: equal by seed in any order, whole across borders, and habitable. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { createHash } = require('node:crypto')
const { World } = require('../../../engine/world')
const { gameData } = require('../../../engine/world/data')
const { Canvas, ON } = require('../../../engine/world/terrain/canvas')
const { Packer } = require('../../../engine/world/terrain/packing')
const { SurvivalTerrain } = require('../../../engine/world/terrain/survival')
const { Terrain, COLUMNS_A_PLAYER, MAX_UNMODIFIED } = require('../../../engine/world/terrain/terrain')
const { BIOMES } = require('../../../engine/world/terrain/biomes')
const { CHESTS } = require('../../../engine/world/terrain/chest_loot')
const { VEINS } = require('../../../engine/world/terrain/ores')
const { blocked, bodyBox } = require('../../../engine/world/geometry')
const { canStay } = require('../../../engine/world/rules/blocks/support')

const data = gameData('1.20.4')
/** @param {number | string} seed @returns {any} */
const survival = (seed) => new World({ seed, terrain: 'survival' })
/** @param {any} column */
const hashOf = (column) => createHash('sha1').update(column.dump()).digest('hex')

/**
 * Return columns around a place with many structures: a village, or a thick forest.
 * @param {boolean} [wooded]
 * @returns {number[][]}
 */
function busyColumns (wooded = false) {
  const terrain = new SurvivalTerrain(data, '1')
  const { x, z } = /** @type {any} */ (wooded ? terrain.locateBiome('dark_forest', { x: 0, z: 0 })
    : terrain.locateVillage({ x: 0, z: 0 }, null))
  const places = []
  for (let dz = -3; dz <= 3; dz++) for (let dx = -3; dx <= 3; dx++) places.push([(x >> 4) + dx, (z >> 4) + dz])
  return places
}

test('columns do not depend on the order of their generation', () => {
  const places = busyColumns()
  const orders = [places, [...places].reverse(), [...places].sort((a, b) => a[0] * 7 % 5 - b[0] * 7 % 5 || a[1] - b[1])]
  const sums = orders.map((order) => {
    const terrain = new SurvivalTerrain(data, '1')
    const found = new Map(order.map(([cx, cz]) => [`${cx},${cz}`, hashOf(terrain.generate(cx, cz))]))
    return places.map(([cx, cz]) => found.get(`${cx},${cz}`))
  })
  assert.deepEqual(sums[1], sums[0])
  assert.deepEqual(sums[2], sums[0])
  // Each also alone, in a generator that has seen nothing else.
  for (const i of [0, 24, 48]) {
    assert.equal(hashOf(new SurvivalTerrain(data, '1').generate(places[i][0], places[i][1])), sums[0][i])
  }
  assert.ok(new Set(sums[0]).size > 40)
})

test('another seed makes another land', () => {
  assert.notEqual(hashOf(new SurvivalTerrain(data, '1').generate(0, 0)),
    hashOf(new SurvivalTerrain(data, '2').generate(0, 0)))
  assert.equal(hashOf(survival(7).column(3, -4)), hashOf(survival('7').column(3, -4)))
})

for (const wooded of [false, true]) {
  test(`${wooded ? 'forests' : 'villages'} across borders are drawn whole: one wide canvas shows what the columns show`,
    () => {
    const terrain = new SurvivalTerrain(data, '1')
    const [cx, cz] = busyColumns(wooded)[0]
    const stone = data.stateId('stone')
    // The same bare ground everywhere, so that only structures differ.
    const draw = (/** @type {Canvas} */ canvas) => {
      for (let y = -64; y < 62; y++) {
        for (let z = 0; z < canvas.size; z++) {
          for (let x = 0; x < canvas.size; x++) canvas.put(canvas.x + x, y, canvas.z + z, stone, ON.ANYTHING)
        }
      }
      for (let z = cz - 1; z <= cz + 7; z++) {
        for (let x = cx - 1; x <= cx + 7; x++) {
          terrain.ores.drawFrom(canvas, x, z)
          for (const tree of terrain.treesOf(x, z)) {
            if (canvas.shows(tree.box[0], tree.box[1], tree.box[2], tree.box[3])) tree.draw(canvas)
          }
        }
      }
      for (const village of terrain.villages.around(cx + 3, cz + 3)) terrain.builder.draw(canvas, village)
      return canvas
    }
    const wide = draw(new Canvas(data, cx, cz, 7))
    let drawn = 0
    for (let dz = 0; dz < 7; dz++) {
      for (let dx = 0; dx < 7; dx++) {
        const narrow = draw(new Canvas(data, cx + dx, cz + dz))
        for (let i = 0; i < narrow.cells.length; i++) {
          const [x, z, y] = [narrow.x + (i & 15), narrow.z + ((i >> 4) & 15), (i >> 8) - 64]
          if (wide.get(x, y, z) !== narrow.cells[i]) {
            assert.fail(`${x} ${y} ${z}: ${data.state(wide.get(x, y,
              z)).name} on the wide canvas, ${data.state(narrow.cells[i]).name} on its own`)
          }
          if (narrow.cells[i] !== 0 && narrow.cells[i] !== stone) drawn++
        }
      }
    }
    assert.ok(drawn > 5000)
  })
}

test('packed sections read as they were drawn, whatever the number of kinds', () => {
  const packer = new Packer(data)
  for (const kinds of [1, 2, 16, 17, 200, 400]) {
    const cells = Uint16Array.from({ length: 4096 }, (_, i) => (i * 7919) % kinds)
    const section = packer.section(cells)
    for (let i = 0; i < 4096; i++) assert.equal(section.get({ x: i & 15, y: i >> 8, z: (i >> 4) & 15 }), cells[i])
    assert.equal(section.solidBlockCount, cells.filter((state) => state !== 0).length)
  }
})

test('a packed column is the same after transmission', () => {
  const column = new SurvivalTerrain(data, '3').generate(5, 9)
  const read = new data.Column({ minY: -64, worldHeight: 384 })
  read.load(column.dump())
  for (let y = -64; y < 200; y++) {
    for (let at = 0; at < 256; at++) {
      const pos = { x: at & 15, y, z: at >> 4 }
      assert.equal(read.getBlockStateId(pos), column.getBlockStateId(pos))
      assert.equal(read.getBiome(pos), column.getBiome(pos))
    }
  }
})

test('players begin on dry land, on every seed', () => {
  for (let seed = 0; seed < 25; seed++) {
    const world = survival(seed)
    const { x, y, z } = world.spawn
    const below = world.stateAt(Math.floor(x), y - 1, Math.floor(z))
    assert.ok(below.fullCube, `seed ${seed}: stands on ${below.name}`)
    for (const dy of [0, 1]) {
      assert.equal(world.stateAt(Math.floor(x), y + dy, Math.floor(z)).shapes.length, 0, `seed ${seed}`)
    }
    assert.ok(y > 62)
  }
})

test('every expected biome can be located', () => {
  const wanted = ['plains', 'forest', 'birch_forest', 'dark_forest', 'desert', 'savanna', 'taiga', 'snowy_taiga',
    'snowy_plains', 'swamp', 'windswept_hills', 'stony_peaks', 'river', 'beach', 'ocean', 'jungle', 'bamboo_jungle']
  const world = survival(1)
  for (const name of wanted) {
    const found = world.terrain.generator.locateBiome(name, world.spawn)
    assert.ok(found, name)
    assert.equal(world.biomeAt(found.x, found.y, found.z), name)
  }
  assert.equal(world.terrain.generator.locateBiome('the_end', world.spawn), null)
  for (const name of BIOMES) assert.ok(world.registry.biomesByName[name])
})

test('generated plants and blocks are stable, and no liquid hangs in the air', () => {
  const world = survival(2)
  const { generator } = world.terrain
  for (const name of ['plains', 'dark_forest', 'desert', 'jungle', 'swamp', 'taiga', 'snowy_taiga', 'river', 'ocean']) {
    const middle = generator.locateBiome(name, world.spawn)
    each(world, middle, 20, 60, ({ x, y, z, state }) => {
      assert.ok(canStay(world, { x, y, z }, state), `${state.name} at ${x} ${y} ${z} cannot stay`)
      if (state.liquid) {
        for (const [dx, dy, dz] of [[0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]]) {
          assert.ok(!world.stateAt(x + dx, y + dy, z + dz).air, `${state.name} at ${x} ${y} ${z} would flow`)
        }
      }
    })
  }
})

test('ores lie at the depths where vanilla 1.20.4 has them', () => {
  const world = survival(3)
  /** @type {Record<string, number[]>} */
  const found = {}
  for (let cx = 0; cx < 8; cx++) {
    for (let cz = 0; cz < 8; cz++) {
      each(world, { x: cx * 16 + 8, y: 0, z: cz * 16 + 8 }, 8, 400, ({ y, state }) => {
        if (state.name.endsWith('_ore')) (found[state.name.replace('deepslate_', '')] ??= []).push(y)
      })
    }
  }
  for (const [name, ys] of Object.entries(found)) {
    const bounds = VEINS.filter(({ block }) => block === name)
    const [low, high] = [Math.min(...bounds.map(({ y }) => y[0])), Math.max(...bounds.map(({ y }) => y[1]))]
    assert.ok(ys.every((y) => y >= low - 4 && y <= high + 4), `${name}: ${Math.min(...ys)} to ${Math.max(...ys)}`)
  }
  for (const name of ['coal_ore', 'iron_ore', 'copper_ore', 'gold_ore', 'redstone_ore', 'lapis_ore', 'diamond_ore']) {
    assert.ok(found[name].length > 20, name)
  }
  // minecraft.wiki, "Ore": diamonds are most common at the bottom, coal is not.
  const mean = (/** @type {number[]} */ ys) => ys.reduce((a, b) => a + b) / ys.length
  assert.ok(mean(found.diamond_ore) < -30 && mean(found.coal_ore) > 20 && mean(found.redstone_ore) < -20)
})

test('deepslate begins between 0 and 8, bedrock closes the floor, lava fills the deepest caves', () => {
  const world = survival(4)
  let caves = 0
  each(world, { x: 40, y: 0, z: 40 }, 40, 400, ({ x, y, z, state }) => {
    if (y === -64) assert.equal(state.name, 'bedrock')
    if (y >= 8 && y < 60) assert.notEqual(state.name, 'deepslate')
    if (y < 0) assert.notEqual(state.name, 'stone_bricks')
    if (y < -55 && world.stateAt(x, y + 1, z).air) assert.ok(!state.air, `air at ${x} ${y} ${z} below the lava`)
    if (state.air && y < 40) caves++
  }, true)
  assert.ok(caves > 2000)
})

/**
 * Visit the cells around a place that are not air (or all of them).
 * @param {any} world
 * @param {any} middle
 * @param {number} reach
 * @param {number} high
 * @param {(cell: { x: number, y: number, z: number, state: any }) => void} visit
 * @param {boolean} [air]
 */
function each (world, middle, reach, high, visit, air = false) {
  const floor = high > 100 ? -64 : middle.y - 12
  const top = high > 100 ? 120 : middle.y + high
  for (let x = middle.x - reach; x < middle.x + reach; x++) {
    for (let z = middle.z - reach; z < middle.z + reach; z++) {
      for (let y = floor; y < top; y++) {
        const state = world.stateAt(x, y, z)
        if (air || !state.air) visit({ x, y, z, state })
      }
    }
  }
}

test('a village has houses, farms with crops, chests with loot, and people', () => {
  const world = survival(1)
  const { x, y, z } = world.terrain.generator.locateVillage({ x: 0, z: 0 }, null)
  /** @type {Record<string, number>} */
  const blocks = {}
  let stacks = 0
  each(world, { x, y, z }, 40, 20, ({ x, y, z, state }) => {
    blocks[state.name] = (blocks[state.name] ?? 0) + 1
    if (state.name === 'chest') {
      stacks += world.blockEntities.at({ x, y, z }).store.slots.filter((/** @type {any} */ item) => item).length
    }
  })
  for (const name of ['bell', 'chest', 'farmland', 'composter', 'dirt_path', 'crafting_table']) {
    assert.ok(blocks[name] > 0, name)
  }
  assert.ok(stacks >= 3)
  const player = world.addPlayer('Gizmo')
  player.place3d({ x: x + 5.5, y: y + 1, z: z + 5.5 })
  world.tick()
  const people = [...world.entities.values()].filter((entity) => entity.type === 'villager')
  assert.ok(people.length >= 3)
  for (const one of people) assert.ok(!blocked(world, bodyBox(one, one.width, one.height)))
})

test('a dungeon has a spawner and chests whose loot is filled once', () => {
  const world = survival(1)
  const { generator } = world.terrain
  let found = null
  for (let cx = 0; !found; cx++) found = generator.hollows.dungeon(cx, 3)
  assert.equal(world.stateAt(found.x, found.y, found.z).name, 'spawner')
  const [x, y, z] = found.chests[0]
  const names = (/** @type {any} */ w) =>
    w.blockEntities.at({ x, y, z }).store.slots.map((/** @type {any} */ item) => item && `${item.name} ${item.count}`)
  const first = names(world)
  assert.ok(first.filter(Boolean).length >= 4)
  assert.deepEqual(names(survival(1)), first)
  const known = new Set(CHESTS.dungeon.flatMap(({ entries }) => entries.map(([name]) => name)))
  for (const text of first.filter(Boolean)) assert.ok(known.has(text.split(' ')[0]), text)
  // An emptied chest stays empty; one placed there later is a new one.
  world.blockEntities.at({ x, y, z }).store.empty()
  assert.deepEqual(names(world).filter(Boolean), [])
  world.setBlock(x, y, z, 0)
  world.setBlock(x, y, z, data.stateId('chest'))
  assert.deepEqual(names(world).filter(Boolean), [])
})

test('an unopened chest drops its loot when it breaks', () => {
  const world = survival(1)
  const { hollows } = world.terrain.generator
  let found = null
  for (let cx = 0; !found; cx++) found = hollows.dungeon(cx, 3)
  const [x, y, z] = found.chests[0]
  world.breaking.remove({ x, y, z }, { drop: true })
  assert.ok(world.drops().size > 3)
})

test('every item of every chest exists', () => {
  for (const pools of Object.values(CHESTS)) {
    for (const { entries } of pools) for (const [name] of entries) assert.ok(data.registry.itemsByName[name], name)
  }
})

test('animals spawn once per column, by biome, unless the rule forbids it', () => {
  const count = (/** @type {boolean} */ spawning) => {
    const world = survival(1)
    world.rules.doMobSpawning = spawning
    world.addPlayer('Gizmo')
    for (let i = 0; i < 45; i++) world.tick()
    return { world, types: [...world.entities.values()].filter((entity) => entity.type !== 'player')
      .map((entity) => entity.type) }
  }
  const { world, types } = count(true)
  assert.ok(types.length > 5)
  assert.deepEqual(types, count(true).types)
  assert.deepEqual(count(false).types, [])
  assert.equal(world.populating.done.size, 121)
})

test('mobs far from every player stand still, near ones run, and harm resumes them', () => {
  const world = survival(1)
  world.rules.doMobSpawning = false
  const player = world.addPlayer('Gizmo')
  const { x, y, z } = world.spawn
  const near = world.summon('cow', { x: x + 5, y: y + 5, z })
  const far = world.summon('cow', { x: x + 400, y: 120, z })
  const pass = (/** @type {number} */ ticks) => { for (let i = 0; i < ticks; i++) world.tick() }
  pass(199)
  assert.equal(near.age, 199)
  assert.ok(far.age <= 1 && far.y > 119, `${far.age} ticks, at y ${far.y}`)
  // Evicted land is not generated again for the plants.
  world.evictColumns()
  const made = world.terrain.columns.size
  pass(100)
  assert.ok(world.terrain.columns.size <= made + 1)
  far.hurt(1, { type: 'generic' })
  pass(1)
  assert.ok(far.age >= 1 && world.active.has(far) === false, 'it lives one tick, and stands still again')
  const before = far.age
  Object.assign(player, { x: far.x - 20, y: 120, z, gamemode: 'creative' })
  pass(60)
  assert.ok(far.age >= before + 38 && far.y < 119, `${far.age - before} ticks, at y ${far.y}`)
})

test('a natural monster despawns when all players are far, but not before the first has come', () => {
  const world = survival(1)
  world.rules.doMobSpawning = false
  const { x, z } = world.spawn
  const came = world.summon('zombie', { x: x + 300, y: 120, z })
  came.natural = true
  for (let i = 0; i < 41; i++) world.tick()
  assert.equal(came.removed, false)
  world.addPlayer('Gizmo')
  for (let i = 0; i < 41; i++) world.tick()
  assert.equal(came.removed, true)
})

test('lonely mobs stop wandering after five seconds, and go on when a player comes', () => {
  const world = survival(1)
  world.rules.doMobSpawning = false
  const player = world.addPlayer('Gizmo')
  const { x, z } = world.spawn
  const roof = (/** @type {number} */ away) => {
    for (let dx = -8; dx <= 8; dx++) {
      for (let dz = -8; dz <= 8; dz++) {
        world.setBlock(Math.floor(x) + away + dx, 200, Math.floor(z) + dz, world.data.stateId('stone'))
      }
    }
    return world.summon('cow', { x: x + away, y: 201, z })
  }
  player.gamemode = 'creative'
  player.moveTo({ x, y: 201, z, yaw: 0, pitch: 0, onGround: true })
  const [near, far] = [roof(5), roof(60)]
  Object.assign(player, { x, y: 201, z })
  const walks = (/** @type {number} */ count) => {
    const begun = { near: 0, far: 0 }
    for (let i = 0; i < count; i++) {
      const before = [near.goal, far.goal]
      Object.assign(player, { x: player.x, y: 201, z, vy: 0 })
      world.tick()
      if (near.goal !== null && near.goal !== before[0]) begun.near++
      if (far.goal !== null && far.goal !== before[1]) begun.far++
    }
    return begun
  }
  walks(130)
  const alone = walks(800)
  assert.ok(alone.near > 0, 'one with a player beside it walks about')
  assert.equal(alone.far, 0)
  player.x = far.x
  assert.ok(walks(800).far > 0)
})

test('unmodified columns are evicted beyond a limit, edits stay, and columns return equal', () => {
  const generator = new SurvivalTerrain(data, '1')
  let made = 0
  const terrain = new Terrain(
    /** @type {any} */ ({ generate: (/** @type {number} */ cx, /** @type {number} */ cz) =>
    (made++, cx === 0 && cz === 0 ? generator.generate(0, 0) : new data.Column({ minY: -64, worldHeight: 384 })),
    spawn: () => ({ x: 0, y: 0, z: 0 }) }))
  const before = hashOf(terrain.info(0, 0).chunk)
  terrain.set(1000, 70, 1000, 1)
  for (let i = 1; i <= MAX_UNMODIFIED * 2; i++) terrain.info(i, 5)
  assert.ok(terrain.columns.size <= MAX_UNMODIFIED + 1)
  assert.equal(terrain.get(1000, 70, 1000), 1)
  assert.ok(!terrain.has(0, 0))
  assert.equal(hashOf(terrain.info(0, 0).chunk), before)
  assert.equal(made, MAX_UNMODIFIED * 2 + 3)
})

test('random ticks generate no land, forget plants of evicted land, and continue on loaded land', () => {
  const world = survival(1)
  world.rules.doMobSpawning = false
  world.rules.randomTickSpeed = 100
  const player = world.addPlayer('Gizmo')
  const [px, pz] = [Math.floor(player.x) >> 4, Math.floor(player.z) >> 4]
  for (let cx = px - 2; cx <= px + 2; cx++) for (let cz = pz - 2; cz <= pz + 2; cz++) world.column(cx, cz)
  const made = world.terrain.columns.size
  for (let i = 0; i < 60; i++) world.tick()
  assert.equal(world.terrain.columns.size, made)
  const ticked = new Set(world.growth.near.map((/** @type {any} */ { sx, sz }) => `${sx - px},${sz - pz}`))
  assert.ok(ticked.size > 0, 'something grows in the middle')
  for (const place of ticked) assert.match(place, /^(-1|0|1),(-1|0|1)$/)
  assert.ok([...world.growth.sections.keys()].some(({ sx }) => Math.abs(sx - px) === 2))
  world.terrain.columns.clear()
  world.terrain.recent.fill(null)
  world.growth.sweep()
  assert.equal(world.terrain.columns.size, 0)
  assert.ok([...world.growth.sections.keys()].every(({ until }) => until > world.age))
})

test('more players keep more columns loaded', () => {
  const terrain = new Terrain(/** @type {any} */ ({ generate: () => ({}), spawn: () => ({ x: 0, y: 0, z: 0 }) }))
  const kept = (/** @type {number} */ players) => {
    terrain.setPlayerCount(players)
    for (let i = 0; i < 9000; i++) terrain.info(i, players)
    return terrain.columns.size
  }
  assert.ok(kept(1) <= MAX_UNMODIFIED + 1)
  const many = kept(25)
  assert.ok(many > 2000 && many <= 25 * COLUMNS_A_PLAYER + 1, `${many} columns`)
  assert.ok(kept(1) <= MAX_UNMODIFIED + 1, 'players that have gone need none')
})

test('the flat world has no residents and one column for all', () => {
  const world = new World({ seed: 1 })
  assert.equal(world.column(0, 0), world.column(9, 9))
  assert.equal(world.biomeAt(0, 0, 0), 'plains')
  assert.equal(world.terrain.generated, false)
  assert.throws(() => new World({ terrain: 'hilly' }), /terrain "hilly" is not legal: use one of flat, survival/)
})

test('/locate replies like vanilla', () => {
  const world = survival(1)
  assert.match(world.command('locate biome desert').reply,
    /^The nearest minecraft:desert is at \[-?\d+, \d+, -?\d+\] \(\d+ blocks away\)$/)
  assert.match(world.command('locate structure #village').reply,
    /^The nearest #minecraft:village is at \[-?\d+, ~, -?\d+\] \(\d+ blocks away\)$/)
  assert.equal(world.command('locate biome the_end').reply,
    'Could not find a biome of type "minecraft:the_end" within reasonable distance')
  assert.equal(world.command('locate structure mansion').reply,
    'Could not find a structure of type "minecraft:mansion" nearby')
  assert.equal(new World({ seed: 1 }).command('locate structure #village').ok, false)
})
