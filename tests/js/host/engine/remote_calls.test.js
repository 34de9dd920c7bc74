'use strict'
/**
 * Calls of primitives that the server plays for players whose bodies are in it: the same as a program, without an
 * isolate.
 */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { EngineRoom } = require('../../../../bridge/host/engine/room')
const parts = require('../../../../bridge/host/engine/parts')
const { RunGroups } = require('../../../../bridge/host/isolates/run_groups')
const { SpareIsolate } = require('../../../../bridge/host/isolates/spare_isolate')
const { HOST, SECRET, bodiesServer } = require('../fixtures/bodies_server')

const LIMITS = { wall_ms: 60_000, cpu_ms: 20_000, memory_mb: 64 }

const server = bodiesServer()

/** @typedef {{ name: string, args: any[] }[]} Steps */

/** The program that does the same. @param {Steps} steps @param {number} pause in ticks */
function sourceOf (steps, pause) {
  const lines = steps.map(({
    name, args
  }) => `await ${name}(${['bot', ...args.map((each) => JSON.stringify(each))].join(', ')})`)
  return [
    'async function act (bot) {', ...lines, ...pause > 0 ? [`await bot.waitForTicks(${pause})`] : [], '}'
  ].join('\n')
}

/** A host with these players; `isolates` counts those that it took. @param {string[]} names */
async function hostOf (...names) {
  /** @type {any[]} */
  const told = []
  const emit = (/** @type {string} */ kind, /** @type {any} */ data) => { told.push({ kind, ...data }) }
  const room = new EngineRoom(emit)
  for (const bot of names) await room.connect({ bot, host: HOST, port: server.port, secret: SECRET }, null)
  const spare = new SpareIsolate(() => {}, true)
  const counted = { taken: 0 }
  const take = spare.take.bind(spare)
  spare.take = (...args) => { counted.taken++; return take(...args) }
  const runs = new RunGroups({ room, parts, emit, forward: () => {}, onCatastrophe: () => {}, spare })
  let groups = 0
  return {
    room,
    told,
    counted,
    runs,
    /**
     * @param {string} bot
     * @param {Steps} steps
     * @param {{ pause?: number, limits?: object, library?: string, isolated?: boolean }} [more]
     */
    async play (bot, steps, { pause = 0, limits = {}, library, isolated = false } = {}) {
      const group = `g${++groups}`
      const calls = { steps, pause_ticks: pause, ...library === undefined ? {} : { library } }
      const program = { bot, source: sourceOf(steps, pause), seed: '1', ...isolated ? {} : { calls } }
      await runs.prepare({ group, policies: [program], players: [bot], span: false, limits: { ...LIMITS, ...limits } })
      const { results } = await runs.start({ group, at: 0, tick: null })
      return /** @type {any} */ (results[bot])
    },
    async leave () {
      runs.close()
      for (const bot of names) await room.disconnect(bot)
    }
  }
}

/** @param {any[]} told @param {string} kind */
const about = (told, kind) => told.filter((each) => each.kind === kind).map(({ kind: _, ...data }) => data)

test('calls come to the same as the program that says them, and take no isolate', async () => {
  const { world } = server
  const found = []
  for (const isolated of [true, false]) {
    const host = await hostOf('Miner')
    for (const text of [
      'tp Miner 0.5 -60 0.5', 'clear Miner', 'give Miner stone_pickaxe', 'fill 2 -60 0 3 -60 0 iron_ore',
      'setblock 8 -60 0 chest'
    ]) {
      world.command(text)
    }
    const results = []
    for (const steps of [
      [
        { name: 'mineBlock', args: ['iron_ore', 2] },
        { name: 'depositItemIntoChest', args: [{ x: 8, y: -60, z: 0 }, { raw_iron: 1 }] }
      ],
      [
        { name: 'goTo', args: [{ x: 4, y: -60, z: 4 }, 1] }, { name: 'mineBlock', args: ['diamond_ore', 1] },
        { name: 'say', args: ['never said'] }
      ],
      [{ name: 'goTo', args: ['nowhere', {}] }],
      [{ name: 'fly', args: [1] }]
    ]) {
      const { outcome, error } = await host.play('Miner', steps, { pause: 2, isolated })
      results.push([outcome, error?.name, error?.message])
    }
    const { items, position } = /** @type {any} */ (await host.room.observe('Miner'))
    found.push({
      results,
      items,
      at: position.map(Math.round),
      actions: about(host.told, 'action'),
      ends: about(host.told, 'policy').length
    })
    assert.equal(host.counted.taken, isolated ? 4 : 0)
    await host.leave()
    world.command('setblock 8 -60 0 air')
  }
  assert.deepEqual(found[1], found[0])
  assert.deepEqual(found[0].results.map(([outcome]) => outcome), ['returned', 'threw', 'threw', 'threw'])
  assert.deepEqual([found[0].items.raw_iron, found[0].actions.length > 3], [1, true])
})

