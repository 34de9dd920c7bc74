// source: PrismarineJS/mineflayer#1282 (bamboo, cane and sand that goes while it is dug)
// cmd: setblock 0 -61 3 water
// cmd: fill 0 -60 2 0 -58 2 sugar_cane
// says: cane ended 3
// says: air
// differs: the column is on its way down when the hand comes to it, one tick more or less
async function column (bot) {
  const cells = [0, 1, 2].map((up) => bot.blockAt(new Vec3(0, -60 + up, 2)))
  let ended = 0
  for (const cell of cells) { await bot.dig(cell); ended++ }
  console.log('cane ended', ended)
  console.log(bot.blockAt(new Vec3(0, -58, 2)).name)
}
