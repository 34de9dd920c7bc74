// source: PrismarineJS/mineflayer examples (boilerplate around a bot)
// says: loaded true
// says: heard done
// says: warn bot.dig failed and nobody awaited it
async function main (bot) {
  const { pathfinder } = require('mineflayer-pathfinder')
  bot.loadPlugin(pathfinder)
  console.log('loaded', bot.hasPlugin(pathfinder))
  for (const name of ['message', 'respawn', 'error', 'kicked', 'end', 'login', 'path_update', 'goal_reached']) bot.on(name, () => {})
  bot.on('messagestr', (text) => { if (text.includes('done')) console.log('heard done') })
  bot.chat('done')
  await bot.waitForTicks(5)
  bot.dig(bot.blockAt(new Vec3(20, -61, 0)))
  await bot.waitForTicks(5)
}
