'use strict'
/** The parts of the live backend that need no server. */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const registry = require('prismarine-registry')('1.20.4')
const Chunk = /** @type {any} */ (require('prismarine-chunk'))(registry)
const { bounded, pause, until } = require('../../../bridge/host/live/bounded')
const { findBlocks, statesAround } = require('../../../bridge/host/live/find_blocks')
const { toMovements } = require('../../../bridge/host/live/goals')
const { Speaker, chatLine } = require('../../../skills_js/bot_facade/talk')

const ORE = registry.blocksByName.iron_ore.defaultState
const STONE = registry.blocksByName.stone.defaultState

/** @param {number[][]} ores */
function worldWith (ores) {
  const columns = new Map()
  const column = (/** @type {number} */ x, /** @type {number} */ z) => {
    const key = `${x},${z}`
    if (!columns.has(key) && Math.abs(x) < 6 && Math.abs(z) < 6) {
      columns.set(key, new Chunk({ minY: -64, worldHeight: 384 }))
    }
    return columns.get(key) ?? null
  }
  for (const [x, y, z] of ores) column(x >> 4, z >> 4).setBlockStateId({ x: x & 15, y, z: z & 15 }, ORE)
  return { world: { getColumn: column } }
}

test('blocks are found nearest first, as a search of every block finds them', () => {
  let seed = 12345
  const draw = (/** @type {number} */ span) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return Math.floor(seed / 2 ** 31 * span)
  }
  const ores = [
    ...new Set(Array.from({ length: 400 }, () => `${draw(120) - 60},${draw(60) - 62},${draw(120) - 60}`))
  ].map((key) => key.split(',').map(Number))
  const bot = worldWith(ores)
  const from = { x: 3.2, y: -40.5, z: -7.9 }
  const distance = (/** @type {number[]} */ at) =>
    Math.hypot(at[0] + 0.5 - from.x, at[1] + 0.5 - from.y, at[2] + 0.5 - from.z)
  for (const [maxDistance, count] of [[64, 1], [64, 50], [20, 256], [2, 5], [48, 256]]) {
    const expected = ores.map(distance).filter((away) => away <= maxDistance).sort((a, b) => a - b).slice(0, count)
    const { found } = findBlocks(bot, { from, maxDistance, count, states: new Set([ORE]) })
    assert.deepEqual(found.map(distance), expected)
  }
})

test('sections without the block are not looked into', () => {
  const bot = worldWith([[40, 0, 40]])
  let looks = 0
  for (let x = -5; x < 6; x++) {
    for (let z = -5; z < 6; z++) {
      for (const section of bot.world.getColumn(x, z).sections) {
        const get = section.data.get.bind(section.data)
        section.data.get = (/** @type {number} */ index) => { looks++; return get(index) }
      }
    }
  }
  assert.deepEqual(
    findBlocks(bot, { from: { x: 0, y: 0, z: 0 }, maxDistance: 64, count: 9, states: new Set([STONE]) }).found, []
  )
  assert.equal(looks, 0)
  assert.equal(
    findBlocks(bot, { from: { x: 0, y: 0, z: 0 }, maxDistance: 64, count: 9, states: new Set([ORE]) }).found.length, 1
  )
  assert.equal(looks, 4096)
  assert.deepEqual(statesAround(bot, { x: 40, y: 0, z: 40 }, 3).found.sort((a, b) => a - b), [0, ORE])
  assert.deepEqual(
    findBlocks(bot, { from: { x: 900, y: 0, z: 0 }, maxDistance: 64, count: 9, states: new Set([ORE]) }).found, []
  )
})

test('chat is one line without commands', () => {
  const cases = [
    ['hello', 'hello'], [' two\nlines\r\n', 'two lines'], ['a\u0000b\u001b[31m\u2028c', 'a b [31m c'],
    ['\u00a7cred', 'cred'], ['x'.repeat(256), 'x'.repeat(256)]
  ]
  for (const [text, line] of cases) assert.equal(chatLine(text), line)
  for (const text of ['/op Gizmo', ' /op', '\n/op', '\u0007/op', '', ' \n ', 'x'.repeat(257)]) {
    assert.throws(() => chatLine(text), { name: 'ChatRefused' }, text)
  }
})

