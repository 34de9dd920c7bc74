'use strict'
/**
 * Collisions of a moving body with blocks, by vanilla's rules: sliding along each axis, stepping up, staying on an edge
 * while sneaking.
 *
 * @module engine/body/collisions
 */
const { FLAG } = require('./blocks')
const { HALF_WIDTH, HEIGHT, LOW_HEIGHT, TOUCHING } = require('./body')

const STEP_HEIGHT = 0.6
/** The board on top of scaffolding, and the floor of an unsupported piece. */
const BOARD = Float64Array.of(0, 0.875, 0, 1, 1, 1)
const FLOOR = Float64Array.of(0, 0, 0, 1, 0.125, 1)
/** Depth below the top of a board or floor, in blocks, at which a body still stands on it. */
const EDGE = 1e-5

/**
 * @typedef {import('./body').Body} Body
 * @typedef {import('./physics').Space} Space
 */

/**
 * Six numbers: lower x, y, z, then upper x, y, z. The module's boxes are shared scratch, which saves allocations and is
 * safe because a step is synchronous.
 *
 * @typedef {Float64Array} Box
 */

/** Axes as offsets into a box. */
const X = 0
const Y = 1
const Z = 2

/** Collision boxes near the body, six numbers each. */
let near = new Float64Array(6 * 64)
let nearCount = 0
/** The moving body's `slack`. */
let slack = 0
/** Distance that the body has moved along each axis. */
const moved = { dx: 0, dy: 0, dz: 0 }

/**
 * Collect the collision boxes that the body could touch when it moves by (dx, dy, dz).
 *
 * @param {Space} space
 * @param {Body} body
 * @param {number} dx
 * @param {number} dy
 * @param {number} dz
 */
function collect (space, body, dx, dy, dz) {
  nearCount = 0
  const x0 = Math.floor(body.x - HALF_WIDTH + Math.min(dx, 0))
  const x1 = Math.floor(body.x + HALF_WIDTH + Math.max(dx, 0))
  const z0 = Math.floor(body.z - HALF_WIDTH + Math.min(dz, 0))
  const z1 = Math.floor(body.z + HALF_WIDTH + Math.max(dz, 0))
  const y0 = Math.floor(body.y + Math.min(dy, 0)) - 1
  const y1 = Math.floor(body.y + body.height + Math.max(dy, 0))
  for (let y = y0; y <= y1; y++) {
    for (let z = z0; z <= z1; z++) {
      for (let x = x0; x <= x1; x++) {
        const state = space.stateAt(x, y, z)
        if (state === 0) continue
        push(space.table.boxesOf(state), x, y, z)
        const flags = space.table.flags[state]
        if (flags & FLAG.PLATFORM) pushPlatform(body, flags, x, y, z)
      }
    }
  }
}

/**
 * Collect the boxes of scaffolding, which carries a body that is above it and does not sneak.
 *
 * @param {Body} body
 * @param {number} flags
 * @param {number} x
 * @param {number} y
 * @param {number} z
 */
function pushPlatform (body, flags, x, y, z) {
  if (body.y >= y + 1 - EDGE) {
    if (!body.sneak) push(BOARD, x, y, z)
  } else if (flags & FLAG.FLOOR && body.y >= y + FLOOR[4] - EDGE) push(FLOOR, x, y, z)
}

/** @param {Float64Array} boxes @param {number} x @param {number} y @param {number} z */
function push (boxes, x, y, z) {
  if ((nearCount * 6) + boxes.length > near.length) {
    const larger = new Float64Array(near.length * 2 + boxes.length)
    larger.set(near)
    near = larger
  }
  for (let i = 0; i < boxes.length; i += 6) {
    const at = nearCount++ * 6
    near[at] = boxes[i] + x; near[at + 1] = boxes[i + 1] + y; near[at + 2] = boxes[i + 2] + z
    near[at + 3] = boxes[i + 3] + x; near[at + 4] = boxes[i + 4] + y; near[at + 5] = boxes[i + 5] + z
  }
}

/** The body's box while it moves. Its corners are moved instead of its middle, so that touching boxes keep touching. */
const box = new Float64Array(6)
/** Boxes of attempts that may be taken back, and a box that is only measured. */
const lowBox = new Float64Array(6)
const overBox = new Float64Array(6)
const probe = new Float64Array(6)

