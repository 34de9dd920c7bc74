'use strict'
/**
 * A search for a way that is left off and taken up again. mineflayer-pathfinder gives out the search's own nodes as the
 * path of what was found so far, and then moves them to the middles of their cells. When such a search goes on, as it
 * does in a busy process, it goes on from between the cells: the way that it ends with stops beside the goal. So a path
 * is given out as nodes of its own.
 *
 * Of a path that took more than one tick to find, mineflayer-pathfinder leaves out what the walker seems to have
 * passed: a point that is farther from the next than the walker is. Who stands before a wall of three blocks is as near
 * to the ground behind it as the wall's top is, and would never get over. So a path's points measure how far the next
 * is from above.
 *
 * A search has a turn in each tick, and so many ms by the clock on the wall. A host that gets no processor runs few
 * ticks in those: it would give a way up that it has hardly begun to look for. So a turn counts as a tick at the most.
 */
const AStar = require('mineflayer-pathfinder/lib/astar')
const Move = require('mineflayer-pathfinder/lib/move')

/** A point of a path that is given out. */
class Waypoint extends Move {
  /** @param {any[]} move of a `Move` */
  constructor (...move) {
    super(...move)
  }

  /** @param {{x: number, z: number}} other @returns {number} seen from above */
  distanceSquared (other) { return (this.x - other.x) ** 2 + (this.z - other.z) ** 2 }
}

const OWN = Symbol('paths of nodes of their own')
const TICK_MS = 50
/** How many turns a search has had. @type {WeakMap<object, number>} */
const turns = new WeakMap()

/** @param {any} node @returns {any} the same cell and what there is to do for it */
function copy ({ x, y, z, remainingBlocks, cost, toBreak, toPlace, parkour }) {
  return new Waypoint(x, y, z, remainingBlocks, cost, [...toBreak], [...toPlace], parkour)
}

/**
 * From now on the nodes of a path can be moved without the search that found it noticing, and a late host searches as
 * long as others.
 */
function mendSearch () {
  const { prototype } = AStar
  if (prototype[OWN]) return
  const { compute, makeResult } = prototype
  prototype[OWN] = true
  /** @param {string} status @param {any} node */
  prototype.makeResult = function (status, node) {
    const found = makeResult.call(this, status, node)
    return { ...found, path: found.path.map(copy) }
  }
  /** @this {any} */
  prototype.compute = function () {
    const had = turns.get(this) ?? 0
    turns.set(this, had + 1)
    this.startTime = Math.max(this.startTime, performance.now() - had * TICK_MS)
    return Reflect.apply(compute, this, [])
  }
}

module.exports = { mendSearch }
