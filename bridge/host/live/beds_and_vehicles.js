'use strict'
/** Beds and boats: lying, sitting and getting up again. */
const { named } = require('../../../skills_js/bot_facade/errors')
const { bounded, listening } = require('./bounded')
const { entityNear } = require('./body')
const { trackCall, isClientTimeout } = require('./pending_calls')
const { REACH, eyeDistance, point } = require('./sight')
const { halt } = require('./walk')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** Message to all players when somebody lies down. */
const ANNOUNCED = /^(\d+\/\d+ players sleeping|Sleeping through this night)$/
/** Longest wait for the server's answer, in ms. */
const WORD_MS = 3000

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {[number, number, number]} at - of either half of the bed
 * @returns {Promise<void>} when the bot lies
 * @throws {NotUsed}
 */
async function sleepInBed (bot, signal, at) {
  const position = point(...at)
  const block = bot.blockAt(position)
  if (!block?.name.endsWith('_bed')) {
    throw named('NotUsed', `there is ${block?.name ?? 'no loaded land'} at ${position}, no bed`)
  }
  const { timeOfDay } = bot.time
  if (!(bot.isRaining && bot.thunderState > 0) && !(timeOfDay >= 12541 && timeOfDay <= 23458)) {
    throw named('NotUsed', 'it is neither night nor a thunderstorm')
  }
  if (bot.isSleeping) throw named('NotUsed', 'the bot sleeps already')
  if (eyeDistance(bot, position) > REACH) {
    throw named('OutOfReach', `${block.name} at ${position} is out of reach; go within 2 blocks first`)
  }
  halt(bot)
  await bounded({ signal, ms: WORD_MS * 2, what: 'bot.sleep', server: bot }, (resolve, reject) => {
    const refuse = (/** @type {string} */ text) => reject(named('NotUsed', text))
    trackCall(bot, bot.sleep(block)).then(() => resolve(undefined), (/** @type {Error} */ error) => {
      if (!isClientTimeout(error)) refuse(error.message)
    })
    return listening(bot, {
      sleep: () => resolve(undefined),
      // The server's refusal comes as a text above the hot bar; mineflayer waits three seconds for nothing.
      message: (/** @type {string} */ text, /** @type {string} */ where) => {
        if (where === 'game_info' && !ANNOUNCED.test(String(text))) refuse(String(text))
      }
    })
  }).catch((error) => {
    throw error.name === 'TimedOut' ? named('NotUsed', 'the server did not let the bot lie down') : error
  })
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @returns {Promise<void>} when the bot stands beside its bed
 * @throws {NotUsed}
 */
async function wake (bot, signal) {
  if (!bot.isSleeping) throw named('NotUsed', 'the bot is awake already')
  await heard(bot, signal, 'wake', () => bot.wake())
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {number} id
 * @returns {Promise<void>} when the bot sits in it
 * @throws {NotUsed}
 */
async function mount (bot, signal, id) {
  const entity = entityNear(bot, id, 'mount')
  const refused = named(
    'NotUsed', `${entity.username ?? entity.name} did not take the bot in; only boats and minecarts with a free seat do`
  )
  if (!/^(boat|chest_boat|minecart)$/.test(entity.name)) throw refused
  halt(bot)
  await heard(bot, signal, 'mount', () => bot.mount(entity))
    .catch((error) => { throw error.name === 'TimedOut' ? refused : error })
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @returns {Promise<void>} when the bot has got out
 * @throws {NotUsed}
 */
async function dismount (bot, signal) {
  if (!bot.vehicle) throw named('NotUsed', 'the bot sits in nothing')
  await heard(bot, signal, 'dismount', () => bot.dismount())
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {string} event - of the bot's, by which the server's word comes
 * @param {() => void} ask
 * @returns {Promise<void>}
 */
function heard (bot, signal, event, ask) {
  return bounded({ signal, ms: WORD_MS, what: `bot.${event}`, server: bot }, (resolve) => {
    // What comes with it, such as the place where the bot is put, is read first.
    const stop = listening(bot, { [event]: () => setTimeout(() => resolve(undefined), 50) })
    ask()
    return stop
  })
}

module.exports = { dismount, mount, sleepInBed, wake }
