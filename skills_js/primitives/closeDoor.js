'use strict'
const { setDoor } = require('./support/doors')

/**
 * Close a door, trapdoor or fence gate by hand; one that is closed already stays so. Iron ones want redstone.
 * @param {Bot} bot
 * @param {Vec3} [position] - of the door; left out: the nearest open one within 32 blocks
 * @returns {Promise<Vec3>} where it is
 * @throws {BlockNotFound} there is none
 * @throws {NotUsed} the server did not let it be closed
 * @throws {NoPath} it cannot be reached
 * @example const door = await closeDoor(bot)
 */
async function closeDoor (bot, position) {
  return setDoor(bot, position, false)
}

module.exports = { closeDoor }