/** @param {Box} to @param {Box} from */
function copyBox (to, from) {
  for (let i = 0; i < 6; i++) to[i] = from[i]
}

/** @param {Body} body */
function boxAround (body) {
  box[0] = body.x - HALF_WIDTH; box[1] = body.y; box[2] = body.z - HALF_WIDTH
  box[3] = body.x + HALF_WIDTH; box[4] = body.y + body.height; box[5] = body.z + HALF_WIDTH
}

/**
 * Return the part of a distance that a box can move along one axis before it meets a collected box.
 *
 * @param {Box} moving
 * @param {number} axis `X`, `Y` or `Z`
 * @param {number} distance signed
 * @returns {number}
 */
function free (moving, axis, distance) {
  const u = axis === X ? Y : X
  const w = axis === Z ? Y : Z
  const min = moving[axis]; const max = moving[axis + 3]
  const uMin = moving[u]; const uMax = moving[u + 3]
  const wMin = moving[w]; const wMax = moving[w + 3]
  for (let i = 0, at = 0; i < nearCount && distance !== 0; i++, at += 6) {
    if (uMax <= near[at + u] || uMin >= near[at + 3 + u] || wMax <= near[at + w] || wMin >= near[at + 3 + w]) continue
    const lower = near[at + axis]; const upper = near[at + 3 + axis]
    if (distance > 0 && max <= lower + slack) distance = Math.max(0, Math.min(lower - max, distance))
    else if (distance < 0 && min >= upper - slack) distance = Math.min(0, Math.max(upper - min, distance))
  }
  return distance
}

/**
 * Move the body's box along one axis until it meets a collected box.
 *
 * @param {number} axis `X`, `Y` or `Z`
 * @param {number} distance signed
 * @returns {number} the distance moved
 */
function slide (axis, distance) {
  if (distance !== 0) distance = free(box, axis, distance)
  box[axis] += distance; box[axis + 3] += distance
  return distance
}

/**
 * Try to step over an edge of at most `STEP_HEIGHT`. Keep the result in `moved` and `box` if it brings the body
 * further.
 *
 * @param {Space} space
 * @param {Body} body
 * @param {number} dx wanted
 * @param {number} dz wanted
 */
function stepUp (space, body, dx, dz) {
  copyBox(lowBox, box)
  collect(space, body, dx, STEP_HEIGHT, dz)
  boxAround(body)
  // Up as far as the whole way ahead is free, or straight up: whichever then leads further.
  probe[0] = box[0] + Math.min(moved.dx, 0); probe[1] = box[1]; probe[2] = box[2] + Math.min(moved.dz, 0)
  probe[3] = box[3] + Math.max(moved.dx, 0); probe[4] = box[4]; probe[5] = box[5] + Math.max(moved.dz, 0)
  const rise = free(probe, Y, STEP_HEIGHT)
  box[1] += rise; box[4] += rise
  const firstX = slide(X, dx); const firstZ = slide(Z, dz)
  copyBox(overBox, box)
  boxAround(body)
  const straight = slide(Y, STEP_HEIGHT)
  const secondX = slide(X, dx); const secondZ = slide(Z, dz)
  let up = straight; let farX = secondX; let farZ = secondZ
  if (firstX ** 2 + firstZ ** 2 > secondX ** 2 + secondZ ** 2) {
    up = rise; farX = firstX; farZ = firstZ
    copyBox(box, overBox)
  }
  if (farX ** 2 + farZ ** 2 <= moved.dx ** 2 + moved.dz ** 2) {
    copyBox(box, lowBox)
    return
  }
  moved.dy = slide(Y, -up)
  moved.dx = farX; moved.dz = farZ
}

