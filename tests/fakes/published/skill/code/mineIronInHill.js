const WANTED = 2;

function oreNear(bot) {
  return bot.findBlock({ matching: mcData.blocksByName.iron_ore.id, maxDistance: 32 });
}

async function needPickaxe(bot) {
  const pickaxe = bot.inventory.findInventoryItem(mcData.itemsByName.stone_pickaxe.id);
  await bot.equip(pickaxe, "hand");
}

async function mineIronInHill(bot) {
  await needPickaxe(bot);
  const ore = oreNear(bot) || await exploreUntil(bot, new Vec3(1, 0, 1), 60, () => oreNear(bot));
  if (!ore) {
    bot.chat("No iron.");
    return;
  }
  await mineBlock(bot, "iron_ore", WANTED);
  bot.chat("Iron mined.");
}
