'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const { goals } = require('mineflayer-pathfinder')
const AStar = require('mineflayer-pathfinder/lib/astar')
const Move = require('mineflayer-pathfinder/lib/move')
const { mendSearch } = require('../../../bridge/host/search')


mendSearch()
const GOAL = new goals.GoalNear(7, 0, -2, 1)
const AROUND = [[-1, 0], [1, 0], [0, -1], [0, 1], [-1, -1], [-1, 1], [1, -1], [1, 1]]
const LONG = 60_000

/** On open land: a search that is left off after that many cells, whose path is then walked on; and taken up again. */
function search (cellsUntilLeftOff) {
  let looked = 0
  const movements = {
    getNeighbors: (node) => {
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

const cells = (found) => found.path.map(({ x, y, z }) => [x, y, z])

test('a search that was left off ends with the way of one that was not', () => {
  const whole = search(Infinity)
  assert.equal(whole.status, 'success')
  for (let count = 1; count < whole.visitedNodes; count++) {
    const found = search(count)
    assert.equal(found.status, 'success')
    assert.deepEqual(cells(found), cells(whole), `left off after ${count}`)
  }
})

test('a path\'s nodes can be dug and walked from like the search\'s own', () => {
  const [node] = search(Infinity).path
  assert.ok(node instanceof Move)
  assert.deepEqual([node.toBreak, node.toPlace, node.parkour, node.hash], [[], [], false, `${node.x},${node.y},${node.z}`])
})