/** Move a body by its velocity, and stop it at blocks. @param {Space} space @param {Body} body */
function move (space, body) {
  slack = body.slack
  let dx = body.vx; let dy = body.vy; let dz = body.vz
  if (body.inCobweb) {
    dx *= 0.25; dy *= 0.05; dz *= 0.25
    body.vx = body.vy = body.vz = 0
    body.inCobweb = false
  }
  if (body.sneak && body.onGround) ({ dx, dz } = keepOnEdge(space, body, dx, dz))
  collect(space, body, dx, dy, dz)
  boxAround(body)
  moved.dy = slide(Y, dy); moved.dx = slide(X, dx); moved.dz = slide(Z, dz)
  const blocked = moved.dx !== dx || moved.dz !== dz
  if (blocked && (body.onGround || (moved.dy !== dy && dy < 0))) stepUp(space, body, dx, dz)
  body.x = box[0] + HALF_WIDTH; body.y = box[1]; body.z = box[2] + HALF_WIDTH
  body.bumped = moved.dx !== dx || moved.dz !== dz
  body.onGround = moved.dy !== dy && dy < 0
  if (moved.dx !== dx) body.vx = 0
  if (moved.dz !== dz) body.vz = 0
  if (moved.dy !== dy) body.vy = bounces(space, body) ? -body.vy : 0
}

/** @param {Space} space @param {Body} body @returns {boolean} */
function bounces (space, body) {
  const state = space.stateAt(Math.floor(body.x), Math.floor(body.y - 0.2), Math.floor(body.z))
  return state !== 0 && !body.sneak && (space.table.flagsOf(state) & FLAG.SLIME) !== 0
}

/**
 * Return true if the ground still carries the body after a horizontal move.
 *
 * @param {Space} space
 * @param {Body} body
 * @param {number} dx
 * @param {number} dz
 * @returns {boolean}
 */
function carried (space, body, dx, dz) {
  collect(space, body, dx, -STEP_HEIGHT, dz)
  probe[0] = body.x + dx - HALF_WIDTH; probe[1] = body.y; probe[2] = body.z + dz - HALF_WIDTH
  probe[3] = body.x + dx + HALF_WIDTH; probe[4] = body.y + body.height; probe[5] = body.z + dz + HALF_WIDTH
  return free(probe, Y, -STEP_HEIGHT) > -STEP_HEIGHT
}

/** @param {number} d @returns {number} the distance, 0.05 blocks shorter */
function shorten (d) {
  return Math.abs(d) <= 0.05 ? 0 : d - Math.sign(d) * 0.05
}

/**
 * Shorten a sneaking body's move so that it does not leave the edge it stands on.
 *
 * @param {Space} space
 * @param {Body} body
 * @param {number} dx
 * @param {number} dz
 * @returns {{dx: number, dz: number}}
 */
function keepOnEdge (space, body, dx, dz) {
  while (dx !== 0 && !carried(space, body, dx, 0)) dx = shorten(dx)
  while (dz !== 0 && !carried(space, body, 0, dz)) dz = shorten(dz)
  while (dx !== 0 && dz !== 0 && !carried(space, body, dx, dz)) { dx = shorten(dx); dz = shorten(dz) }
  return { dx, dz }
}

/**
 * Return true if the body has room, out of the water, at an offset.
 *
 * @param {Space} space
 * @param {Body} body
 * @param {number} dx
 * @param {number} dy
 * @param {number} dz
 * @returns {boolean}
 */
function fits (space, body, dx, dy, dz) {
  const x = body.x + dx; const y = body.y + dy; const z = body.z + dz
  for (let cy = Math.floor(y); cy <= Math.floor(y + body.height); cy++) {
    for (let cz = Math.floor(z - HALF_WIDTH); cz <= Math.floor(z + HALF_WIDTH); cz++) {
      for (let cx = Math.floor(x - HALF_WIDTH); cx <= Math.floor(x + HALF_WIDTH); cx++) {
        const state = space.stateAt(cx, cy, cz)
        if (state !== 0 && space.table.flagsOf(state) & (FLAG.SOLID | FLAG.WATER)) return false
      }
    }
  }
  return true
}

/** @param {Space} space @param {Body} body @returns {boolean} true if a low body has room to stand up */
function hasRoom (space, body) {
  const rise = HEIGHT - LOW_HEIGHT
  collect(space, body, 0, rise, 0)
  const r = HALF_WIDTH - TOUCHING
  const top = body.y + LOW_HEIGHT
  probe[0] = body.x - r; probe[1] = top; probe[2] = body.z - r
  probe[3] = body.x + r; probe[4] = top; probe[5] = body.z + r
  return free(probe, Y, rise) === rise
}

module.exports = { fits, hasRoom, move }
