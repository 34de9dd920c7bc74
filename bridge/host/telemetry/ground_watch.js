'use strict'
/**
 * Watch of the blocks that the bots of a host mine and place, reported about once a second: on a server only the bots
 * themselves know.
 */
const { Vec3 } = require('vec3')
const { blockText } = require('../../../skills_js/block_text')
const { GroundChanges, SAMPLE_S } = require('../../../skills_js/ground_changes')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** @typedef {NonNullable<ReturnType<GroundChanges['sample']>>} Sample */

/** Lowest height of the overworld, and the first above it. */
const REACH = Object.freeze({ low: -64, high: 320 })

/** Listener to the bots of one host. */
class GroundWatch {
  #changes = new GroundChanges()
  #botOf
  #tell
  /** @type {NodeJS.Timeout | undefined} */
  #planned

  /**
   * @param {(name: string) => any} botOf mineflayer's bot of that name, or null
   * @param {(sample: Sample) => void} tell
   */
  constructor (botOf, tell) {
    this.#botOf = botOf
    this.#tell = tell
  }

  /** @param {LiveBot} bot that stands in the world @param {string} name */
  watch (bot, name) {
    const touch = (/** @type {import('prismarine-block').Block} */ block) => {
      if (block?.position) this.#changes.touch(name, block.position)
      this.#plan()
    }
    bot.on('diggingCompleted', touch)
    bot.on('blockPlaced', (/** @type {any} */ _before, /** @type {any} */ after) => touch(after))
    bot.on('blockUpdate', (/** @type {any} */ _before, /** @type {any} */ after) => {
      if (after?.position) this.#changes.change(name, after.position)
      this.#plan()
    })
  }

  #plan () {
    if (!this.#changes.empty) this.#planned ??= setTimeout(() => this.tell(), SAMPLE_S * 1000)
  }

  /** Report the blocks mined and placed since the last report, if any. */
  tell () {
    clearTimeout(this.#planned)
    this.#planned = undefined
    if (this.#changes.empty) return
    const sample = this.#changes.sample((seer, x, y, z) => blockAt(this.#botOf(seer), x, y, z), REACH)
    if (sample !== null) this.#tell(sample)
  }
}

/**
 * @param {LiveBot} bot null for one that has left
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {string | null} null where this bot has no land
 */
function blockAt (bot, x, y, z) {
  if (!bot?.world?.getColumn(x >> 4, z >> 4)) return null
  const stateId = bot.world.getBlockStateId(new Vec3(x, y, z))
  const info = bot.registry.blocksByStateId[stateId]
  return info === undefined ? null : blockText(info, stateId)
}

module.exports = { GroundWatch }
