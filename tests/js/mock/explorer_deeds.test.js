'use strict'
/** What explorers do (voyager_agents/piano/explorers/deeds.js), deed by deed, on the mock bot. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')
const { createMockWorld, goals, skills, Vec3 } = require('../../../skills_js/mock')

const TEXT = fs.readFileSync(path.join(__dirname, '../../../voyager_agents/piano/explorers/deeds.js'), 'utf8')

/** A player with those commands done, and the deeds in its scope. @param {string[]} commands */
function land (commands) {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const command of commands) world.command(command)
  const scope = vm.createContext({ ...skills, ...goals, Vec3, mcData: bot.registry })
  vm.runInContext(TEXT, scope)
  const call = (/** @type {string} */ deed, /** @type {any[]} */ ...args) => world.run(() => /** @type {any} */ (scope)[deed](bot, ...args))
  return { world, call }
}

test('a log is stripped and taken up again', async () => {
  const { world, call } = land(['give Gizmo birch_log 3', 'give Gizmo stone_axe'])
  await call('strip', 'birch_log', 'stone_axe')
  assert.deepEqual(world.items('Gizmo'), { birch_log: 2, stone_axe: 1, stripped_birch_log: 1 })
})

test('of a chest is taken what was never held, and what is of use', async () => {
  const { world, call } = land(['setblock 4 -60 3 chest', 'item replace block 4 -60 3 container.0 with saddle 1', 'item replace block 4 -60 3 container.1 with bread 5', 'item replace block 4 -60 3 container.2 with dirt 9', 'item replace block 4 -60 3 container.3 with iron_ingot 4'])
  await call('loot', ['dirt', 'iron_ingot'], ['iron_ingot'])
  assert.deepEqual(world.items('Gizmo'), { bread: 2, iron_ingot: 4, saddle: 1 })
})

test('to a villager is sold what is left over, and bought what was never held', async () => {
  const offers = '{buy:{id:"minecraft:paper",Count:24},sell:{id:"minecraft:emerald",Count:1},maxUses:3},{buy:{id:"minecraft:emerald",Count:1},sell:{id:"minecraft:lantern",Count:1},maxUses:3}'
  const { world, call } = land([`summon villager 6 -60 0 {NoAI:1,VillagerData:{profession:"minecraft:librarian",level:1},Offers:{Recipes:[${offers}]}}`, 'give Gizmo paper 30'])
  await call('bargain', ['paper'], ['paper'])
  assert.deepEqual(world.items('Gizmo'), { paper: 6, lantern: 1 })
})

test('what a villager sells that was held already is not bought', async () => {
  const offers = '{buy:{id:"minecraft:emerald",Count:1},sell:{id:"minecraft:lantern",Count:1},maxUses:3}'
  const { world, call } = land([`summon villager 3 -60 0 {NoAI:1,VillagerData:{profession:"minecraft:librarian",level:1},Offers:{Recipes:[${offers}]}}`, 'give Gizmo emerald 2'])
  await call('bargain', ['lantern'], [])
  assert.deepEqual(world.items('Gizmo'), { emerald: 2 })
})

test('a field is tilled, sown, fed with bone meal and harvested', async () => {
  const { world, call } = land(['give Gizmo wooden_hoe', 'give Gizmo wheat_seeds 4', 'give Gizmo bone_meal 16', 'setblock 3 -61 3 water'])
  await call('farm', 'wheat')
  assert.ok(world.items('Gizmo').wheat >= 1)
})

test('a bottle is filled at the water', async () => {
  const { world, call } = land(['fill 5 -61 -1 7 -61 1 water', 'give Gizmo glass_bottle'])
  await call('scoop', 'water', 'glass_bottle')
  assert.deepEqual(world.items('Gizmo'), { potion: 1 })
})

test('what is left behind is not picked up again', async () => {
  const { world, call } = land(['give Gizmo dirt 40', 'give Gizmo stone_pickaxe'])
  await call('tidy', ['dirt'], { x: 1, z: 0 })
  assert.deepEqual(world.items('Gizmo'), { stone_pickaxe: 1 })
})
