/** Counts of items in the inventory, by name: primitives derive from them what an action really gave. */
'use strict'

/**
 * @param {Bot} bot
 * @returns {Record<string, number>} item name -> count
 */
function itemCounts (bot) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const item of bot.inventory.items()) counts[item.name] = (counts[item.name] ?? 0) + item.count
  return counts
}

/**
 * @param {Record<string, number>} before
 * @param {Record<string, number>} after
 * @returns {Record<string, number>} what there is more of in `after`
 */
function gained (before, after) {
  /** @type {Record<string, number>} */
  const more = {}
  for (const name of Object.keys(after)) {
    const change = after[name] - (before[name] ?? 0)
    if (change > 0) more[name] = change
  }
  return more
}

/**
 * @param {Record<string, number>} counts
 * @returns {string} '3 raw_iron, 1 stick' or 'nothing'
 */
function describe (counts) {
  const parts = Object.keys(counts).filter((name) => counts[name] > 0).map((name) => `${counts[name]} ${name}`)
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

/**
 * @param {readonly any[]} items
 * @returns {Record<string, number>} item name -> count
 */
function countsOf (items) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const item of items) counts[item.name] = (counts[item.name] ?? 0) + item.count
  return counts
}

module.exports = { countsOf, describe, gained, itemCounts }
