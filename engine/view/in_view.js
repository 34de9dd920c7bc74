'use strict'
/**
 * Views as data: the blocks and bodies that the rays of a small picture meet. Any world that answers block
 * states can be looked at, such as the chunks that a server has sent to a client.
 */
const { Camera } = require('./camera')
const { Looks, FACE, FACES } = require('./looks')
const { KIND } = require('./shapes')
const { gameData } = require('../world/data')

/** Rays of a look: as many as a picture of this size has pixels, at a picture's usual angle. */
const COLUMNS = 128
const ROWS = 72
/** Blocks of water after which a ray ends. */
const MAX_WATER = 12
/** Distance that bodies must be nearer than what hides them. */
const NEARER = 1e-6

/** @typedef {import('./camera').Pose} Pose */
/** @typedef {{ id: number, x: number, y: number, z: number, width: number, height: number }} Body */
/**
 * A block of a kind in view: the nearest one, its distance, the column of the view that it is in, and the number of
 * blocks of that kind. @typedef {{ name: string, at: number[], distance: number, column: number, count: number }} Block
 */
/** @typedef {{ id: number, distance: number, column: number }} SeenBody */
/** @typedef {{ blocks: Block[], bodies: SeenBody[], cells: number }} InView `cells`: cells that were looked at */

/** Tables by version: all lookers of a process share them. @type {Map<string, Looks>} */
const known = new Map()

/** @param {string} version @returns {Looks} */
function looksOf (version) {
  const found = known.get(version) ?? new Looks(gameData(version))
  known.set(version, found)
  return found
}

/**
 * Return the blocks and bodies in view, the nearest first. What something opaque hides is not in it.
 * @param {string} version of the game
 * @param {(x: number, y: number, z: number) => number} stateAt 0 for air and for what is not known
 * @param {Pose} pose
 * @param {Iterable<Body>} bodies without the one that looks
 * @param {number} reach in blocks
 * @returns {InView}
 */
function inView (version, stateAt, pose, bodies, reach) {
  const look = new Look(looksOf(version), stateAt, pose, [...bodies], reach)
  const camera = new Camera(pose, COLUMNS, ROWS)
  const ray = new Float64Array(3)
  for (let j = 0; j < ROWS; j++) {
    for (let i = 0; i < COLUMNS; i++) {
      camera.direction(i, j, ray)
      look.follow(ray[0], ray[1], ray[2], (i + 0.5) / COLUMNS)
    }
  }
  return look.found()
}

/** One look of one pair of eyes. */
class Look {
  /** @type {Map<string, { name: string, at: number[], distance: number, column: number }>} */
  #blocks = new Map()
  /** @type {Map<number, SeenBody>} */
  #bodies = new Map()

  /**
   * @param {Looks} looks
   * @param {(x: number, y: number, z: number) => number} stateAt
   * @param {Pose} pose
   * @param {Body[]} bodies
   * @param {number} reach
   */
  constructor (looks, stateAt, { eye }, bodies, reach) {
    this.looks = looks
    this.stateAt = stateAt
    this.eye = eye
    this.reach = reach
    this.cells = 0
    // Direction of the ray, and the column of the view that it is in.
    this.dx = this.dy = this.dz = 0.5
    this.column = 0.5
    this.boxes = bodies.map(({ id, x, y, z, width, height }) =>
      ({ id, box: [x - width / 2, y, z - width / 2, x + width / 2, y + height, z + width / 2] }))
      .filter(({ box }) => gapOf(box, eye) <= reach)
  }

