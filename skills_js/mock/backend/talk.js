'use strict'
/**
 * Chat of the mock world's players, rate-limited by the virtual clock.
 *
 * @module skills_js/mock/backend/talk
 */
const { named } = require('../../bot_facade/errors')
const { Speaker } = require('../../bot_facade/talk')
const { TICK_MS } = require('../clock')

/** @type {WeakMap<import('../client').Client, Speaker>} a player's pace goes on from one policy to the next */
const speakers = new WeakMap()

/** @param {import('../client').Client} client @returns {Speaker} */
function speakerOf (client) {
  const known = speakers.get(client)
  if (known !== undefined) return known
  const { clock, world } = client.simulation
  const speaker = new Speaker((line, to) => {
    if (client.gone) return
    if (to === null) client.player.chat(line)
    else world.command(`msg ${to} ${line}`, client.player)
  }, {
    now: () => clock.tick * TICK_MS,
    after: (ms, fn) => clock.after(Math.ceil(ms / TICK_MS), fn)
  })
  speakers.set(client, speaker)
  return speaker
}

/**
 * @param {import('../client').Client} client
 * @param {string} text
 */
function chat (client, text) {
  speakerOf(client).say(text)
}

/**
 * @param {import('../client').Client} client
 * @param {string} to
 * @param {string} text
 */
function whisper (client, to, text) {
  const { players } = client.simulation.world
  if (!players.has(to)) {
    throw named('UnknownPlayer', `no player ${JSON.stringify(to)} is here; players: ${[...players.keys()].join(', ')}`)
  }
  speakerOf(client).say(text, to)
}

/** @param {import('../client').Client} client @returns {string[]} lines that were not said yet, and never will be */
function hush (client) {
  return speakers.get(client)?.hush() ?? []
}

module.exports = { chat, hush, whisper }
