'use strict'
/**
 * Cost of survival terrain: processor time and memory per column, for neighbouring and distant columns, and speed of
 * players on it with animals and growth.
 * Run: `node --expose-gc benchmarks/terrain.js [--json]`; about a minute.
 */
const os = require('node:os')
const { createMockWorld, skills, Vec3 } = require('../skills_js/mock')
const { gameData } = require('../engine/world/data')
const { SurvivalTerrain } = require('../engine/world/terrain/survival')
const { seededRandom } = require('../skills_js/bot_facade/scope')

const COLUMNS = 400
const PLAYERS = 30
const GAME_S = 60

/** @returns {number} ms of processor's time */
function cpu () {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** @returns {number} bytes */
function held () {
  globalThis.gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

/** @param {string} what @param {(i: number) => [number, number]} place */
function columns (what, place) {
  const terrain = new SurvivalTerrain(gameData('1.20.4'), '5')
  // The first columns warm the compiler up.
  for (let i = 0; i < 60; i++) terrain.generate(5000 + i, 5000)
  const before = held()
  const kept = []
  const times = []
  for (let i = 0; i < COLUMNS; i++) {
    const began = cpu()
    kept.push(terrain.generate(...place(i)))
    times.push(cpu() - began)
  }
  times.sort((a, b) => a - b)
  const mean = times.reduce((a, b) => a + b) / COLUMNS
  return { what, mean_ms: round(mean), p50_ms: round(times[COLUMNS >> 1]),
    p99_ms: round(times[Math.floor(COLUMNS * 0.99)]), kb_a_column: Math.round((held() - before) / COLUMNS / 1024),
    columns: kept.length }
}

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100

async function life () {
  const world = createMockWorld({ seed: 2, terrain: 'survival' })
  const random = seededRandom(2)
  /** @type {Record<string, (bot: any) => Promise<void>>} */
  const programs = {}
  for (let i = 0; i < PLAYERS; i++) {
    programs[`W${i}`] = async (bot) => {
      for (;;) {
        const { x, y, z } = bot.entity.position
        await skills.goTo(bot, new Vec3(Math.floor(x + (random() - 0.5) * 24), Math.floor(y),
          Math.floor(z + (random() - 0.5) * 24)), 4).catch(() => {})
        await bot.waitForTicks(20)
      }
    }
    world.join(`W${i}`)
  }
  await world.wait(2)
  const began = cpu()
  await world.runAll(programs, { seconds: GAME_S })
  const spent = cpu() - began
  return { what: `${PLAYERS} players, ${GAME_S} s on survival terrain`,
    times_real_time: Math.round(GAME_S * 1000 / spent), cpu_ms: Math.round(spent) }
}

async function main () {
  const rows = [columns('side by side', (i) => [i % 20, Math.floor(i / 20)]),
    columns('far apart', (i) => [i * 37, i * -53])]
  const lives = await life()
  const machine = `${os.cpus()[0].model}, ${os.cpus().length} cores, Node ${process.versions.node}`
  if (process.argv.includes('--json')) console.log(JSON.stringify({ machine, rows, lives }, null, 2))
  else {
    console.log(machine)
    console.table(rows)
    console.table([lives])
  }
}

main()
