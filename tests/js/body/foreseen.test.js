'use strict'
/** Foreseen steps of a walk: each step is computed once and applied when it is due, whatever happens on the way. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { Body } = require('../../../engine/body/body')
const { step } = require('../../../engine/body/physics')
const { PathFinders } = require('../../../engine/body/path_finders')
const { Walk } = require('../../../engine/body/walker')
const { flatSpace } = require('./space')

/**
 * @typedef {{ tick: number, what: string, x: number, z: number }} Event what happens to the body, or near it, after
 *   that tick
 */

/** @param {number} x @param {number} z */
function goal (x, z) {
  return {
    estimate: (/** @type {number} */ nx, /** @type {number} */ _ny, /** @type {number} */ nz) =>
      Math.hypot(nx - x, nz - z),
    reached: (/** @type {number} */ nx, /** @type {number} */ ny, /** @type {number} */ nz) => nx === x && ny === 0 &&
      nz === z
  }
}

/**
 * @param {(way: Walk, space: any, body: Body) => void} move the body's own step
 * @param {any[][]} places
 * @param {[number, number]} to
 * @param {Event[]} events
 * @returns {{ trail: number[][], state: string }} the body after each tick
 */
function walked (move, places, [x, z], events) {
  const space = flatSpace()
  for (const [px, py, pz, what] of places) if (px !== 0 || pz !== 0) space.put(px, py, pz, what)
  const paths = new PathFinders(space)
  const body = Object.assign(new Body(), { x: 0.5, y: 0, z: 0.5, onGround: true })
  const way = new Walk(paths, body, goal(x, z), { detour: 20 })
  /** @type {Record<string, (event: Event) => void>} */
  const happen = {
    push: (event) => { body.vx = event.x / 10; body.vy = 0.3; way.disturb() },
    look: (event) => { body.yaw = event.x },
    carry: (event) => { body.x += event.x / 20; body.z += event.z / 20; way.moved() },
    build: (event) => {
      // Beside the body, before it or below it.
      const at = /** @type {const} */ ([
        Math.floor(body.x) + event.x % 2, Math.floor(body.y) - Number(event.z > 4), Math.floor(body.z) + event.z % 2
      ])
      space.put(...at, event.z > 4 ? 'ice' : 'stone')
      paths.forget(...at)
      way.blockChanged(...at)
    }
  }
  const trail = []
  for (let tick = 0; tick < 160 && way.state === 'walking'; tick++) {
    move(way, space, body)
    way.tick()
    trail.push([body.x, body.y, body.z, body.vx, body.vy, body.vz, body.yaw])
    for (const event of events) if (event.tick === tick) happen[event.what](event)
  }
  return { trail, state: way.state }
}

const cell = fc.integer({ min: -8, max: 8 })
const place = fc.tuple(
  cell,
  fc.integer({ min: -1, max: 1 }),
  cell,
  fc.constantFrom('stone', 'oak_slab', 'water', 'air', 'ladder', 'white_carpet', 'soul_sand', 'ice')
)
const event = fc.record({
  tick: fc.integer({ min: 0, max: 60 }), what: fc.constantFrom('push', 'look', 'carry', 'build'), x: cell, z: cell
})

test('foreseen steps put a body where computed steps put it, in every tick', () => {
  fc.assert(fc.property(fc.array(
    place, { maxLength: 60 }
  ), fc.tuple(cell, cell), fc.array(event, { maxLength: 6 }), (places, to, events) => {
    const coarse = walked((way) => way.step(), places, to, events)
    assert.deepEqual(coarse, walked((_way, space, body) => step(space, body), places, to, events))
  }), { seed: 11, numRuns: 300 })
})

test('on free ground few steps are computed when they are due', () => {
  let computed = 0
  const { trail, state } = walked((way, space) => {
    const { stateAt } = space
    let asked = false
    space.stateAt = (/** @type {number[]} */ ...at) => { asked = true; return stateAt(...at) }
    way.step()
    space.stateAt = stateAt
    if (asked) computed++
  }, [], [25, 3], [])
  assert.equal(state, 'arrived')
  assert.ok(computed * 4 < trail.length, `${computed} of ${trail.length} steps`)
})

test('a body that finds no keys tries again only after a change', () => {
  const space = flatSpace()
  const { stateAt } = space
  let asked = 0
  space.stateAt = (x, y, z) => { asked++; return stateAt(x, y, z) }
  const body = Object.assign(new Body(), { x: 0.5, y: 0, z: 0.5, onGround: true })
  const way = new Walk(new PathFinders(space), body, goal(1, 0), {})
  // A point that nobody can jump to.
  way.find = () => ({ status: 'found', cells: [{ x: 1, y: 3, z: 0 }], cost: 1, looked: 1 })
  const ticks = (/** @type {number} */ count) => {
    asked = 0
    for (let tick = 0; tick < count; tick++) {
      way.step()
      way.tick()
    }
    return asked / count
  }
  const tried = ticks(1)
  ticks(20)
  assert.ok(ticks(10) < tried / 20, `${tried} blocks looked at in the tick in which keys are tried out`)
  way.disturb()
  assert.ok(ticks(1) > tried / 2)
})
