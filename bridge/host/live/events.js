'use strict'
/** Events of the bot that a policy may hear, their arguments as plain data. */
const { EVENTS } = require('../../../skills_js/bot_facade/host_api')
const { hears } = require('./hearing')
const { blockData, entityData } = require('./snapshots')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** @type {Record<string, (value: any) => any>} */
const AS_DATA = {
  plain: (value) => plain(value),
  entity: (value) => value?.position ? entityData(value) : null,
  block: blockData
}

/** @param {any} value - a text, or a player */
function plain (value) {
  if (value === null || value === undefined) return null
  if (typeof value === 'object') return { username: value.username ?? null, uuid: value.uuid ?? null }
  return typeof value === 'string' ? value.slice(0, 1000) : value
}

/**
 * @param {LiveBot} bot
 * @param {string} event - one of EVENTS
 * @param {(name: string, args: any[]) => void} tell
 * @returns {() => void} stops listening
 */
function listen (bot, event, tell) {
  const kinds = EVENTS[/** @type {keyof typeof EVENTS} */ (event)]
  const heard = (/** @type {any[]} */ ...args) => hears(bot, event, args) &&
    tell(event, kinds.map((kind, index) => AS_DATA[kind](args[index])))
  bot.on(event, heard)
  return () => bot.removeListener(event, heard)
}

module.exports = { listen }
