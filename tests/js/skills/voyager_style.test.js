'use strict'
/**
 * Policies in the style of Voyager's published skills, in isolates in the mock world: each member of the bot and each
 * way of writing that occurs there occurs here, in a policy of its own, and the world afterwards shows that it did its
 * work.
 */
const test = require('node:test')
const assert = require('node:assert/strict')
const { WorldHost } = require('../../../bridge/mock/world_host')

const LIMITS = { wall_ms: 200_000, cpu_ms: 20_000, memory_mb: 32 }

/**
 * @typedef {object} Case
 * @property {string} title what the policy does
 * @property {string[]} given commands that furnish the world; the player is Gizmo, at (0, -60, 0)
 * @property {string} policy
 * @property {Record<string, number>} items all that Gizmo has in the end
 * @property {string[]} [said] chat, in order
 * @property {Record<string, string>} [blocks] "x y z" -> name in the end
 */

/** @type {Case[]} */
const CASES = [
  {
    title: 'looks for one of several blocks by a function while walking',
    given: ['setblock 60 -60 60 spruce_log'],
    policy: `async function fellAnyTree (bot) {
      const trunks = ['oak_log', 'spruce_log']
      const trunk = await exploreUntil(bot, new Vec3(1, 0, 1), 60, () => bot.findBlock({
        matching: (block) => trunks.includes(block.name),
        maxDistance: 32
      }))
      if (!trunk) return bot.chat('No tree.')
      await mineBlock(bot, trunk.name, 1)
      bot.chat(\`Felled \${trunk.name}.\`)
    }`,
    items: { spruce_log: 1 },
    said: ['Felled spruce_log.']
  },
  {
    title: 'waits until enough blocks are in sight, and mines them with the tool it took in hand',
    given: ['give Gizmo stone_pickaxe', 'fill 6 -60 0 9 -60 0 iron_ore'],
    policy: `async function mineIron (bot) {
      const tool = bot.inventory.findInventoryItem(mcData.itemsByName.stone_pickaxe.id)
      await bot.equip(tool, 'hand')
      const ores = await exploreUntil(bot, new Vec3(1, -1, 1), 60, () => {
        const seen = bot.findBlocks({ matching: block => block.name === 'iron_ore', maxDistance: 32, count: 4 })
        return seen.length >= 4 ? seen : null
      })
      bot.chat('Ores: ' + ores.length + ', held: ' + bot.heldItem.name)
      await mineBlock(bot, 'iron_ore', 4)
    }`,
    items: { raw_iron: 4, stone_pickaxe: 1 },
    said: ['Ores: 4, held: stone_pickaxe']
  },
  {
    title: 'calls other skills, crafts from the log to the tool, and places its table beside itself',
    given: ['give Gizmo oak_log 3'],
    policy: `async function needTable (bot) {
      if (bot.inventory.count(mcData.itemsByName.crafting_table.id) > 0) return
      await craftItem(bot, 'oak_planks', Math.ceil(4 / 4))
      await craftItem(bot, 'crafting_table', 1)
    }
    async function makePickaxe (bot) {
      await needTable(bot)
      await craftItem(bot, 'oak_planks', 2)
      await craftItem(bot, 'stick', 1)
      const beside = bot.entity.position.offset(1, 0, 0)
      await placeItem(bot, 'crafting_table', beside)
      await craftItem(bot, 'wooden_pickaxe', 1, beside)
    }`,
    items: { oak_planks: 3, stick: 2, wooden_pickaxe: 1 },
    blocks: { '1 -60 0': 'crafting_table' }
  },
  {
    title: 'asks for more crafts than the ingredients give, and goes on with what came',
    given: ['give Gizmo oak_planks 4', 'give Gizmo cobblestone 2', 'setblock 2 -60 2 crafting_table'],
    policy: `async function makeSword (bot) {
      const sticks = bot.inventory.count(mcData.itemsByName['stick'].id)
      if (sticks < 5) await craftItem(bot, 'stick', 5 - sticks)
      const table = bot.findBlock({ matching: mcData.blocksByName.crafting_table.id, maxDistance: 32 })
      if (!table) await placeItem(bot, 'crafting_table', bot.entity.position.offset(1, 0, 0))
      await craftItem(bot, 'stone_sword', 1)
    }`,
    items: { stick: 7, stone_sword: 1 }
  },
  {
    title: 'finds a free neighbour for its furnace, and smelts with the coal it mines',
    given: ['give Gizmo furnace', 'give Gizmo wooden_pickaxe', 'give Gizmo raw_iron 2', 'setblock 1 -60 0 coal_ore'],
    policy: `function freeNeighbour (bot) {
      for (const side of [new Vec3(1, 0, 0), new Vec3(-1, 0, 0), new Vec3(0, 0, 1), new Vec3(0, 0, -1)]) {
        const place = bot.entity.position.offset(side.x, side.y, side.z)
        if (bot.blockAt(place).name === 'air') return place
      }
      return null
    }
    async function smeltIron (bot) {
      await placeItem(bot, 'furnace', freeNeighbour(bot))
      const coal = bot.inventory.count(mcData.itemsByName.coal.id)
      if (coal < 1) await mineBlock(bot, 'coal_ore', 1 - coal)
      await smeltItem(bot, 'raw_iron', 'coal', 2)
    }`,
    items: { iron_ingot: 2, wooden_pickaxe: 1 },
    blocks: { '-1 -60 0': 'furnace', '1 -60 0': 'air' }
  },
  {
    title: 'hunts, and goes where the mob that it remembers died',
    given: ['give Gizmo iron_sword', 'summon zombie 9 -60 5'],
    policy: `async function hunt (bot) {
      const sword = bot.inventory.findInventoryItem(mcData.itemsByName['stone_sword'].id) ||
        bot.inventory.findInventoryItem(mcData.itemsByName['iron_sword'].id)
      if (sword) await bot.equip(sword, 'hand')
      const near = (name) => bot.nearestEntity((entity) => {
        return entity.name === name && entity.position.distanceTo(bot.entity.position) < 32
      })
      const zombie = await exploreUntil(bot, new Vec3(1, 0, 1), 60, () => near('zombie'))
      await killMob(bot, 'zombie')
      await bot.pathfinder.goto(new GoalBlock(zombie.position.x, zombie.position.y, zombie.position.z))
      bot.chat('Zombies left: ' + (near('zombie') === null ? 'none' : 'some') + ', valid: ' + zombie.isValid)
    }`,
    items: { iron_sword: 1, rotten_flesh: 1 },
    said: ['Zombies left: none, valid: false']
  },
  {
    title: 'eats when it is hungry, and waits until it is',
    given: ['give Gizmo cooked_mutton 2', 'effect give Gizmo hunger 60 100'],
    policy: `async function dine (bot) {
      while (bot.food >= 20) await bot.waitForTicks(20)
      const meal = bot.inventory.findInventoryItem(mcData.itemsByName.cooked_mutton.id)
      if (!meal || meal.count < 2) return
      const before = bot.food
      await bot.equip(meal, 'hand')
      await bot.consume()
      bot.chat(bot.food > before ? 'Fed.' : 'Hungry.')
    }`,
    items: { cooked_mutton: 1 },
    said: ['Fed.']
  },
  {
    title: 'wears armour in every place, by item and by item id',
    given: [
      'iron_helmet', 'iron_chestplate', 'iron_leggings', 'iron_boots', 'shield', 'torch'
    ].map((item) => `give Gizmo ${item}`),
    policy: `async function dress (bot) {
      const places = { iron_helmet: 'head', iron_chestplate: 'torso', iron_leggings: 'legs', iron_boots: 'feet',
        shield: 'off-hand' }
      for (const [name, place] of Object.entries(places)) {
        const item = bot.inventory.findInventoryItem(mcData.itemsByName[name].id)
        if (item) await bot.equip(item, place)
        else bot.chat(name + ' not found')
      }
      await bot.equip(mcData.itemsByName.torch.id, 'hand')
      const worn = Object.values(places).concat('hand').map((place) =>
        bot.inventory.slots[bot.getEquipmentDestSlot(place)].name)
      bot.chat(worn.join(' '))
    }`,
    items: { iron_boots: 1, iron_chestplate: 1, iron_helmet: 1, iron_leggings: 1, shield: 1, torch: 1 },
    said: ['iron_helmet iron_chestplate iron_leggings iron_boots shield torch']
  },
  {
    title: 'fills a bucket by looking at the water, awaiting what is no promise',
    given: ['give Gizmo bucket', 'fill -3 -61 0 -6 -61 3 water'],
    policy: `async function fillBucket (bot) {
      const water = bot.findBlock({ matching: mcData.blocksByName.water.id, maxDistance: 32 })
      const above = water.position.offset(0, 1, 0)
      await bot.pathfinder.goto(new GoalGetToBlock(above.x, above.y, above.z))
      await bot.equip(bot.inventory.findInventoryItem(mcData.itemsByName.bucket.id), 'hand')
      await bot.lookAt(water.position)
      await bot.activateItem()
    }`,
    items: { water_bucket: 1 }
  },
  {
    title: 'digs plants one by one, also where the upper ones have fallen already, and walks over what they left',
    given: ['give Gizmo iron_sword', 'fill 2 -60 0 2 -59 0 bamboo', 'setblock -1 -60 0 bamboo'],
    policy: `async function cutBamboo (bot) {
      const plants = bot.findBlocks({ matching: block => block.name === 'bamboo', maxDistance: 32, count: 3 })
      plants.sort((one, other) => one.y - other.y)
      for (const plant of plants) {
        const block = bot.blockAt(plant)
        await bot.dig(block)
      }
      for (const plant of plants) if (plant.y === -60)
        await bot.pathfinder.goto(new GoalBlock(plant.x, plant.y, plant.z))
      await bot.waitForTicks(20)
    }`,
    items: { bamboo: 3, iron_sword: 1 },
    blocks: { '2 -59 0': 'air', '-1 -60 0': 'air' }
  },
  {
    title: 'looks for something below, where no way leads on',
    given: ['give Gizmo stone_pickaxe', 'setblock 5 -60 5 copper_ore'],
    policy: `async function lookBelow (bot) {
      const gold = await exploreUntil(bot, new Vec3(0, -1, 0), 60, () => {
        const gold_ore = bot.findBlock({ matching: mcData.blocksByName['gold_ore'].id, maxDistance: 32 })
        return gold_ore
      })
      bot.chat(gold ? 'Gold.' : 'No gold.')
      await exploreUntil(bot, new Vec3(0, -1, 0), 60, () =>
        bot.findBlock({ matching: mcData.blocksByName.copper_ore.id, maxDistance: 32 }))
      await mineBlock(bot, 'copper_ore', 1)
    }`,
    items: { raw_copper: 2, stone_pickaxe: 1 },
    said: ['No gold.']
  },
  {
    title: 'adds its stacks up, and takes the tool whose name ends so',
    given: ['give Gizmo copper_ore 3', 'give Gizmo golden_pickaxe', 'setblock 3 -60 0 stone'],
    policy: `async function takeStock (bot) {
      const ores = bot.inventory.items().filter(item => item.name === 'copper_ore')
      const total = ores.reduce((sum, item) => sum + item.count, 0)
      const pickaxe = bot.inventory.items().find(item => item.name.endsWith('_pickaxe'))
      await bot.equip(pickaxe, 'hand')
      const block = bot.blockAt(new Vec3(3, -60, 0))
      if (block.name === 'stone' || block.name === 'dirt') await bot.dig(block)
      await bot.pathfinder.goto(new GoalBlock(3, -60, 0))
      await bot.waitForTicks(20)
      bot.chat(total >= 3 ? 'Done already.' : 'Need ' + (3 - total))
    }`,
    items: { cobblestone: 1, copper_ore: 3, golden_pickaxe: 1 },
    said: ['Done already.']
  },
  {
    title: 'takes from a chest, looks into it, and puts back',
    given: ['setblock 3 -60 -3 chest', 'item replace block 3 -60 -3 container.4 with iron_sword', 'give Gizmo dirt 5'],
    policy: `async function useChest (bot) {
      const there = await exploreUntil(bot, new Vec3(1, 0, 1), 60, () => {
        const chest = bot.findBlock({ matching: mcData.blocksByName['chest'].id, maxDistance: 32,
          position: new Vec3(3, -60, -3) })
        return chest ? chest.position : null
      })
      await getItemFromChest(bot, there, { iron_sword: 1 })
      await depositItemIntoChest(bot, there, { dirt: 3 })
      const inside = await checkItemInsideChest(bot, there)
      bot.chat(JSON.stringify(inside))
    }`,
    items: { dirt: 2, iron_sword: 1 },
    said: ['{"dirt":3}']
  },
  {
    title: 'plants by a click on the ground, and sets a block beside another',
    given: ['give Gizmo oak_sapling', 'give Gizmo cobblestone 1', 'setblock 2 -60 2 stone'],
    policy: `async function garden (bot) {
      const soil = bot.blockAt(new Vec3(1, -61, -1))
      await bot.equip(bot.inventory.findInventoryItem(mcData.itemsByName['oak_sapling'].id), 'hand')
      await bot.activateBlock(soil)
      await bot.equip(mcData.itemsByName.cobblestone.id, 'hand')
      await bot.placeBlock(bot.blockAt(new Vec3(2, -60, 2)), new Vec3(0, 1, 0))
    }`,
    items: {},
    blocks: { '1 -60 -1': 'oak_sapling', '2 -59 2': 'cobblestone' }
  },
  {
    title: 'begins things in a callback without waiting for them, which end nothing when they fail',
    given: ['give Gizmo torch 2', 'summon cow 7 -60 3', 'give Gizmo iron_sword'],
    policy: `async function exploreBusily (bot) {
      const found = await exploreUntil(bot, new Vec3(1, 0, 0), 5, () => {
        const dark = bot.findBlock({ matching: block => block && block.name === 'air' && block.position &&
          block.position.y < 60, maxDistance: 8 })
        if (dark) bot.placeBlock(dark, new Vec3(0, 1, 0))
        mineBlock(bot, 'diamond_ore', 1)
        bot.dig(bot.blockAt(bot.entity.position.offset(0, -1, 0)).position.offset(0, -40, 0))
        return null
      })
      const cow = bot.nearestEntity(entity => entity.name === 'cow')
      bot.chat(String(found) + ' ' + cow.name)
    }`,
    items: { iron_sword: 1, torch: 2 },
    said: ['null cow']
  },
  {
    title: 'fishes where there is no water, and knows the error',
    given: ['give Gizmo fishing_rod'],
    policy: `async function tryFishing (bot) {
      try {
        await bot.fish()
      } catch (error) {
        if (error.message === 'Fishing cancelled') await tryFishing(bot)
        else bot.chat(error.name)
      }
    }`,
    items: { fishing_rod: 1 },
    said: ['TimedOut']
  }
]

