'use strict'
/**
 * How a player's body moves in one tick (50 ms): vanilla's walking, sprinting, jumping, swimming, climbing, falling
 * and stepping up, over any world that answers `stateAt(x, y, z)`. Lengths in blocks, speeds in blocks a tick, yaw in
 * radians counted as mineflayer does (0 looks north, along -z; a quarter turn left looks west).
 *
 * The constants are vanilla's. Horizontal speed settles where acceleration and friction cancel: 4.317 m/s walking,
 * 5.612 m/s sprinting on common ground.
 *
 * @module engine/body/physics
 */
const { FLAG, DEFAULT_SLIPPERINESS } = require('./blocks')
const { length2 } = require('../lengths')

const HALF_WIDTH = 0.3
const HEIGHT = 1.8
/** Height of a body that swims or crawls, and how high the eyes are. */
const LOW_HEIGHT = 0.6
const EYES = 1.62
const LOW_EYES = 0.4
const STEP_HEIGHT = 0.6
const GRAVITY = 0.08
const AIR_DRAG = Math.fround(0.98)
const JUMP_SPEED = Math.fround(0.42)
const JUMP_COOLDOWN_TICKS = 10
const WALK_SPEED = 0.1
const SPRINT_FACTOR = 1.3
const INPUT = 0.98
const SNEAK_FACTOR = 0.3
const SPRINT_JUMP_PUSH = 0.2
const AIR_ACCELERATION = 0.02
const AIR_INERTIA = 0.91
const LIQUID_ACCELERATION = 0.02
const WATER_GRAVITY = GRAVITY / 16
const LAVA_GRAVITY = GRAVITY / 4
const LIQUID_LIFT = 0.04
const WATER_INERTIA = 0.8
const LAVA_INERTIA = 0.5
const SWIM_INERTIA = 0.9
/** How fast a swimmer's rise follows its view, and how fast it dives. */
const SWIM_TURN = 0.06
const DIVE_TURN = 0.085
/** A view further down than this is a dive. */
const DIVE = -0.2
const CLIMB_OUT_SPEED = 0.3
const LADDER_SPEED = 0.15
const LADDER_CLIMB_SPEED = 0.2
const STICKY_FACTOR = 0.4
const NEGLIGIBLE = 0.003
/** By rounding a body that touches a block may be so far inside of it, in blocks: vanilla's tolerance. */
const TOUCHING = 1e-7
/** Scaffolding's board, the floor of a piece with nothing below it, and how far below their tops a body may be that stands on them. */
const BOARD = Float64Array.of(0, 0.875, 0, 1, 1, 1)
const FLOOR = Float64Array.of(0, 0, 0, 1, 0.125, 1)
const EDGE = 1e-5
/** Friction on plain ground to the third power, the reference that acceleration is scaled by. */
const GROUND_INERTIA_CUBED = 0.1627714

/**
 * @typedef {object} Space what a body moves in
 * @property {(x: number, y: number, z: number) => number} stateAt block state id; 0 (air) outside the world
 * @property {import('./blocks').BlockTable} table
 */

/** One player's body: where it is, how fast, and what its player presses. */
class Body {
  constructor () {
    this.x = 0; this.y = 0; this.z = 0
    this.vx = 0; this.vy = 0; this.vz = 0
    this.yaw = 0; this.pitch = 0
    this.onGround = false
    this.inWater = false
    this.inLava = false
    this.inCobweb = false
    this.bumped = false
    /** It swims, head ahead; and it is as low as a swimmer, for want of room also on land. */
    this.swims = false
    this.low = false
    this.jumpTicks = 0
    this.forward = false; this.back = false; this.left = false; this.right = false
    this.jump = false; this.sprint = false; this.sneak = false
    /** How far inside of a block it may be and still not go on into it; `TOUCHING` for one that digs, else 0. */
    this.slack = 0
  }

  /** @returns {number} */
  get height () { return this.low ? LOW_HEIGHT : HEIGHT }
  /** @returns {number} of its eyes above its feet */
  get eyeHeight () { return this.low ? LOW_EYES : EYES }

  /** Release every key. */
  release () {
    this.forward = this.back = this.left = this.right = this.jump = this.sprint = this.sneak = false
  }

