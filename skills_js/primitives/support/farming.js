/** Common parts of farming and herding primitives: finding fitting blocks and mobs, and using an item on them. */
'use strict'
const { GoalFollow, GoalNear } = require('../../bot_facade/goals')
const { named } = require('../../bot_facade/errors')
const { describe, itemCounts } = require('./counts')
const { REACH, comeToReach, eyeDistance } = require('./reach')

const SEARCH_DISTANCE = 32
/** Distance from the body to an animal for using an item on it, in blocks. */
const HAND_DISTANCE = 2
/** Ticks for one more try to come near a walking animal. */
const CHASE_TICKS = 200
const LOOK_TICKS = 5
/** Distance from the feet to a plant that the bot walks to, in blocks. */
const NEAR_PLANT = 3
/** Longest wait for the server's answer to a use, in ticks; it is checked every second tick. */
const ANSWER_TICKS = 20
const ANSWER_LOOK = 2

/** Crop block -> its seed, and its age when ripe; the first stage has age 0. */
const CROPS = Object.freeze({
  wheat: { seed: 'wheat_seeds', ripe: 7 },
  carrots: { seed: 'carrot', ripe: 7 },
  potatoes: { seed: 'potato', ripe: 7 },
  beetroots: { seed: 'beetroot_seeds', ripe: 3 }
})

/**
 * @param {any} name - a crop, its seed or what it gives
 * @returns {{block: string, seed: string, ripe: number} | null}
 */
function cropOf (name) {
  const plain = typeof name === 'string' ? name.replace(/^minecraft:/, '') : ''
  const alias = {
    carrot: 'carrots', potato: 'potatoes', beetroot: 'beetroots', wheat_seeds: 'wheat', beetroot_seeds: 'beetroots'
  }[plain] ?? plain
  return Object.hasOwn(CROPS, alias) ? { block: alias, ...CROPS[/** @type {keyof typeof CROPS} */ (alias)] } : null
}

/**
 * @param {Bot} bot
 * @param {string} name
 * @returns {Item} the item in the inventory
 * @throws {ItemNotInInventory}
 */
function heldItem (bot, name) {
  const item = bot.inventory.findInventoryItem(bot.registry.itemsByName[name].id)
  if (item === null) {
    throw named('ItemNotInInventory', `no ${name} in the inventory, which holds ${describe(itemCounts(bot))}`)
  }
  return item
}

/**
 * @param {Bot} bot
 * @param {RegExp} pattern - of item names
 * @param {string} what - for the message
 * @returns {Item} the first item that fits
 * @throws {ItemNotInInventory}
 */
function itemLike (bot, pattern, what) {
  const item = bot.inventory.items().find((/** @type {any} */ held) => pattern.test(held.name))
  if (item === undefined) {
    throw named('ItemNotInInventory', `no ${what} in the inventory, which holds ${describe(itemCounts(bot))}`)
  }
  return item
}

/**
 * @param {Bot} bot
 * @param {(block: Block) => boolean} kind - by what the block is
 * @param {(block: Block) => boolean} [here] - by where it stands
 * @param {number} [distance]
 * @returns {any[]} positions, nearest first
 */
function placesOf (bot, kind, here = () => true, distance = SEARCH_DISTANCE) {
  const found = bot.findBlocks({ matching: kind, maxDistance: distance, count: 256 })
  return found.filter((/** @type {any} */ at) => {
    const block = bot.blockAt(at)
    return block !== null && kind(block) && here(block)
  })
}

/**
 * @param {Bot} bot
 * @param {any} position
 * @returns {boolean} whether nothing is on the block
 */
function openAbove (bot, position) {
  return bot.blockAt(position.offset(0, 1, 0))?.name === 'air'
}

/**
 * Walk to where a hand reaches a plant or door: the eye sees through blocks without a body, so sight does not matter
 * there.
 * @param {Bot} bot
 * @param {any} position - of the block
 * @returns {Promise<void>}
 * @throws {NoPath}
 */
async function comeToUse (bot, position) {
  const block = bot.blockAt(position)
  const bodiless = block !== null && (block.boundingBox === 'empty' || block.getProperties().open !== undefined)
  if (!bodiless) return comeToReach(bot, position)
  if (eyeDistance(bot, position) <= REACH) return
  await bot.pathfinder.goto(new GoalNear(position.x, position.y, position.z, NEAR_PLANT))
}

/**
 * Take an item into the hand and use it on a block.
 * @param {Bot} bot
 * @param {Item} item
 * @param {any} position - of the block
 * @param {() => boolean} [done] - what the use has to bring about. Without it any change of block or hand counts; a
 *   server tells both apart, and what it tells of the hand may be about an earlier act.
 * @returns {Promise<any>} the block afterwards
 */
