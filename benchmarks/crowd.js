'use strict'
/**
 * Speed of the mock world for a crowd of players who run short programs one after the other, each in a run of its own:
 * as calls of primitives (like reference agents), or as policies in isolates.
 * Run: `node --no-node-snapshot benchmarks/crowd.js [PLAYERS] [SECONDS] [calls|policies] [flat|survival] [ROOT]`. ROOT
 * is another checkout, to measure before and after in turn; the hash is of all events, and must not change.
 */
const crypto = require('node:crypto')
const path = require('node:path')

const [players = '100', seconds = '20', kind = 'calls', terrain = 'flat',
  root = path.join(__dirname, '..')] = process.argv.slice(2)
const { WorldHost } = require(path.join(root, 'bridge/mock/world_host'))
const { seededRandom } = require(path.join(root, 'skills_js/bot_facade/scope'))

const LIMITS = { wall_ms: 60_000, cpu_ms: 20_000, memory_mb: 64 }
/** Average distance of two neighbours, and length of a walk along an axis, in blocks. */
const SPREAD = 8
const WALK = 15
const random = seededRandom(7)
const below = (/** @type {number} */ most) => Math.floor(random() * most)

/**
 * @param {number} run
 * @param {number[]} at
 * @returns {{ steps: { name: string, args: any[] }[], pause_ticks: number }} a walk, a wait or a word
 */
function deed (run, [x, y, z]) {
  const kindOfDeed = random()
  const goal = { x: x + below(2 * WALK) - WALK, y, z: z + below(2 * WALK) - WALK }
  if (kindOfDeed < 0.5) return { steps: [{ name: 'goTo', args: [goal, 2] }], pause_ticks: 0 }
  if (kindOfDeed < 0.8) return { steps: [], pause_ticks: 20 + below(80) }
  return { steps: [{ name: 'say', args: [`hello ${run}`] }], pause_ticks: 10 }
}

/** @param {ReturnType<typeof deed>} calls @returns {string} the same as a policy */
function sourceOf ({ steps, pause_ticks: pause }) {
  const lines = steps.map(({ name, args }) =>
    `await ${name}(bot, ${args.map((arg) => JSON.stringify(arg)).join(', ')})`)
  return `async function main (bot) { ${[...lines, `await bot.waitForTicks(${pause})`].join('; ')} }`
}

/** @param {string[]} names @returns {string[]} everybody somewhere on a square of land */
function places (names) {
  const side = Math.ceil(Math.sqrt(names.length)) * SPREAD
  return terrain === 'flat' ? names.map((name) => `tp ${name} ${below(side)}.5 -60 ${below(side)}.5`)
    : ['gamerule doMobSpawning true']
}

async function main () {
  const hash = crypto.createHash('sha256')
  /** @type {number[]} */
  const over = []
  const host = new WorldHost({ seed: 1, threaded: false, terrain },
    (/** @type {any} */ event) => hash.update(JSON.stringify(event)), (/** @type {any} */ run) => {
    over.push(run)
  })
  const names = Array.from({ length: Number(players) }, (_, number) => `b${number}`)
  await host.handle('connect', { bots: names })
  await host.handle('commands', { texts: places(names) })
  /** @type {string[]} */
  const botOf = []
  const begin = async (/** @type {string} */ bot) => {
    const run = botOf.push(bot) - 1
    const calls = deed(run, (await host.handle('observe', { bot })).position)
    const program = kind === 'calls' ? { source: '', calls } : { source: sourceOf(calls) }
    await host.handle('start', { run, policies: [{ bot, seed: `1/${run}`, ...program }], limits: LIMITS })
  }
  const before = process.cpuUsage()
  for (const name of names) await begin(name)
  const until = await host.handle('now', {}) + Number(seconds) * 20
  while (await host.handle('advance', { until }) < until) for (const run of over.splice(0)) await begin(botOf[run])
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1e6
  console.log(JSON.stringify({
    players: names.length, kind, terrain, game_s: Number(seconds), cpu_s: Number(cpu.toFixed(2)),
    game_s_per_cpu_s: Number((Number(seconds) / cpu).toFixed(2)),
    runs: botOf.length, rss_mb: process.memoryUsage().rss >> 20, events: hash.digest('hex').slice(0, 12)
  }))
  process.exit()
}

main()
