'use strict'
/** Chat of bots on servers, rate-limited by the real clock. */
const { Speaker } = require('../../../skills_js/bot_facade/talk')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const PACE = Object.freeze({
  now: () => performance.now(),
  after: (/** @type {number} */ ms, /** @type {() => void} */ fn) => {
    const timer = setTimeout(fn, ms)
    timer.unref()
    return () => clearTimeout(timer)
  }
})

/** @type {WeakMap<object, Speaker>} a bot's pace goes on from one policy to the next */
const speakers = new WeakMap()

/**
 * @param {LiveBot} bot
 * @returns {Speaker}
 */
function speakerOf (bot) {
  let speaker = speakers.get(bot)
  if (!speaker) {
    speaker = new Speaker((line, to) => to === null ? bot.chat(line) : bot.whisper(to, line), PACE)
    speakers.set(bot, speaker)
    bot.once('end', () => speaker?.hush())
  }
  return speaker
}

/**
 * @param {LiveBot} bot
 * @returns {string[]} lines that were not said yet, and never will be
 */
function hush (bot) {
  return speakers.get(bot)?.hush() ?? []
}

module.exports = { hush, speakerOf }
