async function iron (bot) {
  // Take any pickaxe, wait, and mine a few blocks of iron. The numbers are what mutations change.
  for (const tool of ['stone_pickaxe', 'iron_pickaxe']) {
    try {
      await getItemFromChest(bot, new Vec3(0, -60, 0), { [tool]: 1 })
      break
    } catch (error) {
      await say(bot, `no ${tool}`)
    }
  }
  await mineBlock(bot, 'iron_ore', 3)
}
