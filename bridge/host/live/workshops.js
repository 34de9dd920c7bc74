'use strict'
/** Buttons, names and trades of windows: packets for which mineflayer has no calls outside its own windows. */
const { named } = require('../../../skills_js/bot_facade/errors')
const { current, inTurn, sync } = require('./windows')
const { itemData } = require('./snapshots')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** Longest name of an item, as Minecraft clients send it. */
const LONGEST_NAME = 50

/** @param {any} window @returns {string} what lies in its own part, to tell whether anything changed */
const contents = (window) => JSON.stringify(window.slots.slice(0, window.inventoryStart)
  .map((/** @type {any} */ item) => item && [item.type, item.count, item.nbt]))

/**
 * @param {LiveBot} bot @param {AbortSignal} signal @param {number} id @param {string} packet @param {any} fields
 * @returns {Promise<{ window: any, changed: boolean }>}
 */
async function tell (bot, signal, id, packet, fields) {
  const window = current(bot, id)
  const before = contents(window)
  bot._client.write(packet, fields)
  await sync(bot, signal, window)
  return { window, changed: contents(window) !== before }
}

/** @param {LiveBot} bot @param {AbortSignal} signal @param {number} id @param {number} button */
function pressButton (bot, signal, id, button) {
  return inTurn(bot, async () => {
    const { changed } = await tell(bot, signal, id, 'enchant_item', { windowId: id, enchantment: button })
    if (!changed) {
      throw named(
        'NotUsed', `it was refused: button ${button} brought about nothing; are there levels and materials enough?`
      )
    }
  })
}

/** @param {LiveBot} bot @param {AbortSignal} signal @param {number} id @param {string} name */
function renameItem (bot, signal, id, name) {
  return inTurn(bot, async () => { await tell(bot, signal, id, 'name_item', { name: name.slice(0, LONGEST_NAME) }) })
}

/** @param {LiveBot} bot @param {AbortSignal} signal @param {number} id @param {number} index */
function selectTrade (bot, signal, id, index) {
  return inTurn(bot, async () => { await tell(bot, signal, id, 'select_trade', { slot: index }) })
}

/**
 * Return one trade of a villager in mineflayer's terms, as plain data.
 * @param {any} trade of the packet
 * @param {(item: any) => any} read
 * @returns {any}
 */
function tradeData (trade, read) {
  const [one, two, out] = [
    trade.inputItem1, trade.inputItem2, trade.outputItem
  ].map((item) => item && item.present !== false ? read(item) : null)
  const more = Math.max(0, Math.floor(one.count * trade.demand * trade.priceMultiplier))
  const { tradeDisabled, nbTradeUses, maximumNbTradeUses, xp, specialPrice, priceMultiplier, demand } = trade
  return {
    inputItem1: itemData(one), inputItem2: itemData(two), outputItem: itemData(out), tradeDisabled, nbTradeUses,
    maximumNbTradeUses, xp, specialPrice, priceMultiplier, demand,
    realPrice: Math.max(1, Math.min(one.stackSize, one.count + more + specialPrice))
  }
}

module.exports = { pressButton, renameItem, selectTrade, tradeData }
