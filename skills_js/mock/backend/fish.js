'use strict'
/**
 * Fishing: the rod in the hand is cast, and the line drawn in when something bites.
 *
 * @module skills_js/mock/backend/fish
 */
const { named } = require('../../bot_facade/errors')
const { ALREADY_FISHING: ALREADY } = require('../../refusals')

/** Players whose program is waiting for a bite. @type {WeakSet<object>} */
const fishing = new WeakSet()

/** Time in ticks after which a line without a bite is drawn in, as in the live backend. */
const MAX_TICKS = 1200

/**
 * @param {import('../client').Client} client
 * @returns {Generator<number | void, void, void>} ends when something has bitten and the line is in
 * @throws {NotUsed} no rod in the hand, the line was lost, or the bot fishes already
 * @throws {TimedOut}
 */
function * fish (client) {
  const { player } = client
  if (fishing.has(client)) throw named('NotUsed', ALREADY)
  if (player.heldItem?.name !== 'fishing_rod') {
    throw named('NotUsed', `there is ${player.heldItem?.name ?? 'nothing'} in the hand; equip a fishing rod first`)
  }
  // Who casts with a line in the water draws that one in.
  if (player.fishing) player.useItem(0)
  player.useItem(0)
  const line = player.fishing
  fishing.add(client)
  try {
    for (let tick = 0; tick < MAX_TICKS; tick++) {
      if (line === null || player.fishing !== line) {
        throw named('NotUsed', 'the line was lost before anything bit; stand nearer to open water and look at it')
      }
      if (line.biting) return
      yield
    }
    throw named('TimedOut', `bot.fish was not done after ${MAX_TICKS / 20} s`)
  } finally {
    fishing.delete(client)
    if (line !== null && player.fishing === line) player.useItem(0)
  }
}

module.exports = { fish }
