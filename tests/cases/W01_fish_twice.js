// source: PrismarineJS/mineflayer docs, bot.fish
// cmd: fill 2 -61 -3 12 -61 3 water
// cmd: fill 2 -62 -3 12 -62 3 stone
// cmd: give Gizmo fishing_rod
// says: /^second NotUsed .*fishing already/
// says: still fishing
// says: /^dig of air undefined/
// says: /^activate air ok/
async function twice (bot) {
  await bot.equip(bot.registry.itemsByName.fishing_rod.id, 'hand')
  await bot.lookAt(new Vec3(8, -61, 0), true)
  let over = false
  bot.fish().then(() => { over = true }, () => { over = true })
  await bot.waitForTicks(20)
  await bot.fish().catch((e) => console.log('second', e.name, e.message))
  await bot.waitForTicks(10)
  console.log(over ? 'the first ended' : 'still fishing')
  bot.activateItem()
  await bot.waitForTicks(5)
  console.log('dig of air', await bot.dig(bot.blockAt(new Vec3(1, -60, 1))))
  await bot.activateBlock(bot.blockAt(new Vec3(1, -60, 1))).then(() => console.log('activate air ok'), (e) => console.log('activate air', e.message))
}
