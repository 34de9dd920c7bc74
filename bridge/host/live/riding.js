'use strict'

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */
/**
 * Riding in a boat or a minecart: mineflayer lets the body of a passenger fall and walk, and does not notice when it
 * has got out.
 */

/** Height of a passenger's feet above the bottom of its vehicle, in blocks. */
const SEAT = -0.1

/**
 * Keep a bot's body in its vehicle while it sits there.
 * @param {LiveBot} bot - mineflayer's, with its parts
 */
function rideAlong (bot) {
  const out = () => {
    const { vehicle } = bot
    if (!vehicle) return
    bot.vehicle = null
    bot.physicsEnabled = true
    bot.emit('dismount', vehicle)
  }
  const sit = () => {
    if (!bot.vehicle?.position) return
    bot.physicsEnabled = false
    const { x, y, z } = bot.vehicle.position
    bot.entity.position.set(x, y + SEAT, z)
    bot.entity.velocity.set(0, 0, 0)
  }
  bot.on('mount', sit)
  bot.on('entityMoved', (/** @type {any} */ entity) => { if (entity === bot.vehicle) sit() })
  bot.on('entityGone', (/** @type {any} */ entity) => { if (entity === bot.vehicle) out() })
  bot.on('death', out)
  bot._client.on('set_passengers', (/** @type {{ entityId: number, passengers: number[] }} */ {
    entityId, passengers
  }) => {
    if (bot.vehicle?.id === entityId && !passengers.includes(bot.entity.id)) out()
  })
}

module.exports = { rideAlong }
