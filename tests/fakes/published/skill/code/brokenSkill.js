async function brokenSkill(bot) {
  await mineBlock(bot, "stone" 3);
}
