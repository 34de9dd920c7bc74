/** Voyager's helpers around chests, for programs that call them themselves. */
'use strict'
const { checkItemInsideChest } = require('../checkItemInsideChest')
const { asPosition } = require('../support/check')
const { comeToReach } = require('../support/reach')

/**
 * Walk to a chest.
 * @param {Bot} bot
 * @param {Vec3} chestPosition
 * @returns {Promise<void>}
 */
async function moveToChest (bot, chestPosition) {
  await comeToReach(bot, asPosition(chestPosition, 'chestPosition').floored())
}

/**
 * Say the contents of a chest in the chat.
 * @param {Bot} bot
 * @param {any} chestBlock - the chest's block, or where it stands
 * @returns {Promise<Object>} item name -> count
 */
async function listItemsInChest (bot, chestBlock) {
  const held = await checkItemInsideChest(bot, asPosition(chestBlock, 'chestBlock'))
  bot.chat(`Chest: ${JSON.stringify(held)}`.slice(0, 250))
  return held
}

/**
 * Close the chest that is open.
 * @param {Bot} bot
 * @returns {Promise<void>}
 */
async function closeChest (bot) {
  if (bot.currentWindow !== null) await bot.currentWindow.close()
}

module.exports = { closeChest, listItemsInChest, moveToChest }
