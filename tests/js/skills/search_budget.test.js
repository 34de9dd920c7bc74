'use strict'
/** Searches are bounded by the cells that are looked at: the same for every machine, in the time of the game. */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { CAPS } = require('../../../skills_js/bot_facade/host_api')
const { SearchBudget, searchBudget } = require('../../../skills_js/bot_facade/search_budget')

const cells = (/** @type {number} */ count) => ({ sections: 0, cells: count, matches: 0 })

test('a saved budget is spent and refills with game time, up to its limit', () => {
  const budget = new SearchBudget()
  budget.enter(0)
  budget.spend(cells(CAPS.searchBurstCells + CAPS.searchCellsPerSecond))
  assert.equal(budget.debt, CAPS.searchCellsPerSecond)
  assert.throws(() => budget.enter(1000), { name: 'LimitExceeded', message: /wait between searches/ })
  budget.enter(1001)
  budget.enter(1e9)
  budget.spend(cells(CAPS.searchBurstCells))
  assert.throws(() => budget.enter(1e9), { name: 'LimitExceeded' })
})

test('game time that goes back, as in another world, gives nothing', () => {
  const budget = new SearchBudget()
  budget.enter(5000)
  budget.spend(cells(CAPS.searchBurstCells))
  assert.throws(() => budget.enter(0), { name: 'LimitExceeded' })
})

test('sections that were looked at and blocks that were found count too', () => {
  const [sections, matches] = [new SearchBudget(), new SearchBudget()]
  sections.spend({ sections: CAPS.searchBurstCells, cells: 0, matches: 0 })
  matches.spend({ sections: 0, cells: 0, matches: CAPS.searchBurstCells })
  assert.ok(sections.debt > 0 && matches.debt > sections.debt)
})

test('a bot has one share, whichever program searches', () => {
  const bot = {}
  assert.equal(searchBudget(bot), searchBudget(bot))
  assert.notEqual(searchBudget(bot), searchBudget({}))
})
