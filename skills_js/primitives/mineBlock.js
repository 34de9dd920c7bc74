'use strict'
const { named } = require('../bot_facade/errors')
const { note } = require('../bot_facade/actions')
const { blockNamed, wholeCount } = require('./support/check')
const { describe, gained, itemCounts } = require('./support/counts')
const { collectDrops } = require('./collectDrops')
const { REACH, comeToReach, digs, eyeDistance } = require('./support/reach')
const { breakBlock } = require('./support/dig')

const SEARCH_DISTANCE = 48
/** Distance within which drops are counted, in blocks: they fly up to about two blocks. */
const DROP_DISTANCE = 6
/** Distance from the eye to the block that the bot walks to. */
const WORKING_DISTANCE = 3
/** Ticks until a drop shows: one after the block is gone, and one for the network. */
const DROP_TICKS = 2
/** Ticks by which a lagging server may break a block late; the drop comes then. */
const LATE_TICKS = 10
/** Blocks that drop by chance or not at all: nothing to wait for. */
const MAY_DROP_NOTHING = /leaves|mushroom_block|mushroom_stem|glass|(^|_)ice$|grass$|fern|vine|cobweb|dead_bush|spawner/
/** Blocks that fall when what carried them is gone. */
const FALLS = /(^|_)(sand|gravel|anvil)$|_concrete_powder$|^dragon_egg$/
/** Ticks of the server's age until a block falls that nothing carries: two, and twenty between two reports of it. */
const LOOSE_TICKS = 22
/** Ticks for a fall from the height of a tower to the ground. */
const FALL_TICKS = 100
const SIDES = [[0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, -1, 0]]
/** Tries per block: another one helps when another player's block update crossed ours; a third never did. */
const TRIES = 2

/**
 * Mine blocks of one kind, nearest first: takes the fastest tool of the inventory that harvests it, walks there, digs,
 * and picks up the drops. A block that another player takes first is skipped for the next one.
 * @param {Bot} bot
 * @param {string} name - block name, e.g. "iron_ore" (not the item "raw_iron")
 * @param {number} [count=1] - blocks to mine
 * @returns {Promise<{mined: number, obtained: Object}>} blocks that this bot broke, and item name -> count of what came
 *   into the inventory; `mined` is below `count` when there were no more
 * @throws {NoTool} nothing in the inventory harvests it; names the tools that do
 * @throws {BlockNotFound} not one such block within 48 blocks
 * @throws {NoPath} there are some, but not one can be reached
 * @throws {InventoryFull} no room for the drops
 * @throws {UnknownName} no such block exists; suggests the nearest names
 * @example const { mined, obtained } = await mineBlock(bot, "iron_ore", 3)
 */
async function mineBlock (bot, name, count = 1) {
  const type = blockNamed(bot, name)
  const wanted = wholeCount(count, 'count')
  const before = itemCounts(bot)
  /** @type {Map<string, {tries: number, error: Error}>} */
  const failed = new Map()
  let mined = 0
  let uncollected = 0
  let held = before
  while (mined < wanted) {
    const block = nextBlock(bot, type, failed)
    if (block === null && mined > 0 && FALLS.test(type.name) && await landed(bot, type, failed)) continue
    if (block === null) break
    if (uncollected > 0 && eyeDistance(bot, block.position) > REACH) {
      await pickUpDrops(bot, type, uncollected, held)
      uncollected = 0
      held = itemCounts(bot)
    }
    if (!await mineOne(bot, block, failed)) continue
    mined++
    uncollected++
  }
  if (uncollected > 0) await pickUpDrops(bot, type, uncollected, held)
  return outcome(bot, type, { wanted, mined, obtained: gained(before, itemCounts(bot)), failed })
}

/**
 * Wait for blocks that fall.
 * @param {Bot} bot
 * @param {any} type - mcData's entry of the block
 * @param {Map<string, {tries: number, error: Error}>} failed
 * @returns {Promise<boolean>} whether one has landed
 */
async function landed (bot, type, failed) {
  const falling = () => Object.values(bot.entities).some((entity) => entity.name === 'falling_block' &&
    bot.entity.position.distanceTo(entity.position) <= SEARCH_DISTANCE)
  let quiet = bot.time.age
  for (let tick = 0; tick < FALL_TICKS && bot.time.age - quiet <= LOOSE_TICKS; tick++) {
    await bot.waitForTicks(1)
    if (nextBlock(bot, type, failed) !== null) return true
    if (falling()) quiet = bot.time.age
  }
  return false
}

