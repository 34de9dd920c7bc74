'use strict'
/** A server tells the hand's wear and the block apart: a primitive waits for what its act has to bring about. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Vec3 } = require('vec3')
const { useOn } = require('../../../skills_js/primitives/support/farming')

const PLACE = new Vec3(2, 0, 0)
/** Ticks after which the server tells of the hand, and of the block. */
const HAND_TICK = 1
const BLOCK_TICK = 9

/** A bot on a server that answers late. */
function lateBot () {
  let ticks = 0
  let used = Infinity
  const after = (/** @type {number} */ wait) => ticks >= used + wait
  const hoe = { name: 'iron_hoe', count: 1, nbt: null, get durabilityUsed () { return after(HAND_TICK) ? 1 : 0 } }
  const bot = /** @type {any} */ ({
    entity: { position: new Vec3(0, 0, 0) },
    heldItem: hoe,
    equip: async () => {},
    blockAt: () => ({
      name: after(BLOCK_TICK) ? 'farmland' : 'dirt',
      stateId: after(BLOCK_TICK) ? 2 : 1,
      boundingBox: 'empty',
      getProperties: () => ({})
    }),
    activateBlock: async () => { used = ticks },
    waitForTicks: async (/** @type {number} */ count) => { ticks += count }
  })
  return { bot, hoe: /** @type {any} */ (hoe) }
}

test('earth that is tilled late is told as tilled', async () => {
  const { bot, hoe } = lateBot()
  assert.equal((await useOn(bot, hoe, PLACE, () => bot.blockAt(PLACE).name === 'farmland')).name, 'farmland')
})

test('without a word of what it is for, any answer ends the wait', async () => {
  const { bot, hoe } = lateBot()
  assert.equal((await useOn(bot, hoe, PLACE)).name, 'dirt')
  assert.equal(hoe.durabilityUsed, 1)
})
