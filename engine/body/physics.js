'use strict'
/**
 * Vanilla's movement of a player's body in one tick (50 ms): walking, sprinting, jumping, swimming, climbing, falling
 * and stepping up, over any world that answers `stateAt(x, y, z)`. Lengths are in blocks and speeds in blocks per tick.
 * Yaw is in radians, as in mineflayer: 0 looks north (-z), and a quarter turn to the left looks west.
 *
 * The constants are vanilla's. Horizontal speed converges where acceleration and friction cancel: 4.317 m/s walking and
 * 5.612 m/s sprinting on plain ground.
 *
 * @module engine/body/physics
 */
const { FLAG, DEFAULT_SLIPPERINESS } = require('./blocks')
const { LOW_EYES } = require('./body')
const { fits, hasRoom, move } = require('./collisions')
const { length2 } = require('../lengths')

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
/** Share per tick by which a swimmer's vertical speed approaches the slope of its view, also in a dive. */
const SWIM_TURN = 0.06
const DIVE_TURN = 0.085
/** Sine of the pitch below which a swimmer dives. */
const DIVE = -0.2
const CLIMB_OUT_SPEED = 0.3
const LADDER_SPEED = 0.15
const LADDER_CLIMB_SPEED = 0.2
const STICKY_FACTOR = 0.4
const NEGLIGIBLE = 0.003
/** Third power of the inertia on plain ground, to which vanilla scales the acceleration. */
const GROUND_INERTIA_CUBED = 0.1627714

/**
 * The world that a body moves in.
 *
 * @typedef {object} Space
 * @property {(x: number, y: number, z: number) => number} stateAt block state id; 0 (air) outside the world
 * @property {import('./blocks').BlockTable} table
 */

/** @typedef {import('./body').Body} Body */

/**
 * Update `inWater`, `inLava` and `inCobweb` from the blocks that touch the body.
 *
 * @param {Space} space
 * @param {Body} body
 * @returns {number} flags of these blocks, combined by `|`
 */
function touchBlocks (space, body) {
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

/** Accelerate a body along its pressed keys. @param {Space} space @param {Body} body @param {number} acceleration */
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

/**
 * Move a body in a liquid for one tick.
 *
 * @param {Space} space
 * @param {Body} body
 * @param {number} inertia of the liquid
 * @param {number} gravity in the liquid
 */
function swim (space, body, inertia, gravity) {
  const before = body.y
  accelerate(space, body, LIQUID_ACCELERATION)
  move(space, body)
  body.vy = body.vy * Math.min(inertia, WATER_INERTIA) - gravity
  body.vx *= inertia; body.vz *= inertia
  if (body.bumped && fits(space, body, body.vx, body.vy + 0.6 - body.y + before, body.vz)) body.vy = CLIMB_OUT_SPEED
}

/** @param {Space} space @param {Body} body @returns {number} flags of the block that the body climbs, or 0 */
function climbed (space, body) {
  const state = space.stateAt(Math.floor(body.x), Math.floor(body.y), Math.floor(body.z))
  const flags = state === 0 ? 0 : space.table.flagsOf(state)
  return flags & FLAG.CLIMBABLE ? flags : 0
}

/** Walk, jump or fall for one tick. @param {Space} space @param {Body} body */
function walk (space, body) {
  const under = space.stateAt(Math.floor(body.x), Math.floor(body.y - 1), Math.floor(body.z))
  let inertia = AIR_INERTIA
  let acceleration = AIR_ACCELERATION * (body.sprint ? SPRINT_FACTOR : 1)
  if (body.onGround) {
    inertia = 0.91 * (under === 0 ? DEFAULT_SLIPPERINESS : space.table.slipperinessOf(under))
    const speed = WALK_SPEED * (body.sprint ? SPRINT_FACTOR : 1)
    acceleration = speed * (GROUND_INERTIA_CUBED / (inertia * inertia * inertia))
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

/** Start a jump, or rise in a liquid, while the jump key is held. @param {Body} body */
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

/**
 * Update the pose: a body that sprints ahead with its head under water swims, and stands up again where there is room.
 *
 * @param {Space} space
 * @param {Body} body
 */
function pose (space, body) {
  const { x, y, z } = body
  const mayGoOn = body.inWater && body.sprint && body.forward && !body.sneak
  body.swims = mayGoOn && (body.swims || (isWater(space, x, y + body.eyeHeight, z) && isWater(space, x, y, z)))
  if (body.swims) body.low = true
  else if (body.low) body.low = !hasRoom(space, body)
}

/** Let a swimmer rise or dive in the direction of its view. @param {Space} space @param {Body} body */
function steer (space, body) {
  const up = Math.sin(body.pitch)
  if (up <= 0 || body.jump || isWater(space, body.x, body.y + 0.9, body.z)) {
    body.vy += (up - body.vy) * (up < DIVE ? DIVE_TURN : SWIM_TURN)
  }
}

/**
 * Move a body by one tick.
 *
 * @param {Space} space
 * @param {Body} body
 */
function step (space, body) {
  touchBlocks(space, body)
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

module.exports = { step }
