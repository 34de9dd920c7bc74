'use strict'
/** Sight and reach of bots on servers. */
const { Vec3 } = require('vec3')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const EYE_HEIGHT = 1.62
/** mineflayer's own bound for digging, from the eye to the block's middle. */
const REACH = 5.1

/**
 * Return true if one face of the block, or its middle, is seen from the eye with nothing in between.
 * @param {LiveBot} bot
 * @param {any} eye
 * @param {any} position - the block's
 * @param {number} [range]
 * @returns {boolean}
 */
function seesBlock (bot, eye, position, range = 64) {
  const middle = position.offset(0.5, 0.5, 0.5)
  const toEye = eye.minus(middle)
  const targets = [middle]
  for (const axis of /** @type {const} */ (['x', 'y', 'z'])) {
    if (Math.abs(toEye[axis]) <= 0.5) continue
    const face = middle.clone()
    face[axis] += Math.sign(toEye[axis]) * 0.499
    targets.push(face)
  }
  return targets.some((target) => rayHits(bot, eye, target, position, range))
}

/**
 * @param {LiveBot} bot
 * @param {any} eye
 * @param {any} target - a point of the block
 * @param {any} position - the block's
 * @param {number} range
 * @returns {boolean}
 */
function rayHits (bot, eye, target, position, range) {
  const direction = target.minus(eye)
  const distance = direction.norm()
  if (distance > range + 1) return false
  /** @type {{ position: import('vec3').Vec3 } | null | undefined} */
  const hit = /** @type {any} */ (bot.world).raycast(eye, direction.normalize(), distance + 0.5)
  return hit !== null && hit !== undefined && hit.position.equals(position)
}

/**
 * @param {LiveBot} bot
 * @returns {any} where its eye is
 */
function eyeOf (bot) {
  return bot.entity.position.offset(0, EYE_HEIGHT, 0)
}

/**
 * @param {LiveBot} bot
 * @param {any} position - a block's
 * @returns {number} blocks from the eye to the block's middle
 */
function eyeDistance (bot, position) {
  return eyeOf(bot).distanceTo(position.offset(0.5, 0.5, 0.5))
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {any}
 */
function point (x, y, z) {
  return new Vec3(x, y, z)
}

module.exports = { EYE_HEIGHT, REACH, eyeDistance, eyeOf, point, seesBlock }
