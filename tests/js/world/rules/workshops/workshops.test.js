'use strict'
/**
 * Rules of anvils, enchanting tables, grindstones, smithing tables, stonecutters and trades, by vanilla's numbers
 * (minecraft.wiki, 1.20.4).
 */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { World } = require('../../../../../engine/world')
const { forge } = require('../../../../../engine/world/rules/workshops/anvil')
const { costs, offer, shelvesAround } = require('../../../../../engine/world/rules/workshops/enchanting')
const { JavaRandom } = require('../../../../../engine/world/rules/workshops/java_random')
const { grind } = require('../../../../../engine/world/rules/workshops/grindstone')
const { smith } = require('../../../../../engine/world/rules/workshops/smithing')
const { cutsOf } = require('../../../../../engine/world/rules/workshops/stonecutter')
const { withEnchantments, enchantmentsOf } = require('../../../../../engine/world/rules/workshops/enchantments')
const { OFFERS, parse } = require('../../../../../engine/world/rules/trading/offers')
const { Business, price } = require('../../../../../engine/world/rules/trading/business')

/** @type {any} */
const world = new World({ seed: 1 })
const { stacks } = world
/** @param {string} name @param {Record<string, number>} [list] @param {Record<string, number>} [data] */
function made (name, list = {}, data = {}) {
  const item = stacks.make(name, 1,
    { type: 'compound', name: '',
    value: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, { type: 'int', value }])) })
  return withEnchantments(stacks, item, Object.entries(list).map(([each, level]) => ({ name: each, level })))
}
const survival = { name: null, creative: false }

test('anvil costs equal those of prismarine-item', () => {
  const sword = made('diamond_sword', { sharpness: 3 })
  const pairs = [[made('diamond_sword'), made('enchanted_book', { sharpness: 5 })],
    [sword, made('diamond_sword', { sharpness: 3 })], [sword, made('enchanted_book', { unbreaking: 3 })],
    [made('diamond_sword', { looting: 1 }, { RepairCost: 3 }),
      made('enchanted_book', { knockback: 2 }, { RepairCost: 1 })],
      [made('diamond_pickaxe', {}, { Damage: 1000 }), stacks.make('diamond', 2)]]
  for (const [one, two] of pairs) {
    assert.equal(forge(world, one, two, survival).cost, world.Item.anvil(one, two, false, undefined).xpCost,
      `${one.name} + ${two.name}`)
  }
})

test('anvils repair by vanilla\'s costs, and refuse 40 levels except for a name alone', () => {
  const mended = forge(world, made('diamond_pickaxe', {}, { Damage: 1000 }), stacks.make('diamond', 9), survival)
  assert.deepEqual([stacks.damage(/** @type {any} */ (mended.item)), mended.cost, mended.used], [0, 3, 3])
  const fused = forge(world, made('iron_pickaxe', {}, { Damage: 200 }), made('iron_pickaxe', {}, { Damage: 200 }),
    survival)
  assert.deepEqual([stacks.damage(/** @type {any} */ (fused.item)), fused.cost], [200 - 50 - 30, 2])
  assert.equal(forge(world, made('diamond_sword', {}, { RepairCost: 39 }), made('enchanted_book', { sharpness: 1 }),
    survival).item, null)
  assert.equal(forge(world, made('diamond_sword', {}, { RepairCost: 63 }), null, { name: 'x', creative: false }).cost,
    39)
  assert.equal(forge(world, made('diamond_sword', { sharpness: 1 }), made('enchanted_book', { smite: 1 }),
    survival).item, null)
  assert.equal(forge(world, made('bow', { infinity: 1 }), made('enchanted_book', { mending: 1 }), survival).item, null)
})

test('the numbers of java.util.Random', () => {
  // new Random(42): nextInt() returns -1170105035 and 234785527, nextInt(10) returns 0 and 3.
  const random = new JavaRandom(42)
  assert.deepEqual([random.bits(32), random.bits(32)], [-1170105035, 234785527])
  const bounded = new JavaRandom(42)
  assert.deepEqual([bounded.int(10), bounded.int(10)], [0, 3])
})

test('enchanting: with 15 bookshelves the third offer is 30 and the first 2 to 10; without, 8 at most', () => {
  const pickaxe = made('diamond_pickaxe')
  for (let seed = 0; seed < 200; seed++) {
    const [low, middle, high] = costs(seed, 15, pickaxe)
    assert.ok(high === 30 && low >= 2 && low <= 10 && middle >= 6 && middle <= 21, `${low} ${middle} ${high}`)
    assert.ok(Math.max(...costs(seed, 0, pickaxe)) <= 8)
    for (const { name } of offer(world.registry, seed, pickaxe, 2, high)) {
      assert.ok(['efficiency', 'silk_touch', 'unbreaking', 'fortune'].includes(name), name)
    }
    const book = offer(world.registry, seed, stacks.make('book'), 2, high)
      .map(({ name }) => world.registry.enchantmentsByName[name])
    assert.ok(book.every(({ treasureOnly, discoverable }) => !treasureOnly && discoverable))
  }
})

