'use strict'
/** A program of the mock world is ended by its own computing, and never because the machine was busy. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { PolicyIsolate } = require('../../../bridge/mock/policy_isolate')
const { SMALL_BUNDLE } = require('../host/fixtures/small_bundle')

/**
 * The verdict on one program.
 *
 * @param {string} body
 * @param {{ threaded: boolean, used: () => number, cpuMs: number, read?: () => any, start?: (...args: any[]) => () =>
 *   void }} given `used`: CPU time of the process, in ms; `read` and `start` what the world does when it is asked
 */
async function verdict (body, { threaded, used, cpuMs, read = () => null, start = () => () => {} }) {
  /** @type {any} */
  let end = null
  const isolate = new PolicyIsolate({
    bot: 'Gizmo',
    source: `async function main (bot) { ${body} }`,
    bundle: SMALL_BUNDLE,
    seed: '1',
    threaded,
    limits: { wall_ms: 60_000, cpu_ms: cpuMs, memory_mb: 32 },
    backend: /** @type {any} */ ({ read, start, onEvent: () => {} }),
    post: () => {},
    onEnd: (said) => { end = said },
    used
  })
  await isolate.prepare()
  await isolate.begin()
  isolate.dispose()
  return end
}

const computing = (/** @type {number} */ ms) => `const end = Date.now() + ${ms}; while (Date.now() < end);`

test('on a thread of its own: who waits for a processor computes nothing, however long that takes', async () => {
  const end = await verdict(computing(400), { threaded: true, used: () => 0, cpuMs: 40 })
  assert.deepEqual(end, { outcome: 'returned', error: null })
})

test('on the world\'s thread: a machine that is too busy is nobody\'s doing', async () => {
  const end = await verdict('for (;;);', { threaded: false, used: () => 0, cpuMs: 40 })
  assert.deepEqual([end.outcome, end.error.name], ['infrastructure', 'Overloaded'])
})

for (const threaded of [true, false]) {
  const where = threaded ? 'on a thread of its own' : 'on the world\'s thread'

  test(`${where}: computing ends a program, be it ever so quick`, async () => {
    let clock = 0
    const end = await verdict('for (;;);', { threaded, used: () => { clock += 100; return clock }, cpuMs: 40 })
    assert.deepEqual([end.outcome, end.error.message], ['timeout', 'the program used more than 40 ms of CPU time'])
  })

  test(`${where}: computing that is over before anybody looks counts as well`, async () => {
    let clock = 0
    const end = await verdict('await new Promise(() => {})', { threaded, used: () => {
      clock += 100
      return clock
    }, cpuMs: 40 })
    assert.equal(end.outcome, 'timeout')
  })

  test(`${where}: what the world computes when it is asked is not the program's computing`, async () => {
    let clock = 0
    const work = () => { clock += 5000 }
    const end = await verdict('bot.read("findBlocks"); bot.act("goto"); await new Promise(() => {})', {
      threaded, used: () => clock, cpuMs: 40, read: () => {
        work()
        return null
      }, start: () => { work(); return () => {} }
    })
    assert.equal(end, null, 'it waits, and goes on waiting')
  })
}
