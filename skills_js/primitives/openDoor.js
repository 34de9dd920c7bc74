'use strict'
const { setDoor } = require('./support/doors')

/**
 * Open a door, trapdoor or fence gate by hand; one that is open already stays so. Iron ones want redstone.
 * @param {Bot} bot
 * @param {Vec3} [position] - of the door; left out: the nearest closed one within 32 blocks
 * @returns {Promise<Vec3>} where it is
 * @throws {BlockNotFound} there is none
 * @throws {NotUsed} the server did not let it be opened
 * @throws {NoPath} it cannot be reached
 * @example const door = await openDoor(bot)
 */
async function openDoor (bot, position) {
  return setDoor(bot, position, true)
}

module.exports = { openDoor }
