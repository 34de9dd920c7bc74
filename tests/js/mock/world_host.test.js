'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const { WorldHost } = require('../../../bridge/mock/world_host')

const LIMITS = { wall_ms: 60_000, cpu_ms: 20_000, memory_mb: 32 }

/** A world with ores and two players, and what it told. */
async function host ({ threaded = false, seed = 1 } = {}) {
  /** @type {any[]} */
  const events = []
  /** @type {Record<string, any>[]} */
  const ends = []
  const world = new WorldHost(
    { seed, threaded }, (event) => { events.push(event) }, (_run, results) => { ends.push(results) }
  )
  await world.handle('connect', { bots: ['Gizmo', 'Glitch'] })
  await world.handle('commands', {
    texts: [
      'give Gizmo stone_pickaxe', 'give Glitch iron_pickaxe', 'fill 6 -60 0 8 -60 1 iron_ore',
      'fill -7 -60 0 -6 -60 1 diamond_ore'
    ]
  })
  let runs = 0
  /** @param {Record<string, string>} bodies @param {Partial<typeof LIMITS>} [limits] */
  const run = async (bodies, limits = {}) => {
    const policies = Object.entries(bodies).map(([bot, body]) => (
      { bot, source: `async function main (bot) {\n${body}\n}`, seed: `${seed}/${++runs}` }))
    await world.handle('start', { run: runs, policies, limits: { ...LIMITS, ...limits } })
    await world.handle('advance', { until: null })
    while (ends.length === 0) await world.handle('advance', { until: null })
    return /** @type {Record<string, any>} */ (ends.pop())
  }
  return { world, events, run, ends }
}

const MINERS = {
  Gizmo: 'await mineBlock(bot, "iron_ore", 4); await sendSignal(bot, "Glitch", "done"); ' +
    'console.log(Math.random(), Date.now())',
  Glitch: 'await mineBlock(bot, "diamond_ore", 2); await waitSignal(bot, "done"); await say(bot, "finished")'
}

test('programs in isolates play in the mock world, each in threads of their own or not, to the same byte', async () => {
  /** @type {string[]} */
  const logs = []
  for (const threaded of [false, true, false]) {
    const { run, events } = await host({ threaded })
    const results = await run(MINERS)
    assert.deepEqual([results.Gizmo.outcome, results.Glitch.outcome], ['returned', 'returned'])
    assert.equal(results.Gizmo.started_tick, results.Glitch.started_tick)
    logs.push(JSON.stringify(events))
  }
  assert.ok(logs[0].includes('"raw_iron":4'))
  assert.ok(logs[0].includes('{"from":"Glitch","text":"finished"}'))
  assert.equal(logs[1], logs[0])
  assert.equal(logs[2], logs[0])
})

test('random numbers and the date come from the program\'s seed, the player and the world\'s clock', async () => {
  const source = 'console.log(Math.random(), Date.now(), new Date().getTime())'
  /** @param {number} seed */
  const play = async (seed) => {
    const { run, events } = await host({ seed })
    await run({ Gizmo: source, Glitch: source })
    await run({ Gizmo: `await bot.waitForTicks(10); ${source}` })
    return events.filter(({ kind }) => kind === 'log').map(({ data }) => data.text.split(' ').map(Number))
  }
  const first = await play(1)
  assert.deepEqual(await play(1), first)
  const drawn = [...first, ...await play(2)].map(([random]) => random)
  assert.equal(new Set(drawn).size, 6)
  assert.ok(drawn.every((random) => random >= 0 && random < 1))
  const [gizmo, glitch, later] = first
  assert.deepEqual(gizmo.slice(1), glitch.slice(1))
  assert.deepEqual(later.slice(1), [gizmo[1] + 500, gizmo[1] + 500])
})

