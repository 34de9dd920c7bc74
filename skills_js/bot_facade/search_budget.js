/**
 * What a bot may have searched for it, counted in cells of the world that were looked at: the same number on every
 * machine, however quick it is. Saved up to a burst, and given anew with game time.
 */
'use strict'
const { CAPS } = require('./host_api')
const { named } = require('./errors')

/**
 * Cells that other work of a search is worth, measured on both backends: a section's palette; a block that is found.
 */
const SECTION_CELLS = 10
const MATCH_CELLS = 50
const MS = 1000

/** One bot's bucket of cells. */
class SearchBudget {
  /** @type {number} */
  #left = CAPS.searchBurstCells
  #at = -Infinity

  /**
   * Cells that were looked at beyond its share: time that the others on its host did not get. One search may end there.
   */
  get debt () { return Math.max(0, -this.#left) }

  /**
   * Before a search.
   * @param {number} now - ms of game time
   * @throws {LimitExceeded}
   */
  enter (now) {
    if (now > this.#at) {
      this.#left = Math.min(CAPS.searchBurstCells, this.#left + (now - this.#at) * CAPS.searchCellsPerSecond / MS)
    }
    this.#at = now
    if (this.#left > 0) return
    throw named(
      'LimitExceeded',
      'too much is searched at once: wait between searches, e.g. await bot.waitForTicks(1), or search for less within a smaller maxDistance'
    )
  }

  /**
   * After it.
   * @param {{sections: number, cells: number, matches: number}} looked - what it looked at
   */
  spend ({ sections, cells, matches }) {
    this.#left -= cells + sections * SECTION_CELLS + matches * MATCH_CELLS
  }
}

/** @type {WeakMap<object, SearchBudget>} a bot's share goes on from one program to the next */
const budgets = new WeakMap()

/**
 * @param {object} bot - the backend's
 * @returns {SearchBudget}
 */
function searchBudget (bot) {
  const known = budgets.get(bot)
  if (known !== undefined) return known
  const made = new SearchBudget()
  budgets.set(bot, made)
  return made
}

module.exports = { SearchBudget, searchBudget }
