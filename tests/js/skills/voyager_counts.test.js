'use strict'
/**
 * Success rate of programs in Voyager's style where the world was not laid out for them: the table or furnace stands
 * nearby and is not carried, the ore is inside a hill, the trees are those that grew.
 */
const test = require('node:test')
const assert = require('node:assert/strict')
const { WorldHost } = require('../../../bridge/mock/world_host')

const LIMITS = { wall_ms: 600_000, cpu_ms: 30_000, memory_mb: 64 }
const ERROR_MODE = '\n// primitives: voyager'

/** Items crafted at a standing table, and what the player carries for them. @type {Record<string, string[]>} */
const CRAFTED = {
  wooden_pickaxe: ['oak_planks 3', 'stick 2'],
  stone_pickaxe: ['cobblestone 3', 'stick 2'],
  stone_sword: ['cobblestone 2', 'stick'],
  iron_pickaxe: ['iron_ingot 3', 'stick 2'],
  iron_chestplate: ['iron_ingot 8'],
  diamond_pickaxe: ['diamond 3', 'stick 2'],
  shield: ['oak_planks 6', 'iron_ingot'],
  bucket: ['iron_ingot 3'],
  chest: ['birch_planks 8'],
  furnace: ['cobblestone 8'],
  fishing_rod: ['stick 3', 'string 2'],
  bow: ['stick 3', 'string 3'],
  ladder: ['stick 7'],
  oak_boat: ['oak_planks 5'],
  white_bed: ['white_wool 3', 'oak_planks 3'],
  golden_apple: ['gold_ingot 8', 'apple']
}
/** Items smelted in a standing furnace, and their ingredients. @type {Record<string, string>} */
const SMELTED = { iron_ingot: 'raw_iron', gold_ingot: 'raw_gold', cooked_beef: 'beef', glass: 'sand' }
/** Blocks mined out of a hill: block, tool, drop. */
const MINED = [
  ['coal_ore', 'wooden_pickaxe', 'coal'], ['iron_ore', 'stone_pickaxe', 'raw_iron'],
  ['copper_ore', 'stone_pickaxe', 'raw_copper'],
  ['lapis_ore', 'stone_pickaxe', 'lapis_lazuli'], ['gold_ore', 'iron_pickaxe', 'raw_gold'],
  ['redstone_ore', 'iron_pickaxe', 'redstone'],
  ['diamond_ore', 'iron_pickaxe', 'diamond'], ['emerald_ore', 'iron_pickaxe', 'emerald']
]
const HILL = ['fill 6 -60 -6 20 -50 8 stone', 'fill 6 -49 -6 20 -49 8 grass_block']
const TREE_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/**
 * @param {{seed?: number, terrain?: string, commands?: string[], source: string}} trial
 * @returns {Promise<Record<string, number>>} what the player has at the end
 */
async function played ({ seed = 1, terrain = 'flat', commands = [], source }) {
  /** @type {any} */
  let results = null
  const host = new WorldHost({ seed, threaded: false, terrain }, () => {}, (_run, ended) => { results = ended })
  await host.handle('connect', { bots: ['Gizmo'] })
  await host.handle('commands', { texts: commands })
  await host.handle('advance', { until: 20 })
  await host.handle(
    'start', { run: 1, policies: [{ bot: 'Gizmo', source: source + ERROR_MODE, seed: '0/1' }], limits: LIMITS }
  )
  while (results === null) await host.handle('advance', { until: null })
  return (await host.handle('observe', { bot: 'Gizmo' })).items
}

test('a table that stands nearby is used: 16 of 16', async () => {
  const missed = []
  for (const [item, carried] of Object.entries(CRAFTED)) {
    const commands = ['setblock 8 -60 5 crafting_table', ...carried.map((stack) => `give Gizmo ${stack}`)]
    const items = await played({
      commands, source: `async function make (bot) {\n  await craftItem(bot, '${item}', 1)\n}`
    })
    if (!(items[item] >= 1)) missed.push(item)
  }
  assert.deepEqual(missed, [])
})

test('a furnace that stands nearby is used: 4 of 4', async () => {
  const missed = []
  for (const [item, raw] of Object.entries(SMELTED)) {
    const commands = ['setblock 8 -60 5 furnace', `give Gizmo ${raw} 2`, 'give Gizmo coal 2']
    const items = await played({
      commands, source: `async function smelt (bot) {\n  await smeltItem(bot, '${raw}', 'coal', 2)\n}`
    })
    if (!(items[item] >= 2)) missed.push(item)
  }
  assert.deepEqual(missed, [])
})

/**
 * @param {string} ore
 * @param {string} tool
 * @param {number} deep blocks of stone before it
 * @returns {Promise<Record<string, number>>}
 */
function mined (ore, tool, deep) {
  const source = `async function mine (bot) {
    const found = await exploreUntil(bot, new Vec3(1, 0, 0), 60, () =>
      bot.findBlock({ matching: mcData.blocksByName['${ore}'].id, maxDistance: 32 }))
    if (!found) return bot.chat('no ${ore}')
    await mineBlock(bot, '${ore}', 2)
  }`
  return played({
    commands: [...HILL, `fill ${6 + deep} -57 1 ${6 + deep} -57 2 ${ore}`, `give Gizmo ${tool}`], source
  })
}

test('ore inside of a hill is mined: 8 of 8', async () => {
  const missed = []
  for (const [ore, tool, item] of MINED) {
    const items = await mined(ore, tool, 4)
    if (!(items[item] >= 2)) missed.push(ore)
  }
  assert.deepEqual(missed, [])
})

test('ore seven blocks deep is mined, with a pickaxe of wood too', async () => {
  assert.ok((await mined('coal_ore', 'wooden_pickaxe', 7)).coal >= 2)
})

test('trees that grew are felled: 12 of 12', async () => {
  const source = `async function fell (bot) {
    const names = ['oak_log', 'birch_log', 'spruce_log', 'dark_oak_log', 'acacia_log',
      'jungle_log', 'cherry_log', 'mangrove_log']
    const ids = names.map((name) => mcData.blocksByName[name].id)
    const look = () => bot.findBlock({ matching: ids, maxDistance: 32 })
    let log = look()
    for (const [x, z] of [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1]])
      log = log ?? await exploreUntil(bot, new Vec3(x, 0, z), 60, look)
    if (!log) return bot.chat('no tree')
    await mineBlock(bot, log.name, 3)
  }`
  const missed = []
  for (const seed of TREE_SEEDS) {
    const items = await played({ seed, terrain: 'survival', source })
    const logs = Object.entries(items).reduce((sum, [name, count]) => sum + (name.endsWith('_log') ? count : 0), 0)
    if (logs < 3) missed.push([seed, items])
  }
  assert.deepEqual(missed, [])
})
