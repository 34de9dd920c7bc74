'use strict'

/** @typedef {import('./live_bot').LiveBot} LiveBot */
/**
 * Corrections of mineflayer-pathfinder's towers. It places a block below itself as soon as its jump begins, after
 * turning the head for half a second. By then the body may be on its way down and land inside the block, more often on
 * a busy machine.
 */

/** Ticks that a jump may take to get high enough; after that the block is placed anyway. */
const JUMP_TICKS = 40
/** Half a body plus half a block: a body nearer than this to the middle of a block, along an axis, is in its cell. */
const BESIDE = 0.8

/**
 * Begin paths from the top of a block that was just placed. A bot that has put a block below itself searches again
 * while it is still in the air, often with its feet inside the block; a path from there would lead the tower astray.
 * @param {LiveBot} bot - mineflayer's, with its pathfinder
 */
function mendStart (bot) {
  const { getPathFromTo } = bot.pathfinder
  /** @type {(movements: any, from: any, goal: any, options?: any) => any} */
  bot.pathfinder.getPathFromTo = (movements, from, goal, options) => {
    const inside = !bot.entity.onGround && movements.getBlock(from.floored(), 0, 0, 0).physical
    return getPathFromTo(movements, inside ? from.offset(0, 1, 0) : from, goal, options)
  }
}

/**
 * Place a block below a jumping body only when the server has the body above that cell, too.
 * @param {LiveBot} bot - mineflayer's, with its pathfinder
 */
function mendTower (bot) {
  const { placeBlock } = bot
  bot.placeBlock = async (/** @type {any} */ reference, /** @type {any} */ face) => {
    const target = reference.position.plus(face)
    if (bot.pathfinder.isBuilding() && standsIn(bot, target)) {
      await bot.lookAt(reference.position.offset(0.5, 1, 0.5), true)
      await above(bot, target)
    }
    return placeBlock(reference, face)
  }
}

/** @param {LiveBot} bot @param {any} cell */
function standsIn (bot, cell) {
  const { x, z } = bot.entity.position
  return Math.abs(x - cell.x - 0.5) < BESIDE && Math.abs(z - cell.z - 0.5) < BESIDE && bot.controlState.jump
}

/**
 * @param {LiveBot} bot
 * @param {any} cell
 * @returns {Promise<void>} once the bot was above it for a whole tick, so that the server was told so
 */
function above (bot, cell) {
  return new Promise((resolve) => {
    let high = 0
    let ticks = 0
    const look = () => {
      high = bot.entity.position.y >= cell.y + 1 ? high + 1 : 0
      if (high < 2 && ++ticks < JUMP_TICKS) return
      bot.removeListener('physicsTick', look)
      resolve()
    }
    bot.on('physicsTick', look)
  })
}

module.exports = { mendStart, mendTower }
