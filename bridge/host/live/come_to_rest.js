'use strict'
/** End of a run: the bot does nothing any more, the server knows it, and nothing that was begun follows later. */
const { bounded, listening, until } = require('./bounded')
const { stopDigging } = require('./dig')
const { awaitPendingCalls } = require('./pending_calls')
const { builtLately, halt } = require('./walk')
const { sync } = require('./windows')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** Longest time for a bot to come to rest, in ms. */
const REST_MS = 2000
const REST_LOOK_MS = 50
/** Speed along an axis, in blocks per tick, below which the physics lets a body stand still. */
const NEGLIGIBLE = 0.003
/** Longest wait for the server's answer to the last packet, in ms: its next tick and a slow network. */
const ANSWER_MS = 1000
/** Longest wait for mineflayer's calls that cannot be stopped, in ms: a turn of the head, and a packet. */
const LOOSE_MS = 1500
/** Sequence number of own packets; mineflayer's are all number 0. */
const OURS = 1
/** Place of a dig without effect: out of reach, above every world. */
const NOWHERE = Object.freeze({ x: 0, y: 2000, z: 0 })
const ABORT = 1

/**
 * Bring the bot to rest for its next program.
 * @param {LiveBot} bot
 * @param {boolean} acted - whether it has done anything that the server may still answer
 * @returns {Promise<void>}
 */
async function comeToRest (bot, acted) {
  if (bot._client.state !== 'play' || bot._client.ended) return
  halt(bot)
  await awaitPendingCalls(bot, LOOSE_MS)
  await stopDigging(bot)
  if (bot.usingHeldItem) bot.deactivateItem()
  const { signal } = new AbortController()
  // What was opened in the last moment is seen only now, and is closed; then the server knows that as well.
  if (acted || bot.currentWindow) await answered(bot, signal)
  const open = bot.currentWindow
  if (open) await bot.closeWindow(open)
  if (bot.inventory.selectedItem) {
    await bot.putSelectedItemRange(bot.inventory.inventoryStart, bot.inventory.inventoryEnd, bot.inventory, null)
    await sync(bot, signal, bot.inventory)
  }
  if (builtLately(bot)) halt(bot) // a block that the pathfinder was placing has let go of the keys only now
  // Who is dead or floats in water comes to no rest; the next policy must cope with that itself.
  await until({ signal, ms: REST_MS, what: 'coming to rest' }, REST_LOOK_MS, () => still(bot)).catch(() => {})
  if (acted || open) await answered(bot, signal)
}

/**
 * Wait until the server has processed everything sent before: it answers each dig, even one that was never begun.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function answered (bot, signal) {
  return bounded({ signal, ms: ANSWER_MS, what: 'waiting for the server', server: bot }, (resolve) => {
    const heard = (/** @type {{ sequenceId: number }} */ packet) => {
      // What the same packet burst says besides counts too, so look once it has been read.
      if (packet.sequenceId >= OURS) setImmediate(() => resolve(undefined))
    }
    const stop = listening(bot._client, { acknowledge_player_digging: heard, end: () => resolve(undefined) })
    bot._client.write('block_dig', { status: ABORT, location: NOWHERE, face: 0, sequence: OURS })
    return stop
  }).catch((error) => {
    // A server that says nothing keeps nobody from resting.
    if (error.name !== 'TimedOut') throw error
  })
}

/** @param {LiveBot} bot */
function still (bot) {
  const { velocity, onGround } = bot.entity
  return bot.health <= 0 || (onGround && Math.abs(velocity.x) < NEGLIGIBLE && Math.abs(velocity.z) < NEGLIGIBLE)
}

module.exports = { comeToRest }
