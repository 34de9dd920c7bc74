'use strict'
/**
 * Hearing where the game's own chat reaches everybody: a bot's program is told only lines said within hearing. A line
 * that begins with an exclamation mark is a shout.
 *
 * @module skills_js/hearing
 */

const SHOUT = '!'
/** Form of a player's line on servers. */
const SAID = /^<(\w{1,16})> ([\s\S]*)$/

/**
 * @typedef {{say: number, shout: number}} Reach in blocks
 * @typedef {{x: number, y: number, z: number}} Point
 */

/**
 * @param {Reach | null} reach null: everything is heard
 * @param {Point | null | undefined} speaker where the speaker stands; nothing where nobody sees it
 * @param {Point} listener
 * @param {string} line
 * @returns {boolean} whether it is heard
 */
function isHeard (reach, speaker, listener, line) {
  if (reach === null) return true
  if (!speaker) return false
  const far = Math.hypot(speaker.x - listener.x, speaker.y - listener.y, speaker.z - listener.z)
  return far <= (line.startsWith(SHOUT) ? reach.shout : reach.say)
}

/**
 * @param {string} shown a line as servers show it
 * @returns {[string, string] | null} who said it, and what; null for what no player said
 */
function spokenLine (shown) {
  const found = SAID.exec(shown)
  return found && [found[1], found[2]]
}

module.exports = { isHeard, spokenLine }
