'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { Vec3 } = require('vec3')
const { Physics } = require('prismarine-physics')
const { Body } = require('../../../engine/body/body')
const { step } = require('../../../engine/body/physics')
const { flatSpace, registry, table } = require('./space')

/** Return the same body for prismarine-physics, which bots on servers use. */
function judge (/** @type {any} */ space, /** @type {any} */ body) {
  const cache = new Map()
  const world = {
    getBlock: (/** @type {any} */ at) => {
      const p = at.floored()
      const state = space.stateAt(p.x, p.y, p.z)
      const key = `${state}@${p}`
      if (!cache.has(key)) {
        const block = table.Block.fromStateId(state, 0)
        block.position = p
        cache.set(key, block)
      }
      return cache.get(key)
    }
  }
  const physics = Physics(registry, world)
  const entity = {
    pos: new Vec3(body.x, body.y, body.z),
    vel: new Vec3(body.vx, body.vy, body.vz),
    onGround: body.onGround,
    isInWater: false,
    isInLava: false,
    isInWeb: false,
    isCollidedHorizontally: false,
    isCollidedVertically: false,
    elytraFlying: false,
    jumpTicks: 0,
    jumpQueued: false,
    fireworkRocketDuration: 0,
    attributes: {},
    yaw: body.yaw,
    pitch: 0,
    control: { forward: false, back: false, left: false, right: false, jump: false, sprint: false, sneak: false },
    jumpBoost: 0, speed: 0, slowness: 0, dolphinsGrace: 0, slowFalling: 0, levitation: 0, depthStrider: 0,
    elytraEquipped: false
  }
  return { entity, step: () => physics.simulatePlayer(entity, world) }
}

/** @type {('forward' | 'back' | 'left' | 'right' | 'jump' | 'sprint' | 'sneak')[]} */
const KEYS = ['forward', 'back', 'left', 'right', 'jump', 'sprint', 'sneak']

/** Move both bodies with the same keys; return the largest distance between them. */
function drift (/** @type {any} */ space, /** @type {any} */ start, /** @type {any} */ presses) {
  const body = Object.assign(new Body(), start)
  const other = judge(space, body)
  let worst = 0
  for (const { keys, yaw, ticks } of presses) {
    body.yaw = other.entity.yaw = yaw
    for (const key of KEYS) body[key] = other.entity.control[key] = keys.includes(key)
    for (let tick = 0; tick < ticks; tick++) {
      step(space, body)
      other.step()
      const { pos } = other.entity
      worst = Math.max(worst, Math.hypot(pos.x - body.x, pos.y - body.y, pos.z - body.z))
    }
  }
  return worst
}

const press = fc.record({
  keys: fc.subarray(KEYS),
  yaw: fc.integer({ min: -31, max: 31 }).map((tenths) => tenths / 10),
  ticks: fc.integer({ min: 1, max: 12 })
})

const block = fc.constantFrom(
  'stone', 'stone', 'oak_slab', 'oak_stairs', 'white_carpet', 'oak_fence', 'ladder', 'soul_sand', 'ice', 'slime_block',
  'chest', 'cobweb'
)
const place = fc.tuple(
  fc.integer({ min: -4, max: 4 }), fc.integer({ min: -1, max: 3 }), fc.integer({ min: -4, max: 4 }), block
)

test('a body moves as in prismarine-physics, with any keys among any blocks', () => {
  fc.assert(fc.property(fc.array(
    place, { maxLength: 25 }
  ), fc.array(press, { minLength: 1, maxLength: 8 }), (places, presses) => {
    const space = flatSpace()
    for (const [x, y, z, name] of places) if (x !== 0 || z !== 0 || y < 0) space.put(x, y, z, name)
    assert.ok(drift(space, { x: 0.5, y: 0, z: 0.5, onGround: true }, presses) < 1e-6)
  }), { seed: 20, numRuns: 300 })
})

test('in still water a body swims and climbs out as in prismarine-physics', () => {
  const space = flatSpace()
  for (let x = 2; x <= 6; x++) for (let z = -1; z <= 1; z++) for (let y = -3; y < 0; y++) space.put(x, y, z, 'water')
  const across = [{ keys: ['forward', 'jump'], yaw: -Math.PI / 2, ticks: 140 }]
  assert.ok(drift(space, { x: 0.5, y: 0, z: 0.5, onGround: true }, across) < 1e-6)
  const body = Object.assign(
    new Body(), { x: 0.5, y: 0, z: 0.5, onGround: true, yaw: -Math.PI / 2, forward: true, jump: true }
  )
  for (let tick = 0; tick < 140; tick++) step(space, body)
  assert.ok(body.x > 7, `still at x = ${body.x}`)
})

for (const [gait, keys, speed] of /** @type {[string, string[], number][]} */ ([
  ['walking', ['forward'], 4.317], ['sprinting', ['forward', 'sprint'], 5.612],
  ['sneaking', ['forward', 'sneak'], 1.295]
])) {
  test(`${gait} converges to vanilla's ${speed} m/s`, () => {
    const body = Object.assign(
      new Body(), { x: 0.5, y: 0, z: 0.5, onGround: true }, Object.fromEntries(keys.map((key) => [key, true]))
    )
    for (let tick = 0; tick < 40; tick++) step(flatSpace(), body)
    const before = body.z
    for (let tick = 0; tick < 20; tick++) step(flatSpace(), body)
    assert.ok(Math.abs(before - body.z - speed) < 0.01, `${before - body.z} m/s`)
  })
}

test('a jump rises a block and a quarter and takes 12 ticks', () => {
  const body = Object.assign(new Body(), { x: 0.5, y: 0, z: 0.5, onGround: true, jump: true })
  const heights = Array.from({ length: 12 }, () => { step(flatSpace(), body); return body.y })
  assert.ok(Math.abs(Math.max(...heights) - 1.252) < 0.001)
  assert.equal(body.onGround, true)
})
