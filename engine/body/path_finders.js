'use strict'
/**
 * Who looks for paths in a space: one finder for each way of moving, all of them told of every changed block.
 *
 * @module engine/body/path_finders
 */
const { PathFinder } = require('./astar')
const { Terrain } = require('./moves')
const { MoveGraph } = require('./move_graph')

/** MoveGraph of moving that are remembered; each may hold many cells, and a program can ask for any number of kinds. */
const MAX_FINDERS = 4

/** The path finders of one space. */
class PathFinders {
  /** By what a body does on its way, the one that was used last at the end. @type {Map<string, { ways: MoveGraph, finder: PathFinder }>} */
  #finders = new Map()

  /** @param {import('./physics').Space} space */
  constructor (space) {
    this.space = space
  }

  /** @returns {number} ways of moving that are remembered */
  get size () { return this.#finders.size }

  /**
   * For the next search alone: whoever kept it would not hear of changed blocks once it is forgotten here.
   *
   * @param {import('./moves').TerrainOptions} options
   * @returns {PathFinder}
   */
  finder ({ maxDrop, parkour, sprinting }) {
    const key = `${maxDrop} ${parkour} ${sprinting}`
    let found = this.#finders.get(key)
    if (found === undefined) {
      const ways = new MoveGraph(new Terrain(this.space, { maxDrop, parkour, sprinting }))
      found = { ways, finder: new PathFinder(ways) }
    }
    this.#finders.delete(key)
    this.#finders.set(key, found)
    if (this.#finders.size > MAX_FINDERS) this.#finders.delete(/** @type {string} */ (this.#finders.keys().next().value))
    return found.finder
  }

  /**
   * A block has changed.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  forget (x, y, z) {
    for (const { ways } of this.#finders.values()) ways.forget(x, y, z)
  }
}

module.exports = { MAX_FINDERS, PathFinders }
