'use strict'
const { GoalNearXZ } = require('../bot_facade/goals')
const { named } = require('../bot_facade/errors')
const { show } = require('./support/check')
const { gained, itemCounts } = require('./support/counts')
const { collectDrops } = require('./collectDrops')
const { REACH, eyeDistance } = require('./support/reach')
const { passing, placesOf } = require('./support/farming')
const { breakBlock } = require('./support/dig')

const LOGS = /^(oak|birch|spruce|jungle|acacia|dark_oak|cherry|mangrove)_log$/
const LEAVES = /_leaves$/
const SEARCH_DISTANCE = 48
const DROP_DISTANCE = 8
const DROP_TICKS = 4
const MAX_LOGS = 64
const NEAR = 1

/**
 * Fell the nearest tree: every log of it that a hand reaches, from the ground up, with the best axe of the inventory,
 * and pick up what falls. What is left in the crown stays; replant with plantSapling.
 * @param {Bot} bot
 * @param {string} [wood] - oak, birch, spruce, jungle, acacia, dark_oak or cherry; left out: any
 * @returns {Promise<{logs: number, obtained: Object}>} logs that were cut, and item name -> count of what came into the
 *   inventory, with saplings and apples that lay about
 * @throws {BadArgument} no such wood
 * @throws {BlockNotFound} no tree within 48 blocks
 * @throws {NoPath} no way leads to the tree
 * @throws {OutOfReach} not one log is low enough for a hand
 * @throws {InventoryFull} no room for the logs
 * @example const { logs } = await fellTree(bot, "oak")
 */
async function fellTree (bot, wood) {
  const any = wood === undefined || wood === null
  const name = `${wood}_log`
  if (!any && !LOGS.test(name)) {
    throw named('BadArgument', `wood is ${show(wood)}; give oak, birch, spruce, jungle, acacia, dark_oak or cherry`)
  }
  const [
    first
  ] = placesOf(bot, (block) => any ? LOGS.test(block.name) : block.name === name, undefined, SEARCH_DISTANCE)
  if (first === undefined) throw named('BlockNotFound', `no ${any ? 'tree' : name} within ${SEARCH_DISTANCE} blocks`)
  const before = itemCounts(bot)
  const tree = logsOf(bot, first)
  let logs = 0
  let problem = null
  for (const place of tree) {
    try {
      const block = bot.blockAt(place)
      if (block === null || !LOGS.test(block.name)) continue
      await comeUnder(bot, place)
      await bot.tool.equipForBlock(block, {})
      await breakBlock(bot, block)
      logs++
    } catch (error) {
      if (!passing(error) && error.name !== 'NotBroken') throw error
      problem = error
    }
  }
  if (logs === 0 && problem !== null) throw problem
  await clearFoot(bot, tree[0])
  await bot.waitForTicks(DROP_TICKS)
  await collectDrops(bot, DROP_DISTANCE)
  return { logs, obtained: gained(before, itemCounts(bot)) }
}

/**
 * Remove leaves that hang down to a body's head and keep it from drops at the foot of the tree.
 * @param {Bot} bot
 * @param {any} foot - of the lowest log
 */
async function clearFoot (bot, foot) {
  for (let n = 0; n < 50; n++) {
    const at = foot.offset(n % 5 - 2, Math.floor(n / 25), Math.floor(n / 5) % 5 - 2)
    const block = bot.blockAt(at)
    if (block === null || !LEAVES.test(block.name) || eyeDistance(bot, at) > REACH) continue
    try {
      await breakBlock(bot, block)
    } catch (error) {
      if (!passing(error) && error.name !== 'NotBroken') throw error
    }
  }
}

/**
 * Walk to the foot of the tree, if needed: leaves hide a log from the eye, but not from the hand.
 * @param {Bot} bot
 * @param {any} place - of the log
 * @returns {Promise<void>}
 * @throws {OutOfReach} it is too high up
 */
async function comeUnder (bot, place) {
  if (eyeDistance(bot, place) <= REACH) return
  await bot.pathfinder.goto(new GoalNearXZ(place.x, place.z, NEAR))
  if (eyeDistance(bot, place) > REACH) throw named('OutOfReach', `the log at ${place} is too high up`)
}

/**
 * @param {Bot} bot
 * @param {any} first - one log
 * @returns {any[]} all logs that hang together with it, from the lowest up
 */
function logsOf (bot, first) {
  const seen = new Set([String(first)])
  const found = [first]
  for (let i = 0; i < found.length && found.length < MAX_LOGS; i++) {
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
