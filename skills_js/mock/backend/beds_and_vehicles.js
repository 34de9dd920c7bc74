'use strict'
/**
 * Beds and boats: lying, sitting and getting up again.
 *
 * @module skills_js/mock/backend/beds_and_vehicles
 */
const { named } = require('../../bot_facade/errors')
const { REACH, click, entityNear, show } = require('./hands')
const { eyeDistance } = require('../sight')
const { blockThere } = require('./reads')

/** Time of day at which the sun lets players sleep, in ticks; mineflayer checks it before it clicks. */
const NIGHT = Object.freeze([12541, 23458])

/** @typedef {import('../client').Client} Client */

/**
 * @param {Client} client
 * @param {number} x of either half of the bed
 * @param {number} y
 * @param {number} z
 * @returns {Generator<number | void, void, void>} ends when the player lies
 * @throws {NotUsed}
 */
function * sleepInBed (client, x, y, z) {
  const { world } = client.simulation
  const at = { x, y, z }
  const block = blockThere(client, x, y, z)
  if (!block.name.endsWith('_bed')) throw named('NotUsed', `there is ${block.name} at ${show(at)}, no bed`)
  const hour = world.timeOfDay % 24000
  if (world.weather !== 'thunder' && (hour < NIGHT[0] || hour > NIGHT[1])) {
    throw named('NotUsed', 'it is neither night nor a thunderstorm')
  }
  if (client.asleep) throw named('NotUsed', 'the bot sleeps already')
  if (eyeDistance(client.eye, at) > REACH) {
    throw named('OutOfReach', `${block.name} at ${show(at)} is out of reach; go within 2 blocks first`)
  }
  client.stopWalk()
  let told = 'the server did not let the bot lie down'
  const stop = client.on('system', ({ player, text, overlay }) => {
    if (player === client.player && overlay) told = text
  })
  try {
    yield * click(client, at)
  } finally {
    stop()
  }
  if (!client.asleep) throw named('NotUsed', told)
}

/**
 * @param {Client} client
 * @returns {Generator<number | void, void, void>} ends when the player stands beside its bed
 * @throws {NotUsed}
 */
function * wake (client) {
  if (!client.asleep) throw named('NotUsed', 'the bot is awake already')
  client.player.wake()
  yield
}

/**
 * @param {Client} client
 * @param {number} id
 * @returns {Generator<number | void, void, void>} ends when the player sits in it
 * @throws {NotUsed}
 */
function * mount (client, id) {
  const entity = entityNear(client, id, 'mount')
  client.player.useEntity(id, 'interact')
  yield
  if (client.player.vehicle !== entity) {
    throw named(
      'NotUsed', `${entity.name ?? entity.type} did not take the bot in; only boats and minecarts with a free seat do`
    )
  }
}

/**
 * @param {Client} client
 * @returns {Generator<number | void, void, void>} ends when the player has got out
 * @throws {NotUsed}
 */
function * dismount (client) {
  if (client.player.vehicle === null) throw named('NotUsed', 'the bot sits in nothing')
  client.player.dismount()
  yield
}

module.exports = { dismount, mount, sleepInBed, wake }
