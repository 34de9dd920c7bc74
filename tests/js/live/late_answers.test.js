'use strict'
/**
 * Waits on a server that has fallen behind, or on a host that reads late: their limits are the server's time, not the
 * wall's alone.
 */
const { EventEmitter } = require('node:events')
const { mock, test } = require('node:test')
const assert = require('node:assert/strict')
const { Vec3 } = require('vec3')
const { bounded, pauseTicks } = require('../../../bridge/host/live/bounded')
const { consume } = require('../../../bridge/host/live/items')
const { place } = require('../../../bridge/host/live/dig')
const { sleepInBed } = require('../../../bridge/host/live/beds_and_vehicles')

const AGE = 1000
const SELF = 7
const AIR = { type: 0, name: 'air', boundingBox: 'empty' }
const GRASS = { type: 1, name: 'grass_block', boundingBox: 'block' }
const DIRT = { type: 2, name: 'dirt', boundingBox: 'block' }
const { signal } = new AbortController()

/**
 * mineflayer's bot as far as it is asked here; its own patience is over when `ms` have passed by the clock on the wall.
 */
class LateBot extends EventEmitter {
  _client = new EventEmitter()
  time = { age: AGE, timeOfDay: 18_000 }
  food = 10
  heldItem = { name: 'bread', type: 5, count: 1 }
  entity = { id: SELF, position: new Vec3(0, 0, 0), yaw: 0, pitch: 0, onGround: true, eyeHeight: 1.62 }
  pathfinder = { isBuilding: () => false, setGoal: () => {} }
  /** @type {Map<string, any>} */
  blocks = new Map()

  blockAt (/** @type {Vec3} */ at) { return this.blocks.get(String(at)) ?? AIR }
  clearControlStates () {}
  deactivateItem () {}
  async lookAt () {}
  consume () { return impatience(2500, 'Promise timed out.') }
  placeBlock () {
    return impatience(
      5000,
      'Server did not answer the placement at (2, 0, 0): Event blockUpdate:(2, 0, ' +
        '0) did not fire within timeout of 5000ms'
    )
  }
  sleep () { return impatience(3000, 'bot is not sleeping') }
}

/** @param {number} ms @param {string} message */
async function impatience (ms, message) {
  await new Promise((resolve) => setTimeout(resolve, ms))
  throw new Error(message)
}

/**
 * @param {(bot: LateBot) => Promise<any>} begin - what is waited for
 * @param {(bot: LateBot, wait: (ms: number) => Promise<void>) => Promise<void>} then - what happens meanwhile
 * @returns {Promise<string>} 'done', 'pending', or the name of the error
 */
async function ended (begin, then) {
  let clock = 0
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const now = mock.method(performance, 'now', () => clock)
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  // In small steps, since whoever looks again sets the next timer then.
  const wait = async (/** @type {number} */ ms) => { for (let left = ms; left > 0; left -= 50) {
    clock += 50
    mock.timers.tick(50)
    await turns()
  } }
  const bot = new LateBot()
  let end = 'pending'
  try {
    begin(bot).then(() => { end = 'done' }, (error) => { end = error.name })
    await turns()
    await then(bot, wait)
    await turns()
    return end
  } finally {
    now.mock.restore()
    mock.timers.reset()
  }
}

const asked = (/** @type {LateBot} */ bot) =>
  bounded({ signal, ms: 3000, what: 'waiting for the server', server: bot }, (resolve) => {
  bot.once('answer', resolve)
  return () => bot.removeListener('answer', resolve)
})

test('the time is over on the wall, not on the server: its answer counts', async () => {
  assert.equal(await ended(asked, async (bot, wait) => {
    await wait(3000)
    bot.time.age += 20
    await wait(3000)
  }), 'pending')
  assert.equal(await ended(asked, async (bot, wait) => { await wait(6000); bot.emit('answer') }), 'done')
})

test('a server that keeps pace and does not answer has refused', async () => {
  const paced = async (/** @type {LateBot} */ bot, /** @type {(ms: number) => Promise<void>} */ wait) => {
    for (let second = 0; second < 3; second++) { bot.time.age += 20; await wait(1000) }
  }
  assert.equal(await ended(asked, paced), 'TimedOut')
})

