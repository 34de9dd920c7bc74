'use strict'
/**
 * Who looks for paths in a space: one finder for each way of moving, all of them told of every changed block.
 *
 * @module engine/body/paths
 */
const { PathFinder } = require('./astar')
const { Terrain } = require('./moves')
const { Ways } = require('./ways')

/** The path finders of one space. */
class Paths {
  /** By what a body does on its way. @type {Map<string, { ways: Ways, finder: PathFinder }>} */
  #finders = new Map()

  /** @param {import('./physics').Space} space */
  constructor (space) {
    this.space = space
  }

  /**
   * @param {import('./moves').TerrainOptions} options
   * @returns {PathFinder}
   */
  finder ({ maxDrop, parkour, sprinting }) {
    const key = `${maxDrop} ${parkour} ${sprinting}`
    let found = this.#finders.get(key)
    if (found === undefined) {
      const ways = new Ways(new Terrain(this.space, { maxDrop, parkour, sprinting }))
      this.#finders.set(key, found = { ways, finder: new PathFinder(ways) })
    }
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

module.exports = { Paths }
