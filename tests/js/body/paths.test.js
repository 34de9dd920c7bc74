'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { Vec3 } = require('vec3')
const { goals } = require('mineflayer-pathfinder')
const AStar = require('mineflayer-pathfinder/lib/astar')
const Move = require('mineflayer-pathfinder/lib/move')
const { Body } = require('../../../engine/body/body')
const { step } = require('../../../engine/body/physics')
const { PathFinder } = require('../../../engine/body/astar')
const { Terrain } = require('../../../engine/body/moves')
const { MoveGraph } = require('../../../engine/body/move_graph')
const { MAX_FINDERS, PathFinders } = require('../../../engine/body/path_finders')
const { Walk } = require('../../../engine/body/walker')
const { DoorMovements } = require('../../../bridge/host/bots/doors')
const { flatSpace, opening, registry, table } = require('./space')

const START = { x: 0, y: 0, z: 0 }
const DETOUR = 30

/** Return the path of mineflayer-pathfinder over the same blocks. */
function judge (/** @type {any} */ space, /** @type {any} */ goal) {
  /** @type {any} */
  const bot = {
    registry,
    entities: {},
    entity: { position: new Vec3(0.5, 0, 0.5), effects: {} },
    game: { minY: -64 },
    inventory: { items: () => [] },
    pathfinder: { bestHarvestTool: () => null },
    blockAt: (/** @type {any} */ at) =>
      Object.assign(table.Block.fromStateId(space.stateAt(at.x, at.y, at.z), 0), { position: at.clone() })
  }
  const movements = Object.assign(
    new DoorMovements(bot), { canDig: false, allow1by1towers: false, scafoldingBlocks: [], canOpenDoors: false }
  )
  return new AStar(new Move(START.x, START.y, START.z, 0, 0), movements, goal, 60_000, 60_000, DETOUR).compute()
}

/** @returns {import('../../../engine/body/astar').Goal} */
function block (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) {
  const judged = new goals.GoalBlock(x, y, z)
  return {
    estimate: (nx, ny, nz) => judged.heuristic(/** @type {any} */ ({ x: nx, y: ny, z: nz })),
    reached: (nx, ny, nz) => nx === x && ny === y && nz === z
  }
}

const plain = fc.constantFrom(
  'stone', 'stone', 'stone', 'oak_slab', 'oak_fence', 'white_carpet', 'lava', 'ladder', 'air', 'water', 'chest'
).map((name) => /** @type {[string, object]} */ ([name, {}]))
const name = fc.oneof({ weight: 3, arbitrary: plain }, opening)
const place = fc.tuple(
  fc.integer({ min: -6, max: 6 }), fc.integer({ min: -3, max: 3 }), fc.integer({ min: -6, max: 6 }), name
)

test('a path equals that of mineflayer-pathfinder, cell for cell, and is missing if it finds none', () => {
  fc.assert(fc.property(fc.array(
    place, { maxLength: 90 }
  ), fc.integer({ min: -6, max: 6 }), fc.integer({ min: -6, max: 6 }), (places, gx, gz) => {
    const space = flatSpace()
    for (const [x, y, z, what] of places) if (x !== 0 || z !== 0) space.put(x, y, z, ...what)
    const found = new PathFinders(space).finder({}).find(START, block(gx, 0, gz), { detour: DETOUR })
    const judged = judge(space, new goals.GoalBlock(gx, 0, gz))
    assert.equal(found.status === 'found', judged.status === 'success')
    if (found.status === 'found') {
      assert.deepEqual(found.cells, judged.path.map((/** @type {any} */ { x, y, z }) => ({ x, y, z })))
    }
  }), { seed: 7, numRuns: 60 })
})

const change = fc.tuple(place, fc.integer({ min: -6, max: 6 }), fc.integer({ min: -6, max: 6 }))