  /**
   * Take over another body's state, keys included.
   *
   * @param {Body} other
   * @returns {this}
   */
  copy (other) {
    this.x = other.x; this.y = other.y; this.z = other.z
    this.vx = other.vx; this.vy = other.vy; this.vz = other.vz
    this.yaw = other.yaw; this.pitch = other.pitch
    this.onGround = other.onGround; this.inWater = other.inWater; this.inLava = other.inLava
    this.inCobweb = other.inCobweb; this.bumped = other.bumped; this.swims = other.swims; this.low = other.low; this.jumpTicks = other.jumpTicks
    this.forward = other.forward; this.back = other.back; this.left = other.left; this.right = other.right
    this.jump = other.jump; this.sprint = other.sprint; this.sneak = other.sneak
    this.slack = other.slack
    return this
  }

  /**
   * @param {Body} other
   * @returns {boolean} whether its state is another's, keys included
   */
  equals (other) {
    return this.x === other.x && this.y === other.y && this.z === other.z &&
      this.vx === other.vx && this.vy === other.vy && this.vz === other.vz && this.yaw === other.yaw && this.pitch === other.pitch &&
      this.onGround === other.onGround && this.inWater === other.inWater && this.inLava === other.inLava &&
      this.inCobweb === other.inCobweb && this.bumped === other.bumped && this.swims === other.swims && this.low === other.low && this.jumpTicks === other.jumpTicks && this.sameKeys(other)
  }

  /** @param {Body} other @returns {boolean} */
  sameKeys (other) {
    return this.forward === other.forward && this.back === other.back && this.left === other.left && this.right === other.right &&
      this.jump === other.jump && this.sprint === other.sprint && this.sneak === other.sneak && this.slack === other.slack
  }

  /** @returns {boolean} nothing moves it and it presses nothing: a step would change nothing on solid ground */
  get resting () {
    return this.onGround && this.vx === 0 && this.vz === 0 && Math.abs(this.vy) < 0.1 &&
      !(this.forward || this.back || this.left || this.right || this.jump)
  }
}

/** Boxes near the body, six numbers each; shared scratch, since a step is synchronous. */
let near = new Float64Array(6 * 64)
let nearCount = 0
let slack = 0
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
  const x0 = Math.floor(body.x - HALF_WIDTH + Math.min(dx, 0)); const x1 = Math.floor(body.x + HALF_WIDTH + Math.max(dx, 0))
  const z0 = Math.floor(body.z - HALF_WIDTH + Math.min(dz, 0)); const z1 = Math.floor(body.z + HALF_WIDTH + Math.max(dz, 0))
  const y0 = Math.floor(body.y + Math.min(dy, 0)) - 1; const y1 = Math.floor(body.y + body.height + Math.max(dy, 0))
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

/** Scaffolding carries a body that is above it and does not sneak. @param {Body} body @param {number} flags @param {number} x @param {number} y @param {number} z */
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

/** The body's box while it moves; its corners are moved, not its middle, so that what touches keeps touching. */
const box = { x0: 0, y0: 0, z0: 0, x1: 0, y1: 0, z1: 0 }

/** @param {number} x0 @param {number} y0 @param {number} z0 @param {number} x1 @param {number} y1 @param {number} z1 */
function setBox (x0, y0, z0, x1, y1, z1) {
  box.x0 = x0; box.y0 = y0; box.z0 = z0
  box.x1 = x1; box.y1 = y1; box.z1 = z1
}

/** @param {Body} body */
function boxAround (body) {
  box.x0 = body.x - HALF_WIDTH; box.y0 = body.y; box.z0 = body.z - HALF_WIDTH
  box.x1 = body.x + HALF_WIDTH; box.y1 = body.y + body.height; box.z1 = body.z + HALF_WIDTH
}

/**
 * How far the box may go along one axis before it meets one of the collected boxes. Axes are 0 (x), 1 (y), 2 (z); u and
 * w are the other two.
 *
 * @param {number} axis
 * @param {number} distance
 * @param {number} min lower end of the moving box on the axis
 * @param {number} max upper end on the axis
 * @param {number} u
 * @param {number} uMin
 * @param {number} uMax
 * @param {number} w
 * @param {number} wMin
 * @param {number} wMax
 * @returns {number}
 */
