'use strict'
/** The cache of unreachable goals changes no search: each ends as one without the cache. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { PathFinders } = require('../../../engine/body/path_finders')
const { MAX_GOALS, UnreachableCache } = require('../../../engine/body/unreachable_cache')
const { Simulation } = require('../../../skills_js/mock/simulation')
const { toGoal } = require('../../../skills_js/mock/goals')
const { flatSpace } = require('./space')

/**
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {boolean} keyed
 * @returns {import('../../../engine/body/astar').Goal}
 */
function block (x, y, z, keyed) {
  return {
    estimate: (nx, ny, nz) => Math.hypot(nx - x, ny - y, nz - z),
    reached: (nx, ny, nz) => nx === x && ny === y && nz === z,
    boxes: [[x, y, z, x, y, z]],
    key: keyed ? `${x} ${y} ${z}` : undefined
  }
}

const name = fc.constantFrom(
  'stone', 'stone', 'stone', 'oak_slab', 'oak_fence', 'lava', 'ladder', 'air', 'water', 'oak_leaves'
)
const near = fc.integer({ min: -7, max: 7 })
const place = fc.record({ put: fc.tuple(near, fc.integer({ min: -3, max: 4 }), near, name) })
const walk = fc.record({ from: fc.tuple(near, near), to: fc.nat(3) })
const goals = fc.array(fc.tuple(near, fc.integer({ min: -2, max: 5 }), near), { minLength: 4, maxLength: 4 })

test('searches with the cache take the same paths, while blocks change and other bodies try the same goals', () => {
  let remembered = 0
  fc.assert(fc.property(fc.array(place, { minLength: 60, maxLength: 300 }), goals, fc.array(
    fc.oneof({ weight: 4, arbitrary: walk }, place), { minLength: 30, maxLength: 60 }
  ), (ground, ends, steps) => {
    const space = flatSpace()
    const [plain, aware] = [new PathFinders(space), new PathFinders(space)]
    /** @param {any} step */
    const change = ({ put: [x, y, z, what] }) => {
      space.put(x, y, z, what)
      for (const paths of [plain, aware]) paths.forget(x, y, z)
    }
    ground.forEach(change)
    for (const step of steps) {
      if ('put' in step) { change(step); continue }
      const start = { x: step.from[0], y: 0, z: step.from[1] }
      const [x, y, z] = ends[step.to]
      const finder = aware.finder({})
      const found = finder.find(start, block(x, y, z, true), { detour: 24 })
      assert.deepEqual(found, plain.finder({}).find(start, block(x, y, z, false), { detour: 24 }))
      if (found.looked >= 256) remembered++
    }
  }), { seed: 7, numRuns: 12 })
  assert.ok(remembered > 50, `${remembered} searches came so far`)
})

test('a pen is answered from the cache until its fence is open, and from outside again', () => {
  const space = flatSpace()
  const paths = new PathFinders(space)
  const put = (
    /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z, /** @type {string} */ what
  ) => {
    space.put(x, y, z, what)
    paths.forget(x, y, z)
  }
  for (let i = -2; i <= 2; i++) {
    for (const [x, z] of [[8 + i, -2], [8 + i, 2], [6, i], [10, i]]) put(x, 0, z, 'oak_fence')
  }
  let looks = 0
  const goal = { ...block(
    8, 0, 0, true
  ), reached: (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => {
    looks++
    return x === 8 && y === 0 && z === 0
  } }
  const find = () => {
    looks = 0
    const { status, looked } = paths.finder({}).find({ x: 0, y: 0, z: 0 }, goal, { detour: 64 })
    return { status, looked, looks }
  }
  assert.deepEqual(find(), { status: 'none', looked: 256, looks: 257 })
  assert.deepEqual(find(), { status: 'none', looked: 256, looks: 256 }, 'nobody looks at the goal\'s own cell again')
  put(100, 0, 100, 'stone')
  assert.equal(find().looks, 256, 'what is far away changes nothing')
  put(6, 0, 0, 'air')
  assert.equal(find().status, 'found')
  put(6, 0, 0, 'oak_fence')
  assert.deepEqual(find(), { status: 'none', looked: 256, looks: 257 })
})

test('the oldest of too many goals is dropped', () => {
  const cache = new UnreachableCache()
  for (let goal = 0; goal <= MAX_GOALS; goal++) {
    cache.store(`${goal}`, { unreachable: true, met: [], touched: [] }, [[0, 0, 0, 0, 0, 0]], 4)
  }
  assert.equal(cache.size, MAX_GOALS)
  cache.clear()
  assert.equal(cache.size, 0)
})

test('goals in fixed places have keys, moving goals have none', () => {
  const simulation = new Simulation({ seed: 1 })
  const client = simulation.join('Ann')
  const { id } = client.player
  const still = { kind: 'near', x: 1, y: 2, z: 3, range: 2 }
  const moving = { kind: 'follow', id, range: 2 }
  const keyOf = (/** @type {any} */ data) => toGoal(client, data).key
  assert.equal(keyOf(still), keyOf({ ...still }))
  assert.notEqual(keyOf(still), keyOf({ ...still, range: 3 }))
  for (const data of [
    moving, { kind: 'all', goals: [still, moving] }, { kind: 'all', goals: [still, { kind: 'not', goal: moving }] },
    { kind: 'y', y: 3 }
  ]) {
    assert.equal(keyOf(data), undefined)
  }
})
