'use strict'
/** Shapes of trees: trunks and crowns, drawn block by block. A tree reaches at most 8 blocks from its trunk. */
const { ON } = require('./canvas')

/** @typedef {import('./dice').Dice} Dice */
/**
 * @typedef {(pen: Pen, x: number, y: number, z: number, dice: Dice) => void} Shape `y` is the first block of the trunk
 */

/** A pen that draws one tree on one canvas. */
class Pen {
  /**
   * @param {import('./canvas').Canvas} canvas
   * @param {Timber} timber
   */
  constructor (canvas, timber) {
    this.canvas = canvas
    this.timber = timber
  }

  /** @param {number} x @param {number} y @param {number} z @param {'x' | 'y' | 'z'} [axis] */
  log (x, y, z, axis = 'y') { this.canvas.put(x, y, z, this.timber.logs[axis], ON.LEAVES) }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} far steps to the nearest log; leaves further than 6 would decay
   */
  leaf (x, y, z, far) { this.canvas.put(x, y, z, this.timber.leaves[Math.max(1, Math.min(7, far))], ON.AIR) }

  /** Put soil under a trunk. @param {number} x @param {number} y @param {number} z */
  root (x, y, z) { this.canvas.put(x, y, z, this.timber.dirt, ON.SOLID) }

  /** @param {number} x @param {number} y of its foot @param {number} z @param {number} height */
  trunk (x, y, z, height) {
    this.root(x, y - 1, z)
    for (let i = 0; i < height; i++) this.log(x, y + i, z)
  }

  /**
   * Draw a round layer of leaves.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} radius
   * @param {number} up from the nearest log
   * @param {(dx: number, dz: number) => boolean} [skips]
   */
  disc (x, y, z, radius, up, skips = () => false) {
    for (let dx = -radius; dx <= radius; dx++) {
      for (let dz = -radius; dz <= radius; dz++) {
        if (!skips(dx, dz)) this.leaf(x + dx, y, z + dz, Math.abs(dx) + Math.abs(dz) + up)
      }
    }
  }
}

/** The blocks of one wood. */
class Timber {
  /** @param {import('../data').GameData} data @param {string} log @param {string} leaves */
  constructor (data, log, leaves) {
    this.logs = { x: data.stateId(log, { axis: 'x' }), y: data.stateId(log, { axis: 'y' }),
      z: data.stateId(log, { axis: 'z' }) }
    this.leaves = Array.from({ length: 8 }, (_, far) => data.stateId(leaves, { distance: Math.max(1, far) }))
    this.dirt = data.stateId('dirt')
  }
}

/**
 * Draw a crown like an oak's or birch's: two wide layers, two narrow ones.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} top y of the highest log
 * @param {number} z
 * @param {Dice} dice
 * @param {number} [wide]
 */
function crown (pen, x, top, z, dice, wide = 2) {
  for (let dy = -2; dy <= 1; dy++) {
    const radius = dy < 0 ? wide : wide - 1
    pen.disc(x, top + dy, z, radius, Math.max(0, dy),
      (dx, dz) => Math.abs(dx) === radius && Math.abs(dz) === radius && (dy === 1 || dice.chance(0.5)))
  }
}

/** @param {number} low @param {number} high @param {number} [wide] @returns {Shape} */
const round = (low, high, wide = 2) => (pen, x, y, z, dice) => {
  const height = dice.int(low, high)
  pen.trunk(x, y, z, height)
  crown(pen, x, y + height - 1, z, dice, wide)
}

/** Draw a big oak: branches with crowns of their own. @type {Shape} */
const fancy = (pen, x, y, z, dice) => {
  const height = dice.int(7, 10)
  pen.trunk(x, y, z, height)
  crown(pen, x, y + height - 1, z, dice)
  for (let i = dice.int(2, 4); i > 0; i--) {
    const [dx, dz] = dice.pick([[1, 0], [-1, 0], [0, 1], [0, -1]])
    const length = dice.int(2, 3)
    const from = y + dice.int(3, height - 3)
    for (let n = 1; n <= length; n++) pen.log(x + dx * n, from + (n > 1 ? 1 : 0), z + dz * n, dx ? 'x' : 'z')
    pen.log(x + dx * length, from + 1, z + dz * length, dx ? 'x' : 'z')
    crown(pen, x + dx * length, from + 1, z + dz * length, dice)
  }
}

/** Draw a spruce: rings that widen and narrow, bare near the ground. @type {Shape} */
const cone = (pen, x, y, z, dice) => {
  const height = dice.int(6, 9)
  const bare = dice.int(1, 2)
  const widest = dice.int(2, 3)
  pen.trunk(x, y, z, height)
  pen.leaf(x, y + height, z, 1)
  let radius = 0
  let limit = 1
  for (let at = y + height - 1; at >= y + bare; at--) {
    const now = radius
    pen.disc(x, at, z, now, 0, (dx, dz) => now > 0 && Math.abs(dx) === now && Math.abs(dz) === now)
    if (radius < limit) radius++
    else {
      radius = limit > 1 ? 1 : 0
      limit = Math.min(limit + 1, widest)
    }
  }
}

