async function smeltTwoIron(bot) {
  await mineIronInHill(bot);
  const furnace = bot.inventory.findInventoryItem(mcData.itemsByName.furnace.id);
  if (furnace) await placeItem(bot, "furnace", bot.entity.position.offset(0, 0, 1));
  await smeltItem(bot, "raw_iron", "coal", 2);
}