test('a speaker says a burst at once and the rest at a pace, and refuses a flood', () => {
  let now = 0
  /** @type {string[]} */
  const heard = []
  const speaker = new Speaker(
    (line, to) => heard.push(to === null ? line : `${to}: ${line}`), { now: () => now, after: () => () => {} }
  )
  for (let i = 1; i <= 5; i++) speaker.say(`line ${i}`)
  assert.equal(heard.length, 5)
  for (let i = 6; i <= 25; i++) speaker.say(`line ${i}`)
  assert.deepEqual([heard.length, speaker.waiting], [5, 20])
  assert.throws(() => speaker.say('one more'), { name: 'LimitExceeded' })
  speaker.hush()
  now = 3000
  speaker.say('later', 'Glitch')
  assert.deepEqual([heard.at(-1), speaker.waiting], ['Glitch: later', 0])
})

test('bounded work ends once: by its end, its deadline or its cancel, and cleans up', async () => {
  const forever = new AbortController()
  let cleaned = 0
  const run = (/** @type {AbortSignal} */ signal, /** @type {number} */ ms, /** @type {any} */ start) =>
    bounded({ signal, ms, what: 'it' }, (resolve, reject) => { start(resolve, reject); return () => { cleaned++ } })
  assert.equal(await run(forever.signal, 1000, (/** @type {any} */ resolve) => resolve(7)), 7)
  await assert.rejects(run(forever.signal, 1, () => {}), { name: 'TimedOut' })
  await assert.rejects(run(forever.signal, 1000, () => { throw new TypeError('bad') }), { name: 'TypeError' })
  const stopped = new AbortController()
  const waiting = run(stopped.signal, 1000, () => {})
  stopped.abort()
  await assert.rejects(waiting, { name: 'Cancelled' })
  await assert.rejects(run(stopped.signal, 1000, () => {}), { name: 'Cancelled' })
  assert.equal(cleaned, 3)
  await assert.rejects(pause(stopped.signal, 5, 'waiting'), { name: 'Cancelled' })
  let looks = 0
  await until({ signal: forever.signal, ms: 1000, what: 'it' }, 1, () => ++looks === 3)
  assert.equal(looks, 3)
})

test('any number of ways to walk costs one look at all blocks of the game, and none of them is kept', () => {
  let looks = 0
  const counting = new Proxy(registry, { get: (target, key) => {
    if (key === 'blocksArray') looks++
    return Reflect.get(target, key)
  } })
  const bot = /** @type {any} */ ({ registry: counting })
  const plain = toMovements(bot, null)
  const once = looks
  for (let maxDropDown = -500; maxDropDown < 500; maxDropDown++) {
    const asked = toMovements(bot, { maxDropDown, extra: 'x'.repeat(maxDropDown + 500) })
    assert.equal(asked.maxDropDown, Math.min(Math.max(maxDropDown, 0), 20))
    assert.deepEqual([asked.fences === plain.fences, asked.extra], [true, undefined])
  }
  assert.equal(looks, once)
  const data = { maxDropDown: 2, allow1by1towers: true, scafoldingBlocks: [9, 3], allowParkour: false }
  assert.notEqual(toMovements(bot, data), toMovements(bot, data))
  const { maxDropDown, allow1by1towers, allowParkour, scafoldingBlocks } = toMovements(bot, data)
  assert.deepEqual(
    { maxDropDown, allow1by1towers, allowParkour, blocks: scafoldingBlocks },
    { maxDropDown: 2, allow1by1towers: true, allowParkour: false, blocks: [9, 3] }
  )
  assert.deepEqual(
    [plain.maxDropDown, plain.allow1by1towers, plain.canDig, plain.scafoldingBlocks], [4, false, false, []]
  )
})