function slide (axis, distance, min, max, u, uMin, uMax, w, wMin, wMax) {
  for (let i = 0, at = 0; i < nearCount && distance !== 0; i++, at += 6) {
    if (uMax <= near[at + u] || uMin >= near[at + 3 + u] || wMax <= near[at + w] || wMin >= near[at + 3 + w]) continue
    if (distance > 0 && max <= near[at + axis] + slack) distance = Math.max(0, Math.min(near[at + axis] - max, distance))
    else if (distance < 0 && min >= near[at + 3 + axis] - slack) distance = Math.min(0, Math.max(near[at + 3 + axis] - min, distance))
  }
  return distance
}

/** @param {number} dy @returns {number} how far the box has moved: up or down */
function slideY (dy) {
  if (dy !== 0) dy = slide(1, dy, box.y0, box.y1, 0, box.x0, box.x1, 2, box.z0, box.z1)
  box.y0 += dy; box.y1 += dy
  return dy
}

/** @param {number} dx @returns {number} how far the box has moved: east or west */
function slideX (dx) {
  if (dx !== 0) dx = slide(0, dx, box.x0, box.x1, 1, box.y0, box.y1, 2, box.z0, box.z1)
  box.x0 += dx; box.x1 += dx
  return dx
}

/** @param {number} dz @returns {number} how far the box has moved: south or north */
function slideZ (dz) {
  if (dz !== 0) dz = slide(2, dz, box.z0, box.z1, 0, box.x0, box.x1, 1, box.y0, box.y1)
  box.z0 += dz; box.z1 += dz
  return dz
}

/**
 * Try to get over an edge of at most `STEP_HEIGHT`; keeps the result in `moved` and `box` when it brings the body further.
 *
 * @param {Space} space
 * @param {Body} body
 * @param {number} dx wanted
 * @param {number} dz wanted
 */
function stepUp (space, body, dx, dz) {
  const lowX = box.x0; const lowY = box.y0; const lowZ = box.z0
  const highX = box.x1; const highY = box.y1; const highZ = box.z1
  collect(space, body, dx, STEP_HEIGHT, dz)
  boxAround(body)
  // Up as far as the whole way ahead is free, or straight up: whichever then leads further.
  const free = slide(1, STEP_HEIGHT, box.y0, box.y1, 0, box.x0 + Math.min(moved.dx, 0), box.x1 + Math.max(moved.dx, 0), 2,
    box.z0 + Math.min(moved.dz, 0), box.z1 + Math.max(moved.dz, 0))
  box.y0 += free; box.y1 += free
  const firstX = slideX(dx); const firstZ = slideZ(dz)
  const overX = box.x0; const overY = box.y0; const overZ = box.z0
  const farOverX = box.x1; const farOverY = box.y1; const farOverZ = box.z1
  boxAround(body)
  const straight = slideY(STEP_HEIGHT)
  const secondX = slideX(dx); const secondZ = slideZ(dz)
  let up = straight; let farX = secondX; let farZ = secondZ
  if (firstX ** 2 + firstZ ** 2 > secondX ** 2 + secondZ ** 2) {
    up = free; farX = firstX; farZ = firstZ
    setBox(overX, overY, overZ, farOverX, farOverY, farOverZ)
  }
  if (farX ** 2 + farZ ** 2 <= moved.dx ** 2 + moved.dz ** 2) {
    setBox(lowX, lowY, lowZ, highX, highY, highZ)
    return
  }
  moved.dy = slideY(-up)
  moved.dx = farX; moved.dz = farZ
}

/** @param {Space} space @param {Body} body by its velocity, colliding; adapts velocity and flags */
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
  moved.dy = slideY(dy); moved.dx = slideX(dx); moved.dz = slideZ(dz)
  const blocked = moved.dx !== dx || moved.dz !== dz
  if (blocked && (body.onGround || (moved.dy !== dy && dy < 0))) stepUp(space, body, dx, dz)
  body.x = box.x0 + HALF_WIDTH; body.y = box.y0; body.z = box.z0 + HALF_WIDTH
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

