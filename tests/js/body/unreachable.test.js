'use strict'
/** Detection of unreachable goals, which never rejects a reachable one. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { PathFinders } = require('../../../engine/body/path_finders')
const { flatSpace } = require('./space')

const START = { x: 0, y: 0, z: 0 }
const DETOUR = 64
/** Enough cells for goals within a few blocks. */
const SHORT_DETOUR = 16

/**
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {boolean} bounded whether the goal says where it lies
 * @returns {import('../../../engine/body/astar').Goal}
 */
function block (x, y, z, bounded) {
  return {
    estimate: (nx, ny, nz) => Math.hypot(nx - x, ny - y, nz - z),
    reached: (nx, ny, nz) => nx === x && ny === y && nz === z,
    boxes: bounded ? [[x, y, z, x, y, z]] : undefined
  }
}

/** @param {any} space @param {number[]} goal @param {boolean} bounded */
const search = (space, [x, y, z], bounded, detour = DETOUR) => new PathFinders(space).finder({})
  .find(START, block(x, y, z, bounded), { detour })

/**
 * @param {any} space
 * @param {number} x
 * @param {number} z a trunk with a crown of leaves, two blocks above the ground
 */
function plant (space, x, z) {
  for (let y = 0; y < 4; y++) space.put(x, y, z, 'oak_log')
  for (let dx = -2; dx <= 2; dx++) {
    for (let dz = -2; dz <= 2; dz++) if (dx !== 0 || dz !== 0) space.put(x + dx, 2, z + dz, 'oak_leaves')
  }
}

test('a search for a goal in a tree\'s crown gives up after few cells, with the same best cell as after all',
  () => {
  const space = flatSpace()
  plant(space, 6, 3)
  const [plain, aware] = [search(space, [5, 3, 2], false), search(space, [5, 3, 2], true)]
  assert.deepEqual([plain.status, aware.status], ['none', 'none'])
  assert.deepEqual(aware.cells.at(-1), plain.cells.at(-1))
  assert.ok(plain.looked > 3 * aware.looked, `${plain.looked}`)
  assert.equal(aware.looked, 256)
})

test('a goal in a pen is unreachable until there is a gap or a step', () => {
  const space = flatSpace()
  for (let i = -2; i <= 2; i++) {
    for (const [x, z] of [[8 + i, -2], [8 + i, 2], [6, i], [10, i]]) space.put(x, 0, z, 'oak_fence')
  }
  assert.deepEqual([search(space, [8, 0, 0], true).status, search(space, [8, 0, 0], true).looked], ['none', 256])
  space.put(7, 0, 2, 'air')
  assert.equal(search(space, [8, 0, 0], true).status, 'found')
  space.put(7, 0, 2, 'oak_fence')
  space.put(5, 0, 0, 'stone')
  space.put(6, 1, 0, 'oak_slab')
  assert.deepEqual(search(space, [8, 0, 0], true).status, search(space, [8, 0, 0], false).status)
})

test('all parts of a goal are tested: two hollows are closed until one of them gets a shaft', () => {
  const space = flatSpace()
  const goals = [8, 90].map((x) => block(x, -10, 0, true))
  for (const x of [8, 90]) for (const dx of [0, 1]) for (const y of [-10, -9]) space.put(x + dx, y, 0, 'air')
  const either = {
    estimate: goals[1].estimate,
    reached: (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
      goals.some((goal) => goal.reached(x, y, z)), boxes: goals.flatMap(({ boxes }) => boxes ?? [])
  }
  const find = () => new PathFinders(space).finder({}).find(START, either, { detour: 200 })
  assert.deepEqual([find().status, find().looked], ['none', 256])
  for (let y = -9; y < 0; y++) space.put(91, y, 0, 'air')
  space.put(91, -10, 0, 'water')
  assert.equal(find().status, 'found')
})

/**
 * The last move to the goal: the height from which it starts, the end of a walk in the air, and the goal's own
 * block.
 */
const LAST_MOVES = Object.freeze({
  'a jump over three blocks': { height: 2, end: [14, 0], goal: [10, 2, 0] },
  'a jump to one higher': { height: 2, end: [12, 0], goal: [10, 3, 0] },
  'a jump to one lower': { height: 3, end: [12, 0], goal: [10, 2, 0] },
  'a drop of three': { height: 5, end: [11, 0], goal: [10, 2, 0] },
  'a step across a corner': { height: 2, end: [11, 1], goal: [10, 2, 0] },
  'a step up across a corner': { height: 2, end: [11, 1], goal: [10, 3, 0] },
  'a step up': { height: 2, end: [11, 0], goal: [10, 3, 0] }
})
for (const [move, { height, end: [endX, z], goal: [x, y, goalZ] }] of Object.entries(LAST_MOVES)) {
  test(`a goal in the air to which ${move} leads, from stairs far behind it, is reachable`, () => {
    const space = flatSpace()
    for (let step = 0; step <= height; step++) space.put(22 + height - step, step, z, 'stone')
    for (let at = endX; at <= 22; at++) space.put(at, height, z, 'stone')
    space.put(x, y, goalZ, 'stone')
    const way = search(space, [x, y + 1, goalZ], true)
    assert.equal(way.status, 'found')
    assert.ok(way.looked > 256, `${way.looked}`)
  })
}

const name = fc.constantFrom(
  'stone', 'stone', 'stone', 'oak_slab', 'oak_fence', 'white_carpet', 'lava', 'ladder', 'air', 'water', 'oak_leaves',
  'farmland'
)
const place = fc.tuple(
  fc.integer({ min: -7, max: 7 }), fc.integer({ min: -3, max: 4 }), fc.integer({ min: -7, max: 7 }), name
)
const goal = fc.tuple(fc.integer({ min: -7, max: 7 }), fc.integer({ min: -2, max: 5 }), fc.integer({ min: -7, max: 7 }))

test('on any ground a goal is found, or missing, as in a search of every cell', () => {
  let [found, sooner] = [0, 0]
  fc.assert(fc.property(fc.array(place, { minLength: 60, maxLength: 400 }), goal, (places, at) => {
    const space = flatSpace()
    for (const [x, y, z, what] of places) if (x !== 0 || z !== 0) space.put(x, y, z, what)
    const [plain, aware] = [search(space, at, false, SHORT_DETOUR), search(space, at, true, SHORT_DETOUR)]
    assert.equal(aware.status, plain.status)
    if (plain.status === 'found') { found++; assert.deepEqual(aware, plain) }
    if (aware.looked < plain.looked) sooner++
  }), { seed: 5, numRuns: 25 })
  assert.ok(found > 3 && sooner > 10, `${found} found, ${sooner} given up sooner`)
})
