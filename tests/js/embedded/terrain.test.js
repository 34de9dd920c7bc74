'use strict'
/**
 * Survival terrain over the wire: what a mineflayer bot sees is what another engine of the same seed makes in memory.
 */
const { test, before, after } = require('node:test')
const assert = require('node:assert/strict')
const minecraftData = require('minecraft-data')
const { Vec3 } = require('vec3')
const { World } = require('../../../engine/world')
const { heights, packed, Heightmaps } = require('../../../bridge/servers/embedded/heightmaps')
const { pathfinder, Movements, goals } = require('mineflayer-pathfinder')
const { Columns } = require('../../../bridge/servers/embedded/columns')
const { startBench, until } = require('./support')

const SEED = 11
const VIEW = 2
/** @type {any} */
let bench
/** @type {any} */
let bot
/** @type {any} the mock's engine: nothing of it is shared with the server */
let mock

before(async () => {
  bench = await startBench({ players: ['Gizmo'], seed: SEED, terrain: 'survival', viewDistance: VIEW })
  // What grows and walks changes blocks in its own time.
  bench.world.command('gamerule randomTickSpeed 0')
  bench.world.command('gamerule doMobSpawning false')
  mock = new World({ seed: SEED, terrain: 'survival' })
  bot = await bench.join('Gizmo')
})

after(() => bench.close())

/** Compares every block of the columns around a place. @param {number} x @param {number} z */
async function compare (x, z) {
  const [cx, cz] = [Math.floor(x) >> 4, Math.floor(z) >> 4]
  let compared = 0
  for (let dx = -1; dx <= 1; dx++) {
    for (let dz = -1; dz <= 1; dz++) {
      const column = await until(() => bot.world.getColumn(cx + dx, cz + dz), `column ${cx + dx} ${cz + dz}`)
      const expected = mock.column(cx + dx, cz + dz)
      for (let at = 0; at < 256; at++) {
        for (let y = -64; y < 200; y++) {
          const pos = { x: at & 15, y, z: at >> 4 }
          if (column.getBlockStateId(pos) !== expected.getBlockStateId(pos)) {
            assert.fail(`column ${cx + dx} ${cz + dz} at ${JSON.stringify(pos)}: ` +
              `${column.getBlockStateId(pos)} on the wire, ${expected.getBlockStateId(pos)} in memory`)
          }
          if ((y & 3) === 0) assert.equal(column.getBiome(pos), expected.getBiome(pos))
          compared++
        }
      }
    }
  }
  return compared
}

test('a bot stands on dry land at the spawn that the mock has, and sees its blocks and biomes', async () => {
  assert.deepEqual(bench.world.spawn, mock.spawn)
  await bot.waitForChunksToLoad()
  assert.equal(await compare(mock.spawn.x, mock.spawn.z), 9 * 256 * 264)
  const below = bot.blockAt(new Vec3(Math.floor(mock.spawn.x), mock.spawn.y - 1, Math.floor(mock.spawn.z)))
  assert.equal(
    bot.registry.biomes[below.biome.id].name,
    mock.biomeAt(Math.floor(mock.spawn.x), mock.spawn.y - 1, Math.floor(mock.spawn.z))
  )
})

test('a bot that walks sees the same all the way', async () => {
  bot.loadPlugin(pathfinder)
  const movements = new Movements(bot)
  // It must leave the land as it is.
  Object.assign(movements, { canDig: false, allow1by1towers: false, scafoldingBlocks: [] })
  bot.pathfinder.setMovements(movements)
  const { outlines } = mock.terrain.generator
  const goal = [
    [20, 0], [0, 20], [-20, 0], [0, -20]
  ].map(([dx, dz]) => ({ x: Math.floor(mock.spawn.x) + dx, z: Math.floor(mock.spawn.z) + dz }))
    .find(({ x, z }) => outlines.groundAt(x, z) > 62 && Math.abs(outlines.groundAt(x, z) - mock.spawn.y) < 8)
  assert.ok(goal)
  await bot.pathfinder.goto(new goals.GoalNearXZ(goal.x, goal.z, 2))
  const { x, y, z } = bench.world.players.get('Gizmo')
  assert.ok(Math.hypot(x - goal.x, z - goal.z) < 5)
  assert.ok(mock.stateAt(Math.floor(x), Math.floor(y - 0.1), Math.floor(z)).shapes.length > 0)
  await compare(x, z)
})

test('a tick makes a few new columns, and the next one goes on', () => {
  const known = new Set()
  const columns = new Columns(bench.server.front.codec, () => null, (cx) => known.has(cx))
  const asked = () => Array.from({ length: 10 }, (_, cx) => columns.affords(cx, 0))
  assert.deepEqual(asked(), [true, true, true, true, true, true, false, false, false, false])
  for (let cx = 0; cx < 6; cx++) known.add(cx)
  columns.nextTick()
  assert.deepEqual(asked(), Array(10).fill(true))
})

test('and wherever it goes: a village, a desert, the sea', async () => {
  const { generator } = mock.terrain
  for (const place of [
    generator.locateVillage(mock.spawn, null), generator.locateBiome('desert', mock.spawn),
    generator.locateBiome('ocean', mock.spawn)
  ]) {
    bench.run(`tp Gizmo ${place.x} ${Math.max(place.y, 63) + 30} ${place.z}`)
    await compare(place.x, place.z)
  }
})

test('heightmaps say where the ground and the water end', () => {
  const column = mock.column(Math.floor(mock.spawn.x) >> 4, Math.floor(mock.spawn.z) >> 4)
  const surface = heights(column, (id) => id !== 0)
  const at = (Math.floor(mock.spawn.z) & 15) * 16 + (Math.floor(mock.spawn.x) & 15)
  let y = 319
  while (column.getBlockStateId({ x: at & 15, y, z: at >> 4 }) === 0) y--
  assert.equal(surface[at], y + 64 + 1)
  const tag = /** @type {any} */ (new Heightmaps(minecraftData('1.20.4')).of(column)).value
  assert.deepEqual(tag.WORLD_SURFACE.value, packed(surface))
  assert.equal(tag.MOTION_BLOCKING.value.length, 37)
  // 9 bits each, the first in the lowest: 5 and 7 give 5 + 7 * 512.
  assert.deepEqual(packed([5, 7]), [[0, 5 + 7 * 512]])
  // 384 is bits 7 and 8, from bit 27 on: bits 34 and 35, which are 2 and 3 of the high half.
  assert.deepEqual(packed([0, 0, 0, 384, 0, 0, 0]), [[12, 0]])
})
