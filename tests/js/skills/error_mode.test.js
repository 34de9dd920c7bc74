'use strict'
/** Voyager's error mode for programs in isolates of the mock world. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { WorldHost } = require('../../../bridge/mock/world_host')
const { errorModeOf } = require('../../../skills_js/bot_facade/error_mode')

const LIMITS = { wall_ms: 400_000, cpu_ms: 20_000, memory_mb: 32 }

/** @param {string} body @param {string[]} commands @param {string} [last] */
async function played (body, commands, last = '// primitives: voyager') {
  /** @type {string[]} */
  const said = []
  /** @type {any} */
  let results = null
  const host = new WorldHost({ seed: 3, threaded: false }, ({ kind, data }) => {
    if (kind === 'chat') said.push(/** @type {any} */ (data).text)
  }, (_run, ended) => { results = ended })
  await host.handle('connect', { bots: ['Gizmo'] })
  await host.handle('commands', { texts: commands })
  await host.handle('advance', { until: 10 })
  const source = `async function task (bot) {\n${body}\n}\n${last}\n`
  await host.handle('start', { run: 1, policies: [{ bot: 'Gizmo', source, seed: '0/1' }], limits: LIMITS })
  while (results === null) await host.handle('advance', { until: null })
  const { items } = await host.handle('observe', { bot: 'Gizmo' })
  return { ...results.Gizmo, items, said }
}

const HILL = ['fill 5 -60 -4 13 -55 4 stone', 'fill 8 -58 0 9 -58 0 iron_ore']

test('a primitive that fails says so, and the program goes on', async () => {
  const end = await played(
    'await placeItem(bot, "crafting_table", new Vec3(1, -60, 0)); await mineBlock(bot, "iron_ore", 1); bot.chat("on")',
    []
  )
  assert.equal(end.outcome, 'returned')
  assert.match(end.said[0], /^placeItem: no crafting_table/)
  assert.match(end.said[1], /^mineBlock: no iron_ore/)
  assert.equal(end.said[2], 'on')
})

test('the same program in the default error mode ends with the named error', async () => {
  const end = await played('await placeItem(bot, "crafting_table", new Vec3(1, -60, 0))', [], '// the end')
  assert.deepEqual([end.outcome, end.error.name], ['threw', 'ItemNotInInventory'])
})

test('ore inside a hill is dug up, table and furnace of the inventory are put down', async () => {
  const end = await played(`await mineBlock(bot, "iron_ore", 2)
    await smeltItem(bot, "raw_iron", "coal", 5)
    await craftItem(bot, "shears", 1)`, [
      ...HILL, 'give Gizmo stone_pickaxe', 'give Gizmo coal 2', 'give Gizmo furnace', 'give Gizmo crafting_table'
    ])
  assert.equal(end.outcome, 'returned', JSON.stringify(end))
  assert.equal(end.items.shears, 1)
})

test('in a shaft as narrow as itself the bot digs room for what it puts down', async () => {
  const SHAFT = [
    'fill -3 -63 -3 3 -55 3 stone', 'fill 0 -61 0 0 -55 0 air', 'fill 0 -62 0 0 -62 0 bedrock', 'tp Gizmo 0.5 -61 0.5'
  ]
  const end = await played('await craftItem(bot, "stone_pickaxe", 1)',
    [
      ...SHAFT, 'give Gizmo crafting_table', 'give Gizmo cobblestone 3', 'give Gizmo stick 2',
      'give Gizmo wooden_pickaxe'
    ])
  assert.deepEqual([end.outcome, end.said, end.items.stone_pickaxe], ['returned', [], 1])
})

test('no room is dug beside water', async () => {
  const WELL = [
    'fill -3 -63 -3 3 -55 3 stone', 'fill 0 -61 0 0 -55 0 air', 'fill -2 -61 -2 2 -60 2 water',
    'fill -1 -61 -1 1 -60 1 stone', 'fill 0 -61 0 0 -60 0 air', 'tp Gizmo 0.5 -61 0.5'
  ]
  const end = await played('await craftItem(bot, "stone_pickaxe", 1); bot.chat(bot.blockAt(new Vec3(1, -61, 0)).name)',
    [
      ...WELL, 'give Gizmo crafting_table', 'give Gizmo cobblestone 3', 'give Gizmo stick 2',
      'give Gizmo wooden_pickaxe'
    ])
  assert.match(end.said[0], /^craftItem: stone_pickaxe needs a crafting_table/)
  assert.equal(end.said[1], 'stone')
})

test('a table that stands near is used, wherever it is within 32 blocks', async () => {
  const end = await played(
    'await craftItem(bot, "wooden_pickaxe", 1)',
    ['setblock 20 -60 9 crafting_table', 'give Gizmo oak_planks 3', 'give Gizmo stick 2']
  )
  assert.equal(end.items.wooden_pickaxe, 1)
})

test('a placed block is taken up again by hand, not given', async () => {
  const end = await played(
    'const at = new Vec3(2, -60, 0); await placeItem(bot, "crafting_table", at); ' +
      'await givePlacedItemBack(bot, "crafting_table", at)',
    ['give Gizmo crafting_table']
  )
  assert.deepEqual(end.items, { crafting_table: 1 })
})

test('a loop over what cannot be done ends after ten failures; a wrong call ends at once', async () => {
  const loop = await played('for (;;) await mineBlock(bot, "iron_ore", 1)', [])
  assert.deepEqual([loop.outcome, loop.error.name], ['threw', 'BlockNotFound'])
  assert.match(loop.error.message, /failed 10 times/)
  const slip = await played('await mineBlock(bot, "iron_or", 1)', [])
  assert.equal(slip.error.name, 'UnknownName')
})

test('only the last line chooses the error mode, and unknown modes are refused', () => {
  assert.equal(errorModeOf('a()\n// primitives: voyager\n'), 'voyager')
  assert.equal(errorModeOf('// primitives: voyager\na()\n'), 'named')
  assert.equal(errorModeOf('const a = "// primitives: voyager"\n'), 'named')
  assert.throws(() => errorModeOf('a()\n// primitives: rude'), /named, voyager/)
})
