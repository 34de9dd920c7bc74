// source: MineDojo/Voyager killMob
// cmd: give Gizmo iron_sword
// cmd: summon zombie 8 -60 0 {IsBaby:0b}
// cmd: time set 18000
// says: /^killed, health (\d+)/
// never: died
// differs: a fight goes by ticks and chance
async function fight (bot) {
  await killMob(bot, 'zombie', 60)
  console.log('killed, health', Math.ceil(bot.health))
}
