'use strict'
/**
 * Fishing. mineflayer casts the rod and draws the line in when something bites; here it also ends when nothing does.
 */
const { named } = require('../../../skills_js/bot_facade/errors')
const { ALREADY_FISHING } = require('../../../skills_js/refusals')
const { bounded, listening } = require('./bounded')
const { trackCall } = require('./pending_calls')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** Bots whose program is waiting for a bite. @type {WeakSet<object>} */
const fishing = new WeakSet()

/** Time after which a line without a bite is drawn in, in ms. */
const MAX_MS = 60_000
const DEGREES = 180 / Math.PI

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @returns {Promise<void>} when something has bitten and the line is in
 * @throws {NotUsed} no rod in the hand, the line was lost, or the bot fishes already
 * @throws {TimedOut}
 */
async function fish (bot, signal) {
  if (fishing.has(bot)) throw named('NotUsed', ALREADY_FISHING)
  if (bot.heldItem?.name !== 'fishing_rod') {
    throw named('NotUsed', `there is ${bot.heldItem?.name ?? 'nothing'} in the hand; equip a fishing rod first`)
  }
  let bitten = false
  /** @type {Set<number>} */
  const lines = new Set()
  const stop = listening(bot, {
    entitySpawn: (/** @type {import('prismarine-entity').Entity} */ entity) => {
      if (entity.name === 'fishing_bobber' && near(bot, entity)) lines.add(entity.id)
    },
    entityGone: (/** @type {import('prismarine-entity').Entity} */ entity) => lines.delete(entity.id)
  })
  fishing.add(bot)
  try {
    faceWater(bot)
    await bounded({ signal, ms: MAX_MS, what: 'bot.fish', server: bot }, (resolve, reject) => {
      trackCall(bot, bot.fish()).then(() => {
        bitten = true
        resolve(undefined)
      }, () =>
        reject(named('NotUsed', 'the line was lost before anything bit; stand nearer to open water and look at it')))
    })
  } finally {
    fishing.delete(bot)
    stop()
    if (!bitten && lines.size > 0 && bot.heldItem?.name === 'fishing_rod') bot.activateItem()
  }
}

/**
 * Turn to the water. The server casts in the direction of the head as it knows it, and mineflayer sends a turn in the
 * next tick only.
 * @param {LiveBot} bot
 */
function faceWater (bot) {
  const { yaw, pitch, onGround } = bot.entity
  bot._client.write('look', { yaw: (Math.PI - yaw) * DEGREES, pitch: -pitch * DEGREES, onGround: Boolean(onGround) })
}

/**
 * Return true if a line begins at the bot's hand.
 * @param {LiveBot} bot
 * @param {any} entity
 */
function near (bot, entity) {
  return entity.position.distanceTo(bot.entity.position) < 3
}

module.exports = { fish }
