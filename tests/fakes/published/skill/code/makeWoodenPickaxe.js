async function makeWoodenPickaxe(bot) {
  const table = bot.inventory.findInventoryItem(mcData.itemsByName.crafting_table.id);
  if (!table) bot.chat("No table with me, there may be one about.");
  await placeItem(bot, "crafting_table", bot.entity.position.offset(1, 0, 0));
  await craftItem(bot, "oak_planks", 2);
  await craftItem(bot, "stick", 1);
  await craftItem(bot, "wooden_pickaxe", 1);
  bot.chat("Wooden pickaxe made.");
}
