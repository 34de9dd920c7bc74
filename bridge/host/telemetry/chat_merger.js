'use strict'
/**
 * Merger of chat: every message is reported once, though every bot of a world hears it.
 *
 * For each text, the number of times that a listener has heard it is compared with the largest number of any listener:
 * the same words said twice are two messages, the same message heard by two bots is one.
 */

/** Time in ms after which a text is forgotten: hearing it again is a new message. */
const MEMORY_MS = 2000
const MAX_TEXT = 1000

/** Filter that tells which messages are new. */
class ChatMerger {
  /** @type {Map<string, { most: number, at: number, heard: Map<unknown, number> }>} */
  #texts = new Map()
  #now

  /** @param {() => number} now milliseconds, monotonic */
  constructor (now) {
    this.#now = now
  }

  /**
   * @param {unknown} listener who has heard it
   * @param {string|null} from the speaker, or null for the game itself
   * @param {string} text
   * @returns {boolean} whether nobody has reported this message yet
   */
  isNews (listener, from, text) {
    const now = this.#now()
    for (const [key, entry] of this.#texts) {
      if (now - entry.at <= MEMORY_MS) break
      this.#texts.delete(key)
    }
    const key = JSON.stringify([from, text])
    const entry = this.#texts.get(key) ?? { most: 0, at: now, heard: new Map() }
    const count = (entry.heard.get(listener) ?? 0) + 1
    entry.heard.set(listener, count)
    entry.at = now
    this.#texts.delete(key)
    this.#texts.set(key, entry)
    if (count <= entry.most) return false
    entry.most = count
    return true
  }
}

module.exports = { ChatMerger, MEMORY_MS, MAX_TEXT }
