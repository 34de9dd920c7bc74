/** Services for primitives beyond the bot's own members, and the host of each bot. */
'use strict'
const { named } = require('./errors')

/** @type {WeakMap<object, import('./host').Host>} */
const hosts = new WeakMap()

/**
 * @param {object} bot
 * @param {import('./host').Host} host
 */
function register (bot, host) {
  hosts.set(bot, host)
}

/**
 * @param {any} bot
 * @returns {import('./host').Host}
 * @throws {BadArgument} it is no bot: the usual slip is to forget the first argument
 */
function hostOf (bot) {
  const host = bot !== null && typeof bot === 'object' ? hosts.get(bot) : undefined
  if (host === undefined) {
    throw named('BadArgument', 'the first argument must be bot, as in mineBlock(bot, "iron_ore", 3)')
  }
  return host
}

/**
 * @param {Bot} bot
 * @returns {{waitSignal: (what: {from: string, name: string} | string) => Promise<{from: string, name: string}>,
 *   sendSignal: (what: {to: string, name: string}) => Promise<boolean>}}
 */
function actions (bot) {
  const host = hostOf(bot)
  return {
    waitSignal: (wanted) => typeof wanted === 'string'
      ? host.act('waitSignal', wanted)
      : host.act('waitSignal', wanted.name, wanted.from),
    sendSignal: ({ to, name }) => host.act('sendSignal', to, name)
  }
}

/**
 * Log an end that is neither success nor failure, for readers of the run's log (and for the model, after the episode).
 * @param {Bot} bot
 * @param {string} text
 */
function note (bot, text) {
  hostOf(bot).command('log', 'info', text)
}

/**
 * @param {Bot} bot
 * @returns {number} game time in ms
 */
function now (bot) {
  return hostOf(bot).read('now')
}

module.exports = { actions, hostOf, note, now, register }
