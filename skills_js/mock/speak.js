'use strict'
/**
 * Lines that players of the mock world say while programs may move them.
 *
 * @module skills_js/mock/speak
 */
const { spoken } = require('../bot_facade/talk')

/**
 * @param {import('./simulation').Simulation} simulation
 * @param {[string, string, string | null][]} lines who, what, and to whom it is whispered (null: everybody)
 */
function speak (simulation, lines) {
  for (const [name, text, to] of lines) {
    const client = simulation.clients.get(name)
    const line = spoken(text)
    if (client === undefined || line === null) continue
    if (to === null) client.player.chat(line)
    else if (simulation.world.players.has(to)) simulation.world.command(`msg ${to} ${line}`, client.player)
  }
}

module.exports = { speak }
