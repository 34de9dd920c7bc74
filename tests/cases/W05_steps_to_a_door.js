// source: PrismarineJS/mineflayer-pathfinder#142 (village houses: a step before the door)
// cmd: fill -4 -60 6 4 -60 12 oak_planks
// cmd: fill -4 -59 6 4 -57 6 oak_planks
// cmd: fill -4 -59 12 4 -57 12 oak_planks
// cmd: fill -4 -59 6 -4 -57 12 oak_planks
// cmd: fill 4 -59 6 4 -57 12 oak_planks
// cmd: setblock 0 -60 5 oak_stairs[facing=south]
// cmd: setblock 0 -59 6 oak_door[half=lower,facing=south]
// cmd: setblock 0 -58 6 oak_door[half=upper,facing=south]
// cmd: setblock 2 -59 10 chest
// says: inside at (0, -59, 9)
// says: chest open
// says: outside at (0, -60, 0)
async function visit (bot) {
  const at = () => bot.entity.position.floored().toString()
  await goTo(bot, new Vec3(0, -60, 3), 1)
  await openDoor(bot, new Vec3(0, -59, 6))
  await goTo(bot, new Vec3(0, -59, 9), 0)
  console.log('inside at', at())
  await bot.openContainer(bot.blockAt(new Vec3(2, -59, 10))).then((c) => { console.log('chest open'); return c.close() }, (e) => console.log(e.message))
  await goTo(bot, new Vec3(0, -60, 0), 0)
  console.log('outside at', at())
}
