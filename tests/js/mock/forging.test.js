'use strict'
/** Reports of actions tell what was really done, whatever a program does to the objects that it is given. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { WorldHost } = require('../../../bridge/mock/world_host')

const LIMITS = { wall_ms: 20_000, cpu_ms: 20_000, memory_mb: 32 }
const CHEST = 'const at = new Vec3(2, -60, 0)'
const FORGE = `const forge = (object, name, field) => {
  for (let level = object; level !== null && level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    try { level[name] = field.value ?? field.get() } catch {}
    try { Object.defineProperty(level, name, { ...field, configurable: true }) } catch {}
  }
}`

/**
 * A program in a world with a chest that holds five sticks, and a cow out of reach.
 * @param {string} body
 * @returns {Promise<{ actions: any[], said: string[], outcome: string }>}
 */
async function played (body) {
  /** @type {any[]} */
  const events = []
  /** @type {Record<string, any>[]} */
  const ends = []
  const world = new WorldHost(
    { seed: 1, threaded: false }, (event) => { events.push(event) }, (_run, results) => { ends.push(results) }
  )
  await world.handle('connect', { bots: ['Gizmo'] })
  const replies = await world.handle('commands', {
    texts: [
      'tp Gizmo 0.5 -60 0.5', 'setblock 2 -60 0 chest', 'item replace block 2 -60 0 container.0 with stick 5',
      'summon cow 20 -50 20 {NoAI:1b,NoGravity:1b}'
    ]
  })
  assert.deepEqual(
    replies.map((/** @type {string} */ reply) => reply.split(' ')[0]), ['Teleported', 'Changed', 'Replaced', 'Summoned']
  )
  await world.handle('advance', { until: 5 })
  await world.handle('start', {
    run: 1,
    policies: [{ bot: 'Gizmo', seed: '1/1', source: `async function main (bot) {\n${CHEST}\n${FORGE}\n${body}\n}` }],
    limits: LIMITS
  })
  while (ends.length === 0) await world.handle('advance', { until: null })
  const { outcome, error } = ends[0].Gizmo
  assert.equal(outcome, 'returned', error?.message)
  const of = (/** @type {string} */ kind) => events.filter((event) => event.kind === kind).map(({ data }) => data)
  return { actions: of('action'), said: of('log').map(({ text }) => text), outcome }
}

const DIAMOND = '{ name: "diamond", type: mcData.itemsByName.diamond.id, count: 64, slot: 36, stackSize: 64 }'
const TAKE = 'try { await getItemFromChest(bot, at, { diamond: 1 }) } catch {}'

/** @type {Record<string, string>} what forges a success of `TAKE` or of an action of its own */
const FORGED = {
  'the container\'s class': `const open = await bot.openContainer(bot.blockAt(at))
    forge(open, 'withdraw', { value: async () => 64 })
    forge(open, 'containerItems', { value: () => [${DIAMOND}] })
    await open.close()
    ${TAKE}`,
  'the container\'s class by its constructor': `const open = await bot.openContainer(bot.blockAt(at))
    for (const kind of [open.constructor, Object.getPrototypeOf(open.constructor), bot.currentWindow.constructor]) {
      try { kind.prototype.withdraw = async () => 64 } catch {}
      try { Object.defineProperty(kind.prototype, 'slots', { get: () => [${DIAMOND}] }) } catch {}
    }
    await open.close()
    ${TAKE}`,
  'the inventory\'s data': `bot.inventory._data.slots[36] = ${DIAMOND}
    console.log(countItem(bot, 'diamond'))`,
  'the inventory\'s class': `forge(Object.getPrototypeOf(bot.inventory), '_data', { get: () => ({
    slots: [${DIAMOND}], inventoryStart: 0, inventoryEnd: 1 }) })
    forge(Object.getPrototypeOf(bot.inventory), 'items', { value: () => [${DIAMOND}] })
    forge(Object.getPrototypeOf(bot.inventory), 'count', { value: () => 64 })
    console.log(countItem(bot, 'diamond'))`,
  'a place that moves': `const { x, y, z } = bot.entity.position
    forge(Vec3.prototype, 'y', { get: () => y, set () {} })
    try { await goTo(bot, { x, y: y + 30, z }, 1) } catch {}`,
  'an entity that is gone': `const cow = Object.values(bot.entities).find((each) => each.name === 'cow')
    forge(cow, 'isValid', { get: () => false })
    try { await killMob(bot, 'cow', 1) } catch {}`,
  'an entity of its own': `const cow = Object.values(bot.entities).find((each) => each.name === 'cow')
    try { await waitForMobRemoved(bot, { id: cow.id, isValid: false, name: 'cow' }, 1) } catch {}`,
  'nothing that is thrown': 'try { await exploreUntil(bot, new Vec3(1, 0, 0), 5, () => { throw null }) } catch {}'
}

