'use strict'
/**
 * What a player says: one line at a time, no commands, and never faster than a server takes it.
 *
 * @module skills_js/mock/backend/talk
 */
const { named } = require('../../lookalike/errors')
const { CAPS } = require('../../lookalike/host_api')
const { TICK_MS } = require('../clock')

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

/** What one player says, spaced out: a few lines at once, then one a second. */
class Speaker {
  /** @type {(() => void)[]} */
  #waiting = []
  /** @type {number} */
  #tokens = CAPS.chatBurst
  #at
  #armed = false
  #clock

  /** @param {import('../clock').VirtualClock} clock */
  constructor (clock) {
    this.#clock = clock
    this.#at = clock.tick
  }

  /**
   * @param {() => void} speak
   * @throws {LimitExceeded}
   */
  say (speak) {
    if (this.#waiting.length >= CAPS.chatQueue) throw named('LimitExceeded', `${CAPS.chatQueue} lines wait to be said already; say less`)
    this.#waiting.push(speak)
    this.#flush()
  }

  #flush () {
    const gap = CAPS.chatGapMs / TICK_MS
    this.#tokens = Math.min(CAPS.chatBurst, this.#tokens + (this.#clock.tick - this.#at) / gap)
    this.#at = this.#clock.tick
    while (this.#tokens >= 1 && this.#waiting.length > 0) {
      this.#tokens--
      this.#waiting.shift()?.()
    }
    if (this.#waiting.length === 0 || this.#armed) return
    this.#armed = true
    this.#clock.after(Math.ceil(gap * (1 - this.#tokens)), () => {
      this.#armed = false
      this.#flush()
    })
  }
}

/** @type {WeakMap<import('../client').Client, Speaker>} a player's pace goes on from one policy to the next */
const speakers = new WeakMap()

/** @param {import('../client').Client} client @returns {Speaker} */
function speakerOf (client) {
  let speaker = speakers.get(client)
  if (speaker === undefined) speakers.set(client, speaker = new Speaker(client.simulation.clock))
  return speaker
}

/**
 * @param {import('../client').Client} client
 * @param {string} text
 */
function chat (client, text) {
  const line = chatLine(text)
  speakerOf(client).say(() => { if (!client.gone) client.player.chat(line) })
}

/**
 * @param {import('../client').Client} client
 * @param {string} to
 * @param {string} text
 */
function whisper (client, to, text) {
  const { world } = client.simulation
  if (!world.players.has(to)) {
    throw named('UnknownPlayer', `no player ${JSON.stringify(to)} is here; players: ${[...world.players.keys()].join(', ')}`)
  }
  const line = chatLine(text)
  speakerOf(client).say(() => { if (!client.gone) world.command(`msg ${to} ${line}`, client.player) })
}

module.exports = { chat, chatLine, whisper }
