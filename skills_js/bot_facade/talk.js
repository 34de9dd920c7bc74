'use strict'
/**
 * Chat of a player: one line at a time, no commands, and never faster than a server accepts without a kick.
 *
 * @module skills_js/bot_facade/talk
 */
const { named } = require('./errors')
const { CAPS } = require('./host_api')

/** Characters shown of a line in errors. */
const MAX_SHOWN = 60

/**
 * @param {string} text
 * @returns {string} one line that may be said
 * @throws {ChatRefused}
 */
function chatLine (text) {
  // Control characters, other line ends, and the section sign, which colours.
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').replace(/\u00a7/g, '').trim()
  if (line === '') throw named('ChatRefused', 'the text is empty')
  if (line.startsWith('/')) {
    throw named('ChatRefused', `${JSON.stringify(line.slice(0, 40))} is a command; players may only talk`)
  }
  if (line.length > CAPS.chatChars) {
    throw named('ChatRefused', `the text has ${line.length} characters; at most ${CAPS.chatChars} fit into one line`)
  }
  return line
}

/**
 * @param {string} text
 * @returns {string | null} one line that may be said, or null for what may not
 */
function spoken (text) {
  try {
    return chatLine(text)
  } catch (error) {
    if (error.name === 'ChatRefused') return null
    throw error
  }
}

/**
 * @typedef {object} Pace the time that a speaker keeps
 * @property {() => number} now in ms, monotonic
 * @property {(ms: number, fn: () => void) => () => void} after returns how to call it off
 */

/** Speaker of one player: a few lines at once, then one a second. */
class Speaker {
  #send
  #pace
  /** @type {[string, string | null][]} */
  #waiting = []
  /** @type {number} */
  #tokens = CAPS.chatBurst
  #at
  /** @type {(() => void) | null} */
  #callOff = null

  /**
   * @param {(line: string, to: string | null) => void} send
   * @param {Pace} pace
   */
  constructor (send, pace) {
    this.#send = send
    this.#pace = pace
    this.#at = pace.now()
  }

  /** Lines not yet said. */
  get waiting () { return this.#waiting.length }

  /**
   * @param {string} text
   * @param {string | null} [to] - a player to whisper to
   * @throws {ChatRefused}
   * @throws {LimitExceeded}
   */
  say (text, to = null) {
    const line = chatLine(text)
    if (this.#waiting.length >= CAPS.chatQueue) {
      throw named('LimitExceeded', `${CAPS.chatQueue} lines wait to be said already; say less`)
    }
    this.#waiting.push([line, to])
    this.#flush()
  }

  /** @returns {string[]} what was not yet said, and never will be */
  hush () {
    const unsaid = this.#waiting.map(([line]) => line)
    this.#waiting.length = 0
    this.#callOff?.()
    this.#callOff = null
    return unsaid
  }

  #flush () {
    const now = this.#pace.now()
    this.#tokens = Math.min(CAPS.chatBurst, this.#tokens + (now - this.#at) / CAPS.chatGapMs)
    this.#at = now
    while (this.#tokens >= 1 && this.#waiting.length > 0) {
      this.#tokens--
      const [line, to] = /** @type {[string, string | null]} */ (this.#waiting.shift())
      this.#send(line, to)
    }
    if (this.#waiting.length === 0 || this.#callOff !== null) return
    this.#callOff = this.#pace.after(CAPS.chatGapMs * (1 - this.#tokens), () => {
      this.#callOff = null
      this.#flush()
    })
  }
}

/**
 * @param {readonly string[]} lines - not empty
 * @returns {string} what their author is told
 */
function unsaid (lines) {
  const what = lines.length === 1 ? 'a line was' : `${lines.length} lines were`
  const first = JSON.stringify(lines[0].slice(0, MAX_SHOWN))
  const pace = `${CAPS.chatBurst} lines at once, then one a second`
  return `${what} not said, ${first} first: the run ended before their turn (${pace})`
}

module.exports = { Speaker, chatLine, spoken, unsaid }