/** Everything of the scope that the published skills use, as it stands in a program. */
const MEMBERS = [
  'bot.activateBlock(', 'bot.activateItem(', 'bot.blockAt(', 'bot.chat(', 'bot.consume(', 'bot.dig(',
  'bot.entity.position.offset(',
  'bot.equip(', 'bot.findBlock(', 'bot.findBlocks(', 'bot.fish(', 'bot.food', 'bot.inventory.count(',
  'bot.inventory.findInventoryItem(',
  'bot.inventory.items(', 'bot.lookAt(', 'bot.nearestEntity(', 'bot.pathfinder.goto(', 'bot.placeBlock(',
  'bot.waitForTicks(',
  '.position.distanceTo(bot.entity.position)', 'mcData.itemsByName.', 'mcData.itemsByName[', 'mcData.blocksByName.',
  'mcData.blocksByName[',
  'new Vec3(', 'new GoalBlock(', 'new GoalGetToBlock(', 'craftItem(bot', 'checkItemInsideChest(bot', 'exploreUntil(bot',
  'getItemFromChest(bot',
  'killMob(bot', 'mineBlock(bot', 'placeItem(bot', 'smeltItem(bot'
]

/**
 * @param {Case} given
 * @returns {Promise<{result: any, items: Record<string, number>, said: string[], blocks: Record<string, string>}>} the
 *   end
 */