/**
 * @param {Bot} bot
 * @param {any} type - mcData's entry of the block
 * @param {number} blocks - broken since the last time
 * @param {Record<string, number>} held - item name -> count at the last time
 * @returns {Promise<void>}
 * @throws {InventoryFull}
 */
async function pickUpDrops (bot, type, blocks, held) {
  await bot.waitForTicks(DROP_TICKS)
  const certain = type.drops.length > 0 && !MAY_DROP_NOTHING.test(type.name)
  for (let tick = 0; certain && tick < LATE_TICKS && shown(bot, held) < blocks; tick++) await bot.waitForTicks(1)
  await collectDrops(bot, DROP_DISTANCE)
}

/**
 * @param {Bot} bot
 * @param {Record<string, number>} held - item name -> count before
 * @returns {number} items that lie near or have come into the inventory
 */
function shown (bot, held) {
  const drops = Object.values(bot.entities).filter((entity) => entity.name === 'item' &&
    bot.entity.position.distanceTo(entity.position) <= DROP_DISTANCE)
  const lying = drops.reduce((sum, entity) => sum + (entity.getDroppedItem()?.count ?? 0), 0)
  return Object.values(gained(held, itemCounts(bot))).reduce((sum, count) => sum + count, lying)
}

/**
 * Return the nearest block that is still worth a try: visible blocks come first, so that mounds are taken from outside.
 * @param {Bot} bot
 * @param {any} type - mcData's entry of the block
 * @param {Map<string, {tries: number, error: Error}>} failed
 * @returns {any} a block or null
 */
function nextBlock (bot, type, failed) {
  /** @type {any[]} */
  const found = bot.findBlocks({ matching: type.id, maxDistance: SEARCH_DISTANCE, count: 64 })
  const open = found.filter((position) => (failed.get(String(position))?.tries ?? 0) < TRIES)
  const near = open.filter((position) => eyeDistance(bot, position) <= REACH).map((position) => bot.blockAt(position))
  const seen = near.find((block) => block !== null && bot.canSeeBlock(block))
  if (seen !== undefined) return seen
  const exposed = digs(bot)
    ? open.find((position) => !besideLava(bot, position))
    : open.find((position) => isExposed(bot, position)) ?? open[0]
  return exposed === undefined ? null : bot.blockAt(exposed)
}

/**
 * @param {Bot} bot
 * @param {any} position
 * @returns {boolean} whether one of the six sides is free, so that there is a way to see the block
 */
function isExposed (bot, position) {
  return SIDES.some(([x, y, z]) => bot.blockAt(position.offset(x, y, z))?.boundingBox === 'empty')
}

/**
 * @param {Bot} bot
 * @param {any} position
 * @returns {boolean} whether whoever digs it up lets lava out
 */
function besideLava (bot, position) {
  return SIDES.some(([x, y, z]) => bot.blockAt(position.offset(x, y, z))?.name === 'lava')
}

/**
 * @param {Bot} bot
 * @param {Block} block
 * @param {Map<string, {tries: number, error: Error}>} failed - is told what did not work
 * @returns {Promise<boolean>} whether this bot broke it
 */
async function mineOne (bot, block, failed) {
  try {
    await bot.tool.equipForBlock(block, { requireHarvest: true })
    await comeToReach(bot, block.position, WORKING_DISTANCE)
    await breakBlock(bot, block)
    return true
  } catch (error) {
    const final = error.name === 'NoPath'
    if (!final && !['NotReached', 'BlockGone', 'NotBroken', 'OutOfReach', 'TimedOut'].includes(error.name)) throw error
    // It fell; another one may come to rest in the same place.
    if (error.name === 'BlockGone' && FALLS.test(block.name)) return false
    const key = String(block.position)
    failed.set(key, { tries: final ? TRIES : (failed.get(key)?.tries ?? 0) + 1, error })
    return false
  }
}

/**
 * @param {Bot} bot
 * @param {any} type
 * @param {{wanted: number, mined: number, obtained: Record<string, number>, failed: Map<string, {error: Error}>}} end
 * @returns {{mined: number, obtained: Record<string, number>}}
 */
function outcome (bot, type, { wanted, mined, obtained, failed }) {
  if (mined === 0) {
    const problem = [...failed.values()].map((entry) => entry.error).find((error) => error.name !== 'BlockGone')
    if (problem) throw problem
    throw named('BlockNotFound', `no ${type.name} within ${SEARCH_DISTANCE} blocks of ${bot.entity.position.floored()}`)
  }
  if (mined < wanted) {
    note(bot, `mined ${mined} of ${wanted} ${type.name}: no more within reach; obtained ${describe(obtained)}`)
  }
  return { mined, obtained }
}

module.exports = { mineBlock }
