'use strict'
/** Experience (minecraft.wiki, "Experience"): points fill levels, each longer than the last. */

/** @typedef {import('../../player').Player} Player */

/** Return the points from a level to the next. @param {number} level @returns {number} */
function levelCost (level) {
  return level >= 30 ? 112 + (level - 30) * 9 : level >= 15 ? 37 + (level - 15) * 5 : 7 + level * 2
}

/** @param {Player} player @param {number} points */
function addPoints (player, points) {
  const xp = player.experience
  xp.total = Math.max(0, xp.total + points)
  xp.progress += points / levelCost(xp.level)
  while (xp.progress >= 1) {
    const over = (xp.progress - 1) * levelCost(xp.level)
    xp.level++
    xp.progress = over / levelCost(xp.level)
  }
  while (xp.progress < 0) {
    const under = xp.progress * levelCost(xp.level)
    if (xp.level === 0) xp.progress = 0
    else {
      xp.level--
      xp.progress = 1 + under / levelCost(xp.level)
    }
  }
  player.world.emit('experience', { player })
}

/** Add or remove whole levels; the minimum is 0. @param {Player} player @param {number} levels */
function addLevels (player, levels) {
  const xp = player.experience
  xp.level += levels
  if (xp.level < 0) player.experience = { level: 0, progress: 0, total: 0 }
  player.world.emit('experience', { player })
}

module.exports = { levelCost, addPoints, addLevels }
