/**
 * Budget of a bot's searches, in cells of the world visited: the same number on every machine. It is saved up to a
 * burst, and refills with game time.
 */
'use strict'
const { CAPS } = require('./host_api')
const { named } = require('./errors')

/** Cost of other work of a search in cells, measured on both backends: a section's palette; a block found. */
const SECTION_CELLS = 10
const MATCH_CELLS = 50
const MS = 1000

/** Budget of one bot. */
class SearchBudget {
  /** @type {number} */
  #left = CAPS.searchBurstCells
  #at = -Infinity

  /** Cells visited beyond the budget: time that others on the host did not get. One search may end there. */
  get debt () { return Math.max(0, -this.#left) }

  /**
   * Check the budget before a search.
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
      'too much is searched at once: wait between searches, e.g. await bot.waitForTicks(1), ' +
        'or search for less within a smaller maxDistance'
    )
  }

  /**
   * Charge the cost after a search.
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
