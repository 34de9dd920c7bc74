async function fellOneTree(bot) {
  const log = bot.findBlock({ matching: (block) => block.name.endsWith("_log"), maxDistance: 32 });
  await mineBlock(bot, log.name, 4);
}
