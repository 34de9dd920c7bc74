// Steps of a climb, each a program of its own that goes on from what is held; the helpers are climb.js's.
/* global has, near, lookFor, gather, fell, sawPlanks, planks, makeTool, needTable, sink, LOGS */

const SEA = 62

// Up to where the sky is: what grows and lies about is there.
async function surface (bot) {
  const { x, z } = bot.entity.position
  if (bot.entity.position.y < SEA) await bot.pathfinder.goto(new goals.GoalNear(x, SEA + 2, z, 3)).catch(() => {})
}

async function dig (bot, item, ores, height, count) {
  if (!near(bot, ores)) await sink(bot, height)
  await gather(bot, item, ores, count)
}

async function wood (bot, wanted) {
  if (planks(bot) >= wanted) return
  await surface(bot)
  await fell(bot, Math.ceil(wanted / 4))
  await sawPlanks(bot)
}

async function melt (bot, raw, ingot, wanted) {
  if (has(bot, ingot) >= wanted) return
  const fuel = LOGS.map((log) => log.replace('_log', '_planks')).find((name) => has(bot, name) > 2)
  await smeltItem(bot, raw, fuel ?? 'stick', Math.min(wanted - has(bot, ingot), has(bot, raw)))
}

async function iron (bot, wanted) {
  if (has(bot, 'iron_ingot') >= wanted) return
  await dig(bot, 'raw_iron', ['iron_ore', 'deepslate_iron_ore'], 16, wanted - has(bot, 'iron_ingot'))
  await melt(bot, 'raw_iron', 'iron_ingot', wanted)
}

// Pools of lava in sight whose surface is free, the nearest first.
function pools (bot) {
  const found = bot.findBlocks({ matching: mcData.blocksByName.lava.id, maxDistance: 48, count: 256 })
  return found.filter((place) => bot.blockAt(place)?.metadata === 0 && bot.blockAt(place.offset(0, 1, 0))?.name.endsWith('air'))
}

async function woodenPickaxe (bot) {
  await fell(bot, 9)
  await sawPlanks(bot)
  await craftItem(bot, 'stick', 4)
  await makeTool(bot, 'wooden_pickaxe')
}

async function stonePickaxe (bot) {
  await gather(bot, 'cobblestone', ['stone'], 24)
  await makeTool(bot, 'stone_pickaxe', 2)
}

async function furnace (bot) {
  await gather(bot, 'cobblestone', ['stone', 'deepslate'], 20)
  await makeTool(bot, 'furnace')
}

async function ironPickaxe (bot) {
  if (!near(bot, ['iron_ore', 'deepslate_iron_ore'])) await sink(bot, 40)
  await iron(bot, 6)
  await makeTool(bot, 'iron_pickaxe', has(bot, 'iron_ingot') >= 6 ? 2 : 1)
}

async function diamondPickaxe (bot) {
  await dig(bot, 'diamond', ['diamond_ore', 'deepslate_diamond_ore'], -52, 3)
  await makeTool(bot, 'diamond_pickaxe')
}

async function goldenSword (bot) {
  await dig(bot, 'raw_gold', ['gold_ore', 'deepslate_gold_ore'], -16, 2)
  await melt(bot, 'raw_gold', 'gold_ingot', 2)
  await makeTool(bot, 'golden_sword')
}

async function lavaBucket (bot) {
  if (has(bot, 'bucket') === 0) {
    await iron(bot, 3)
    await needTable(bot)
    await craftItem(bot, 'bucket', 1)
  }
  if (pools(bot).length === 0) await sink(bot, -50)
  if (pools(bot).length === 0) await lookFor(bot, ['lava'], false)
  for (const place of pools(bot).slice(0, 6)) {
    await bot.pathfinder.goto(new goals.GoalNear(place.x, place.y + 1, place.z, 2)).catch(() => {})
    await equipItem(bot, 'bucket')
    await bot.lookAt(place.offset(0.5, 0.9, 0.5), true)
    await bot.activateItem()
    await bot.waitForTicks(5)
    if (has(bot, 'lava_bucket') > 0) return
  }
}

async function compass (bot) {
  await iron(bot, 4)
  await dig(bot, 'redstone', ['redstone_ore', 'deepslate_redstone_ore'], -52, 1)
  await needTable(bot)
  await craftItem(bot, 'compass', 1)
}
