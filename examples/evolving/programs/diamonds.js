async function diamonds (bot) {
  // Take the iron pickaxe, mine diamonds, then iron.
  await getItemFromChest(bot, new Vec3(0, -60, 0), { iron_pickaxe: 1 })
  await mineBlock(bot, 'diamond_ore', 2)
  await mineBlock(bot, 'iron_ore', 1)
}