test('they end when they are cancelled, too late or alone, and nothing moves their player then', async () => {
  const host = await hostOf('Walker', 'Other')
  const far = [{ name: 'goTo', args: [{ x: 900, y: -60, z: 900 }, 1] }]
  const { tasks } = server.bodies.simulation.client('Walker')
  const late = await host.play('Walker', far, { limits: { wall_ms: 120 } })
  assert.deepEqual([late.outcome, late.error.name], ['timeout', 'TimeoutError'])
  assert.equal(tasks.size, 0)
  const walking = host.play('Walker', far)
  while (tasks.size === 0) await new Promise((resolve) => setImmediate(resolve))
  await host.runs.cancel({ group: 'g2', bots: null })
  assert.equal((await walking).outcome, 'cancelled')
  assert.equal(tasks.size, 0)
  const again = await host.play('Walker', [], { pause: 2 })
  assert.equal(again.outcome, 'returned')
  const kicked = host.play('Walker', far)
  while (tasks.size === 0) await new Promise((resolve) => setImmediate(resolve))
  server.world.command('kick Walker bye')
  const { outcome, error } = await kicked
  assert.deepEqual([outcome, error.name], ['infrastructure', 'BotLost'])
  assert.match(error.message, /kicked: bye/)
  assert.equal((await host.play('Other', [], { pause: 1 })).outcome, 'returned')
  await host.leave()
})

test('calls cancelled before their turn never begin', async () => {
  const host = await hostOf('Waiter')
  const { turns } = server.bodies
  const began = performance.now()
  turns.count(() => { while (performance.now() - began < 60); })
  const playing = host.play('Waiter', [{ name: 'say', args: ['too late'] }], { limits: { wall_ms: 1 } })
  assert.equal((await playing).outcome, 'timeout')
  for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setTimeout(resolve, 2))
  assert.equal((await host.play('Waiter', [], { pause: 1 })).outcome, 'returned')
  await host.leave()
})

test('signals, routines of a library and what is too long stay programs', () => {
  const bot = { username: 'Ann', link: null }
  const playCalls = (/** @type {any} */ calls, source = '') => parts.playCalls({ bot, calls, source, limits: LIMITS })
  assert.equal(playCalls(undefined), null)
  assert.equal(playCalls({ steps: [{ name: 'sendSignal', args: [] }] }), null)
  assert.equal(playCalls({ steps: [{ name: 'goTo', args: [] }, { name: 'waitSignal', args: [] }] }), null)
  assert.equal(playCalls({ steps: [], library: 'explorer_routines' }), null)
  assert.equal(playCalls({ steps: [] }, 'x'.repeat(200_001)), null)
  assert.notEqual(playCalls({ steps: [{ name: 'goTo', args: [] }] }), null)
})

test('names and arguments are data: nothing of them is run, and the server goes on', async () => {
  const host = await hostOf('Mallory', 'Bystander')
  /** @type {any} */
  const poison =
    JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "x": 1e308, "y": -60, ' +
      '"z": 0}')
  const deep = JSON.parse('['.repeat(2000) + ']'.repeat(2000))
  const hostile = [
    { name: '__proto__', args: [] }, { name: 'constructor', args: ['return process'] }, { name: 'toString', args: [] },
    { name: 'goTo', args: [poison, 1] }, { name: 'mineBlock', args: ["iron_ore');process.exit(1);//", 1] },
    { name: 'mineBlock', args: [poison, poison] },
    { name: 'goTo', args: [deep] }, { name: 'say', args: ['x'.repeat(100_000)] },
    { name: 'say', args: [{ toString: 'x' }] },
    { name: 'followPlayer', args: ['__proto__', 1] }, { name: 'craftItem', args: ['constructor', 1e9] },
    { name: 'equipItem', args: [null] }
  ]
  for (const step of hostile) {
    const { outcome } = await host.play('Mallory', [step], { limits: { wall_ms: 300 } })
    assert.ok(['threw', 'timeout', 'returned'].includes(outcome), `${step.name}: ${outcome}`)
    assert.equal(/** @type {any} */ ({}).polluted, undefined)
  }
  assert.equal((await host.play('Bystander', [], { pause: 1 })).outcome, 'returned')
  assert.equal(server.bodies.simulation.client('Mallory').tasks.size, 0)
  await host.leave()
})
