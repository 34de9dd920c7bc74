'use strict'
/** A walker that goes to and fro between cells where the pathfinder gives up each time does not come along. */
const { EventEmitter } = require('node:events')
const { mock, test } = require('node:test')
const assert = require('node:assert/strict')
const { Vec3 } = require('vec3')
const registry = require('prismarine-registry')('1.20.4')
const { walk } = require('../../../bridge/host/live/walk')

/** The pathfinder gives up a step after so many ms. */
const STEP_MS = 3500

/** mineflayer's bot, on a way on which nothing ever ends by itself. */
class Walker extends EventEmitter {
  registry = registry
  version = '1.20.4'
  entities = {}
  entity = { position: new Vec3(0.5, 0, 0.5), onGround: true }
  isSleeping = false
  vehicle = null
  pathfinder = {
    goal: null,
    isMoving: () => true,
    isMining: () => false,
    isBuilding: () => true,
    setMovements: () => {},
    setGoal: (/** @type {any} */ goal) => { this.pathfinder.goal = goal }
  }
  blockAt () { return null }
  clearControlStates () {}
}

/**
 * @param {number} steps
 * @param {(step: number) => [Vec3, string]} each - where the walker is after that many steps, and why its path is reset
 * @returns {Promise<{ state: string, message: string, steps: number }>} steps: after which it ended
 */
async function walked (steps, each) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const bot = new Walker()
  const end = { state: 'walking', message: '', steps }
  try {
    walk(
      /** @type {any} */ (bot),
      new AbortController().signal,
      { kind: 'block', x: 40, y: 0, z: 0 },
      { canDig: true, allow1by1towers: true, scafoldingBlocks: [1] }
    )
      .then(() => { end.state = 'there' }, (error) => { end.state = error.name; end.message = error.message })
    for (let step = 1; step <= steps && end.state === 'walking'; step++) {
      const [at, reason] = each(step)
      bot.entity.position = at
      mock.timers.tick(STEP_MS)
      bot.emit('path_reset', reason)
      await new Promise((resolve) => setImmediate(resolve))
      end.steps = step
    }
    return end
  } finally {
    mock.timers.reset()
  }
}

const A = new Vec3(0.5, 0, 0.5)
const B = new Vec3(1.5, 1, 0.5)

for (const reason of ['stuck', 'place_error', 'dig_error']) {
  test(`to and fro between two cells with ${reason} ends long before the walk's time is up`, async () => {
    const end = await walked(100, (step) => [step % 2 === 0 ? A : B, reason])
    assert.equal(end.state, 'NotReached')
    assert.match(end.message, /something blocks the way/)
    assert.ok(end.steps <= 12, `${end.steps} steps`)
  })
}

test('a walker that gives up a step now and then but makes progress is not stopped', async () => {
  assert.equal((await walked(30, (step) => [new Vec3(0.5 + step, 0, 0.5), 'stuck'])).state, 'walking')
})

test('land that changes around the walker is no failure of its steps', async () => {
  assert.equal((await walked(30, (step) => [step % 2 === 0 ? A : B, 'block_updated'])).state, 'walking')
})
