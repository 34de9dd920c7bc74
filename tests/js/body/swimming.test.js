'use strict'
/** Swimming of bodies: speed, height and pose as in vanilla. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Body } = require('../../../engine/body/body')
const { step } = require('../../../engine/body/physics')
const { Simulation } = require('../../../skills_js/mock/simulation')
const { flatSpace } = require('./space')

/** A pool to the north of (0, 0), 5 deep. */
function pool () {
  const space = flatSpace()
  for (let x = -2; x <= 2; x++) for (let z = -40; z <= 2; z++) for (let y = -5; y < 0; y++) space.put(x, y, z, 'water')
  return space
}

/** @param {object} [more] */
const swimmer = (more) => Object.assign(new Body(), { x: 0.5, y: -4, z: 0.5, forward: true, sprint: true }, more)

test('a swimmer reaches 3.92 m/s, keeps its depth and follows its view', () => {
  const space = pool()
  const level = swimmer()
  for (let tick = 0; tick < 60; tick++) step(space, level)
  const { z } = level
  for (let tick = 0; tick < 20; tick++) step(space, level)
  assert.ok(level.swims && level.height === 0.6)
  assert.ok(Math.abs(z - level.z - 3.92) < 0.02, `${z - level.z} m/s`)
  assert.ok(Math.abs(level.y + 4) < 0.05, `${level.y}`)
  const rising = swimmer({ pitch: 0.8 })
  for (let tick = 0; tick < 12; tick++) step(space, rising)
  assert.ok(rising.y > -3, `${rising.y}`)
  const diving = swimmer({ y: -2.5, pitch: -0.8 })
  for (let tick = 0; tick < 12; tick++) step(space, diving)
  assert.ok(diving.y < -3.5, `${diving.y}`)
})

test('a body does not swim with its head above water, without the sprint key, or backwards', () => {
  for (const start of [swimmer({ y: -1 }), swimmer({ sprint: false }), swimmer({ forward: false, back: true })]) {
    const space = pool()
    step(space, start)
    assert.equal(start.swims, false)
    assert.equal(start.height, 1.8)
  }
})

test('a swimmer passes a gap of one block, crawls out of the water in it and stands up where there is room', () => {
  const space = pool()
  for (let x = -2; x <= 2; x++) {
    for (let z = -8; z <= -4; z++) for (let y = -5; y < 2; y++) if (y !== -4 || x !== 0) space.put(x, y, z, 'stone')
  }
  for (let z = -7; z <= -5; z++) space.put(0, -4, z, 'air')
  const body = swimmer()
  let crawled = false
  for (let tick = 0; tick < 200 && body.z > -10; tick++) {
    step(space, body)
    crawled ||= body.low && !body.swims
  }
  assert.ok(body.z < -9, `stuck at z = ${body.z}`)
  assert.ok(crawled)
  body.sprint = false
  step(space, body)
  assert.equal(body.low, false)
})

test('a program that sprints under water swims through a gap of one block in the world', () => {
  const simulation = new Simulation({ seed: 4 })
  const { world } = simulation
  const client = simulation.join('Gizmo')
  for (const text of [
    'fill -2 -63 -20 2 -60 2 water', 'fill -2 -63 -6 2 -60 -5 stone', 'fill 0 -62 -6 0 -62 -5 water',
    'tp Gizmo 0.5 -62 0.5 180 0'
  ]) {
    world.command(text)
  }
  Object.assign(client.body, { forward: true, sprint: true })
  client.player.setSprinting(true)
  let swam = 0
  for (let tick = 0; tick < 120 && client.body.z > -9; tick++) {
    simulation.tick()
    if (client.player.swimming) swam++
  }
  assert.ok(client.player.z < -8, `stuck at z = ${client.player.z}`)
  assert.ok(swam > 20)
  assert.equal(client.player.pose, 'swimming')
  Object.assign(client.body, { forward: false, sprint: false })
  client.player.setSprinting(false)
  for (let tick = 0; tick < 3; tick++) simulation.tick()
  assert.equal(client.player.pose, 'standing')
})