test('a server of which nothing is heard is waited for half a minute more', async () => {
  assert.equal(await ended(asked, async (_bot, wait) => wait(32_900)), 'pending')
  assert.equal(await ended(asked, async (_bot, wait) => wait(33_300)), 'TimedOut')
})

test('work with its own clock is timed by that clock', async () => {
  let walked = 0
  const walk = () => bounded({ signal, ms: 3000, what: 'walking', passed: () => walked }, () => {})
  assert.equal(await ended(walk, async (_bot, wait) => { walked = 2000; await wait(9000) }), 'pending')
  assert.equal(await ended(walk, async (_bot, wait) => { walked += 3000; await wait(3000) }), 'TimedOut')
})

test('ticks are the world\'s: of a slow one they take longer, ' +
  'of one that is not known they take their time', async () => {
  const ticks = (/** @type {LateBot} */ bot) => pauseTicks(signal, () => bot.time.age, 20, 1e6)
  assert.equal(await ended(ticks, async (bot, wait) => {
    await wait(1000)
    bot.time.age += 10
    await wait(1000)
  }), 'pending')
  assert.equal(await ended(ticks, async (bot, wait) => {
    await wait(1000)
    bot.time.age += 10
    await wait(500)
    bot.time.age += 10
    await wait(50)
  }), 'done')
  assert.equal(await ended(() => pauseTicks(signal, () => null, 20, 1e6), async (_bot, wait) => wait(1000)), 'done')
  assert.equal(await ended(ticks, async (_bot, wait) => wait(31_100)), 'done')
})

test('food is eaten when the server says so, however late', async () => {
  const eat = (/** @type {any} */ bot) => consume(bot, signal)
  const late = async (/** @type {LateBot} */ bot, /** @type {(ms: number) => Promise<void>} */ wait) => {
    bot.time.age += 20
    await wait(6000)
  }
  assert.equal(await ended(eat, late), 'pending')
  assert.equal(await ended(eat, async (bot, wait) => {
    await late(bot, wait)
    bot._client.emit('entity_status', { entityId: SELF + 1, entityStatus: 9 })
  }), 'pending')
  assert.equal(await ended(eat, async (bot, wait) => {
    await late(bot, wait)
    bot._client.emit('entity_status', { entityId: SELF, entityStatus: 9 })
  }), 'done')
  assert.equal(await ended(eat, async (bot, wait) => {
    await late(bot, wait)
    bot.time.age += 60
    await wait(300)
  }), 'CannotEat')
})

test('a block is placed when the server says so, however late', async () => {
  const put = (/** @type {any} */ bot) => {
    bot.blocks.set('(2, -1, 0)', GRASS)
    bot.entity.yaw = bot.entity.pitch = 0
    return place(bot, signal, [2, -1, 0], [0, 1, 0])
  }
  const late = async (/** @type {LateBot} */ bot, /** @type {(ms: number) => Promise<void>} */ wait) => {
    bot.time.age += 20
    await wait(9000)
  }
  const stands = (/** @type {LateBot} */ bot, /** @type {any} */ block) => {
    bot.blocks.set('(2, 0, 0)', block)
    bot.emit('blockUpdate:(2, 0, 0)', AIR, block)
  }
  assert.equal(await ended(put, late), 'pending')
  assert.equal(await ended(put, async (bot, wait) => { await late(bot, wait); stands(bot, AIR) }), 'pending')
  assert.equal(await ended(put, async (bot, wait) => { await late(bot, wait); stands(bot, DIRT) }), 'done')
  assert.equal(await ended(put, async (bot, wait) => {
    await late(bot, wait)
    bot.time.age += 120
    await wait(300)
  }), 'NotPlaced')
})

test('a bot lies down when the server says so, however late', async () => {
  const lie = (/** @type {any} */ bot) => {
    bot.blocks.set('(1, 0, 0)', { type: 9, name: 'red_bed', boundingBox: 'block' })
    return sleepInBed(bot, signal, [1, 0, 0])
  }
  assert.equal(await ended(lie, async (bot, wait) => { bot.time.age += 20; await wait(9000) }), 'pending')
  assert.equal(await ended(lie, async (bot, wait) => {
    bot.time.age += 20
    await wait(9000)
    bot.emit('sleep')
  }), 'done')
  assert.equal(await ended(lie, async (bot, wait) => { bot.time.age += 200; await wait(6100) }), 'NotUsed')
})
