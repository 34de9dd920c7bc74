// A policy: mines the iron that is there and says how much it was.
async function mineIron (bot) {
  const ores = bot.findBlocks({ matching: mcData.blocksByName.iron_ore.id, maxDistance: 32, count: 16 })
  const { obtained } = await mineBlock(bot, 'iron_ore', ores.length)
  await say(bot, `I have ${obtained.raw_iron} raw iron`)
}
