'use strict'
/** Boxes, rays and collisions of bodies with blocks. A box is [x0, y0, z0, x1, y1, z1]. */

const EPSILON = 1e-7
/** Tolerance below a platform's top for a body that stands on it, in blocks. */
const EDGE = 1e-5

/** The six faces: 0 down, 1 up, 2 north, 3 south, 4 west, 5 east. */
const FACES = Object.freeze([
  { x: 0, y: -1, z: 0, name: 'down' }, { x: 0, y: 1, z: 0, name: 'up' }, { x: 0, y: 0, z: -1, name: 'north' },
  { x: 0, y: 0, z: 1, name: 'south' }, { x: -1, y: 0, z: 0, name: 'west' }, { x: 1, y: 0, z: 0, name: 'east' }])

/**
 * Return a body's box from its feet.
 * @param {{ x: number, y: number, z: number }} feet
 * @param {number} width
 * @param {number} height
 * @returns {number[]}
 */
function bodyBox ({ x, y, z }, width, height) {
  const r = width / 2
  return [x - r, y, z - r, x + r, y + height, z + r]
}

/** @param {number[]} a @param {number[]} b */
function overlap (a, b) {
  return a[0] < b[3] - EPSILON && a[3] > b[0] + EPSILON && a[1] < b[4] - EPSILON && a[4] > b[1] + EPSILON &&
    a[2] < b[5] - EPSILON && a[5] > b[2] + EPSILON
}

/** @param {number[]} box @param {number} dx @param {number} dy @param {number} dz */
function grow (box, dx, dy, dz) {
  return [box[0] - dx, box[1] - dy, box[2] - dz, box[3] + dx, box[4] + dy, box[5] + dz]
}

/**
 * Return the boxes of all blocks that touch a box, in world coordinates.
 * @param {{ stateAt(x: number, y: number, z: number): import('./data').BlockState }} world
 * @param {number[]} box
 * @returns {number[][]}
 */
function blockBoxes (world, box) {
  /** @type {number[][]} */
  const found = []
  // Begin one block lower: fences and walls are 1.5 high.
  for (let x = Math.floor(box[0] + EPSILON); x < box[3]; x++) {
    for (let z = Math.floor(box[2] + EPSILON); z < box[5]; z++) {
      for (let y = Math.floor(box[1] + EPSILON) - 1; y < box[4]; y++) {
        for (const s of world.stateAt(x, y, z).shapes) {
          if (meets(s, x, y, z, box)) found.push([x + s[0], y + s[1], z + s[2], x + s[3], y + s[4], z + s[5]])
        }
      }
    }
  }
  return found
}

/**
 * Return true if a body would be inside a block: if `blockBoxes` would find any.
 * @param {import('./world').World} world
 * @param {number[]} box
 * @returns {boolean}
 */
function blocked (world, box) {
  for (let x = Math.floor(box[0] + EPSILON); x < box[3]; x++) {
    for (let z = Math.floor(box[2] + EPSILON); z < box[5]; z++) {
      for (let y = Math.floor(box[1] + EPSILON) - 1; y < box[4]; y++) {
        for (const s of world.stateAt(x, y, z).shapes) if (meets(s, x, y, z, box)) return true
      }
    }
  }
  return false
}

/**
 * Return true if a block's shape in the cell overlaps a box.
 * @param {number[]} s
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number[]} box
 */
function meets (s, x, y, z, box) {
  return x + s[0] < box[3] - EPSILON && x + s[3] > box[0] + EPSILON && y + s[1] < box[4] - EPSILON &&
    y + s[4] > box[1] + EPSILON &&
    z + s[2] < box[5] - EPSILON && z + s[5] > box[2] + EPSILON
}

/** Order of the axes of a move. */
const X_FIRST = Object.freeze([1, 0, 2])
const Z_FIRST = Object.freeze([1, 2, 0])
/** Buffers reused by every move: its swept box, the walls in it (six numbers each), and the result. */
const reach = [0, 0, 0, 0, 0, 0]
/** @type {number[]} */
const walls = []
const swept = { moved: [0, 0, 0], hit: [false, false, false] }

/**
 * Move a box by a vector as far as blocks allow: first y, then the larger horizontal axis, then the other.
 * @param {import('./world').World} world
 * @param {number[]} box moved with it
 * @param {number[]} by [dx, dy, dz]
 * @returns {{ moved: number[], hit: boolean[] }} the same object every time: it holds until the next move
 */
function sweep (world, box, by) {
  for (let axis = 0; axis < 3; axis++) {
    reach[axis] = box[axis] + Math.min(0, by[axis])
    reach[axis + 3] = box[axis + 3] + Math.max(0, by[axis])
  }
  const end = findWalls(world, box[1])
  const order = Math.abs(by[0]) >= Math.abs(by[2]) ? X_FIRST : Z_FIRST
  const { moved, hit } = swept
  for (let i = 0; i < 3; i++) {
    const axis = order[i]
    let d = by[axis]
    if (d !== 0) for (let wall = 0; wall < end; wall += 6) d = clip(box, wall, axis, d)
    moved[axis] = d
    hit[axis] = Math.abs(d - by[axis]) > EPSILON
    box[axis] += d
    box[axis + 3] += d
  }
  return swept
}