test('bookshelves count two blocks away when nothing is between, 15 at most', () => {
  const at = { x: 40, y: -60, z: 40 }
  world.command('fill 38 -60 38 42 -59 42 bookshelf')
  world.command('fill 39 -60 39 41 -59 41 air')
  world.command('setblock 40 -60 40 enchanting_table')
  assert.equal(shelvesAround(world, at), 15)
  world.command('fill 38 -59 38 42 -59 42 air')
  world.command('setblock 39 -60 40 torch')
  assert.equal(shelvesAround(world, at), 13)
  world.command('fill 39 -60 39 41 -60 39 stone')
  assert.equal(shelvesAround(world, at), 8)
})

test('grindstones leave curses, mend with 5 %, and turn books blank', () => {
  const cursed = grind(world, made('iron_sword', { sharpness: 2, vanishing_curse: 1 }, { RepairCost: 7 }), null)
  assert.deepEqual(enchantmentsOf(cursed), [{ name: 'vanishing_curse', level: 1 }])
  assert.equal(grind(world, made('enchanted_book', { sharpness: 2 }), null)?.name, 'book')
  assert.equal(stacks.damage(grind(world, made('iron_pickaxe', {}, { Damage: 200 }),
    made('iron_pickaxe', {}, { Damage: 200 }))), 150 - 12)
  assert.equal(grind(world, made('iron_sword'), null), null)
})

test('smithing keeps the enchantments and damage of diamond gear', () => {
  const sword = smith(world, stacks.make('netherite_upgrade_smithing_template'),
    made('diamond_sword', { sharpness: 4 }), stacks.make('netherite_ingot'))
  assert.deepEqual([sword?.name, enchantmentsOf(sword)], ['netherite_sword', [{ name: 'sharpness', level: 4 }]])
  assert.equal(smith(world, stacks.make('netherite_upgrade_smithing_template'), made('iron_sword'),
    stacks.make('netherite_ingot')), null)
  const trimmed = smith(world, stacks.make('coast_armor_trim_smithing_template'), made('iron_boots'),
    stacks.make('emerald'))
  assert.equal(/** @type {any} */ (trimmed?.nbt)?.value.Trim.value.pattern.value, 'minecraft:coast')
})

test('stonecutters: 7 cuts of stone, copper fourfold', () => {
  assert.deepEqual(cutsOf(world).get('stone')?.map(({ name, count }) => `${name} ${count}`),
    ['chiseled_stone_bricks 1', 'stone_brick_slab 2', 'stone_brick_stairs 1', 'stone_brick_wall 1', 'stone_bricks 1',
    'stone_slab 2', 'stone_stairs 1'])
  assert.deepEqual(cutsOf(world).get('copper_block')?.map(({ name, count }) => `${name} ${count}`),
    ['cut_copper 4', 'cut_copper_slab 8', 'cut_copper_stairs 4'])
})

test('every offer of every profession names items; a villager draws two a level and rises at 10, 70, 150, 250', () => {
  for (const [profession, levels] of Object.entries(OFFERS)) {
    assert.equal(levels.length, 5, profession)
    for (const line of levels.flat()) {
      if (line === 'book') continue
      const { wants, also, gives } = parse(line)
      for (const name of [...wants.names, ...(also?.names ?? []), ...gives.names]) {
        assert.ok(world.registry.itemsByName[name], `${profession}: ${name}`)
      }
    }
  }
  const business = new Business(world, 'u', 'farmer')
  business.grow()
  assert.equal(business.offers.length, 2)
  business.experience = 70
  assert.ok(business.rise())
  assert.deepEqual([business.level, business.offers.length], [3, 6])
  const again = new Business(world, 'u', 'farmer')
  again.grow()
  assert.deepEqual(again.offers[0].wants.name, business.offers[0].wants.name)
})

test('prices rise with demand; a villager restocks twice a day', () => {
  const business = new Business(world, 'u', 'butcher')
  business.grow()
  const [offered] = business.offers
  offered.uses = offered.most
  assert.ok(business.restock())
  assert.equal(offered.demand, offered.most)
  assert.equal(price(offered),
    Math.min(64, offered.wants.count + Math.floor(offered.wants.count * offered.most * 0.05)))
  offered.uses = 1
  assert.ok(business.restock())
  offered.uses = 1
  assert.ok(!business.restock())
})
