'use strict'
/**
 * Path finders of one space: one for each way of moving, all of them updated with every changed block.
 *
 * @module engine/body/path_finders
 */
const { PathFinder } = require('./astar')
const { Terrain } = require('./moves')
const { MoveGraph } = require('./move_graph')

/** Maximum number of finders that are kept. Each may hold many cells, and a program can ask for any number of kinds. */
const MAX_FINDERS = 4

/** The path finders of one space. */
class PathFinders {
  /** By way of moving, least recently used first. @type {Map<string, { graph: MoveGraph, finder: PathFinder }>} */
  #finders = new Map()

  /** @param {import('./physics').Space} space */
  constructor (space) {
    this.space = space
  }

  /** @returns {number} number of finders that are kept */
  get size () { return this.#finders.size }

  /**
   * Return the finder for a way of moving. Use it for one search only: once it is dropped here, it misses changed
   * blocks.
   *
   * @param {import('./moves').TerrainOptions} options
   * @returns {PathFinder}
   */
  finder ({ maxDrop, parkour, sprinting }) {
    const key = `${maxDrop} ${parkour} ${sprinting}`
    let found = this.#finders.get(key)
    if (found === undefined) {
      const graph = new MoveGraph(new Terrain(this.space, { maxDrop, parkour, sprinting }))
      found = { graph, finder: new PathFinder(graph) }
    }
    this.#finders.delete(key)
    this.#finders.set(key, found)
    if (this.#finders.size > MAX_FINDERS) {
      this.#finders.delete(/** @type {string} */ (this.#finders.keys().next().value))
    }
    return found.finder
  }

  /**
   * Forget the moves around a changed block.
   *
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  forget (x, y, z) {
    for (const { graph } of this.#finders.values()) graph.forget(x, y, z)
  }
}

module.exports = { MAX_FINDERS, PathFinders }
