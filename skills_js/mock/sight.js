'use strict'
const { length3 } = require('../../engine/lengths')
/**
 * Lines of sight in the mock world: what a ray from an eye meets first.
 *
 * @module skills_js/mock/sight
 */
const EYE_HEIGHT = 1.62

/**
 * @typedef {{x: number, y: number, z: number}} Point
 * @typedef {{x: number, y: number, z: number, face: number}} Hit a block's cell, and the face that the ray enters by (0
 *   down, 1 up, 2 north, 3 south, 4 west, 5 east)
 */

/** Faces by axis: entered when going in the positive direction, and in the negative one. */
const FACES = [[4, 5], [0, 1], [2, 3]]

/**
 * Return the first block whose boxes a ray meets.
 * @param {import('../../engine/body/physics').Space} space
 * @param {Point} from
 * @param {Point} to the ray goes through this point
 * @param {number} reach how far, in blocks
 * @returns {Hit | null}
 */
function firstHit (space, from, to, reach) {
  const length = length3(to.x - from.x, to.y - from.y, to.z - from.z)
  if (length === 0) return null
  const origin = [from.x, from.y, from.z]
  const way = [(to.x - from.x) / length, (to.y - from.y) / length, (to.z - from.z) / length]
  const cell = origin.map(Math.floor)
  const sign = way.map(Math.sign)
  const next = way.map((part, axis) => part === 0 ? Infinity : (cell[axis] + (part > 0 ? 1 : 0) - origin[axis]) / part)
  const stride = way.map((part) => part === 0 ? Infinity : Math.abs(1 / part))
  for (let travelled = 0; travelled <= reach;) {
    const state = space.stateAt(cell[0], cell[1], cell[2])
    const face = state === 0 ? -1 : entry(space.table.boxesOf(state), cell, origin, way, reach)
    if (face >= 0) return { x: cell[0], y: cell[1], z: cell[2], face }
    const axis = next[0] < next[1] ? (next[0] < next[2] ? 0 : 2) : (next[1] < next[2] ? 1 : 2)
    travelled = next[axis]
    cell[axis] += sign[axis]
    next[axis] += stride[axis]
  }
  return null
}

/**
 * @param {Float64Array} boxes of the cell's block
 * @param {number[]} cell
 * @param {number[]} origin
 * @param {number[]} way unit vector
 * @param {number} reach
 * @returns {number} the face by which the ray enters the nearest box; -1 when it meets none within reach
 */
function entry (boxes, cell, origin, way, reach) {
  let best = -1
  let nearest = reach
  for (let box = 0; box < boxes.length; box += 6) {
    let near = -Infinity; let far = Infinity; let face = 1
    for (let axis = 0; axis < 3; axis++) {
      const low = boxes[box + axis] +
        cell[axis] - origin[axis]; const high = boxes[box + 3 + axis] + cell[axis] - origin[axis]
      if (way[axis] === 0) {
        if (low > 0 || high < 0) { near = Infinity; break }
        continue
      }
      const enter = (way[axis] > 0 ? low : high) / way[axis]
      const leave = (way[axis] > 0 ? high : low) / way[axis]
      if (enter > near) { near = enter; face = FACES[axis][way[axis] > 0 ? 0 : 1] }
      far = Math.min(far, leave)
    }
    if (near <= far && far >= 0 && near <= nearest) { nearest = near; best = face }
  }
  return best
}

/**
 * Return true if the middle of a block, or of a face turned towards the eye, is seen with nothing in between.
 * @param {import('../../engine/body/physics').Space} space
 * @param {Point} eye
 * @param {Point} block its cell
 * @param {number} [range] in blocks
 * @returns {boolean}
 */
function seesBlock (space, eye, block, range = 64) {
  return seenPoints(eye, block).some((target) => {
    const distance = length3(target.x - eye.x, target.y - eye.y, target.z - eye.z)
    if (distance > range + 1) return false
    const hit = firstHit(space, eye, target, distance + 0.5)
    return hit !== null && hit.x === block.x && hit.y === block.y && hit.z === block.z
  })
}

/**
 * @param {Point} eye
 * @param {Point} block
 * @returns {Point[]} its middle, then the middles of the faces towards the eye
 */
function seenPoints (eye, block) {
  const middle = { x: block.x + 0.5, y: block.y + 0.5, z: block.z + 0.5 }
  const points = [middle]
  for (const axis of /** @type {const} */ (['x', 'y', 'z'])) {
    const away = eye[axis] - middle[axis]
    if (Math.abs(away) > 0.5) points.push({ ...middle, [axis]: middle[axis] + Math.sign(away) * 0.499 })
  }
  return points
}

/**
 * @param {Point} eye
 * @param {Point} block its cell
 * @returns {number} blocks from the eye to the block's middle
 */
function eyeDistance (eye, block) {
  return length3(block.x + 0.5 - eye.x, block.y + 0.5 - eye.y, block.z + 0.5 - eye.z)
}

module.exports = { EYE_HEIGHT, eyeDistance, firstHit, seesBlock }