/** Shorten a sneaking body's move so that it does not leave the edge it stands on. */
function keepOnEdge (space, body, dx, dz) {
  const held = (mx, mz) => {
    collect(space, body, mx, -STEP_HEIGHT, mz)
    const r = HALF_WIDTH
    return slide(1, -STEP_HEIGHT, body.y, body.y + body.height, 0, body.x + mx - r, body.x + mx + r, 2, body.z + mz - r, body.z + mz + r) > -STEP_HEIGHT
  }
  const shorten = (d) => Math.abs(d) <= 0.05 ? 0 : d - Math.sign(d) * 0.05
  while (dx !== 0 && !held(dx, 0)) dx = shorten(dx)
  while (dz !== 0 && !held(0, dz)) dz = shorten(dz)
  while (dx !== 0 && dz !== 0 && !held(dx, dz)) { dx = shorten(dx); dz = shorten(dz) }
  return { dx, dz }
}

/**
 * Which special blocks (water, lava, ladder, cobweb) touch the body, as OR of flags; sets `inWater` and `inLava`.
 *
 * @param {Space} space
 * @param {Body} body
 * @returns {number}
 */
function surroundings (space, body) {
  let seen = 0
  const x0 = Math.floor(body.x - 0.299); const x1 = Math.floor(body.x + 0.299)
  const z0 = Math.floor(body.z - 0.299); const z1 = Math.floor(body.z + 0.299)
  const y0 = Math.floor(body.y + (body.low ? LOW_EYES : 0.401)); const y1 = body.low ? y0 : Math.floor(body.y + 1.399)
  for (let y = y0; y <= y1; y++) {
    for (let z = z0; z <= z1; z++) {
      for (let x = x0; x <= x1; x++) {
        const state = space.stateAt(x, y, z)
        if (state !== 0) seen |= space.table.flagsOf(state)
      }
    }
  }
  body.inWater = (seen & FLAG.WATER) !== 0
  body.inLava = (seen & FLAG.LAVA) !== 0
  if (seen & FLAG.COBWEB) body.inCobweb = true
  return seen
}

/** @param {Space} space @param {Body} body @param {number} acceleration along the pressed keys */
function accelerate (space, body, acceleration) {
  const scale = INPUT * (body.sneak || (body.low && !body.swims) ? SNEAK_FACTOR : 1)
  let strafe = (Number(body.right) - Number(body.left)) * scale
  let forward = (Number(body.forward) - Number(body.back)) * scale
  const length = length2(strafe, forward)
  if (length < 0.01) return
  const factor = acceleration / Math.max(length, 1)
  strafe *= factor; forward *= factor
  const sin = Math.sin(body.yaw); const cos = Math.cos(body.yaw)
  body.vx += strafe * cos - forward * sin
  body.vz -= forward * cos + strafe * sin
}

/** @param {Space} space @param {Body} body @param {number} inertia of the liquid @param {number} gravity in it */
function swim (space, body, inertia, gravity) {
  const before = body.y
  accelerate(space, body, LIQUID_ACCELERATION)
  move(space, body)
  body.vy = body.vy * Math.min(inertia, WATER_INERTIA) - gravity
  body.vx *= inertia; body.vz *= inertia
  if (body.bumped && fits(space, body, body.vx, body.vy + 0.6 - body.y + before, body.vz)) body.vy = CLIMB_OUT_SPEED
}

/** @param {Space} space @param {Body} body whether it would fit, dry, at that offset */
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

/** @param {Space} space @param {Body} body @returns {number} the flags of what it climbs, 0 if it does not */
function climbed (space, body) {
  const state = space.stateAt(Math.floor(body.x), Math.floor(body.y), Math.floor(body.z))
  const flags = state === 0 ? 0 : space.table.flagsOf(state)
  return flags & FLAG.CLIMBABLE ? flags : 0
}

/** @param {Space} space @param {Body} body walks, jumps or falls for one tick */
function walk (space, body) {
  const under = space.stateAt(Math.floor(body.x), Math.floor(body.y - 1), Math.floor(body.z))
  let inertia = AIR_INERTIA
  let acceleration = AIR_ACCELERATION * (body.sprint ? SPRINT_FACTOR : 1)
  if (body.onGround) {
    inertia = 0.91 * (under === 0 ? DEFAULT_SLIPPERINESS : (space.table.flagsOf(under), space.table.slipperiness[under]))
    acceleration = WALK_SPEED * (body.sprint ? SPRINT_FACTOR : 1) * (GROUND_INERTIA_CUBED / (inertia * inertia * inertia))
  }
  accelerate(space, body, acceleration)
  const ladder = climbed(space, body)
  if (ladder) {
    body.vx = Math.max(-LADDER_SPEED, Math.min(LADDER_SPEED, body.vx))
    body.vz = Math.max(-LADDER_SPEED, Math.min(LADDER_SPEED, body.vz))
    body.vy = Math.max(body.vy, body.sneak && !(ladder & FLAG.PLATFORM) ? 0 : -LADDER_SPEED)
  }
  move(space, body)
  if (ladder && (body.bumped || body.jump)) body.vy = LADDER_CLIMB_SPEED
  body.vy = (body.vy - GRAVITY) * AIR_DRAG
  body.vx *= inertia; body.vz *= inertia
  if (body.onGround) slowOnSticky(space, body)
}

