/**
 * Implementation of bot.pvp like mineflayer-pvp: follow a target and strike as often as the weapon allows, until it is
 * gone.
 */
'use strict'
const { named } = require('./errors')
const { GoalFollow } = require('./goals')
const { strikeTicks } = require('./weapons')

/** Reach of a hand from feet to feet, in blocks. */
const ATTACK_RANGE = 3
const FOLLOW_RANGE = 2
/** Distance at which a target has escaped, in blocks. */
const VIEW_DISTANCE = 128

/**
 * @param {import('./host').Host} host
 * @param {{pathfinder: any, bot: () => any, emit: (event: string) => void}} parts - emit: tells the program's listeners
 * @returns {any} bot.pvp
 */
function createPvp (host, { pathfinder, bot, emit }) {
  /** @type {any} */
  let target = null

  /** @param {() => void} halt */
  const end = (halt) => {
    if (target === null) return
    target = null
    halt()
    emit('stoppedAttacking')
  }
  const stop = () => end(() => pathfinder.stop())

  /** @param {import('./entity').Entity} enemy */
  const over = (enemy) => !enemy.isValid || enemy.health === 0 || bot().health <= 0 ||
    away(bot(), enemy) > VIEW_DISTANCE

  /** @param {import('./entity').Entity} enemy */
  async function fight (enemy) {
    for (let wait = 0; target === enemy; wait--) {
      if (over(enemy)) return stop()
      if (wait <= 0 && away(bot(), enemy) <= ATTACK_RANGE && await strike(host, enemy)) {
        wait = strikeTicks(bot().heldItem?.name)
        emit('attackedTarget')
      }
      await host.act('waitTicks', 1)
    }
  }

  return {
    attack: async (/** @type {import('./entity').Entity} */ enemy) => {
      if (!Number.isInteger(enemy?.id)) {
        throw named('BadArgument', 'bot.pvp.attack needs an entity, e.g. of bot.nearestEntity; it found none?')
      }
      if (target === enemy) return
      stop()
      target = enemy
      pathfinder.setGoal(new GoalFollow(enemy, FOLLOW_RANGE), true)
      emit('startedAttacking')
      // It goes on by itself; the run's end stops it.
      fight(enemy).catch(() => end(() => {}))
    },
    stop: async () => stop(),
    forceStop: () => end(() => pathfinder.setGoal(null)),
    // A target that is gone is none, even before the next look at it.
    get target () { return target?.isValid ? target : undefined }
  }
}

/** @param {any} bot @param {import('./entity').Entity} enemy @returns {number} blocks */
function away (bot, enemy) { return bot.entity.position.distanceTo(enemy.position) }

/**
 * @param {import('./host').Host} host
 * @param {import('./entity').Entity} enemy - may step out of reach or die meanwhile
 * @returns {Promise<boolean>} whether the blow was struck
 */
async function strike (host, enemy) {
  try {
    await host.act('attack', enemy.id)
    return true
  } catch (error) {
    if (error.name !== 'EntityGone' && error.name !== 'OutOfReach') throw error
    return false
  }
}

module.exports = { createPvp }