test('after any change of blocks a finder with a kept graph finds what a new one finds', () => {
  fc.assert(fc.property(fc.array(
    place, { maxLength: 60 }
  ), fc.array(change, { minLength: 1, maxLength: 12 }), (places, steps) => {
    const space = flatSpace()
    for (const [x, y, z, what] of places) space.put(x, y, z, ...what)
    const remembering = new PathFinders(space)
    for (const [[x, y, z, what], gx, gz] of steps) {
      const search = (/** @type {any} */ paths) => paths.finder({})
        .find(START, block(gx, 0, gz),
        { detour: DETOUR, crowded: (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
          x === 1 && y === 0 && z === 1 ? 2 : 0 })
      assert.deepEqual(search(remembering), search(new PathFinders(space)))
      space.put(x, y, z, ...what)
      remembering.forget(x, y, z)
      assert.deepEqual(search(remembering), search(new PathFinders(space)))
    }
  }), { seed: 11, numRuns: 60 })
})

test('after an unreachable goal a second one from the same place is found, or missing, as by a new finder', () => {
  const around = fc.tuple(
    fc.integer({ min: -5, max: 5 }), fc.integer({ min: -1, max: 3 }), fc.integer({ min: -5, max: 5 })
  )
  // A yard with a wall around it: all of it is soon looked at.
  const yard = [
    -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5
  ].flatMap((i) => [0, 1, 2].flatMap((y) => [[i, y, -5], [i, y, 5], [-5, y, i], [5, y, i]]))
  fc.assert(fc.property(fc.array(
    place, { maxLength: 40 }
  ), fc.array(around, { minLength: 2, maxLength: 8 }), (places, goals) => {
    const space = flatSpace()
    for (const [x, y, z, what] of places) if (x !== 0 || z !== 0) space.put(x, y, z, ...what)
    for (const [x, y, z] of yard) space.put(x, y, z, 'stone')
    const finder = new PathFinders(space).finder({})
    for (const [x, y, z] of goals) {
      const found = finder.find(START, block(x, y, z), { detour: DETOUR })
      const judged = new PathFinders(space).finder({}).find(START, block(x, y, z), { detour: DETOUR })
      assert.equal(found.status, judged.status)
      if (found.status === 'found') assert.deepEqual(found, judged)
      const left = ({ cells: [...cells] }) => {
        const end = cells.pop() ?? START
        return block(x, y, z).estimate(end.x, end.y, end.z)
      }
      assert.equal(left(found), left(judged))
    }
  }), { seed: 5, numRuns: 60 })
})

test('a finder that has seen too many cells drops them and finds the same', () => {
  const finder = new PathFinder(new MoveGraph(new Terrain(flatSpace()), 40))
  for (const [x, z] of [[9, 3], [-8, 2], [5, -7], [9, 3]]) {
    assert.deepEqual(
      finder.find(START, block(x, 0, z)), new PathFinders(flatSpace()).finder({}).find(START, block(x, 0, z))
    )
  }
})

test('other bodies in a cell raise the cost of a path until they have gone', () => {
  const finder = new PathFinders(flatSpace()).finder({})
  const alley = (/** @type {any} */ crowded) => finder.find(START, block(4, 0, 0), { detour: DETOUR, crowded })
  const free = alley(null)
  assert.equal(alley((/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
    x === 2 && y === 0 && Math.abs(z) <= 2 ? 2 : 0).cost, free.cost + 2)
  assert.deepEqual(alley(() => 0), free)
})

/** Walk to a cell; return the ticks and the final state. */
function walk (
  /** @type {any} */ space, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z, options = {}
) {
  const body = Object.assign(new Body(), { x: 0.5, y: 0, z: 0.5, onGround: true })
  const way = new Walk(new PathFinders(space), body, block(x, y, z), options)
  let ticks = 0
  do {
    step(space, body)
    ticks++
  } while (way.tick() === 'walking' && ticks < 2000)
  return { state: way.state, ticks, body }
}

const WAYS = {
  'flat, 25 blocks': { to: [25, 0, 0], blocks: {}, seconds: [4.3, 4.9] },
  'up one block': { to: [6, 1, 0], blocks: { '6,0,0': 'stone' }, seconds: [1, 2] },
  'up a stair of five': { to: [7, 5, 0], blocks: Object.fromEntries(
    [3, 4, 5, 6, 7].flatMap((x, i) => Array.from({ length: i + 1 }, (_, y) => [`${x},${y},0`, 'stone']))
  ), seconds: [2, 5] },
  'over a gap of two': { to: [8, 0, 0], blocks: Object.fromEntries(
    [4, 5].flatMap((x) => [-1, 0, 1].flatMap((z) => [-1, -2, -3, -4, -5, -6].map((y) => [`${x},${y},${z}`, 'air'])))
  ), seconds: [1, 3] },
  'round a wall': {
    to: [6, 0, 0],
    blocks: Object.fromEntries([-3, -2, -1, 0, 1, 2, 3].flatMap((z) => [0, 1, 2].map((y) => [`3,${y},${z}`, 'stone']))),
    seconds: [1.5, 4]
  },
  'across a ditch': { to: [9, 0, 0], blocks: Object.fromEntries(
    [3, 4, 5, 6].flatMap((x) => Array.from({ length: 41 }, (_, i) => [`${x},-1,${i - 20}`, 'water']))
  ), seconds: [2, 6] },
  'up a ladder': { to: [3, 4, 0], blocks: {
    ...Object.fromEntries([0, 1, 2, 3].map((y) => [`2,${y},0`, ['ladder', { facing: 'west' }]])),
    ...Object.fromEntries([0, 1, 2, 3].map((y) => [`3,${y},0`, 'stone']))
  }, seconds: [1.5, 6] },
  'across slabs': {
    to: [8, 0, 0], blocks: Object.fromEntries([3, 4, 5].map((x) => [`${x},0,0`, 'oak_slab'])), seconds: [1, 3]
  }
}

for (const [title, { to, blocks, seconds }] of Object.entries(WAYS)) {
  test(`a body arrives: ${title}`, () => {
    const { state, ticks, body } = walk(flatSpace(/** @type {any} */ (blocks)), to[0], to[1], to[2])
    assert.equal(state, 'arrived')
    assert.deepEqual([Math.floor(body.x), Math.floor(body.z)], [to[0], to[2]])
    assert.ok(ticks / 20 >= seconds[0] && ticks / 20 <= seconds[1], `${ticks / 20} s`)
  })
}

test('a walled-in goal has no path, and the body stays where it is', () => {
  const walls = Object.fromEntries([4, 5, 6].flatMap((x) => [
    -1, 0, 1
  ].flatMap((z) => [0, 1, 2].map((y) => [`${x},${y},${z}`, x === 5 && z === 0 ? 'air' : 'stone']))))
  const { state, ticks } = walk(flatSpace(walls), 5, 0, 0, { detour: 20 })
  assert.equal(state, 'no-path')
  assert.equal(ticks, 1)
})

test('a body walks around a wall that is built across its path', () => {
  const space = flatSpace()
  const body = Object.assign(new Body(), { x: 0.5, y: 0, z: 0.5, onGround: true })
  const paths = new PathFinders(space)
  const way = new Walk(paths, body, block(12, 0, 0))
  for (let tick = 0; tick < 400 && way.tick() === 'walking'; tick++) {
    step(space, body)
    if (tick !== 10) continue
    for (const z of [-2, -1, 0, 1, 2]) {
      for (const y of [0, 1, 2]) { space.put(6, y, z, 'stone'); paths.forget(6, y, z); way.blockChanged(6, y, z) }
    }
  }
  assert.equal(way.state, 'arrived')
})

test('only the finders used last are kept, and a dropped one finds the same when it is made again', () => {
  const space = flatSpace()
  const paths = new PathFinders(space)
  const first = paths.finder({ maxDrop: 3 }).find(START, block(4, 0, 2), { detour: DETOUR })
  for (let round = 0; round < 3; round++) {
    for (let maxDrop = 0; maxDrop <= 20; maxDrop++) {
      paths.finder({ maxDrop }).find(START, block(4, 0, 2), { detour: DETOUR })
    }
  }
  assert.equal(paths.size, MAX_FINDERS)
  assert.deepEqual(paths.finder({ maxDrop: 3 }).find(START, block(4, 0, 2), { detour: DETOUR }), first)
  assert.equal(paths.finder({ maxDrop: 3 }), paths.finder({ maxDrop: 3 }))
})
