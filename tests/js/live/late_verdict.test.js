'use strict'
/**
 * A dig on a server that has fallen behind: what it says when the block is due there is the truth, however late that
 * is.
 */
const { EventEmitter } = require('node:events')
const { mock, test } = require('node:test')
const assert = require('node:assert/strict')
const { Vec3 } = require('vec3')
const { dig } = require('../../../bridge/host/live/dig')

const PLACE = new Vec3(2, 0, 0)
const STONE = { type: 1, stateId: 1, name: 'stone', diggable: true, boundingBox: 'block', position: PLACE }
const AIR = { type: 0, stateId: 0, name: 'air', diggable: false, boundingBox: 'empty', position: PLACE }
/** The world's age when the digging begins, and ms that it takes: 20 ticks. */
const AGE = 1000
const TAKES = 1000

/** mineflayer's bot, for which a block is gone when its own time is up; the server's words come by `says`. */
class LateBot extends EventEmitter {
  _client = new EventEmitter()
  time = { age: AGE }
  entity = { position: new Vec3(0, 0, 0), onGround: true, eyeHeight: 1.62 }
  pathfinder = { isBuilding: () => false, setGoal: () => {} }
  /** @type {any} */
  shown = STONE
  blockAt () { return this.shown }
  clearControlStates () {}
  digTime () { return TAKES }
  async dig () {
    await new Promise((resolve) => setTimeout(resolve, TAKES))
    this.shown = AIR
  }

  /** @param {any} shown - what stands there by the server's word */
  says (shown) {
    this.shown = shown
    this._client.emit('block_change', { location: { x: 2, y: 0, z: 0 }, type: shown.stateId })
  }

  /** @param {number} age */
  ages (age) {
    this.time.age = age
    this.emit('time')
  }
}

/** Lets promises and immediates run; time does not pass. */
async function turns () {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * @param {(bot: LateBot, wait: (ms: number) => Promise<void>) => Promise<void>} then - what happens after the last
 *   stroke
 */
async function dug (then) {
  let clock = 0
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const now = mock.method(performance, 'now', () => clock)
  const bot = new LateBot()
  const end = { state: 'pending' }
  const wait = async (/** @type {number} */ ms) => { clock += ms; mock.timers.tick(ms); await turns() }
  try {
    dig(/** @type {any} */ (bot), new AbortController().signal, 2, 0, 0)
      .then(() => { end.state = 'broken' }, (error) => { end.state = error.name })
    await turns()
    await wait(TAKES)
    await then(bot, wait)
    return end.state
  } finally {
    now.mock.restore()
    mock.timers.reset()
  }
}

test('the server has not come to the block yet: the dig is not over', async () => {
  assert.equal(await dug(async (bot, wait) => { await wait(3000); bot.ages(AGE + 20); await turns() }), 'pending')
})

test('the server breaks the block late: the dig is over then', async () => {
  assert.equal(await dug(async (bot, wait) => {
    await wait(3000)
    bot.ages(AGE + 20)
    bot.says(AIR)
    await turns()
  }), 'broken')
})

test('the server refuses late: the block still stands', async () => {
  assert.equal(await dug(async (bot, wait) => {
    await wait(3000)
    bot.ages(AGE + 20)
    bot.says(STONE)
    await turns()
  }), 'NotBroken')
})

test('a server that is long past the block and has said nothing has not refused', async () => {
  assert.equal(await dug(async (bot, wait) => { await wait(3000); bot.ages(AGE + 61); await turns() }), 'broken')
})

test('a server of which nothing is heard at all is waited for half a minute', async () => {
  assert.equal(await dug(async (_bot, wait) => wait(29_000)), 'pending')
  assert.equal(await dug(async (_bot, wait) => wait(30_000)), 'broken')
})
