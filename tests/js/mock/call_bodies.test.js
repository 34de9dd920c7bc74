'use strict'
/** Runs of calls share a player's bot, one after the other, and nothing else. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { CallBodies } = require('../../../bridge/mock/call_bodies')
const { CallRun } = require('../../../bridge/mock/call_run')
const { goals } = require('../../../skills_js/bot_facade/goals')
const { WorldHost } = require('../../../bridge/mock/world_host')

const LIMITS = { wall_ms: 20_000, cpu_ms: 20_000, memory_mb: 32 }
const SILENT = {
  raw: { read: () => '{}', act: () => {}, drop: () => {} }, read: () => ({ value: null }), fatal: () => {}
}

/** @param {string} name @param {any[]} args */
const step = (name, ...args) => ({ name, args })
const place = (/** @type {number} */ x) => ({ x, y: -60, z: 0 })

/**
 * Runs of calls of every kind of end: each run's steps, and how many ticks it gets.
 * @type {[ReturnType<typeof step>[], number][]}
 */
const RUNS = [
  [[step('goTo', place(6), 1), step('say', 'there')], 200],
  [[step('goTo', place(-60), 1)], 20],
  [[step('goTo', place(2), 1)], 200],
  [[step('mineBlock', 'diamond_ore', 1)], 200],
  [[step('mineBlock', 'iron_ore', 2)], 400],
  [[step('noSuchThing')], 20],
  [[step('say', 'over')], 40]
]

/**
 * All of it, with bots kept between runs or made anew; what was told, and how many bots waited after each run.
 * @param {boolean} anew
 */
async function play (anew) {
  /** @type {any[]} */
  const told = []
  const kept = CallBodies.prototype.giveBack
  if (anew) CallBodies.prototype.giveBack = () => {}
  try {
    const world = new WorldHost(
      { seed: 1, threaded: false }, (event) => { told.push(event) }, (run, results) => { told.push({ run, results }) }
    )
    await world.handle('connect', { bots: ['Gizmo'] })
    await world.handle('commands', { texts: ['give Gizmo stone_pickaxe', 'fill 10 -60 0 12 -60 1 iron_ore'] })
    let age = await world.handle('now', {})
    for (const [index, [steps, ticks]] of RUNS.entries()) {
      const calls = { steps, pause_ticks: 0 }
      await world.handle(
        'start', { run: index, policies: [{ bot: 'Gizmo', source: '', seed: `1/${index}`, calls }], limits: LIMITS }
      )
      age += ticks
      while (await world.handle('advance', { until: age }) < age);
      await world.handle('cancel', { bots: null, run: null })
    }
    return told
  } finally {
    CallBodies.prototype.giveBack = kept
  }
}

test('a log is the same to the byte whether bots are kept or not', async () => {
  const told = await play(false)
  const ends = told.filter(({ results }) => results).map(({ results }) => results.Gizmo.outcome)
  assert.deepEqual(ends, ['returned', 'cancelled', 'returned', 'threw', 'returned', 'threw', 'returned'])
  assert.deepEqual(told, await play(true))
})

/**
 * One run of calls on bodies of a test's own, in a world that answers nothing.
 *
 * @param {CallBodies} bodies @param {(run: CallRun) => Promise<void>} course
 */
async function perform (bodies, course) {
  const backend = /** @type {any} */ ({ read: () => ({ value: null }), start: () => () => {}, onEvent: () => {} })
  const run = new CallRun({
    bot: 'Gizmo', calls: { steps: [], pause_ticks: 20 }, backend, post: () => {}, onEnd: () => {}, bodies
  })
  await run.prepare()
  await run.begin()
  await course(run)
  run.dispose()
  run.dispose()
}

test('the bot of a run that was broken off is not kept, that of one that came to its end is', async () => {
  const bodies = new CallBodies()
  await perform(bodies, (run) => run.close('cancelled', null))
  assert.equal(bodies.idle, 0)
  await perform(bodies, async (run) => {
    for (let call = 1; call < 3; call++) await run.deliver(JSON.stringify({ call, ok: true, value: null }))
  })
  assert.equal(bodies.idle, 1)
  const body = bodies.take('Gizmo')
  assert.equal(bodies.idle, 0, 'it is nobody else\'s')
  assert.notEqual(bodies.take('Gizmo'), body)
})

for (const [what, leave] of /** @type {[string, (bot: any) => void][]} */ ([
  ['somebody waits', (bot) => { bot.waitForTicks(5) }],
  ['somebody listens', (bot) => { bot.on('chat', () => {}) }],
  ['there is a goal', (bot) => { bot.pathfinder.setGoal(new goals.GoalNear(1, 2, 3, 1)) }]
])) {
  test(`a bot is not kept while ${what}`, () => {
    const bodies = new CallBodies()
    const body = bodies.take('Gizmo')
    body.begin(SILENT)
    bodies.giveBack('Gizmo', body, true)
    assert.equal(bodies.idle, 1, 'as new')
    assert.equal(bodies.take('Gizmo'), body)
    body.begin(SILENT)
    leave(body.bot)
    bodies.giveBack('Gizmo', body, true)
    assert.equal(bodies.idle, 0)
  })
}

test('a bot that stopped listening is as new; nothing of a run is asked of the world after it', () => {
  const bodies = new CallBodies()
  const body = bodies.take('Gizmo')
  let asked = 0
  body.begin({ ...SILENT, read: () => { asked++; return { value: { walking: true } } } })
  const hear = () => {}
  body.bot.on('chat', hear)
  body.bot.off('chat', hear)
  assert.equal(body.bot.pathfinder.isMoving(), true)
  const before = asked
  bodies.giveBack('Gizmo', body, true)
  assert.equal(bodies.idle, 1)
  assert.throws(() => body.bot.pathfinder.isMoving(), 'what the last run was told is forgotten')
  assert.equal(asked, before)
  bodies.forget('Gizmo')
  assert.equal(bodies.idle, 0)
})
