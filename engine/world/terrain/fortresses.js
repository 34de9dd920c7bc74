'use strict'
/**
 * Simple nether fortresses: one per square of 24 columns, a cross of corridors with a platform of blazes at one end and
 * a garden of nether wart at another.
 */
const { ON } = require('./canvas')
const { diceAt } = require('./dice')

const CELL = 24
const SALT = 7100
const ARM = 40
const HALF = 2
const INSIDE = 5

/** @typedef {{ x: number, y: number, z: number }} Fortress its middle */

/** @param {number} seed @param {number} gx @param {number} gz @returns {Fortress} */
function fortressOf (seed, gx, gz) {
  const dice = diceAt(seed, gx, gz, SALT)
  return { x: gx * CELL * 16 + dice.int(ARM + 8, CELL * 16 - ARM - 8), y: dice.int(54, 66),
    z: gz * CELL * 16 + dice.int(ARM + 8, CELL * 16 - ARM - 8) }
}

/**
 * @param {import('./canvas').Canvas} canvas
 * @param {import('../data').GameData} data
 * @param {number} seed
 * @param {number} cx
 * @param {number} cz
 */
function drawFortress (canvas, data, seed, cx, cz) {
  const { x, y, z } = fortressOf(seed, Math.floor(cx / CELL), Math.floor(cz / CELL))
  if (!canvas.shows(x - ARM - 6, z - ARM - 6, x + ARM + 6, z + ARM + 6)) return
  const state = (/** @type {string} */ name) => data.stateId(name)
  const [brick, fence] = [state('nether_bricks'), state('nether_brick_fence')]
  const box = (/** @type {number[]} */ [x0, y0, z0, x1, y1, z1], /** @type {number} */ id) => {
    for (let py = y0; py <= y1; py++) {
      for (let pz = Math.max(z0, canvas.z); pz <= Math.min(z1, canvas.z + 15); pz++) {
        for (let px = Math.max(x0, canvas.x); px <= Math.min(x1, canvas.x + 15); px++) {
          canvas.put(px, py, pz, id, ON.ANYTHING)
        }
      }
    }
  }
  for (const [ax, az] of [[ARM, HALF], [HALF, ARM]]) {
    box([x - ax, y, z - az, x + ax, y + 1, z + az], brick)
    box([x - ax, y + 2, z - az, x + ax, y + 1 + INSIDE, z + az], 0)
  }
  for (const [ax, az] of [[ARM, HALF], [HALF, ARM]]) {
    for (const side of [-1, 1]) {
      for (const [sx, sz] of az === HALF ? [[0, side * HALF]] : [[side * HALF, 0]]) {
        box([x - (sx ? -sx : ax), y + 2, z - (sz ? -sz : az), x + (sx || ax), y + 2, z + (sz || az)], fence)
      }
    }
  }
  box([x - HALF, y + 2, z - HALF, x + HALF, y + 2, z + HALF], 0)
  for (let i = -ARM; i <= ARM; i += 20) {
    for (const [px, pz] of [[x + i, z], [x, z + i]]) box([px - 1, y - 24, pz - 1, px + 1, y - 1, pz + 1], brick)
  }
  box([x + ARM, y, z - 4, x + ARM + 8, y + 1, z + 4], brick)
  box([x + ARM, y + 2, z - 4, x + ARM + 8, y + 6, z + 4], 0)
  canvas.put(x + ARM + 4, y + 2, z, state('spawner'), ON.ANYTHING)
  box([x - 4, y, z + ARM, x + 4, y + 1, z + ARM + 8], brick)
  box([x - 4, y + 2, z + ARM, x + 4, y + 6, z + ARM + 8], 0)
  box([x - 3, y + 1, z + ARM + 2, x + 3, y + 1, z + ARM + 6], state('soul_sand'))
  box([x - 3, y + 2, z + ARM + 2, x + 3, y + 2, z + ARM + 6], data.stateId('nether_wart', { age: 3 }))
}

module.exports = { drawFortress, fortressOf }