  /** Return what the rays have met. @returns {InView} */
  found () {
    /** @type {Map<string, Block>} */
    const kinds = new Map()
    for (const each of [...this.#blocks.values()].sort(byDistance)) {
      const kind = kinds.get(each.name)
      if (kind === undefined) kinds.set(each.name, { ...each, count: 1 })
      else kind.count++
    }
    return { blocks: [...kinds.values()], bodies: [...this.#bodies.values()].sort((a, b) =>
      a.distance - b.distance || a.id - b.id), cells: this.cells }
  }

  /**
   * Follow a ray until something opaque ends it.
   * @param {number} dx @param {number} dy @param {number} dz direction of length 1
   * @param {number} column share of the view's width
   */
  follow (dx, dy, dz, column) {
    this.dx = dx; this.dy = dy; this.dz = dz
    this.column = column
    const end = this.#throughBlocks()
    let [nearest, distance] = [-1, end - NEARER]
    for (const { id, box } of this.boxes) {
      const at = this.#enter(box)
      if (at < distance) [nearest, distance] = [id, at]
    }
    if (nearest < 0) return
    const before = this.#bodies.get(nearest)
    if (before === undefined || distance < before.distance) this.#bodies.set(nearest, { id: nearest, distance, column })
  }

  /** Note what the ray meets in the world's blocks. @returns {number} distance at which the ray ends */
  #throughBlocks () {
    const { eye, reach, stateAt, dx, dy, dz } = this
    let [x, y, z] = [Math.floor(eye.x), Math.floor(eye.y), Math.floor(eye.z)]
    const [sx, sy, sz] = [dx > 0 ? 1 : -1, dy > 0 ? 1 : -1, dz > 0 ? 1 : -1]
    const [ix, iy, iz] = [Math.abs(1 / dx), Math.abs(1 / dy), Math.abs(1 / dz)]
    let tx = (dx > 0 ? x + 1 - eye.x : eye.x - x) * ix
    let ty = (dy > 0 ? y + 1 - eye.y : eye.y - y) * iy
    let tz = (dz > 0 ? z + 1 - eye.z : eye.z - z) * iz
    let water = 0
    for (let t = 0; t <= reach;) {
      this.cells++
      const state = stateAt(x, y, z)
      if (state !== 0) {
        const at = this.#meet(state, x, y, z, t)
        if (at >= 0) {
          this.#note(state, x, y, z, at)
          if (this.#ends(state) || (this.looks.kind[state] === KIND.LIQUID && ++water > MAX_WATER)) return at
        }
      }
      if (tx < ty && tx < tz) {
        t = tx; tx += ix; x += sx
      } else if (ty < tz) {
        t = ty; ty += iy; y += sy
      } else {
        t = tz; tz += iz; z += sz
      }
    }
    return Infinity
  }

  /**
   * Return the distance at which a ray meets what is in a cell, or -1 if it passes by.
   * @param {number} state @param {number} x @param {number} y @param {number} z
   * @param {number} t distance at which it enters the cell
   */
  #meet (state, x, y, z, t) {
    const { eye, looks } = this
    let kind = looks.kind[state]
    if (kind === KIND.UNKNOWN) kind = looks.learn(state, 0)
    if (kind === KIND.EMPTY) return -1
    // The eye's own cell hides nothing, as a full block would otherwise that it is stuck in.
    if (kind === KIND.CUBE) return t === 0 ? -1 : t
    if (kind === KIND.LIQUID) return t
    if (kind === KIND.CROSS) return this.#crossing(eye.x - x, eye.y - y, eye.z - z)
    const boxes = /** @type {Float64Array} */ (looks.boxes[state])
    let best = Infinity
    for (let i = 0; i < boxes.length; i += 6) {
      const box = [boxes[i] + x, boxes[i + 1] + y, boxes[i + 2] + z, boxes[i + 3] + x, boxes[i + 4] + y,
        boxes[i + 5] + z]
      best = Math.min(best, this.#enter(box))
    }
    return best === Infinity ? -1 : best
  }

  /** Return true if a ray ends at what it meets in such a block. @param {number} state */
  #ends (state) {
    const { looks } = this
    if (looks.kind[state] === KIND.LIQUID) return looks.lava[state] === 1
    return looks.kind[state] !== KIND.CROSS && looks.textures.opaque[looks.faces[state * FACES + FACE.UP]] === 1
  }

  /** @param {number} state @param {number} x @param {number} y @param {number} z @param {number} at */
  #note (state, x, y, z, at) {
    const key = `${x},${y},${z}`
    const before = this.#blocks.get(key)
    if (before !== undefined && before.distance <= at) return
    this.#blocks.set(key, { name: this.looks.data.state(state).name, at: [x, y, z], distance: at, column: this.column })
  }

  /** Return the distance at which the ray enters a box, or Infinity. @param {number[]} box */
  #enter (box) {
    const { eye: { x, y, z }, dx, dy, dz } = this
    const ax = ((dx > 0 ? box[0] : box[3]) - x) / dx
    const bx = ((dx > 0 ? box[3] : box[0]) - x) / dx
    const ay = ((dy > 0 ? box[1] : box[4]) - y) / dy
    const by = ((dy > 0 ? box[4] : box[1]) - y) / dy
    const az = ((dz > 0 ? box[2] : box[5]) - z) / dz
    const bz = ((dz > 0 ? box[5] : box[2]) - z) / dz
    const from = Math.max(ax, ay, az)
    return from >= 0 && from < Math.min(bx, by, bz) ? from : Infinity
  }

  /**
   * Return the distance at which the ray meets one of two planes that cross in a cell, or -1.
   * @param {number} px @param {number} py @param {number} pz eye, from the cell's corner
   */
  #crossing (px, py, pz) {
    const { dx, dy, dz } = this
    const inside = (/** @type {number} */ t) => t > 0 && [px + dx * t, py + dy * t, pz + dz * t].every((part) =>
      part >= 0 && part <= 1)
    const met = [(pz - px) / (dx - dz), (1 - px - pz) / (dx + dz)].filter(inside)
    return met.length === 0 ? -1 : Math.min(...met)
  }
}

/**
 * Order by distance, then by place, so that equal distances have one order.
 * @param {{ at: number[], distance: number }} a @param {{ at: number[], distance: number }} b
 */
function byDistance (a, b) {
  return a.distance - b.distance || a.at[0] - b.at[0] || a.at[1] - b.at[1] || a.at[2] - b.at[2]
}

/** Return how far a box is from a point. @param {number[]} box @param {import('../world/types').Pos} eye */
function gapOf (box, eye) {
  const gap = (/** @type {number} */ low, /** @type {number} */ value, /** @type {number} */ high) =>
    Math.max(low - value, 0, value - high)
  const [dx, dy, dz] = [gap(box[0], eye.x, box[3]), gap(box[1], eye.y, box[4]), gap(box[2], eye.z, box[5])]
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}

module.exports = { inView, COLUMNS, ROWS }
