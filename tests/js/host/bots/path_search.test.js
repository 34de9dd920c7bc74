'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { Vec3 } = require('vec3')
const { goals, Movements, pathfinder } = require('mineflayer-pathfinder')
const AStar = require('mineflayer-pathfinder/lib/astar')
const Move = require('mineflayer-pathfinder/lib/move')
const { mendSearch } = require('../../../../bridge/host/bots/path_search')
const { flatSpace, registry, table } = require('../../body/space')

mendSearch()
const GOAL = new goals.GoalNear(7, 0, -2, 1)
const AROUND = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [-1, 1], [1, -1], [1, 1]]
const LONG = 60_000

/** On open land: a search that is left off after that many cells, whose path is then walked on; and taken up again. */
function search (/** @type {any} */ cellsUntilLeftOff) {
  let looked = 0
  const movements = {
    getNeighbors: (/** @type {any} */ node) => {
      if (++looked === cellsUntilLeftOff) astar.tickTimeout = -1
      return AROUND.map(([dx, dz]) => new Move(node.x + dx, node.y, node.z + dz, 0, Math.hypot(dx, dz)))
    }
  }
  const astar = new AStar(new Move(0, 0, 0, 0, 0), movements, GOAL, LONG, LONG, 64)
  let found = astar.compute()
  if (found.status === 'partial') {
    // As mineflayer-pathfinder does with every path that it is given.
    for (const node of found.path) { node.x += 0.5; node.z += 0.5 }
    astar.tickTimeout = LONG
    found = astar.compute()
  }
  return found
}

const cells = (/** @type {any} */ found) => found.path.map((/** @type {any} */ { x, y, z }) => [x, y, z])

test('a search that was left off ends with the way of one that was not', () => {
  const whole = search(Infinity)
  assert.equal(whole.status, 'success')
  for (let count = 1; count < whole.visitedNodes; count++) {
    const found = search(count)
    assert.equal(found.status, 'success')
    assert.deepEqual(cells(found), cells(whole), `left off after ${count}`)
  }
})

/**
 * A search for something nine cells away with turns of 8 ms, in which a cell takes so many ms and between which so many
 * pass: its end.
 */
function searched (
  /** @type {any} */ t, /** @type {number} */ cellMs, /** @type {number} */ apartMs, /** @type {number} */ budget
) {
  let now = 0
  t.mock.method(performance, 'now', () => now)
  const movements = { getNeighbors: (/** @type {any} */ node) => {
    now += cellMs
    return AROUND.map(([dx, dz]) => new Move(node.x + dx, node.y, node.z + dz, 0, 1))
  } }
  const goal = /** @type {any} */ ({ isEnd: (/** @type {any} */ node) => node.x === 9, heuristic: () => 0 })
  const astar = new AStar(new Move(0, 0, 0, 0, 0), movements, goal, budget, 8, -1)
  let turns = 1
  for (let found = astar.compute(); ; turns++, found = astar.compute()) {
    if (found.status !== 'partial') return { status: found.status, cells: cells(found), turns }
    now += apartMs
  }
}

test('a search on a slow machine finds what one on a quick machine finds', (t) => {
  const [quick, slow] = [searched(t, 0.1, 42, 1000), searched(t, 7, 4000, 1000)]
  assert.ok(slow.turns > 5 * quick.turns, `${slow.turns} turns, ${quick.turns} turns`)
  assert.equal(quick.status, 'success')
  assert.deepEqual(slow.cells, quick.cells)
})

test('a search gives up after so many cells, not after so much time', (t) => {
  const [quick, slow] = [searched(t, 0.1, 42, 20), searched(t, 7, 4000, 20)]
  assert.deepEqual([quick.status, slow.status], ['timeout', 'timeout'])
})

test('a path\'s nodes can be dug and walked from like the search\'s own', () => {
  const [node] = search(Infinity).path
  assert.ok(node instanceof Move)
  assert.deepEqual(
    [node.toBreak, node.toPlace, node.parkour, node.hash], [[], [], false, `${node.x},${node.y},${node.z}`]
  )
})

/**
 * The path that mineflayer-pathfinder takes for a bot there, searching for so many ms in a tick; it stays where it is.
 */
function taken (
  /** @type {any} */ space, /** @type {any} */ position, /** @type {any} */ goal, /** @type {number} */ tickTimeout
) {
  /** @type {any} */
  const bot = Object.assign(new EventEmitter(), {
    registry,
    entities: {},
    entity: { position, effects: {}, onGround: true, velocity: new Vec3(0, 0, 0), attributes: {} },
    game: { minY: -64 },
    inventory: { items: () => [], slots: [] },
    blockAt: (/** @type {any} */ at) => Object.assign(
      table.Block.fromStateId(space.stateAt(Math.floor(at.x), Math.floor(at.y), Math.floor(at.z)), 0),
      { position: at.floored() }
    ),
    version: '1.20.4',
    controlState: {},
    world: {},
    physics: { simulatePlayer: (/** @type {number} */ state) => state },
    clearControlStates: () => {},
    setControlState: () => {},
    look: () => {}
  })
  pathfinder(bot)
  bot.pathfinder.tickTimeout = tickTimeout
  /** @type {any} */
  let last = null
  bot.on('path_update', (/** @type {any} */ found) => {
    last ??= { partial: found.status === 'partial' }
    last.path = [...found.path]
    last.status = found.status
  })
  bot.pathfinder.setMovements(Object.assign(new Movements(bot), { canDig: false, allowParkour: false }))
  bot.pathfinder.setGoal(goal)
  for (let tick = 0; tick < 500 && !['success', 'noPath'].includes(last?.status); tick++) {
    bot.entity.position = position.clone()
    bot.emit('physicsTick')
  }
  return last
}

test('a way over a wall begins with the wall\'s top, however many ticks the search took', (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => now++)
  const space = flatSpace()
  for (let z = -3; z <= 3; z++) for (let y = 0; y < 3; y++) space.put(2, y, z, 'stone')
  for (let y = 0; y < 2; y++) space.put(1, y, 0, 'dirt')
  const way = (/** @type {number} */ tickTimeout) =>
    taken(space, new Vec3(1.39, 2, 0.5), new goals.GoalBlock(6, 0, 0), tickTimeout)
  const [quick, slow] = [way(LONG), way(4)]
  assert.deepEqual([quick.partial, slow.partial], [false, true])
  assert.deepEqual([quick.path[0].x, quick.path[0].y], [2.5, 3])
  assert.deepEqual(cells(slow), cells(quick))
})
