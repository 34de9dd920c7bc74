'use strict'
/** A bot's programs share an isolate, one after the other, and nothing else. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { bundle } = require('../../../skills_js/bot_facade/bundle')
const { IsolatePool } = require('../../../bridge/mock/isolate_pool')
const { WorldHost } = require('../../../bridge/mock/world_host')
const { PolicyIsolate } = require('../../../bridge/mock/policy_isolate')
const { SMALL_BUNDLE } = require('../host/fixtures/small_bundle')

const LIMITS = { wall_ms: 60_000, cpu_ms: 20_000, memory_mb: 32 }

/**
 * One program of a bot, played to where it waits or ends.
 *
 * @param {IsolatePool} pool @param {string} body @param {{ bot?: string, threaded?: boolean, used?: () => number }}
 *   [given]
 */
async function play (pool, body, { bot = 'Gizmo', threaded = false, used = () => 0 } = {}) {
  /** @type {any} */
  let end = null
  const said = /** @type {any[]} */ ([])
  const isolate = new PolicyIsolate({
    bot,
    source: `async function main (bot) { ${body} }`,
    bundle: SMALL_BUNDLE,
    seed: '1',
    threaded,
    limits: LIMITS,
    backend: /** @type {any} */ ({ read: (/** @type {any} */ ...args) => {
      said.push(args)
      return null
    }, start: () => () => {}, onEvent: () => {} }),
    post: () => {},
    onEnd: (verdict) => { end = verdict },
    used,
    pool
  })
  await isolate.prepare()
  await isolate.begin()
  await isolate.close('cancelled', null)
  isolate.dispose()
  return { end, said: said.map(([, [value]]) => value) }
}

const SPOIL = `
  globalThis.left = 1; globalThis.eval = null; Array.prototype.left = 1; Object.prototype.forged = 1
  Math.max = () => 'forged'; Array.prototype.push = null
  bot.act('goto').then(() => { globalThis.left = 2 },
    () => { globalThis.left = 3; bot.read('late', ['late']) }).catch(() => {})`
const LOOK =
  'bot.read("look", [typeof left, typeof eval, [].left ?? null, ({}).forged ?? null, Math.max(1, 2), ' +
    'typeof [].push].join())'

for (const threaded of [false, true]) {
  const where = threaded ? 'on a thread of its own' : 'on the world\'s thread'

  test(`${where}: the next program of a bot finds nothing of the last one, in the same isolate`, async () => {
    const pool = new IsolatePool()
    for (const ending of ['', 'await new Promise(() => {})', 'throw new Error("over")']) {
      await play(pool, `${SPOIL}; ${ending}`, { threaded })
      assert.equal(pool.idle, 1, 'its isolate is kept')
      const { said, end } = await play(pool, LOOK, { threaded })
      assert.deepEqual(said, ['undefined,function,,,2,function'])
      assert.equal(end.outcome, 'returned')
    }
    pool.clear()
  })

  test(`${where}: an isolate whose program had to be stopped is not kept`, async () => {
    const pool = new IsolatePool()
    let clock = 0
    const { end } = await play(pool, 'for (;;);', { threaded, used: () => { clock += 5000; return clock } })
    assert.equal(end.outcome, 'timeout')
    assert.equal(pool.idle, 0)
    clock = 0
    // It returns, and leaves something that would compute for ever.
    await play(pool, '(async () => { for (;;) await null })()', { threaded, used: () => {
      clock += 100
      return clock
    } })
    assert.equal(pool.idle, 0)
    assert.equal((await play(pool, LOOK, { threaded })).end.outcome, 'returned')
    pool.clear()
  })

  test(`${where}: what one program held is not charged to the next`, async () => {
    const pool = new IsolatePool()
    const hoard = 'globalThis.hoard = []; for (let i = 0; i < 150; i++) hoard.push(new Array(10_000).fill(i + 0.5))'
    for (let program = 0; program < 6; program++) {
      assert.equal((await play(pool, hoard, { threaded })).end.outcome, 'returned')
    }
    pool.clear()
  })
}

test('no isolate is for two bots, or for two programs at a time', async () => {
  const pool = new IsolatePool()
  const first = pool.take('Gizmo', 32, false)
  const border = { read: () => 'null', act: () => {}, drop: () => {}, ended: () => {} }
  await first.open(SMALL_BUNDLE, border, () => {})
  const second = pool.take('Gizmo', 32, false)
  assert.notEqual(second, first)
  pool.giveBack('Gizmo', first, true)
  assert.notEqual(pool.take('Glitch', 32, false), first)
  assert.equal(pool.take('Gizmo', 32, false), first)
  pool.giveBack('Gizmo', first, true)
  assert.notEqual(pool.take('Gizmo', 64, false), first, 'its bounds are others')
})

test('no isolate is kept for very many bots: their memory is bounded', async () => {
  const pool = new IsolatePool(1)
  await play(pool, 'return')
  assert.equal(pool.idle, 0)
})

test('a log is the same to the byte whether isolates are kept or not', async () => {
  const play = async (/** @type {boolean} */ anew) => {
    /** @type {any[]} */
    const events = []
    const world = new WorldHost({ seed: 1, threaded: false }, (event) => { events.push(event) }, () => {})
    await world.handle('connect', { bots: ['Gizmo'] })
    for (let run = 1; run <= 4; run++) {
      // Another bound is another isolate.
      const limits = { ...LIMITS, memory_mb: anew ? 32 + run : 32 }
      const source = `async function main (bot) { globalThis.count = (globalThis.count ?? 0) + 1
        setTimeout(() => console.log('after'), 2000)
        console.log(count, Math.random(), Date.now()); await goTo(bot, new Vec3(${run * 2}, -60, 0), 0.5);
          await waitSignal(bot, 'x') }`
      await world.handle('start', { run, policies: [{ bot: 'Gizmo', source, seed: `1/${run}` }], limits })
      await world.handle('advance', { until: run * 100 })
    }
    await world.handle('disconnect', { bots: ['Gizmo'] })
    return JSON.stringify(events)
  }
  assert.ok(bundle().length > 0)
  const kept = await play(false)
  assert.equal((kept.match(/"text":"1 0\./g) ?? []).length, 4)
  assert.equal(kept, await play(true))
})
