// A climb from bare hands to a diamond pickaxe, in the manner of Voyager's skills: it knows no map, works with the
// primitives alone, and looks around where something is missing.

const LOGS = ['oak_log', 'birch_log', 'spruce_log', 'dark_oak_log', 'acacia_log', 'jungle_log', 'cherry_log', 'mangrove_log']
const SIDES = [[1, 0], [0, 1], [-1, 0], [0, -1]]

function has (bot, name) {
  return bot.inventory.count(mcData.itemsByName[name].id)
}

function near (bot, names, maxDistance = 48) {
  return bot.findBlock({ matching: names.map((name) => mcData.blocksByName[name].id), maxDistance })
}

// Go round in growing steps until a block of these kinds is in sight.
async function lookFor (bot, names, down) {
  let found = near(bot, names)
  for (let leg = 0; !found && leg < 24; leg++) {
    const [x, z] = SIDES[leg % 4]
    found = await exploreUntil(bot, new Vec3(x, down && leg === 0 ? -1 : 0, z), 30 + 20 * Math.floor(leg / 2), () => near(bot, names))
  }
  return found
}

async function gather (bot, item, blocks, wanted) {
  for (let tries = 0; has(bot, item) < wanted && tries < 12; tries++) {
    const block = await lookFor(bot, blocks, true)
    if (!block) return
    await mineBlock(bot, block.name, Math.min(4, wanted - has(bot, item)))
  }
}

async function fell (bot, wanted) {
  const logs = () => LOGS.reduce((sum, name) => sum + has(bot, name), 0)
  for (let tries = 0; logs() < wanted && tries < 12; tries++) {
    const trunk = await lookFor(bot, LOGS, false)
    if (!trunk) return
    await mineBlock(bot, trunk.name, Math.min(5, wanted - logs()))
  }
}

function planks (bot) {
  return LOGS.map((log) => log.replace('_log', '_planks')).reduce((sum, name) => sum + has(bot, name), 0)
}

async function sawPlanks (bot) {
  for (const log of LOGS) {
    if (has(bot, log) > 0) await craftItem(bot, log.replace('_log', '_planks'), has(bot, log))
  }
}

async function needTable (bot) {
  if (has(bot, 'crafting_table') > 0 || near(bot, ['crafting_table'], 16)) return
  await craftItem(bot, 'crafting_table', 1)
}

async function makeTool (bot, name, count = 1) {
  if (has(bot, 'stick') < 2 * count) await craftItem(bot, 'stick', 1)
  await needTable(bot)
  await craftItem(bot, name, count)
}

async function sink (bot, height) {
  for (let tries = 0; bot.entity.position.y > height + 2 && tries < 40; tries++) {
    const before = bot.entity.position.y
    await exploreUntil(bot, new Vec3(0, -1, 0), 40, () => bot.entity.position.y <= height + 2)
    if (bot.entity.position.y < before - 1) continue
    const [x, z] = SIDES[tries % 4]
    await exploreUntil(bot, new Vec3(x, -1, z), 10, () => bot.entity.position.y <= height + 2)
  }
}

async function climb (bot) {
  await fell(bot, 9)
  await sawPlanks(bot)
  await craftItem(bot, 'stick', 4)
  await makeTool(bot, 'wooden_pickaxe')
  await gather(bot, 'cobblestone', ['stone'], 24)
  await makeTool(bot, 'stone_pickaxe', 2)
  await gather(bot, 'cobblestone', ['stone', 'deepslate'], 20)
  await makeTool(bot, 'furnace')
  bot.chat(`tools of stone at ${bot.entity.position.floored()}, ${planks(bot)} planks left`)

  if (!near(bot, ['iron_ore', 'deepslate_iron_ore'])) await sink(bot, 40)
  if (!near(bot, ['iron_ore', 'deepslate_iron_ore'])) await sink(bot, 16)
  await gather(bot, 'raw_iron', ['iron_ore', 'deepslate_iron_ore'], 6)
  const wood = LOGS.map((log) => log.replace('_log', '_planks')).find((name) => has(bot, name) > 4)
  await smeltItem(bot, 'raw_iron', wood ?? 'stick', 6)
  await makeTool(bot, 'iron_pickaxe')
  if (has(bot, 'iron_ingot') >= 3) await makeTool(bot, 'iron_pickaxe')
  bot.chat(`tools of iron at ${bot.entity.position.floored()}`)

  if (!near(bot, ['diamond_ore', 'deepslate_diamond_ore'])) await sink(bot, -52)
  await gather(bot, 'diamond', ['diamond_ore', 'deepslate_diamond_ore'], 3)
  await makeTool(bot, 'diamond_pickaxe')
  bot.chat(`tools of diamond at ${bot.entity.position.floored()}`)
}
// primitives: voyager
