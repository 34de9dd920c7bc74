'use strict'
/** Limits of a program's searches in the mock world: by count, so that the same seed gives the same on any machine. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { WorldHost } = require('../../../bridge/mock/world_host')

/** Each from another point: the same question in the same tick is answered from memory. @param {string} x */
const air = (x) =>
  `{ matching: mcData.blocksByName.air.id, maxDistance: 64, count: 256, point: new Vec3(${x}, -30, 0) }`

/**
 * @param {...string} bodies programs of one player, one after the other
 * @returns {Promise<{ lines: string[], last: any }>} what they printed
 */
async function played (...bodies) {
  /** @type {string[]} */
  const lines = []
  /** @type {any[]} */
  const ends = []
  const world = new WorldHost({ seed: 1, threaded: false }, ({ kind, data }) => {
    if (kind === 'log') lines.push(/** @type {any} */ (data).text)
  },
    (_run, results) => { ends.push(results) })
  await world.handle('connect', { bots: ['Gizmo'] })
  await world.handle('commands', { texts: ['fill -30 -60 -30 30 -60 30 iron_ore'] })
  for (const body of bodies) {
    const before = ends.length
    const policies = [{ bot: 'Gizmo', seed: '1/1', source: `async function main (bot) {\n${body}\n}` }]
    await world.handle(
      'start', { run: before + 1, policies, limits: { wall_ms: 60_000, cpu_ms: 60_000, memory_mb: 64 } }
    )
    while (ends.length === before) await world.handle('advance', { until: null })
  }
  return { lines, last: ends.pop().Gizmo }
}

const STORM = `let done = 0
  try { for (; done < 1000; done++) bot.findBlocks(${air('done / 100')}) }
    catch (error) { console.log(done, error.name) }`

test('a storm of wide searches is refused after so many, the same number every time', async () => {
  const [first, again] = [await played(STORM), await played(STORM)]
  assert.deepEqual(first.lines, ['30 LimitExceeded'])
  assert.deepEqual(again.lines, first.lines)
})

test('the next program does not begin with a full share', async () => {
  const { lines } = await played(STORM, STORM)
  assert.ok(Number.parseInt(lines[1]) < 10, lines[1])
})

const HONEST = {
  'the widest search of open land in every tick': `bot.findBlocks(${air('0')})`,
  'every kind of search in every tick': `
    bot.findBlocks({ matching: mcData.blocksByName.iron_ore.id, maxDistance: 64, count: 256 })
    bot.findBlock({ matching: mcData.blocksByName.gold_ore.id, maxDistance: 64 })
    bot.findBlocks({ matching: (block) => block.name === 'iron_ore', maxDistance: 64, count: 256 })
    for (const name of ['chest', 'furnace', 'crafting_table', 'dirt', 'bedrock'])
      bot.findBlock({ matching: mcData.blocksByName[name].id, maxDistance: 48 })`
}
for (const [what, search] of Object.entries(HONEST)) {
  test(`${what} is never refused`, async () => {
    const { last } = await played(`for (let i = 0; i < 100; i++) { ${search}; await bot.waitForTicks(1) }`)
    assert.deepEqual([last.outcome, last.error], ['returned', null])
  })
}
