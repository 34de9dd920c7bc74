'use strict'
/** Paths that dig and build, compared with those of mineflayer-pathfinder over the same blocks. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { Vec3 } = require('vec3')
const { goals } = require('mineflayer-pathfinder')
const AStar = require('mineflayer-pathfinder/lib/astar')
const Move = require('mineflayer-pathfinder/lib/move')
const { Facts } = require('../../../engine/body/building/facts')
const { Body } = require('../../../engine/body/body')
const { Moves } = require('../../../engine/body/building/moves')
const { numberOf } = require('../../../engine/body/building/cell_map')
const { findBuildingPath } = require('../../../engine/body/building/search')
const { BuildingWalk } = require('../../../engine/body/building/walk')
const { DoorMovements } = require('../../../bridge/host/bots/doors')
const { flatSpace, opening, registry, table } = require('./space')

const DETOUR = 24
const item = (/** @type {string} */ name, count = 1) => ({ type: registry.itemsByName[name].id, name, count })

/** Return the path of mineflayer-pathfinder. */
function judged (/** @type {any} */ space, /** @type {any} */ goal, /** @type {any} */ { items, entities, change }) {
  /** @type {any} */
  const bot = {
    registry,
    entities,
    entity: { position: new Vec3(0.5, 0, 0.5), effects: {} },
    game: { minY: -64 },
    inventory: { items: () => items },
    blockAt: (/** @type {any} */ at) =>
      Object.assign(table.Block.fromStateId(space.stateAt(at.x, at.y, at.z), 0), { position: at.clone() })
  }
  bot.pathfinder = { bestHarvestTool: (/** @type {any} */ block) => bestTool(block, items) }
  const movements = Object.assign(new DoorMovements(bot), change)
  movements.updateCollisionIndex()
  return new AStar(
    new Move(0, 0, 0, movements.countScaffoldingItems(), 0), movements, goal, 60_000, 60_000, DETOUR
  ).compute()
}

/** @param {any} block @param {any[]} items */
function bestTool (block, items) {
  const times = items.map((tool) => block.digTime(tool.type, false, false, false, [], /** @type {any} */ ({})))
  return times.length === 0 ? null : items[times.indexOf(Math.min(...times))]
}

/**
 * Return the path of this engine under the same rules.
 *
 * @param {any} space @param {any} goal @param {any} given
 * @param {{ maxCells: number, detour?: number, hurried?: number }} [bounds]
 */
function ours (space, goal, { items, entities, change }, bounds = { maxCells: Infinity }) {
  const id = (/** @type {string} */ name) => registry.blocksByName[name].id
  const facts = new Facts(
    registry, { avoided: ['fire', 'cobweb', 'lava'].map(id), fixed: [id('chest')], climbable: [id('ladder')] }
  )
  const {
    canDig = true,
    allow1by1towers: towers = true,
    canOpenDoors: opens = false,
    allowParkour: parkour = true,
    maxDropDown: maxDrop = 4
  } = change
  const rules = {
    canDig, towers, opens, parkour, sprinting: true, detects: true, guardsFlow: true, guardsFalls: true, dives: true,
    maxDrop, digCost: 1, placeCost: 1, liquidCost: 1, entityCost: 1
  }
  const digMs = (/** @type {number} */ state) => {
    const block = table.Block.fromStateId(state, 0)
    return block.digTime(bestTool(block, items)?.type ?? null, false, false, false, [], /** @type {any} */ ({}))
  }
  const crowd = new Map(Object.values(entities)
    .flatMap(({ position: { x, y, z } }) => [0, 1].map((up) => [numberOf(x - 0.5, y + up, z - 0.5), 1])))
  const scaffolding = items.filter((/** @type {any} */ { name }) => ['dirt', 'cobblestone'].includes(name))
    .reduce((/** @type {number} */ sum, /** @type {any} */ { count }) => sum + count, 0)
  const moves = new Moves(space, facts, rules, { digMs, start: { x: 0, z: 0 }, crowd: () => crowd, lowest: -64 })
  const estimate = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
    goal.heuristic({ x, y, z })
  const end = { x: goal.x, y: goal.y, z: goal.z }
  return findBuildingPath(
    moves,
    { x: 0, y: 0, z: 0, left: scaffolding },
    { estimate, reached: (x, y, z) => x === end.x && y === end.y && z === end.z },
    { detour: DETOUR, ...bounds }
  )
}

const plain = (/** @type {any} */ { x, y, z }) => ({ x, y, z })
const kind = fc.constantFrom(
  'stone', 'stone', 'dirt', 'oak_slab', 'oak_fence', 'white_carpet', 'lava', 'ladder', 'air', 'air', 'water', 'chest',
  'sand', 'oak_fence_gate', 'oak_leaves', 'short_grass', 'bedrock'
).map((name) => /** @type {[string, object]} */ ([name, {}]))
const name = fc.oneof({ weight: 3, arbitrary: kind }, opening)
const place = fc.tuple(
  fc.integer({ min: -4, max: 4 }), fc.integer({ min: -3, max: 4 }), fc.integer({ min: -4, max: 4 }), name
)
const inventory = fc.subarray([
  item('diamond_pickaxe'), item('iron_shovel'), item('dirt', 1), item('cobblestone', 6), item('stick', 3)
])
const change = fc.constantFrom(
  {}, {}, { canDig: false }, { allow1by1towers: false }, { canOpenDoors: true },
  { canOpenDoors: true, canDig: false, allow1by1towers: false }, { allowParkour: false }, { maxDropDown: 2 }
)
const other = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 2 }), fc.integer({ min: -3, max: 3 }))

