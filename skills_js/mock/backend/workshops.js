'use strict'
/**
 * Buttons, names and trades of windows.
 *
 * @module skills_js/mock/backend/workshops
 */
const { named } = require('../../bot_facade/errors')

/** @typedef {import('../client').Client} Client */

/**
 * @param {Client} client
 * @param {number} id
 * @param {() => import('../../../engine/world/types').Verdict} act
 * @returns {Generator<number | void, void, void>}
 */
function * done (client, id, act) {
  if (client.player.openWindow?.id !== id) throw named('WindowClosed', 'the window is no longer open; open it again')
  const { ok, reason } = act()
  yield
  if (!ok) throw named('NotUsed', `it was refused: ${reason}; are there levels and materials enough?`)
}

/** @param {Client} client @param {number} id @param {number} button */
const pressButton = (client, id, button) => done(client, id, () => client.player.pressButton(id, button))
/** @param {Client} client @param {number} id @param {string} name */
const renameItem = (client, id, name) => done(client, id, () => client.player.renameItem(name))
/** @param {Client} client @param {number} id @param {number} index */
const selectTrade = (client, id, index) => done(client, id, () => client.player.selectTrade(index))

module.exports = { pressButton, renameItem, selectTrade }
