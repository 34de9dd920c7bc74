'use strict'
/** Scoreboard criteria that follow a player's state, such as `health` and `food`. */

/** @param {import('../../player').Player} player */
function mirrorScores (player) {
  const { scoreboard } = player.world
  if (scoreboard.objectives.size === 0) return
  const mirror = (/** @type {string} */ criteria, /** @type {number} */ value) =>
    scoreboard.mirror(criteria, player.name, Math.ceil(value))
  mirror('health', player.health + player.absorption)
  mirror('food', player.food)
  mirror('air', player.air)
  mirror('armor', player.armour[0])
  mirror('level', player.experience.level)
  mirror('xp', player.experience.total)
}

module.exports = { mirrorScores }
