'use strict'
/**
 * Fishing: mineflayer casts the rod and draws the line in when something bites; here it also comes to an end when nothing does.
 */
const { named } = require('../../../skills_js/lookalike/errors')
const { bounded, listening } = require('./bounded')
const { entrusted } = require('./entrusted')

/** A line that brings nothing is drawn in after a minute. */
const MOST_MS = 60_000

/**
 * @param {any} bot
 * @param {AbortSignal} signal
 * @returns {Promise<void>} when something has bitten and the line is in
 * @throws {NotUsed} no rod in the hand, or the line was lost
 * @throws {TimedOut}
 */
async function fish (bot, signal) {
  if (bot.heldItem?.name !== 'fishing_rod') throw named('NotUsed', `there is ${bot.heldItem?.name ?? 'nothing'} in the hand; equip a fishing rod first`)
  let bitten = false
  /** @type {Set<number>} */
  const lines = new Set()
  const stop = listening(bot, {
    entitySpawn: (/** @type {any} */ entity) => { if (entity.name === 'fishing_bobber' && near(bot, entity)) lines.add(entity.id) },
    entityGone: (/** @type {any} */ entity) => lines.delete(entity.id)
  })
  try {
    await bounded({ signal, ms: MOST_MS, what: 'bot.fish' }, (resolve, reject) => {
      entrusted(bot, bot.fish()).then(() => { bitten = true; resolve(undefined) }, () => reject(named('NotUsed', 'the line was lost before anything bit; stand nearer to open water and look at it')))
    })
  } finally {
    stop()
    if (!bitten && lines.size > 0 && bot.heldItem?.name === 'fishing_rod') bot.activateItem()
  }
}

/** Whether a line begins at the bot's hand. @param {any} bot @param {any} entity */
function near (bot, entity) {
  return entity.position.distanceTo(bot.entity.position) < 3
}

module.exports = { fish }
