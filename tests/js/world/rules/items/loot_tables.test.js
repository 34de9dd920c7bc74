'use strict'
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { makeWorld } = require('../../helpers')

const DRAWS = 10_000
/**
 * 99.9 % quantile of chi-square by degrees of freedom: with a fixed seed a correct table stays below it.
 * @type {Record<number, number>}
 */
const LIMIT = { 1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52, 6: 22.46 }

/**
 * Block, tool, item counted, and the probability of each count.
 * @type {[string, string, string, Record<number, number>][]}
 */
const CASES = [
  ['red_mushroom_block', '', 'red_mushroom', { 0: 7 / 9, 1: 1 / 9, 2: 1 / 9 }],
  ['gravel', '', 'flint', { 0: 0.9, 1: 0.1 }], ['glowstone', '', 'glowstone_dust', { 2: 1 / 3, 3: 1 / 3, 4: 1 / 3 }],
  ['redstone_ore', 'iron_pickaxe', 'redstone', { 4: 0.5, 5: 0.5 }],
  ['lapis_ore', 'stone_pickaxe', 'lapis_lazuli', { 4: 1 / 6, 5: 1 / 6, 6: 1 / 6, 7: 1 / 6, 8: 1 / 6, 9: 1 / 6 }],
  ['copper_ore', 'stone_pickaxe', 'raw_copper', { 2: 0.25, 3: 0.25, 4: 0.25, 5: 0.25 }],
  ['oak_leaves', '', 'oak_sapling', { 0: 0.95, 1: 0.05 }], ['oak_leaves', '', 'apple', { 0: 0.995, 1: 0.005 }],
  ['short_grass', '', 'wheat_seeds', { 0: 0.875, 1: 0.125 }],
  ['melon', '', 'melon_slice', { 3: 0.2, 4: 0.2, 5: 0.2, 6: 0.2, 7: 0.2 }]
]

for (const [block, tool, item, chances] of CASES) {
  test(`${block} gives ${item} as often as vanilla's table says`, () => {
    const world = makeWorld({ players: {} })
    const state = world.data.state(world.data.stateId(block))
    const random = world.random.stream('loot')
    /** @type {Map<number, number>} */
    const seen = new Map()
    for (let i = 0; i < DRAWS; i++) {
      const count = world.loot.blockDrops(state, tool ? world.stacks.make(tool) : null, random)
        .reduce((/** @type {number} */ n, /** @type {import('../../../../../engine/world/types').Item} */ it) =>
          n + (it.name === item ? it.count : 0), 0)
      seen.set(count, (seen.get(count) ?? 0) + 1)
    }
    assert.deepEqual([...seen.keys()].sort((a, b) => a - b), Object.keys(chances).map(Number))
    const chi = Object.entries(chances)
      .reduce((sum, [n, p]) => sum + (/** @type {number} */ (seen.get(Number(n))) - DRAWS * p) ** 2 / (DRAWS * p), 0)
    assert.ok(chi < LIMIT[Object.keys(chances).length - 1], `chi-square ${chi}`)
  })
}

/**
 * Block, properties, tool, and drops that never vary.
 * @type {[string, Record<string, any>, string, Record<string, number>][]}
 */
const FIXED = [
  ['diamond_ore', {}, 'iron_pickaxe', { diamond: 1 }], ['deepslate_diamond_ore', {}, 'iron_pickaxe', { diamond: 1 }],
  ['iron_ore', {}, 'stone_pickaxe', { raw_iron: 1 }], ['gold_ore', {}, 'iron_pickaxe', { raw_gold: 1 }],
  ['coal_ore', {}, 'wooden_pickaxe', { coal: 1 }],
  ['stone', {}, 'wooden_pickaxe', { cobblestone: 1 }], ['grass_block', {}, '', { dirt: 1 }], ['glass', {}, '', {}],
  ['ice', {}, '', {}], ['tinted_glass', {}, '', { tinted_glass: 1 }], ['slime_block', {}, '', { slime_block: 1 }],
  ['bookshelf', {}, '', { book: 3 }],
  ['clay', {}, '', { clay_ball: 4 }], ['wheat', { age: 3 }, '', { wheat_seeds: 1 }],
  ['oak_slab', { type: 'double' }, '', { oak_slab: 2 }], ['snow', { layers: 3 }, 'iron_shovel', { snowball: 3 }],
  ['short_grass', {}, 'shears', { short_grass: 1 }], ['oak_leaves', {}, 'shears', { oak_leaves: 1 }],
  ['oak_door', { half: 'lower' }, '', { oak_door: 1 }], ['oak_door', { half: 'upper' }, '', {}],
  ['red_bed', { part: 'head' }, '', { red_bed: 1 }], ['red_bed', { part: 'foot' }, '', {}],
  ['wall_torch', {}, '', { torch: 1 }], ['redstone_wire', {}, '', { redstone: 1 }],
  ['chest', {}, '', { chest: 1 }], ['furnace', {}, 'wooden_pickaxe', { furnace: 1 }],
  ['ender_chest', {}, 'iron_pickaxe', { obsidian: 8 }], ['bedrock', {}, 'diamond_pickaxe', {}],
  ['mushroom_stem', {}, '', {}], ['spawner', {}, 'iron_pickaxe', {}], ['farmland', {}, '', { dirt: 1 }]
]
for (const [block, props, tool, drops] of FIXED) {
  test(`${block} ${JSON.stringify(props)} with ${tool || 'a bare hand'} drops ${JSON.stringify(drops)}`, () => {
    const world = makeWorld({ players: {} })
    const found = world.loot.blockDrops(world.data.state(world.data.stateId(block, props)),
      tool ? world.stacks.make(tool) : null, world.random.stream('loot'))
    const named = found.map((/** @type {{ name: string, count: number }} */ { name, count }) => [name, count])
    assert.deepEqual(Object.fromEntries(named), drops)
  })
}

test('every block of the version can be broken with any tool: known items, legal counts', () => {
  const world = makeWorld({ players: {} })
  const random = world.random.stream('loot')
  for (const info of world.registry.blocksArray) {
    for (const tool of [null, 'iron_pickaxe', 'shears', 'diamond_axe']) {
      for (const item of world.loot.blockDrops(world.data.state(info.defaultState),
        tool ? world.stacks.make(tool) : null, random)) {
        assert.ok(item.count >= 1 && item.count <= 64, `${info.name}: ${item.name} x ${item.count}`)
      }
    }
  }
})

test('Silk Touch takes an ore whole, Fortune gives more of it', () => {
  const world = makeWorld({ players: {} })
  const enchanted = (/** @type {string} */ name, /** @type {number} */ level) =>
    world.stacks.make('diamond_pickaxe', 1,
    { value: { Enchantments: { type: 'list',
    value: { type: 'compound',
    value: [{ id: { type: 'string', value: `minecraft:${name}` }, lvl: { type: 'short', value: level } }] } } } })
  const ore = world.data.state(world.data.stateId('diamond_ore'))
  const random = world.random.stream('loot')
  assert.deepEqual(world.loot.blockDrops(ore, enchanted('silk_touch', 1), random)
    .map((/** @type {import('../../../../../engine/world/types').Item} */ i) => i.name),
    ['diamond_ore'])
  let total = 0
  for (let i = 0; i < DRAWS; i++) total += world.loot.blockDrops(ore, enchanted('fortune', 3), random)[0].count
  assert.ok(Math.abs(total / DRAWS - 2.2) < 0.05, `Fortune III gives ${total / DRAWS} on average, vanilla 2.2`)
})
