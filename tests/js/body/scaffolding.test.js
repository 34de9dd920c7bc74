'use strict'
/** Bodies on scaffolding and in it: up with jump, down with sneak, through from all sides, and by paths. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Body } = require('../../../engine/body/body')
const { step } = require('../../../engine/body/physics')
const { Simulation } = require('../../../skills_js/mock/simulation')
const { flatSpace } = require('./space')

/** A tower at (0, 0) up to y = 5. */
function tower () {
  const space = flatSpace()
  for (let y = 0; y < 5; y++) space.put(0, y, 0, 'scaffolding', { distance: 0, bottom: false, waterlogged: false })
  return space
}

/** @param {any} space @param {Body} body @param {number} ticks */
function run (space, body, ticks) { for (let tick = 0; tick < ticks; tick++) step(space, body) }

test('a body walks into scaffolding, climbs it by jumping, stands on top, and comes down sneaking', () => {
  const space = tower()
  const body = Object.assign(new Body(), { x: 0.5, y: 0, z: 2.5, onGround: true, forward: true })
  run(space, body, 10)
  assert.ok(body.z < 1, `${body.z}`)
  body.forward = false
  body.jump = true
  run(space, body, 40)
  body.jump = false
  run(space, body, 20)
  assert.deepEqual([body.y, body.onGround], [5, true])
  body.sneak = true
  run(space, body, 10)
  assert.ok(body.y < 4.5 && body.y > 3, `${body.y}`)
  body.sneak = false
  run(space, body, 20)
  assert.equal(body.y, 3, 'who stops sneaking stands on the next piece')
  body.sneak = true
  run(space, body, 60)
  assert.equal(body.y, 0)
})

test('an unsupported piece has a floor that carries a body in it', () => {
  const space = flatSpace()
  space.put(0, 3, 0, 'scaffolding', { distance: 2, bottom: true, waterlogged: false })
  const body = Object.assign(new Body(), { x: 0.5, y: 3.6, z: 0.5 })
  run(space, body, 40)
  assert.equal(body.y, 3.125)
})

test('a walk leads up a tower of scaffolding and down again', () => {
  const simulation = new Simulation({ seed: 4 })
  const { world } = simulation
  const client = simulation.join('Gizmo')
  world.command('fill 3 -60 0 3 -54 0 scaffolding[distance=0]')
  world.command('tp Gizmo 0.5 -60 0.5')
  const walk = (/** @type {number} */ x, /** @type {number} */ y) => {
    const to = client.startWalk({
      reached: (a, b, c) => a === x && b === y && c === 0,
      estimate: (a, b, c) => Math.abs(a - x) + Math.abs(b - y) + Math.abs(c)
    }, {})
    for (let tick = 0; tick < 400 && to.state === 'walking'; tick++) simulation.tick()
    return to.state
  }
  assert.equal(walk(3, -53), 'arrived')
  assert.equal(client.player.health, 20)
  assert.equal(walk(0, -60), 'arrived')
  assert.equal(client.player.health, 20)
  assert.equal(client.body.sneak, false)
})
