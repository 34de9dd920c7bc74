'use strict'
/**
 * Out of deep water. The pathfinder's moves lead neither up through water nor from deep water onto its bank: before
 * bots swam ashore by themselves, one that had sunk to the ground of a lake found no way to anywhere.
 */
const test = require('node:test')
const assert = require('node:assert/strict')
const { hostOf } = require('../../../skills_js/bot_facade/actions')
const { createMockWorld, goals } = require('../../../skills_js/mock')

/** A lake four blocks deep in stone, with banks as high as the water all around; the bot is on its ground. */
const LAKE = ['fill -8 -64 -8 8 -61 8 stone', 'fill -3 -64 -3 3 -61 3 water', 'tp Gizmo 0.5 -64 0.5']
/** One of four blocks by three: who swims past the bank's edge is soon at another. */
const POOL = ['fill -8 -64 -8 8 -61 8 stone', 'fill -1 -64 -1 2 -61 1 water', 'tp Gizmo 0.5 -64 0.5']
const ROOF = 'fill -3 -60 -3 1 -60 3 stone'
const WALLS = [
  'fill -4 -60 -4 4 -59 -4 stone', 'fill -4 -60 4 4 -59 4 stone', 'fill -4 -60 -4 -4 -59 4 stone',
  'fill 4 -60 -4 4 -59 4 stone'
]
const AWAY = new goals.GoalBlock(7, -60, 0)

/** @param {string[]} commands @param {(bot: any) => Promise<any>} [program] */
async function swum (commands, program = (bot) => bot.pathfinder.goto(AWAY)) {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const command of commands) world.command(command)
  /** @type {any} */
  let error = null
  await world.run(() => program(bot), { seconds: 100 }).catch((problem) => { error = problem })
  const { position, health } = world.observe('Gizmo')
  const pressed = ['forward', 'jump'].filter((key) => bot.getControlState(key))
  return {
    error: error?.name ?? null,
    message: error?.message ?? '',
    at: position.map(Math.floor),
    health,
    pressed,
    tick: world.tick
  }
}

test('a bot on the ground of a lake with steep banks swims ashore and walks on', async () => {
  const end = await swum(LAKE)
  assert.deepEqual([end.error, end.at, end.health, end.pressed], [null, [7, -60, 0], 20, []])
})

/**
 * A program on a late host sees its bot once in so many ticks.
 * @param {number} ticks
 * @returns {(bot: any) => Promise<any>}
 */
const late = (ticks) => (bot) => {
  const host = hostOf(bot)
  const act = host.act.bind(host)
  host.act = (method, ...args) => act(method, ...(method === 'waitTicks' ? [args[0] * ticks] : args))
  return bot.pathfinder.goto(AWAY)
}

for (const [water, commands] of Object.entries({ lake: LAKE, pool: POOL })) {
  test(`a bot that its program sees rarely swims out of a ${water}, too, and does not fall in again`, async () => {
    for (const ticks of [5, 9, 10, 13, 15, 17, 20]) {
      const end = await swum(commands, late(ticks))
      assert.deepEqual([end.error, end.at, end.pressed], [null, [7, -60, 0], []], `${ticks} ticks a look`)
      assert.ok(end.tick < 300, `${ticks} ticks a look: ${end.tick}`)
    }
  })
}

test('under a roof it swims to where it can breathe first', async () => {
  const end = await swum([...LAKE, ROOF])
  assert.deepEqual([end.error, end.at], [null, [7, -60, 0]])
})

test('water that stands lower than its banks is left by a lower one', async () => {
  const end = await swum([...LAKE, ...WALLS, 'fill 4 -60 1 4 -59 1 air', 'fill 4 -61 1 7 -61 1 air'])
  assert.deepEqual([end.error, end.at], [null, [7, -60, 0]])
})

test('where no bank can be reached the error is the walk\'s own', async () => {
  const end = await swum([...LAKE, ...WALLS])
  assert.equal(end.error, 'NoPath')
  assert.match(end.message, /^cannot walk to \(7, -60, 0\): there is no way without digging/)
  assert.ok(end.tick < 20, `${end.tick} ticks`)
})

test('a bot in shallow water without a path stays where it is', async () => {
  const end = await swum(
    ['setblock 0 -61 0 water', 'setblock 0 -62 0 stone', 'tp Gizmo 0.5 -61 0.5'],
    (bot) => bot.pathfinder.goto(new goals.GoalBlock(0, -40, 0))
  )
  assert.deepEqual([end.error, end.at], ['NoPath', [0, -61, 0]])
})

test('a swim ends when the walk is stopped, with no key pressed', async () => {
  const end = await swum(LAKE, async (bot) => {
    const walk = bot.pathfinder.goto(AWAY)
    await bot.waitForTicks(15)
    bot.pathfinder.stop()
    await walk
  })
  assert.deepEqual([end.error, end.pressed], ['Cancelled', []])
  assert.ok(end.at[0] < 4, String(end.at))
})
