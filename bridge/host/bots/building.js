'use strict'
/**
 * Towers: mineflayer-pathfinder puts a block below itself as soon as its jump has begun, after a turn of the head that
 * takes half a second. Then the body may be on its way down already and land inside of the block, on a busy machine
 * more often.
 */

/** Ticks that a jump may take to come high enough; then the block is put all the same. */
const JUMP_TICKS = 40
/** Half a body, and half a block: nearer than this to a block's middle, along an axis, a body is in its cell. */
const BESIDE = 0.8

/**
 * A bot that has put a block below itself looks for its way anew while it is still in the air, often with its feet
 * inside of that block. It begins from on top of it, where it is about to stand: otherwise a tower wanders off to the
 * side.
 * @param {any} bot - mineflayer's, with its pathfinder
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
 * What is put below a jumping body is put when the server, too, has it above that place.
 * @param {any} bot - mineflayer's, with its pathfinder
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

/** @param {any} bot @param {any} cell */
function standsIn (bot, cell) {
  const { x, z } = bot.entity.position
  return Math.abs(x - cell.x - 0.5) < BESIDE && Math.abs(z - cell.z - 0.5) < BESIDE && bot.controlState.jump
}

/**
 * @param {any} bot
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
