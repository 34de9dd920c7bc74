// source: PrismarineJS/mineflayer-pathfinder#142 (canOpenDoors)
// cmd: fill -6 -60 5 6 -58 5 stone
// cmd: fill -6 -60 -6 6 -58 -6 stone
// cmd: fill -6 -60 -6 -6 -58 5 stone
// cmd: fill 6 -60 -6 6 -58 5 stone
// cmd: setblock 0 -60 5 spruce_door[half=lower,facing=north]
// cmd: setblock 0 -59 5 spruce_door[half=upper,facing=north]
// says: on foot NoPath
// says: out at (0, -60, 9)
// says: door open
// says: back at (0, -60, 0)
async function through (bot) {
  await goTo(bot, new Vec3(0, -60, 9)).catch((e) => console.log('on foot', e.name))
  const m = new Movements(bot); m.canOpenDoors = true; m.canDig = false; m.scafoldingBlocks = []
  bot.pathfinder.setMovements(m)
  const at = () => bot.entity.position.floored().toString()
  const walk = (goal) => bot.pathfinder.goto(goal).catch((e) => console.log(e.name, e.message))
  await walk(new goals.GoalBlock(0, -60, 9))
  console.log('out at', at())
  console.log('door', bot.blockAt(new Vec3(0, -60, 5)).getProperties().open ? 'open' : 'closed')
  await closeDoor(bot, new Vec3(0, -60, 5))
  await walk(new goals.GoalBlock(0, -60, 0))
  console.log('back at', at())
}
