'use strict'
/**
 * Speed of the mock world: game time per processor time, for Double-Vein with two players and for a crowd of wanderers,
 * and memory per player.
 * Run: `node --expose-gc --no-node-snapshot benchmarks/mock.js [--json]`; about a minute.
 */
const os = require('node:os')
const { createMockWorld, skills, Vec3 } = require('../skills_js/mock')
const { WorldHost } = require('../bridge/mock/world_host')
const { seededRandom } = require('../skills_js/bot_facade/scope')

const RUNS = 12
const WANDERERS = 100
const WANDER_S = 30
const MINERS = {
  Gizmo: 'await getItemFromChest(bot, new Vec3(0, -60, 3), { stone_pickaxe: 1 }); await mineBlock(bot, "iron_ore", 12)',
  Glitch:
    'await getItemFromChest(bot, new Vec3(0, -60, 3), { iron_pickaxe: 1 }); await mineBlock(bot, "diamond_ore", 6)'
}
/** Two mounds, six blocks from the chest halfway: twelve iron ores and six diamond ores. */
const MOUNDS = [
  'setblock 0 -60 3 chest',
  'item replace block 0 -60 3 container.0 with stone_pickaxe 1',
  'item replace block 0 -60 3 container.1 with iron_pickaxe 1',
  'fill 5 -60 2 7 -60 4 iron_ore',
  'fill 5 -59 3 7 -59 3 iron_ore',
  'fill -7 -60 2 -6 -60 4 diamond_ore'
]

/**
 * @param {() => Promise<number>} play gives the game time in seconds
 * @returns {Promise<{game_s: number, cpu_ms: number, ratio: number}>}
 */
async function timed (play) {
  const before = process.cpuUsage()
  const gameS = await play()
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1000
  return { game_s: gameS, cpu_ms: Math.round(cpuMs * 10) / 10, ratio: Math.round(gameS * 1000 / cpuMs) }
}

/** @param {number[]} values @returns {number} */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

/** @param {string} what @param {() => Promise<() => Promise<number>>} prepare */
async function doubleVein (what, prepare) {
  const rows = []
  for (let run = 0; run < RUNS; run++) rows.push(await timed(await prepare()))
  // The first runs warm the compiler up: they are reported apart.
  const warm = rows.slice(RUNS / 2)
  return {
    what,
    game_s: median(warm.map((row) => row.game_s)),
    cpu_ms: median(warm.map((row) => row.cpu_ms)),
    times_real_time: median(warm.map((row) => row.ratio)),
    first_run: rows[0].ratio
  }
}

/** @param {boolean} threaded */
function inIsolates (threaded) {
  return async () => {
    const host = new WorldHost({ seed: 1, threaded }, () => {}, () => {})
    await host.handle('connect', { bots: Object.keys(MINERS) })
    await host.handle('commands', { texts: MOUNDS })
    return async () => {
      const policies = Object.entries(MINERS)
        .map(([bot, body]) => ({ bot, source: `async function main (bot) { ${body} }`, seed: '1/1' }))
      await host.handle('start', { run: 1, policies, limits: { wall_ms: 300_000, cpu_ms: 20_000, memory_mb: 64 } })
      return await host.handle('advance', { until: null }).then(() => host.handle('advance', { until: null })) / 20
    }
  }
}

async function inNode () {
  const world = createMockWorld({ seed: 1 })
  const take = (/** @type {any} */ bot, /** @type {string} */ tool) =>
    skills.getItemFromChest(bot, new Vec3(0, -60, 3), { [tool]: 1 })
  for (const name of Object.keys(MINERS)) world.join(name)
  for (const text of MOUNDS) world.command(text)
  return async () => {
    const began = world.tick
    await world.runAll({
      Gizmo: async (bot) => { await take(bot, 'stone_pickaxe'); await skills.mineBlock(bot, 'iron_ore', 12) },
      Glitch: async (bot) => { await take(bot, 'iron_pickaxe'); await skills.mineBlock(bot, 'diamond_ore', 6) }
    })
    return (world.tick - began) / 20
  }
}

/** @returns {number} bytes that this process holds on to */
function held () {
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

async function wanderers () {
  const world = createMockWorld({ seed: 2 })
  const random = seededRandom(2)
  const spot = (/** @type {number} */ size) => Math.floor((random() - 0.5) * size)
  for (let i = 0; i < 300; i++) world.command(`setblock ${spot(120)} -60 ${spot(120)} stone`)
  await world.wait(1)
  const before = held()
  /** @type {Record<string, (bot: any) => Promise<void>>} */
  const programs = {}
  for (let i = 0; i < WANDERERS; i++) {
    programs[`W${i}`] = async (bot) => {
      for (;;) await skills.goTo(bot, new Vec3(spot(100), -60, spot(100)), 1).catch(() => {})
    }
    world.join(`W${i}`)
  }
  const result = await timed(async () => {
    await world.runAll(programs, { seconds: WANDER_S })
    return WANDER_S
  })
  const perPlayer = (held() - before) / WANDERERS
  return { what: `${WANDERERS} wanderers`, ...result, times_real_time: result.ratio,
    kb_per_player: Math.round(perPlayer / 1024) }
}

async function main () {
  const rows = [
    await doubleVein('Double-Vein, functions in Node', inNode),
    await doubleVein('Double-Vein, policies in isolates', inIsolates(false)),
    await doubleVein('Double-Vein, policies in isolates with threads', inIsolates(true)),
    await wanderers()
  ]
  const machine = `${os.cpus()[0].model}, ${os.cpus().length} cores, Node ${process.versions.node}`
  if (process.argv.includes('--json')) console.log(JSON.stringify({ machine, rows }, null, 2))
  else {
    console.log(machine)
    console.table(rows)
  }
}

main()
