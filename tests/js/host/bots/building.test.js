'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { Vec3 } = require('vec3')
const { mendStart, mendTower } = require('../../../../bridge/host/bots/building')

test('a bot in the air with its feet in the block that it has put below itself begins from on top of it', () => {
  /** @type {any[]} */
  const begun = []
  const bot = { entity: { onGround: false }, pathfinder: {
    getPathFromTo: (/** @type {any} */ _movements, /** @type {any} */ from) => { begun.push(from.toArray()) }
  } }
  const movements = { getBlock: (/** @type {any} */ at) => ({ physical: at.y === 4 }) }
  mendStart(/** @type {any} */ (bot))
  bot.pathfinder.getPathFromTo(movements, new Vec3(0.5, 4.6, 0.5))
  bot.pathfinder.getPathFromTo(movements, new Vec3(0.5, 5.1, 0.5))
  bot.entity.onGround = true
  bot.pathfinder.getPathFromTo(movements, new Vec3(0.5, 4.5, 0.5))
  assert.deepEqual(begun, [[0.5, 5.6, 0.5], [0.5, 5.1, 0.5], [0.5, 4.5, 0.5]])
})

test('a block below a jumping bot is put when it was above that place for a whole tick, ' +
  'and others at once', async () => {
  /** @type {any} */
  const bot = Object.assign(new EventEmitter(), {
    entity: { position: new Vec3(0.5, 5, 0.5) },
    controlState: { jump: true },
    pathfinder: { isBuilding: () => true },
    lookAt: async () => {},
    placeBlock: async () => { bot.put.push(bot.entity.position.y) },
    put: []
  })
  mendTower(bot)
  const aside = bot.placeBlock({ position: new Vec3(2, 4, 0) }, new Vec3(0, 1, 0))
  await aside
  const below = bot.placeBlock({ position: new Vec3(0, 4, 0) }, new Vec3(0, 1, 0))
  await new Promise((resolve) => setImmediate(resolve))
  for (const y of [5.4, 5.9, 6.05, 5.95, 6.1, 6.2, 6.1]) {
    bot.entity.position = new Vec3(0.5, y, 0.5)
    bot.emit('physicsTick')
    await new Promise((resolve) => setImmediate(resolve))
  }
  await below
  assert.deepEqual([bot.put, bot.listenerCount('physicsTick')], [[5, 6.2], 0])
})
