async function storeIron (bot) {
  await mineIron(bot)
  const chest = findBlock(bot, 'chest', 32)
  await depositItemIntoChest(bot, chest.position, { raw_iron: countItem(bot, 'raw_iron') })
}
