// source: PrismarineJS/mineflayer#464 (a table that is too far away)
// cmd: setblock 20 -60 0 crafting_table
// cmd: give Gizmo oak_planks 3
// cmd: give Gizmo stick 2
// says: /OutOfReach crafting_table at \(20, -60, 0\) is .* blocks away; go within 4.5 first/
async function craft (bot) {
  const table = bot.blockAt(new Vec3(20, -60, 0))
  const [recipe] = bot.recipesFor(bot.registry.itemsByName.wooden_pickaxe.id, null, 1, table)
  await bot.craft(recipe, 1, table).then(() => console.log('crafted'), (e) => console.log(e.name, e.message))
}
