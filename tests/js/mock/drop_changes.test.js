'use strict'
/** Items on the ground are told when they have come to rest and when they are gone, within bounds, on all worlds. */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { createMockWorld } = require('../../../skills_js/mock')
const { DropTeller, RestingDrops, CHARS_A_SAMPLE, MAX_CHARS, MAX_DROPS } = require('../../../skills_js/drop_changes')
const { FleetNews } = require('../../../bridge/host/supervisor/fleet_news')

/** @param {any} world @returns {any[]} */
const told = (world) => world.events.filter((/** @type {any} */ { kind }) => kind === 'drops')
  .map((/** @type {any} */ { data }) => data)
/** @param {any[]} samples @returns {any[]} rows of all items that lie there after the samples, by their numbers */
const lying = (samples) => {
  const rows = new Map()
  for (const { at, gone } of samples) {
    for (const key of gone) assert.ok(rows.delete(key), `${key} lay there`)
    for (const [key, row] of Object.entries(at)) rows.set(key, row)
  }
  return [...rows.values()]
}
/** @returns {Promise<any>} a world in which a player has thrown an apple, waited, and taken it */
async function thrown () {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const text of ['give Gizmo apple 3', 'tp Gizmo 0.5 -60 0.5 0 0']) world.command(text)
  await world.run(async () => {
    await bot.toss(bot.inventory.items()[0].type, null, 1)
    await bot.waitForTicks(80)
  })
  return { world, bot }
}

test('a thrown item is told where it has come to rest, then as a larger stack, then as gone', async () => {
  const { world, bot } = await thrown()
  const [row] = lying(told(world))
  assert.deepEqual(row.slice(0, 2), ['apple', 1])
  assert.deepEqual(row[2].slice(0, 2), [0.5, -60])
  assert.ok(row[2][2] > 2, `${row[2]}: ahead of the player`)
  const [x, y, z] = row[2]
  world.command(`summon item ${x} ${y} ${z} {Item:{id:"minecraft:apple",Count:4b}}`)
  await world.run(() => bot.waitForTicks(80))
  assert.deepEqual(lying(told(world)).map(([name, count]) => [name, count]), [['apple', 5]])
  world.command(`tp Gizmo ${x} ${y} ${z}`)
  await world.run(() => bot.waitForTicks(40))
  assert.deepEqual(lying(told(world)), [])
  const lines = told(world).length
  await world.run(() => bot.waitForTicks(100))
  assert.equal(told(world).length, lines, 'nothing is told while nothing changes')
  const again = await thrown()
  assert.equal(JSON.stringify(told(world)).indexOf(JSON.stringify(told(again.world)).slice(0, -1)), 0, 'as before')
})

test('an item that is picked up at once is never told, and orbs are none', async () => {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  world.command('tp Gizmo 0.5 -60 0.5')
  world.command('summon item 0.5 -60 0.5 {Item:{id:"minecraft:apple",Count:1b},PickupDelay:5}')
  world.command('summon experience_orb 9.5 -60 9.5')
  await world.run(() => bot.waitForTicks(60))
  assert.equal(bot.inventory.items().length, 1)
  assert.deepEqual(told(world), [])
})

test('an item that drifts is told where it was first and where it rests, and one that bobs once', () => {
  const resting = new RestingDrops()
  const at = (/** @type {number} */ x, y = 64) => {
    resting.sample([{ id: 7, name: 'stick', count: 1, x, y, z: 0 }])
    return resting.rows.get(7)?.[2][0]
  }
  assert.deepEqual([at(0), at(1), at(2), at(3), at(3), at(3, 64.1), at(3.1)], [undefined, 1, 1, 1, 3, 3, 3])
  const row = resting.rows.get(7)
  at(3.1, 63.9)
  assert.equal(resting.rows.get(7), row)
  resting.sample([])
  assert.ok(resting.empty && resting.rows.size === 0)
})

/** @param {number} count @returns {Map<number, import('../../../skills_js/drop_changes').Row>} */
const heap = (count) => new Map(Array.from({ length: count }, (_, id) => [id, ['cobblestone', 1, [id, 64, 0]]]))