/** Draw a tall pine: leaves only near the top. @type {Shape} */
const pine = (pen, x, y, z, dice) => {
  const height = dice.int(8, 12)
  pen.trunk(x, y, z, height)
  pen.leaf(x, y + height, z, 1)
  for (let i = 0; i < 4; i++) {
    pen.disc(x, y + height - 1 - i, z, i === 0 || i === 3 ? 1 : 2, 0,
      (dx, dz) => Math.abs(dx) === 2 && Math.abs(dz) === 2)
  }
}

/** Draw a trunk of 2 x 2 under a wide roof. @type {Shape} */
const broad = (pen, x, y, z, dice) => {
  const height = dice.int(6, 8)
  for (const [dx, dz] of [[0, 0], [1, 0], [0, 1], [1, 1]]) {
    // On a slope the low side's foot reaches the ground.
    for (let dy = -3; dy < 0; dy++) pen.log(x + dx, y + dy, z + dz)
    pen.trunk(x + dx, y, z + dz, height)
  }
  for (let dy = -1; dy <= 1; dy++) {
    const reach = dy === 1 ? 2 : dy === 0 ? 4 : 3
    for (let dx = -reach; dx <= reach + 1; dx++) {
      for (let dz = -reach; dz <= reach + 1; dz++) {
        const [ox, oz] = [dx > 0 ? dx - 1 : -dx, dz > 0 ? dz - 1 : -dz]
        if (ox + oz > reach + 1 || (ox === reach && oz === reach)) continue
        pen.leaf(x + dx, y + height - 1 + dy, z + dz, ox + oz + Math.max(0, dy))
      }
    }
  }
}

/** Draw an acacia: bent, with flat crowns. @type {Shape} */
const bent = (pen, x, y, z, dice) => {
  const height = dice.int(5, 7)
  const [dx, dz] = dice.pick([[1, 0], [-1, 0], [0, 1], [0, -1]])
  const bend = height - dice.int(2, 3)
  const lean = dice.int(1, 3)
  pen.root(x, y - 1, z)
  let [tx, tz, left] = [x, z, lean]
  for (let i = 0; i < height; i++) {
    if (i >= bend && left > 0) {
      tx += dx
      tz += dz
      left--
    }
    pen.log(tx, y + i, tz)
  }
  pad(pen, tx, y + height - 1, tz, 3)
  const [ox, oz] = dice.pick([[1, 0], [-1, 0], [0, 1], [0, -1]])
  if (ox === dx && oz === dz) return
  const from = bend - dice.int(1, 2)
  for (let i = 1; i <= 2; i++) pen.log(x + ox * i, y + from + i, z + oz * i)
  pad(pen, x + ox * 2, y + from + 2, z + oz * 2, 2)
}

/**
 * Draw a flat crown of two layers.
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} radius
 */
function pad (pen, x, y, z, radius) {
  pen.disc(x, y, z, radius, 0, (dx, dz) => Math.abs(dx) === radius && Math.abs(dz) === radius)
  pen.disc(x, y + 1, z, radius - 1, 1, (dx, dz) => Math.abs(dx) + Math.abs(dz) > radius)
}

/** Draw a bush: one log, leaves to the ground. @type {Shape} */
const bush = (pen, x, y, z, dice) => {
  pen.trunk(x, y, z, 1)
  pen.disc(x, y, z, 2, 0, (dx, dz) => Math.abs(dx) === 2 && Math.abs(dz) === 2 && dice.chance(0.6))
  pen.disc(x, y + 1, z, 1, 1)
}

/** @param {number} low @param {number} high @returns {Shape} a giant mushroom; the timber's leaves are its cap */
const mushroom = (low, high) => (pen, x, y, z, dice) => {
  const height = dice.int(low, high)
  for (let i = 0; i < height; i++) pen.log(x, y + i, z)
  pen.disc(x, y + height, z, 2, 0)
  for (let d = -1; d <= 1; d++) {
    for (const [dx, dz] of [[3, d], [-3, d], [d, 3], [d, -3]]) pen.leaf(x + dx, y + height, z + dz, 1)
  }
}

module.exports = { Pen, Timber,
  SHAPES: { oak: round(4, 6), birch: round(5, 7), swamp: round(5, 7, 3), jungle: round(6, 11), cherry: round(5, 7, 4),
  fancy, cone, pine, broad, bent, bush, mushroom: mushroom(4, 6) } }
