'use strict'
// Run with: node --test examples/skill_test/*.test.js
const test = require('node:test')
const assert = require('node:assert/strict')
const { createMockWorld, Vec3, skills } = require('../../skills_js/mock')
const { gatherCoal } = require('./gather_coal')

const CHEST = new Vec3(0, -60, 4)

/** A chest with pickaxes, eight blocks of coal ore, and a player for each name. */
function coalField (...names) {
  const world = createMockWorld({ seed: 1 })
  world.command('setblock 0 -60 4 chest')
  world.command('item replace block 0 -60 4 container.0 with stone_pickaxe 1')
  world.command('fill 8 -60 0 11 -60 1 coal_ore')
  return { world, bots: names.map((name) => world.join(name)) }
}

test('the coal ends up in the chest', async () => {
  const { world, bots: [bot] } = coalField('Gizmo')
  const stored = await world.run(() => gatherCoal(bot, skills, { chest: CHEST, count: 3 }))
  assert.equal(stored, 3)
  assert.deepEqual(world.items('Gizmo'), { stone_pickaxe: 1 })
  const inside = await world.run(() => skills.checkItemInsideChest(bot, CHEST))
  assert.deepEqual(inside, { coal: 3 })
})

test('whoever comes second finds no pickaxe, and is told so by name', async () => {
  const { world } = coalField('Gizmo', 'Glitch')
  const ends = await world.runAll({
    Gizmo: (bot) => gatherCoal(bot, skills, { chest: CHEST, count: 2 }),
    Glitch: async (bot) => {
      await bot.waitForTicks(40)
      return gatherCoal(bot, skills, { chest: CHEST, count: 2 })
    }
  })
  assert.equal(ends.Gizmo.value, 2)
  assert.equal(ends.Glitch.error.name, 'ItemNotInChest')
})

test('twenty seconds of mining are over in a moment, and the same in every run', async () => {
  const play = async () => {
    const { world, bots: [bot] } = coalField('Gizmo')
    await world.run(() => gatherCoal(bot, skills, { chest: CHEST, count: 8 }))
    return { ticks: world.tick, events: world.events }
  }
  const first = await play()
  assert.ok(first.ticks > 100)
  assert.deepEqual(await play(), first)
})