test('a path that digs, towers and bridges equals that of mineflayer-pathfinder, with the same work', () => {
  let found = 0
  let works = 0
  fc.assert(fc.property(fc.array(place, { maxLength: 110 }), inventory, change, fc.array(other, { maxLength: 2 }),
    fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 5 }), fc.integer({ min: -4, max: 4 })),
    (places, items, changed, others, [gx, gy, gz]) => {
      const space = flatSpace()
      for (const [x, y, z, what] of places) if (x !== 0 || z !== 0) space.put(x, y, z, ...what)
      const entities = Object.fromEntries(others.filter(([x, , z]) => x !== 0 || z !== 0).map(([
        x, y, z
      ], id) => [id, { name: 'cow', width: 0.9, height: 1.4, position: new Vec3(x + 0.5, y, z + 0.5) }]))
      const goal = new goals.GoalBlock(gx, gy, gz)
      const given = { items, entities, change: changed }
      const theirs = judged(space, goal, given)
      const mine = ours(space, goal, given)
      assert.equal(mine.status === 'found', theirs.status === 'success')
      if (mine.status !== 'found') return
      found++
      assert.deepEqual(mine.cells.map(({ x, y, z, left, dig, put }) => ({
        x, y, z, left, dig: dig.map(plain), put: put.map(({ x, y, z, dx, dy, dz }) => ({ x, y, z, dx, dy, dz }))
      })),
        theirs.path.map((/** @type {any} */ { x, y, z, remainingBlocks, toBreak, toPlace }) => ({
          x,
          y,
          z,
          left: remainingBlocks,
          dig: toBreak.map(plain),
          put: toPlace.map((/** @type {any} */ { x, y, z, dx, dy, dz }) => ({ x, y, z, dx, dy, dz }))
        })))
      assert.ok(Math.abs(mine.cost - theirs.cost) < 1e-9)
      works += mine.cells.filter(({ dig, put }) => dig.length + put.length > 0).length
    }), { seed: 7, numRuns: 45 })
  assert.ok(found > 15 && works > 10, `${found} ways with ${works} works`)
})

test('other bodies far from the start are located when the search gets there', () => {
  const facts = new Facts(registry, { avoided: [], fixed: [], climbable: [] })
  const all = new Map([[numberOf(5, 0, 0), 1], [numberOf(300, 0, -7), 2]])
  const asked = /** @type {number[]} */ ([])
  const crowd = (/** @type {number} */ reach) => {
    asked.push(reach)
    return reach < 300 ? new Map([[numberOf(5, 0, 0), 1]]) : all
  }
  const moves = new Moves(
    flatSpace(),
    facts,
    /** @type {any} */ ({ detects: true, digCost: 1 }),
    { digMs: () => 1, start: { x: 0, z: 0 }, crowd, lowest: -64 }
  )
  assert.deepEqual([moves.others(5, 0, 0), moves.others(6, 0, 0), asked.length], [1, 0, 1])
  assert.deepEqual(
    [moves.others(300, 0, -7), moves.others(5, 0, 0), moves.others(-900, 0, 0), asked.length], [2, 1, 0, 2]
  )
})

test('a body that digs the block of its cell stands on the block below', () => {
  const space = flatSpace()
  space.put(3, 0, 0, 'stone')
  space.put(4, 0, 0, 'oak_slab')
  const walk = new BuildingWalk(
    /** @type {any} */ ({ space }), new Body(), /** @type {any} */ ({}), {}, /** @type {any} */ ({})
  )
  const at = (/** @type {number} */ x, /** @type {any[]} */ dig) => walk.point({ x, y: 0, z: 0, dig, put: [] }).y
  assert.deepEqual(
    [at(3, []), at(3, [{ x: 3, y: 0, z: 0 }]), at(3, [{ x: 3, y: 1, z: 0 }]), at(4, [{ x: 4, y: 0, z: 0 }])],
    [1, 0, 1, 0]
  )
})

test('a search that finds no cheapest path takes any path, and gives up soon without one', () => {
  const space = flatSpace()
  const given = { items: [], entities: {}, change: { allow1by1towers: false } }
  const deep = new goals.GoalBlock(2, -2, 0)
  const detour = 512
  const cheapest = ours(space, deep, given, { maxCells: Infinity, detour })
  assert.equal(cheapest.status, 'found')
  assert.deepEqual(ours(space, deep, given, { maxCells: cheapest.looked + 1, hurried: 100, detour }), cheapest)
  const few = Math.floor(cheapest.looked / 2)
  assert.equal(ours(space, deep, given, { maxCells: few, detour }).status, 'limit')
  const hurried = ours(space, deep, given, { maxCells: few, hurried: 200, detour })
  assert.equal(hurried.status, 'found')
  assert.ok(
    hurried.cost >= cheapest.cost && hurried.looked > few && hurried.looked <= few + 201, `${hurried.looked} cells`
  )
  assert.deepEqual(plain(/** @type {any} */ (hurried.cells.at(-1))), { x: 2, y: -2, z: 0 })
  const high = ours(space, new goals.GoalBlock(3, 9, 0), given, { maxCells: 50, hurried: 100, detour })
  assert.equal(high.status, 'limit')
  assert.equal(high.looked, 51 + 101)
})