async function useOn (bot, item, position, done) {
  await comeToUse(bot, position)
  await bot.equip(item, 'hand')
  const block = bot.blockAt(position)
  const states = () => `${bot.blockAt(position)?.stateId} ${handOf(bot)}`
  const before = states()
  await bot.activateBlock(block)
  await answered(bot, done ?? (() => states() !== before))
  return bot.blockAt(position)
}

/** @param {Bot} bot @returns {string} what is in the hand, with its wear */
const handOf = (bot) => {
  const item = bot.heldItem
  return `${item?.name} ${item?.count} ${JSON.stringify(item?.nbt ?? null)} ${item?.durabilityUsed ?? 0}`
}

/**
 * Wait for the server's answer: until something has changed, or nothing will.
 * @param {Bot} bot
 * @param {() => boolean} changed
 * @param {number} [ticks]
 */
async function answered (bot, changed, ticks = ANSWER_TICKS) {
  await bot.waitForTicks(1)
  for (let tick = 0; tick < ticks && !changed(); tick += ANSWER_LOOK) await bot.waitForTicks(ANSWER_LOOK)
}

/**
 * Walk to a mob until a hand reaches it.
 * @param {Bot} bot
 * @param {Entity} mob
 * @param {number} [range]
 * @returns {Promise<void>}
 * @throws {EntityGone}
 * @throws {NotReached}
 */
async function comeToMob (bot, mob, range = HAND_DISTANCE) {
  const near = () => bot.entity.position.distanceTo(mob.position) <= range + 0.5
  if (near()) return
  try {
    await bot.pathfinder.goto(new GoalNear(mob.position.x, mob.position.y, mob.position.z, range))
  } catch (error) {
    if (!['NoPath', 'NotReached', 'TimedOut'].includes(error.name) || !mob.isValid) throw error
  }
  if (near()) return
  bot.pathfinder.setGoal(new GoalFollow(mob, range), true)
  try {
    for (let ticks = 0; mob.isValid && !near(); ticks += LOOK_TICKS) {
      if (ticks >= CHASE_TICKS) {
        throw named('NotReached', `${mob.username ?? mob.name} at ${mob.position.floored()} could not be reached`)
      }
      await bot.waitForTicks(LOOK_TICKS)
    }
  } finally {
    bot.pathfinder.setGoal(null)
  }
  if (!mob.isValid) throw named('EntityGone', `the ${mob.name} is gone`)
}

/**
 * Mobs of a kind, the nearest first.
 * @param {Bot} bot
 * @param {string} name
 * @param {number} [distance]
 * @returns {any[]}
 * @throws {MobNotFound} there is none
 */
function mobsOf (bot, name, distance = SEARCH_DISTANCE) {
  const away = (/** @type {any} */ mob) => bot.entity.position.distanceTo(mob.position)
  const mobs = Object.values(bot.entities)
    .filter((mob) => mob.name === name && mob.username === null && away(mob) <= distance)
  if (mobs.length === 0) throw named('MobNotFound', `no ${name} within ${distance} blocks`)
  return mobs.sort((a, b) => away(a) - away(b))
}

/**
 * Use an item in the hand on a mob.
 * @param {Bot} bot
 * @param {Entity} mob
 * @param {Item} item
 * @returns {Promise<void>}
 */
async function useOnMob (bot, mob, item) {
  await comeToMob(bot, mob)
  await bot.equip(item, 'hand')
  const before = `${handOf(bot)} ${bot.inventory.items().length}`
  await bot.activateEntity(mob)
  await answered(bot, () => `${handOf(bot)} ${bot.inventory.items().length}` !== before)
}

/**
 * @param {Bot} bot
 * @param {any} name
 * @returns {Entity} the player's entity
 * @throws {UnknownPlayer}
 * @throws {NotReached} out of sight
 */
function playerNamed (bot, name) {
  const others = Object.keys(bot.players).filter((other) => other !== bot.username)
  if (typeof name !== 'string' || !Object.hasOwn(bot.players, name) || name === bot.username) {
    throw named(
      'UnknownPlayer',
      `no other player ${JSON.stringify(String(name).slice(0, 40))} is here; players: ${others.join(', ') || 'none'}`
    )
  }
  const { entity } = bot.players[name]
  if (entity === null || entity === undefined) throw named('NotReached', `${name} is too far away to be seen`)
  return entity
}

/**
 * Return true for failures after which a primitive continues with the next block or mob.
 * @param {any} error
 * @returns {boolean}
 */
const passing = (error) => ['NoPath', 'NotReached', 'OutOfReach', 'EntityGone', 'BlockGone', 'TimedOut'].includes(
  error.name
)

module.exports = {
  CROPS, SEARCH_DISTANCE, answered, comeToMob, comeToUse, cropOf, heldItem, itemLike, mobsOf, openAbove, passing,
  placesOf, playerNamed, useOn, useOnMob
}
