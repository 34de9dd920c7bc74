// source: PrismarineJS/mineflayer-pathfinder#177 (gates and trapdoors that stand open)
// cmd: fill -6 -60 5 6 -58 5 stone
// cmd: fill -6 -60 -6 6 -58 -6 stone
// cmd: fill -6 -60 -6 -6 -58 5 stone
// cmd: fill 6 -60 -6 6 -58 5 stone
// cmd: fill 0 -60 5 0 -59 5 air
// cmd: setblock 0 -60 5 cherry_fence_gate[facing=south,open=true]
// cmd: fill 6 -60 0 6 -59 0 air
// cmd: setblock 6 -60 0 oak_trapdoor[facing=north,half=bottom,open=true]
// cmd: setblock 6 -59 0 oak_trapdoor[facing=north,half=bottom,open=true]
// says: through the gate at (0, -60, 9)
// says: through the trapdoors at (0, -60, 0)
async function through (bot) {
  const at = () => bot.entity.position.floored().toString()
  await goTo(bot, new Vec3(0, -60, 9), 0)
  console.log('through the gate at', at())
  for (const [x, z] of [[9, 9], [9, 0]]) await goTo(bot, new Vec3(x, -60, z), 0)
  await goTo(bot, new Vec3(0, -60, 0), 0)
  console.log('through the trapdoors at', at())
}