test('of a thousand items those near players are told first, in lines of bounded length', () => {
  const teller = new DropTeller()
  const rows = heap(1000)
  let player = { x: 500, y: 64, z: 0 }
  const next = () => teller.tell(rows, () => [player])
  const samples = Array.from({ length: 60 }, next).filter((each) => each !== null)
  const first = Object.keys(samples[0].at).map(Number)
  assert.ok(first.length > 50 && first.every((id) => Math.abs(id - 500) <= first.length / 2 + 1), String(first))
  assert.equal(samples[0].left_out, 1000 - first.length)
  assert.equal(lying(samples).length, MAX_DROPS)
  assert.equal(samples.at(-1)?.left_out, 1000 - MAX_DROPS)
  const size = JSON.stringify(samples).length
  assert.ok(size < MAX_CHARS + 60 * CHARS_A_SAMPLE, String(size))
  assert.equal(next(), null)
  player = { x: 510, y: 64, z: 0 }
  assert.equal(next(), null, 'a few steps change nothing')
  player = { x: 0, y: 64, z: 0 }
  samples.push(...Array.from({ length: 60 }, next).filter((each) => each !== null))
  const there = lying(samples).map(([, , [x]]) => x).sort((a, b) => a - b)
  assert.deepEqual(there.slice(0, 280), Array.from({ length: 280 }, (_, id) => id))
  assert.equal(there.length, MAX_DROPS)
  for (const id of [...rows.keys()].slice(5)) rows.delete(id)
  samples.push(...Array.from({ length: 20 }, next).filter((each) => each !== null))
  assert.equal(lying(samples).length, 5)
  assert.equal(samples.at(-1)?.left_out, undefined)
})

test('whoever begins to listen hears of all items again', () => {
  const teller = new DropTeller()
  const rows = heap(3)
  assert.deepEqual(Object.keys(teller.tell(rows, () => [])?.at ?? {}), ['0', '1', '2'])
  assert.equal(teller.tell(rows, () => []), null)
  teller.repeat()
  assert.deepEqual(Object.keys(teller.tell(rows, () => [])?.at ?? {}), ['0', '1', '2'])
})

test('a fleet tells once what several hosts see, and what a lost host saw is gone', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  /** @type {any[]} */
  const news = []
  const fleet = new FleetNews((kind, tick, data) => news.push({ kind, tick, ...data }))
  /** @type {object[]} */
  const [one, other] = [{}, {}]
  const hear = (/** @type {object} */ host, /** @type {object} */ data, tick = 20) =>
    assert.equal(fleet.isNews(host, 'drops', tick, data, false), false)
  const second = () => context.mock.timers.tick(1000)
  hear(one, { at: { 4: ['apple', 1, [1, 2, 3]] }, gone: [] })
  assert.deepEqual(news[0], { kind: 'drops', tick: 20, at: { 4: ['apple', 1, [1, 2, 3]] }, gone: [] })
  hear(other, { at: { 4: ['apple', 1, [1, 2, 3]], 5: ['stick', 2, [4, 5, 6]] }, gone: [], left_out: 3 }, 30)
  hear(one, { at: {}, gone: ['4'] }, 35)
  assert.equal(news.length, 1, 'at most one line a second')
  second()
  assert.deepEqual(news[1], { kind: 'drops', tick: 35, at: { 5: ['stick', 2, [4, 5, 6]] }, gone: [], left_out: 3 })
  fleet.drops.repeat()
  second()
  assert.deepEqual(Object.keys(news[2].at), ['4', '5'])
  fleet.drops.forget(other)
  second()
  assert.deepEqual([news[3].at, news[3].gone], [{}, ['4', '5']])
  for (const at of [null, 7, { 1: null, 2: ['x'], 3: ['x', 1, [1, 2, 'y']], 4: ['x'.repeat(61), 1, [1, 2, 3]] }]) {
    hear(one, { at, gone: 7 })
  }
  second()
  assert.equal(news.length, 4)
  fleet.drops.end()
  assert.equal(fleet.isNews(one, 'no such kind', 1, {}, true), false)
})