async function play ({ given, policy, blocks = {} }) {
  /** @type {any[]} */
  const events = []
  /** @type {any[]} */
  const ends = []
  const world = new WorldHost(
    { seed: 1, threaded: false }, (event) => { events.push(event) }, (_run, results) => { ends.push(results) }
  )
  await world.handle('connect', { bots: ['Gizmo'] })
  for (const [index, reply] of (await world.handle('commands', { texts: given })).entries()) {
    assert.doesNotMatch(reply, /<--\[HERE\]|^Unknown|not loaded|No player/, given[index])
  }
  await world.handle('advance', { until: 5 })
  await world.handle(
    'start',
    { run: 1, policies: [{ bot: 'Gizmo', source: policy.replace(/^ {4}/gm, ''), seed: '1/1' }], limits: LIMITS }
  )
  while (ends.length === 0) await world.handle('advance', { until: null })
  // Clicks and lines on their way arrive.
  await world.handle('advance', { until: await world.handle('now', {}) + 5 })
  const { items } = await world.handle('observe', { bot: 'Gizmo' })
  /** @type {Record<string, string>} */
  const stands = {}
  for (const [at, name] of Object.entries(blocks)) {
    const [said] = await world.handle('commands', { texts: [`execute if block ${at} ${name}`] })
    stands[at] = said.startsWith('Test passed') ? name : 'something else'
  }
  return {
    result: ends[0].Gizmo,
    items,
    said: events.filter(({ kind }) => kind === 'chat').map(({ data }) => data.text),
    blocks: stands
  }
}

for (const given of CASES) {
  test(`a policy in Voyager's style ${given.title}`, async () => {
    const { result, items, said, blocks } = await play(given)
    assert.deepEqual([result.outcome, result.error], ['returned', null])
    assert.deepEqual(
      { items, said, blocks }, { items: given.items, said: given.said ?? [], blocks: given.blocks ?? {} }
    )
  })
}

test('these policies use every member that the published skills use', () => {
  const unused = MEMBERS.filter((member) => !CASES.some(({ policy }) => policy.includes(member)))
  assert.deepEqual(unused, [])
})