for (const [what, body] of Object.entries(FORGED)) {
  test(`${what} forges no success`, async () => {
    const { actions, said } = await played(body)
    assert.deepEqual(actions.filter(({ ok }) => ok), [])
    assert.deepEqual(said.filter((text) => /^\d+$/.test(text) && text !== '0'), [])
  })
}

test('an action is reported with what it was given, though the program changes it meanwhile', async () => {
  const { actions } = await played(`const what = { stick: 1 }
    const under = getItemFromChest(bot, at, what)
    delete what.stick
    what.diamond = 64
    at.x = 99
    await under`)
  assert.deepEqual(
    actions.map(({ name, args, ok }) => [name, args, ok]), [['getItemFromChest', [[2, -60, 0], { stick: 1 }], true]]
  )
})

test('an object that answers differently each time is asked once', async () => {
  const { actions } = await played(`let asked = 0
    await getItemFromChest(bot, at, { get stick () { return ++asked } })
    let looks = 0
    await goTo(bot, { get x () { return looks++ === 0 ? 0 : 9 }, y: -60, z: 0 }, 2)`)
  assert.deepEqual(actions.map(({ args }) => args), [[[2, -60, 0], { stick: 1 }], [[0, -60, 0], 2]])
})

test('no action goes unreported, whatever stands among its arguments', async () => {
  const {
    actions
  } = await played(`const hostile = [{ get position () { throw new Error('mine') } },
    { toJSON () { throw new Error('mine') } },
      new Proxy({}, { ownKeys () { throw new Error('mine') } }), 1n, Symbol('s'),
        (() => { const own = {}; own.position = own; return own })()]
    for (const each of hostile) { try { await goTo(bot, at, 3, each) } catch {} }
    console.log(hostile.length)`)
  assert.equal(actions.length, 6)
})

test('programs go on setting members of their own vectors and using all of their methods', async () => {
  const { said } = await played(`const mine = new Vec3(1, 2, 3)
    mine.x = 5; mine.y += 1; mine.label = 'mine'; mine.set(mine.x, mine.y, 9); mine.add(new Vec3(1, 1, 1))
    const place = bot.entity.position
    place.x = 7
    const block = bot.blockAt(at); block.visited = true
    class Spot extends Vec3 { twice () { return this.scaled(2) } }
    const recipes = bot.recipesAll(mcData.itemsByName.stick.id, null, null); recipes.sort(); recipes.push(1)
    console.log(String(mine), mine.label, place.offset(1, 0, 0).x, block.visited,
      String(new Spot(1, 1, 1).twice()), bot.entity.position.x)`)
  assert.deepEqual(said, ['(6, 4, 10) mine 8 true (2, 2, 2) 0.5'])
})

test('all that programs and primitives share is shut: every class and prototype within reach', async () => {
  const { said } = await played(`const open = new Set(), seen = new Set()
    const window = await bot.openContainer(bot.blockAt(at))
    const roots = [bot, window, bot.inventory, bot.entity, bot.blockAt(at), at, window.containerItems()[0],
      ...Object.values(goals), new GoalXZ(1, 2), bot.pathfinder]
    for (const root of roots) {
      for (let level = root; level !== null && !seen.has(level); level = Object.getPrototypeOf(level)) {
        seen.add(level)
        if (level === root && typeof root !== 'function') continue
        if (!Object.isFrozen(level)) open.add(level.name ?? level.constructor?.name ?? 'nameless')
        if (typeof level === 'function' && level.prototype && !Object.isFrozen(level.prototype))
          open.add(level.name + '.prototype')
        if (typeof level.constructor === 'function' && !Object.isFrozen(level.constructor))
          open.add(level.constructor.name)
      }
    }
    for (const data of [bot.inventory._data, bot.inventory._data.slots, window._data, window._data.slots[0],
      bot.game, bot.time]) if (!Object.isFrozen(data)) open.add('data')
    console.log(seen.size > 20, [...open].join())`)
  assert.deepEqual(said, ['true '])
})
