'use strict'
/** Hearing of bots on servers: chat is global there, so lines from beyond hearing are kept from the bot's program. */
const { isHeard, spokenLine } = require('../../../skills_js/hearing')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** @type {WeakMap<object, import('../../../skills_js/hearing').Reach>} bots for which distance counts */
const reaches = new WeakMap()

/** @param {LiveBot} bot @param {import('../../../skills_js/hearing').Reach | null} reach null: it hears everything */
function setHearing (bot, reach) {
  if (reach === null) reaches.delete(bot)
  else reaches.set(bot, reach)
}

/**
 * @param {LiveBot} bot
 * @param {string} event
 * @param {unknown[]} args the event's
 * @returns {boolean} whether it reaches its ears
 */
function hears (bot, event, args) {
  const reach = reaches.get(bot)
  if (reach === undefined || (event !== 'chat' && event !== 'messagestr')) return true
  const said = event === 'chat'
    ? /** @type {[string, string]} */ ([String(args[0]), String(args[1])])
    : spokenLine(String(args[0]))
  if (said === null) return true
  const [from, line] = said
  return from === bot.username || isHeard(reach, bot.players[from]?.entity?.position, bot.entity.position, line)
}

module.exports = { hears, setHearing }
