'use strict'
/**
 * Lines that players of the mock world say while programs may move them.
 *
 * @module skills_js/mock/speak
 */
const { chatLine } = require('../lookalike/talk')

/**
 * @param {import('./simulation').Simulation} simulation
 * @param {[string, string, string | null][]} lines who, what, and to whom it is whispered (null: everybody)
 */
function speak (simulation, lines) {
  for (const [name, text, to] of lines) {
    const client = simulation.clients.get(name)
    const line = sayable(text)
    if (client === undefined || line === null) continue
    if (to === null) client.player.chat(line)
    else if (simulation.world.players.has(to)) simulation.world.command(`msg ${to} ${line}`, client.player)
  }
}

/** @param {string} text @returns {string | null} the line, or null for what may not be said */
function sayable (text) {
  try {
    return chatLine(text)
  } catch (/** @type {any} */ error) {
    if (error.name === 'ChatRefused') return null
    throw error
  }
}

module.exports = { speak }
