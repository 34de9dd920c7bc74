'use strict'
/** bot.pvp as mineflayer-pvp has it: follows, strikes as often as the weapon allows, and tells what it does. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { createPvp } = require('../../../skills_js/bot_facade/pvp')
const { strikeTicks } = require('../../../skills_js/bot_facade/weapons')
const { createMockWorld } = require('../../../skills_js/mock')

/**
 * @param {string[]} commands
 * @returns {{ world: any, bot: any, told: string[] }} a bot whose fights are written down
 */
function arena (...commands) {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const command of ['time set day', 'gamerule doMobSpawning false', ...commands]) world.command(command)
  /** @type {string[]} */
  const told = []
  for (const name of ['startedAttacking', 'stoppedAttacking', 'attackedTarget']) bot.on(name, () => { told.push(name) })
  return { world, bot, told }
}

const named = (/** @type {any} */ bot, /** @type {string} */ name) =>
  bot.nearestEntity((/** @type {any} */ entity) => entity.name === name)

test('a target is followed and struck until it is gone', async () => {
  const { world, bot, told } = arena('give Gizmo iron_sword', 'summon cow 12 -60 0')
  await world.run(async () => {
    const cow = named(bot, 'cow')
    await bot.pvp.attack(cow)
    assert.equal(bot.pvp.target, cow)
    for (let i = 0; i < 60 && cow.isValid; i++) await bot.waitForTicks(5)
    await bot.waitForTicks(5)
    assert.deepEqual([cow.isValid, bot.pvp.target, bot.pathfinder.isMoving()], [false, undefined, false])
  })
  assert.deepEqual([told[0], told[1], told.at(-1)], ['startedAttacking', 'attackedTarget', 'stoppedAttacking'])
})

test('a target that is gone is none, also before the fight looks again', async () => {
  const place = { position: { distanceTo: () => 1 } }
  const parts = { pathfinder: { setGoal () {}, stop () {} }, bot: () => ({ entity: place, health: 20 }), emit () {} }
  const pvp = createPvp(/** @type {any} */ ({ act: () => new Promise(() => {}) }), parts)
  const enemy = { ...place, id: 1, isValid: true, health: 10 }
  await pvp.attack(enemy)
  assert.equal(pvp.target, enemy)
  enemy.isValid = false
  assert.equal(pvp.target, undefined)
})

test('blows come as often as the weapon strikes with full force', async () => {
  const strikes = async (/** @type {string[]} */ ...given) => {
    const { world, bot } = arena(...given, 'summon iron_golem 2 -60 0 {NoAI:1b}')
    /** @type {number[]} */
    const at = []
    bot.on('attackedTarget', () => { at.push(bot.time.age) })
    await world.run(async () => {
      bot.pvp.attack(named(bot, 'iron_golem'))
      await bot.waitForTicks(80)
      await bot.pvp.stop()
    })
    return at.slice(1).map((tick, index) => tick - at[index])
  }
  // Who is pushed away is walked to first, so some gaps are longer.
  const shortest = async (/** @type {string} */ weapon) => Math.min(...await strikes(`give Gizmo ${weapon}`))
  assert.ok([13, 14, 15].includes(await shortest('iron_sword')))
  assert.ok([23, 24, 25].includes(await shortest('iron_axe')))
  assert.deepEqual(['diamond_sword', 'wooden_axe', 'stick', undefined].map(strikeTicks), [13, 25, 5, 5])
})

test('stop and forceStop end a fight, and another target takes the place of the first', async () => {
  const { world, bot, told } = arena('summon pig 3 -60 0 {NoAI:1b}', 'summon cow -3 -60 0 {NoAI:1b}')
  await world.run(async () => {
    const [pig, cow] = [named(bot, 'pig'), named(bot, 'cow')]
    await bot.pvp.attack(pig)
    await bot.pvp.attack(pig)
    await bot.pvp.attack(cow)
    assert.equal(bot.pvp.target, cow)
    await bot.pvp.stop()
    assert.equal(bot.pvp.target, undefined)
    await bot.pvp.attack(pig)
    bot.pvp.forceStop()
    bot.pvp.forceStop()
    await bot.waitForTicks(40)
    assert.equal(pig.isValid && cow.isValid, true)
    await assert.rejects(bot.pvp.attack(null), { name: 'BadArgument', message: /needs an entity/ })
  })
  assert.deepEqual(told.filter((name) => name !== 'attackedTarget'),
    [
      'startedAttacking', 'stoppedAttacking', 'startedAttacking', 'stoppedAttacking', 'startedAttacking',
      'stoppedAttacking'
    ])
})
