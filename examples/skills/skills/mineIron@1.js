async function mineIron (bot) {
  const ores = bot.findBlocks({ matching: mcData.blocksByName.iron_ore.id, maxDistance: 32, count: 16 })
  await mineBlock(bot, 'iron_ore', ores.length)
}
