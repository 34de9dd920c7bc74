'use strict'
/**
 * Poses of players (minecraft.wiki, "Swimming", "Crawling", "Sneaking"): who sprints with its head under water swims; who has no room to stand
 * crouches or crawls.
 */
const { blocked, bodyBox } = require('../../geometry')

/** @typedef {import('../../player').Player} Player */
/** @typedef {'standing' | 'sneaking' | 'swimming' | 'gliding'} Pose */

/** Height of the body and of its eyes. @type {Readonly<Record<Pose, { height: number, eyes: number }>>} */
const POSES = Object.freeze({
  standing: { height: 1.8, eyes: 1.62 }, sneaking: { height: 1.5, eyes: 1.27 }, swimming: { height: 0.6, eyes: 0.4 }, gliding: { height: 0.6, eyes: 0.4 }
})
/** Ticks between two looks at the room around a player that does not move. */
const LOOK_EVERY = 10
/** What blocks may reach into a body without being in its way. */
const SLACK = 1e-3

/** @param {Player} player */
function swims (player) {
  if (!player.sprinting || player.vehicle || player.sleeping || player.inside.name !== 'water') return false
  if (player.swimming) return true
  const { x, y, z } = player.eyes
  return player.world.stateAt(Math.floor(x), Math.floor(y), Math.floor(z)).name === 'water' && player.world.stateAt(Math.floor(player.x), Math.floor(player.y), Math.floor(player.z)).name === 'water'
}

/** Whether a player has room for a pose. @param {Player} player @param {Pose} pose */
function fits (player, pose) {
  const box = bodyBox(player, player.width, POSES[pose].height)
  return !blocked(player.world, [box[0] + SLACK, box[1] + SLACK, box[2] + SLACK, box[3] - SLACK, box[4] - SLACK, box[5] - SLACK])
}

/** The pose that a player takes. @param {Player} player @returns {Pose} */
function poseOf (player) {
  const wanted = player.gliding ? 'gliding' : player.swimming ? 'swimming' : player.sneaking ? 'sneaking' : 'standing'
  if (POSES[wanted].height === POSES.swimming.height || player.gamemode === 'spectator' || player.vehicle || player.sleeping || fits(player, wanted)) return wanted
  return fits(player, 'sneaking') ? 'sneaking' : fits(player, 'swimming') ? 'swimming' : wanted
}

/** The posture of one player. */
class Posture {
  /** @param {Player} player */
  constructor (player) {
    this.player = player
    /** @type {Pose} */
    this.pose = 'standing'
    this.x = this.y = this.z = NaN
  }

  get eyes () { return POSES[this.pose].eyes }

  /** Once a tick: a player at rest looks around now and then. */
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

  /** Take the pose that is due, and tell of it. @param {boolean} [changed] whether something else has changed that others see */
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
