'use strict'
/**
 * Poses of players (minecraft.wiki, "Swimming", "Crawling", "Sneaking"): a player who sprints with its head under water
 * swims; a player without room to stand crouches or crawls.
 */
const { blocked, bodyBox } = require('../../geometry')

/** @typedef {import('../../player').Player} Player */
/** @typedef {'standing' | 'sneaking' | 'swimming' | 'gliding'} Pose */

/** Height of the body and of its eyes, in blocks. @type {Readonly<Record<Pose, { height: number, eyes: number }>>} */
const POSES = Object.freeze({
  standing: { height: 1.8, eyes: 1.62 }, sneaking: { height: 1.5, eyes: 1.27 }, swimming: { height: 0.6, eyes: 0.4 },
  gliding: { height: 0.6, eyes: 0.4 }
})
/** Ticks between two checks of the room around a player that does not move. */
const LOOK_EVERY = 10
/** Depth, in blocks, to which blocks may reach into a body without obstructing it. */
const SLACK = 1e-3

/** @param {Player} player */
function swims (player) {
  if (!player.sprinting || player.vehicle || player.sleeping || player.inside.name !== 'water') return false
  if (player.swimming) return true
  const { x, y, z } = player.eyes
  return player.world.stateAt(Math.floor(x), Math.floor(y), Math.floor(z)).name === 'water' &&
    player.world.stateAt(Math.floor(player.x), Math.floor(player.y), Math.floor(player.z)).name === 'water'
}

/** Return true if a player has room for a pose. @param {Player} player @param {Pose} pose @returns {boolean} */
function fits (player, pose) {
  const box = bodyBox(player, player.width, POSES[pose].height)
  return !blocked(player.world,
    [box[0] + SLACK, box[1] + SLACK, box[2] + SLACK, box[3] - SLACK, box[4] - SLACK, box[5] - SLACK])
}

/** Return the pose that a player should take. @param {Player} player @returns {Pose} */
function poseOf (player) {
  const wanted = player.gliding ? 'gliding' : player.swimming ? 'swimming' : player.sneaking ? 'sneaking' : 'standing'
  if (POSES[wanted].height === POSES.swimming.height || player.gamemode === 'spectator' || player.vehicle ||
    player.sleeping || fits(player, wanted)) {
    return wanted
  }
  return fits(player, 'sneaking') ? 'sneaking' : fits(player, 'swimming') ? 'swimming' : wanted
}

/** Pose of one player. */
class Posture {
  /** @param {Player} player */
  constructor (player) {
    this.player = player
    /** @type {Pose} */
    this.pose = 'standing'
    this.x = this.y = this.z = NaN
  }

  get eyes () { return POSES[this.pose].eyes }

  /** Check the room around a resting player now and then. Call it once per tick. */
  tick () {
    const { player } = this
    const swimming = swims(player)
    const moved = player.x !== this.x || player.y !== this.y || player.z !== this.z
    if (swimming === player.swimming && !moved && this.pose !== 'swimming' && player.age % LOOK_EVERY !== 0) return
    this.x = player.x; this.y = player.y; this.z = player.z
    const changed = swimming !== player.swimming
    player.swimming = swimming
    this.update(changed)
  }

  /**
   * Take the due pose and announce it.
   *
   * @param {boolean} [changed] true if something else has changed that others see
   */
  update (changed = false) {
    const { player } = this
    const pose = poseOf(player)
    if (pose === this.pose && !changed) return
    this.pose = pose
    player.height = POSES[pose].height
    player.world.emit('entityMeta', { entity: player })
  }
}

module.exports = { Posture, POSES }
