'use strict'
/**
 * Simple strongholds: only the room with the end portal, three of them at 1280 to 2816 blocks from the origin, like
 * vanilla's first ring.
 */
const { ON } = require('./canvas')
const { diceAt } = require('./dice')

const COUNT = 3
const SALT = 7200
const HALF = 6
const TALL = 7
const EYE = 0.1

/** @param {number} seed @returns {{ x: number, y: number, z: number }[]} the middles of the portals */
function strongholds (seed) {
  const dice = diceAt(seed, 0, 0, SALT)
  const turn = dice.next() * Math.PI * 2
  return Array.from({ length: COUNT }, (_, i) => {
    const far = dice.int(1280, 2816)
    const angle = turn + i * Math.PI * 2 / COUNT
    return { x: Math.round(Math.cos(angle) * far), y: dice.int(-20, 20), z: Math.round(Math.sin(angle) * far) }
  })
}

/**
 * @param {import('./canvas').Canvas} canvas
 * @param {import('../data').GameData} data
 * @param {number} seed
 * @param {{ x: number, y: number, z: number }[]} places
 */
function drawStrongholds (canvas, data, seed, places) {
  for (const place of places) {
    if (canvas.shows(place.x - HALF, place.z - HALF, place.x + HALF, place.z + HALF)) draw(canvas, data, seed, place)
  }
}

/**
 * @param {import('./canvas').Canvas} canvas
 * @param {import('../data').GameData} data
 * @param {number} seed
 * @param {{ x: number, y: number, z: number }} at
 */
function draw (canvas, data, seed, { x, y, z }) {
  const dice = diceAt(seed, x, z, SALT + 1)
  const bricks = ['stone_bricks', 'stone_bricks', 'stone_bricks', 'mossy_stone_bricks',
    'cracked_stone_bricks'].map((name) => data.stateId(name))
  const put = (/** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ dz,
    /** @type {number} */ state) => canvas.put(x + dx, y + dy, z + dz, state, ON.ANYTHING)
  for (let dy = -3; dy <= TALL - 2; dy++) {
    for (let dz = -HALF; dz <= HALF; dz++) {
      for (let dx = -HALF; dx <= HALF; dx++) {
        const wall = dy === -3 || dy === TALL - 2 || Math.max(Math.abs(dx), Math.abs(dz)) === HALF
        const brick = dice.pick(bricks)
        put(dx, dy, dz, wall ? brick : 0)
      }
    }
  }
  for (let dx = -2; dx <= 2; dx++) {
    for (let dz = -2; dz <= 2; dz++) {
      for (const dy of [-2, -1]) {
        put(dx, dy, dz, Math.max(Math.abs(dx), Math.abs(dz)) === 2 ? bricks[0] : data.stateId('lava'))
      }
    }
  }
  for (const [facing, sx, sz] of /** @type {[string, number, number][]} */ ([['south', 0, -2], ['north', 0, 2],
    ['east', -2, 0], ['west', 2, 0]])) {
    for (let i = -1; i <= 1; i++) {
      put(sx || i, 0, sz || i, data.stateId('end_portal_frame', { facing, eye: dice.chance(EYE) }))
    }
  }
}

module.exports = { strongholds, drawStrongholds }
