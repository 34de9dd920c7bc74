'use strict'
/**
 * Chat: one line at a time, no commands, and never faster than a server takes it without a kick.
 */
const { named } = require('../../../skills_js/lookalike/errors')
const { CAPS } = require('../../../skills_js/lookalike/host_api')

/**
 * @param {string} text
 * @returns {string} one line that may be said
 * @throws {ChatRefused}
 */
function chatLine (text) {
  // Control characters, other line ends, and the section sign, which colours.
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').replace(/\u00a7/g, '').trim()
  if (line === '') throw named('ChatRefused', 'the text is empty')
  if (line.startsWith('/')) throw named('ChatRefused', `${JSON.stringify(line.slice(0, 40))} is a command; players may only talk`)
  if (line.length > CAPS.chatChars) throw named('ChatRefused', `the text has ${line.length} characters; at most ${CAPS.chatChars} fit into one line`)
  return line
}

/** What one bot says, spaced out: a few lines at once, then one a second. */
class Speaker {
  #send
  #now
  /** @type {string[][]} */
  #waiting = []
  /** @type {number} */
  #tokens = CAPS.chatBurst
  #at
  /** @type {NodeJS.Timeout | null} */
  #timer = null

  /**
   * @param {(line: string, to: string | null) => void} send
   * @param {() => number} now - ms, monotonic
   */
  constructor (send, now) {
    this.#send = send
    this.#now = now
    this.#at = now()
  }

  /** Lines not yet said. */
  get waiting () { return this.#waiting.length }

  /**
   * @param {string} text
   * @param {string | null} [to] - a player to whisper to
   * @throws {LimitExceeded}
   */
  say (text, to = null) {
    const line = chatLine(text)
    if (this.#waiting.length >= CAPS.chatQueue) throw named('LimitExceeded', `${CAPS.chatQueue} lines wait to be said already; say less`)
    this.#waiting.push(to === null ? [line] : [line, to])
    this.#flush()
  }

  /** Forget what was not yet said. */
  hush () {
    this.#waiting.length = 0
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }

  #flush () {
    const now = this.#now()
    this.#tokens = Math.min(CAPS.chatBurst, this.#tokens + (now - this.#at) / CAPS.chatGapMs)
    this.#at = now
    while (this.#tokens >= 1 && this.#waiting.length > 0) {
      this.#tokens--
      const [line, to] = /** @type {string[]} */ (this.#waiting.shift())
      this.#send(line, to ?? null)
    }
    if (this.#waiting.length === 0 || this.#timer) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#flush()
    }, CAPS.chatGapMs * (1 - this.#tokens))
    this.#timer.unref()
  }
}

/** @type {WeakMap<object, Speaker>} a bot's pace goes on from one policy to the next */
const speakers = new WeakMap()

/**
 * @param {any} bot
 * @returns {Speaker}
 */
function speakerOf (bot) {
  let speaker = speakers.get(bot)
  if (!speaker) {
    speaker = new Speaker((line, to) => to === null ? bot.chat(line) : bot.whisper(to, line), () => performance.now())
    speakers.set(bot, speaker)
    bot.once('end', () => speaker?.hush())
  }
  return speaker
}

module.exports = { Speaker, chatLine, speakerOf }
