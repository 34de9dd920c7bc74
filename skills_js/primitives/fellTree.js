'use strict'
const { named } = require('../lookalike/errors')
const { show } = require('./support/check')
const { gained, itemCounts } = require('./support/counts')
const { collectDrops } = require('./collectDrops')
const { comeToReach } = require('./support/reach')
const { passing, placesOf } = require('./support/farming')

const LOGS = /^(oak|birch|spruce|jungle|acacia|dark_oak|cherry|mangrove)_log$/
const SEARCH_DISTANCE = 48
const DROP_DISTANCE = 8
const DROP_TICKS = 4
const MOST_LOGS = 64

/**
 * Fell the nearest tree: every log of it that a hand reaches, from the ground up, with the best axe of the inventory, and
 * pick up what falls. What is left in the crown stays; replant with plantSapling.
 * @param {Bot} bot
 * @param {string} [wood] - oak, birch, spruce, jungle, acacia, dark_oak or cherry; left out: any
 * @returns {Promise<{logs: number, obtained: Object}>} logs that were cut, and item name -> count of what came into the
 *   inventory, with saplings and apples that lay about
 * @throws {BadArgument} no such wood
 * @throws {BlockNotFound} no tree within 48 blocks
 * @throws {NoPath} not one log can be reached
 * @throws {InventoryFull} no room for the logs
 * @example const { logs } = await fellTree(bot, "oak")
 */
async function fellTree (bot, wood) {
  const any = wood === undefined || wood === null
  const name = `${wood}_log`
  if (!any && !LOGS.test(name)) throw named('BadArgument', `wood is ${show(wood)}; give oak, birch, spruce, jungle, acacia, dark_oak or cherry`)
  const [first] = placesOf(bot, (block) => any ? LOGS.test(block.name) : block.name === name, undefined, SEARCH_DISTANCE)
  if (first === undefined) throw named('BlockNotFound', `no ${any ? 'tree' : name} within ${SEARCH_DISTANCE} blocks`)
  const before = itemCounts(bot)
  const tree = logsOf(bot, first)
  let logs = 0
  let problem = null
  for (const place of tree) {
    try {
      const block = bot.blockAt(place)
      if (block === null || !LOGS.test(block.name)) continue
      await comeToReach(bot, place, 3)
      await bot.tool.equipForBlock(block, {})
      await bot.dig(block, true)
      logs++
    } catch (error) {
      if (!passing(error) && error.name !== 'NotBroken') throw error
      problem = error
    }
  }
  if (logs === 0 && problem !== null) throw problem
  await bot.waitForTicks(DROP_TICKS)
  await collectDrops(bot, DROP_DISTANCE)
  return { logs, obtained: gained(before, itemCounts(bot)) }
}

/**
 * @param {Bot} bot
 * @param {any} first - one log
 * @returns {any[]} all logs that hang together with it, from the lowest up
 */
function logsOf (bot, first) {
  const seen = new Set([String(first)])
  const found = [first]
  for (let i = 0; i < found.length && found.length < MOST_LOGS; i++) {
    for (let n = 0; n < 27; n++) {
      const at = found[i].offset(n % 3 - 1, Math.floor(n / 9) - 1, Math.floor(n / 3) % 3 - 1)
      if (seen.has(String(at))) continue
      seen.add(String(at))
      if (LOGS.test(bot.blockAt(at)?.name ?? '')) found.push(at)
    }
  }
  return found.sort((a, b) => a.y - b.y)
}

module.exports = { fellTree }