/** @param {Space} space @param {Body} body */
function slowOnSticky (space, body) {
  const state = space.stateAt(Math.floor(body.x), Math.floor(body.y - 0.5), Math.floor(body.z))
  if (state === 0 || !(space.table.flagsOf(state) & FLAG.STICKY)) return
  body.vx *= STICKY_FACTOR; body.vz *= STICKY_FACTOR
}

/** @param {Body} body starts a jump, or rises in a liquid, while the jump key is held */
function jump (body) {
  if (!body.jump) { body.jumpTicks = 0; return }
  if (body.jumpTicks > 0) body.jumpTicks--
  if (body.inWater || body.inLava) body.vy += LIQUID_LIFT
  else if (body.onGround && body.jumpTicks === 0) {
    body.vy = JUMP_SPEED
    if (body.sprint) {
      body.vx -= Math.sin(body.yaw) * SPRINT_JUMP_PUSH
      body.vz -= Math.cos(body.yaw) * SPRINT_JUMP_PUSH
    }
    body.jumpTicks = JUMP_COOLDOWN_TICKS
  }
}

/** @param {Space} space @param {number} x @param {number} y @param {number} z */
function isWater (space, x, y, z) {
  const state = space.stateAt(Math.floor(x), Math.floor(y), Math.floor(z))
  return state !== 0 && (space.table.flagsOf(state) & FLAG.WATER) !== 0
}

/** Whether a low body has room to stand up. @param {Space} space @param {Body} body */
function hasRoom (space, body) {
  collect(space, body, 0, HEIGHT - LOW_HEIGHT, 0)
  const r = HALF_WIDTH - TOUCHING
  return slide(1, HEIGHT - LOW_HEIGHT, body.y + LOW_HEIGHT, body.y + LOW_HEIGHT, 0, body.x - r, body.x + r, 2, body.z - r, body.z + r) === HEIGHT - LOW_HEIGHT
}

/** Begin to swim with the head under water while sprinting ahead; stop; stand up where there is room. @param {Space} space @param {Body} body */
function pose (space, body) {
  const { x, y, z } = body
  body.swims = body.inWater && body.sprint && body.forward && !body.sneak && (body.swims || (isWater(space, x, y + body.eyeHeight, z) && isWater(space, x, y, z)))
  if (body.swims) body.low = true
  else if (body.low) body.low = !hasRoom(space, body)
}

/** Let a swimmer rise or dive where it looks. @param {Space} space @param {Body} body */
function steer (space, body) {
  const up = Math.sin(body.pitch)
  if (up <= 0 || body.jump || isWater(space, body.x, body.y + 0.9, body.z)) body.vy += (up - body.vy) * (up < DIVE ? DIVE_TURN : SWIM_TURN)
}

/**
 * One tick of a body's life.
 *
 * @param {Space} space
 * @param {Body} body
 */
function step (space, body) {
  surroundings(space, body)
  if (body.low || (body.inWater && body.sprint)) pose(space, body)
  if (Math.abs(body.vx) < NEGLIGIBLE) body.vx = 0
  if (Math.abs(body.vy) < NEGLIGIBLE) body.vy = 0
  if (Math.abs(body.vz) < NEGLIGIBLE) body.vz = 0
  jump(body)
  if (body.swims) {
    steer(space, body)
    swim(space, body, SWIM_INERTIA, 0)
  } else if (body.inWater) swim(space, body, WATER_INERTIA, WATER_GRAVITY)
  else if (body.inLava) swim(space, body, LAVA_INERTIA, LAVA_GRAVITY)
  else walk(space, body)
}

module.exports = { Body, step, HALF_WIDTH, HEIGHT, TOUCHING }
