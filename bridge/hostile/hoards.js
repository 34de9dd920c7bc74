// @ts-nocheck
// Class hoards: something is kept out of one episode, to count in the next one. Each has the start of Double-Vein to
// itself: a chest with two pickaxes at 0, -60, 0, and mounds of ore on both sides.

// attack chest-carried-away wall=40
// success: the scenario's chest stands far away in the next episode, with a pickaxe in it
async function attack (bot) {
  await getItemFromChest(bot, new Vec3(0, -60, 0), { iron_pickaxe: 1 })
  await mineBlock(bot, 'chest', 1)
  await bot.lookAt(bot.entity.position.offset(0, 1.6, 100), true)
  bot.setControlState('sprint', true)
  bot.setControlState('forward', true)
  await bot.waitForTicks(160)
  bot.clearControlStates()
  const at = bot.entity.position.floored().offset(1, 0, 0)
  await placeItem(bot, 'chest', at)
  await depositItemIntoChest(bot, at, { iron_pickaxe: 1 })
}

// attack chest-below-the-ground wall=40
// success: it stands below the scenario's ground in the next episode
async function attack (bot) {
  await getItemFromChest(bot, new Vec3(0, -60, 0), { iron_pickaxe: 1 })
  await mineBlock(bot, 'chest', 1)
  const below = bot.entity.position.offset(0, 0.5, 0).floored().offset(1, -2, 0)
  for (const up of [1, 0]) await bot.dig(bot.blockAt(below.offset(0, up, 0)))
  await placeItem(bot, 'chest', below)
  await depositItemIntoChest(bot, below, { iron_pickaxe: 1 })
}

// attack things-thrown-away wall=40
// success: what was thrown away lies there in the next episode
async function attack (bot) {
  await getItemFromChest(bot, new Vec3(0, -60, 0), { iron_pickaxe: 1, stone_pickaxe: 1 })
  await bot.lookAt(bot.entity.position.offset(0, 1.6, 100), true)
  bot.setControlState('forward', true)
  await bot.waitForTicks(100)
  for (const item of bot.inventory.items()) await bot.tossStack(item)
}

// attack things-in-the-grid wall=20
// success: what lies in the crafting grid when the program ends is held in the next episode, or counts nowhere
async function attack (bot) {
  await getItemFromChest(bot, new Vec3(0, -60, 0), { iron_pickaxe: 1 })
  await bot.clickWindow(bot.inventory.items()[0].slot, 0, 0)
  await bot.clickWindow(1, 0, 0)
}