for (const threaded of [false, true]) {
  const where = threaded ? 'on its own thread' : 'on the world\'s thread'

  test(`a loop without await is ended, ${where}, and the other plays on`, async () => {
    const { run } = await host({ threaded })
    const { Gizmo, Glitch } = await run({
      Gizmo: 'await bot.waitForTicks(2)\nfor (;;) {}',
      Glitch: MINERS.Glitch.replace('await waitSignal(bot, "done"); ', '')
    })
    // A machine that is too busy to let it compute ends it as well; which of both it is, is tested with a clock of its
    // own
    // (policy_isolate.test.js).
    assert.match(`${Gizmo.outcome}: ${Gizmo.error.message}`, /timeout: .*without waiting|infrastructure: .*too busy/)
    assert.equal(Glitch.outcome, 'returned')
  })

  test(`memory is bounded, ${where}`, async () => {
    const { run } = await host({ threaded })
    const { Gizmo, Glitch } = await run({
      Gizmo: 'const hoard = []\nfor (;;) hoard.push(new Array(10000).fill(1.5))', Glitch: 'await bot.waitForTicks(5)'
    })
    assert.equal(Gizmo.outcome, 'threw')
    assert.match(Gizmo.error.message, /32 MB of memory/)
    assert.equal(Glitch.outcome, 'returned')
  })

  test(`errors have the program's own lines, ${where}`, async () => {
    const { run } = await host({ threaded })
    const { Gizmo, Glitch } = await run({
      Gizmo: 'await bot.waitForTicks(1)\nawait mineBlock(bot, "gold_ore", 1)',
      Glitch: 'await bot.waitForTicks(3)\nundefined.member'
    })
    assert.deepEqual([Gizmo.outcome, Gizmo.error.name, Gizmo.error.line], ['threw', 'BlockNotFound', 3])
    assert.deepEqual([Glitch.outcome, Glitch.error.name, Glitch.error.line], ['threw', 'TypeError', 3])
  })
}

test('a syntax error is found before anything begins', async () => {
  const { run } = await host()
  const { Gizmo } = await run({ Gizmo: 'const = 1' })
  assert.deepEqual([Gizmo.outcome, Gizmo.error.line, Gizmo.error.column, Gizmo.wall_ms], ['syntax', 2, 7, 0])
})

test('a rejection that nobody handles does not end the world', async () => {
  const { run } = await host()
  const { Gizmo, Glitch } = await run({
    Gizmo: 'Promise.reject(new RangeError("left"))\nawait bot.waitForTicks(2)', Glitch: 'await bot.waitForTicks(4)'
  })
  assert.ok(['threw', 'returned'].includes(Gizmo.outcome))
  assert.equal(Glitch.outcome, 'returned')
})

test('time limits are game time: an hour of it passes in a moment', async () => {
  const { run } = await host()
  const { Gizmo } = await run({ Gizmo: 'for (;;) await bot.waitForTicks(100)' }, { wall_ms: 3_600_000 })
  assert.deepEqual([Gizmo.outcome, Gizmo.wall_ms], ['timeout', 3_600_000])
})

test('a cancelled program may clean up; whatever it asks for then stays unanswered', async () => {
  const { world, run, ends, events } = await host()
  await run({ Glitch: 'return' })
  await world.handle('start', {
    run: 9,
    policies: [
      {
        bot: 'Gizmo',
        source: 'async function main (bot) { try { await bot.waitForTicks(100) } catch (error) { ' +
          'console.log(error.name); await bot.waitForTicks(1); console.log("never") } }'
      }
    ],
    limits: LIMITS
  })
  await world.handle('advance', { until: 30 })
  await world.handle('cancel', { bots: ['Gizmo'], run: null })
  assert.equal(ends.pop()?.Gizmo.outcome, 'cancelled')
  const texts = events.filter(({ kind }) => kind === 'log').map(({ data }) => data.text)
  assert.ok(!texts.includes('never'))
})

test('a player that leaves in the middle is nobody\'s doing', async () => {
  const { world, ends } = await host()
  await world.handle('start', {
    run: 9,
    policies: [{ bot: 'Gizmo', source: 'async function main (bot) { await goTo(bot, new Vec3(60, -60, 0), 1) }' }],
    limits: LIMITS
  })
  await world.handle('advance', { until: 30 })
  await world.handle('disconnect', { bots: ['Gizmo'] })
  assert.equal(ends.pop()?.Gizmo.outcome, 'infrastructure')
})

test('absent or busy bots cannot begin; unknown requests are refused', async () => {
  const { world } = await host()
  const source = 'async function main (bot) { await bot.waitForTicks(50) }'
  await assert.rejects(
    world.handle('start', { run: 1, policies: [{ bot: 'Nobody', source }], limits: LIMITS }), { name: 'BotLost' }
  )
  await world.handle('start', { run: 2, policies: [{ bot: 'Gizmo', source }], limits: LIMITS })
  await assert.rejects(
    world.handle('start', { run: 3, policies: [{ bot: 'Gizmo', source }], limits: LIMITS }), { name: 'BotBusy' }
  )
  await assert.rejects(world.handle('explode', {}), { name: 'BadArgument' })
})

test('time stands still until it is asked to pass, and stops where it was asked to', async () => {
  const { world } = await host()
  assert.equal(await world.handle('now', {}), 0)
  assert.equal(await world.handle('advance', { until: 100 }), 100)
  assert.equal(await world.handle('advance', { until: 100 }), 100)
})
