'use strict'
/**
 * Corrections of mineflayer-pathfinder's path search across ticks.
 *
 * The pathfinder returns the search's own nodes as the path found so far and then moves them to the middle of their
 * cells. A search that continues afterwards, as it does in a busy process, starts between cells, and its path ends
 * beside the goal. So a path is returned as nodes of its own.
 *
 * From a path that took more than one tick to find, the pathfinder drops points that the walker seems to have passed:
 * points farther from the next one than the walker is. A walker before a wall of three blocks is as near to the ground
 * behind it as the top of the wall is, and would never get over. So the points of a path measure their distance to the
 * next from above.
 *
 * A search has a turn in each tick and a budget in ms of wall-clock time. A host that gets little processor time would
 * give up a path that it has hardly begun to search, and tell its program that there is none. So the budget
 * (`thinkTimeout`) counts the cells that were expanded, and what is found does not depend on the machine.
 */
const AStar = require('mineflayer-pathfinder/lib/astar')
const Move = require('mineflayer-pathfinder/lib/move')

/** Point of a path that was returned. */
class Waypoint extends Move {
  /** @param {unknown[]} move of a `Move` */
  constructor (...move) {
    super(...move)
  }

  /** @param {{x: number, z: number}} other @returns {number} seen from above */
  distanceSquared (other) { return (this.x - other.x) ** 2 + (this.z - other.z) ** 2 }
}

const OWN = Symbol('paths of nodes of their own')

/** @param {any} node @returns {any} the same cell and what there is to do for it */
function copy ({ x, y, z, remainingBlocks, cost, toBreak, toPlace, parkour }) {
  return new Waypoint(x, y, z, remainingBlocks, cost, [...toBreak], [...toPlace], parkour)
}

/** Apply the corrections to mineflayer-pathfinder, for this process. */
function mendSearch () {
  const { prototype } = AStar
  if (prototype[OWN]) return
  const { compute, makeResult } = prototype
  prototype[OWN] = true
  /** @param {string} status @param {{ x: number, y: number, z: number }} node */
  prototype.makeResult = function (status, node) {
    const found = makeResult.call(this, status, node)
    return { ...found, path: found.path.map(copy) }
  }
  /** @this {any} */
  prototype.compute = function () {
    this.startTime = performance.now()
    const found = Reflect.apply(compute, this, [])
    return this.closedDataSet.size > this.timeout ? this.makeResult('timeout', this.bestNode) : found
  }
}

module.exports = { mendSearch }