/**
 * Collect the block boxes within `reach`, as in `blockBoxes`, and the platforms below a body.
 * @param {import('./world').World} world
 * @param {number} feet
 * @returns {number} where they end in `walls`
 */
function findWalls (world, feet) {
  let end = 0
  for (let x = Math.floor(reach[0] + EPSILON); x < reach[3]; x++) {
    for (let z = Math.floor(reach[2] + EPSILON); z < reach[5]; z++) {
      for (let y = Math.floor(reach[1] + EPSILON) - 1; y < reach[4]; y++) {
        const { shapes, platforms } = world.stateAt(x, y, z)
        for (let i = 0; i < shapes.length; i++) {
          if (meets(shapes[i], x, y, z, reach)) end = addWall(end, shapes[i], x, y, z)
        }
        if (platforms) {
          for (const s of platforms) {
            if (feet >= y + s[4] - EDGE && meets(s, x, y, z, reach)) end = addWall(end, s, x, y, z)
          }
        }
      }
    }
  }
  return end
}

/** @param {number} end @param {number[]} s @param {number} x @param {number} y @param {number} z @returns {number} */
function addWall (end, s, x, y, z) {
  walls[end] = x + s[0]
  walls[end + 1] = y + s[1]
  walls[end + 2] = z + s[2]
  walls[end + 3] = x + s[3]
  walls[end + 4] = y + s[4]
  walls[end + 5] = z + s[5]
  return end + 6
}

/**
 * Return true if a platform is right below a box.
 * @param {import('./world').World} world
 * @param {number[]} box
 * @param {number} depth
 */
function isCarried (world, box, depth) {
  for (let x = Math.floor(box[0] + EPSILON); x < box[3]; x++) {
    for (let z = Math.floor(box[2] + EPSILON); z < box[5]; z++) {
      for (let y = Math.floor(box[1] - depth); y <= box[1]; y++) {
        const { platforms } = world.stateAt(x, y, z)
        if (platforms?.some((/** @type {number[]} */ s) => box[1] >= y + s[4] - EDGE && box[1] <= y + s[4] + depth)) {
          return true
        }
      }
    }
  }
  return false
}

/**
 * Return the distance that a box can move along one axis before a wall.
 * @param {number[]} box
 * @param {number} wall where it is among them
 * @param {number} axis
 * @param {number} d
 */
function clip (box, wall, axis, d) {
  for (let other = 0; other < 3; other++) {
    if (other !== axis && (box[other] >= walls[wall + other + 3] - EPSILON ||
      box[other + 3] <= walls[wall + other] + EPSILON)) {
      return d
    }
  }
  const low = walls[wall + axis]
  const high = walls[wall + axis + 3]
  if (d > 0 && box[axis + 3] <= low + EPSILON) return Math.min(d, Math.max(0, low - box[axis + 3]))
  if (d < 0 && box[axis] >= high - EPSILON) return Math.max(d, Math.min(0, high - box[axis]))
  return d
}

/**
 * Return the fraction of a ray at which it first meets a box, or null.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number[]} box
 * @returns {number | null}
 */
function rayBox (from, to, box) {
  let enter = 0
  let leave = 1
  for (let axis = 0; axis < 3; axis++) {
    const d = to[axis] - from[axis]
    if (Math.abs(d) < EPSILON) {
      if (from[axis] < box[axis] || from[axis] > box[axis + 3]) return null
      continue
    }
    const a = (box[axis] - from[axis]) / d
    const b = (box[axis + 3] - from[axis]) / d
    enter = Math.max(enter, Math.min(a, b))
    leave = Math.min(leave, Math.max(a, b))
  }
  return enter <= leave ? enter : null
}

/**
 * Return the squared distance from a point to the nearest point of a box.
 * @param {number[]} point
 * @param {number[]} box
 */
function distanceSqToBox (point, box) {
  let sum = 0
  for (let axis = 0; axis < 3; axis++) {
    const d = Math.max(box[axis] - point[axis], 0, point[axis] - box[axis + 3])
    sum += d * d
  }
  return sum
}

/** Return the unit vector of a view. @param {number} yaw degrees @param {number} pitch degrees */
function viewVector (yaw, pitch) {
  const y = yaw * Math.PI / 180
  const p = pitch * Math.PI / 180
  return { x: -Math.sin(y) * Math.cos(p), y: -Math.sin(p), z: Math.cos(y) * Math.cos(p) }
}

/** Return the horizontal facing of a yaw: "south" at 0, "west" at 90. @param {number} yaw degrees */
function facingOf (yaw) {
  return ['south', 'west', 'north', 'east'][((Math.floor(yaw / 90 + 0.5) % 4) + 4) % 4]
}

module.exports = { EPSILON, FACES, bodyBox, overlap, grow, blockBoxes, blocked, isCarried, sweep, rayBox,
  distanceSqToBox, viewVector, facingOf }
