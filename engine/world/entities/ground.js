'use strict'
/**
 * Cached ground of a body at rest. After a step that moved the body nowhere, further steps are skipped while neither
 * the body nor the blocks of its columns change.
 */

const { EPSILON } = require('../geometry')

/** The ground of one mob or drop. */
class Ground {
  /** @param {import('./mobs').Mob} mob */
  constructor (mob) {
    this.mob = mob
    this.known = false
    /** True if nothing here harms the body while the ground stays the same. */
    this.harmless = false
    /** True if a block is above the eyes; null until the first query. @type {boolean | null} */
    this.roof = null
    this.x = this.y = this.z = this.vy = this.width = this.height = 0
    this.changes = 0
  }

  /** Forget the ground: the body moves. */
  leave () { this.known = false }

  /**
   * Remember the ground after a step at rest from (x, y, z), if the step led nowhere.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  found (x, y, z) {
    const { mob } = this
    if (mob.x !== x || mob.y !== y || mob.z !== z || mob.fallDistance !== 0) return
    this.known = true
    this.harmless = false
    this.roof = null
    this.x = x; this.y = y; this.z = z
    this.vy = mob.vy
    this.width = mob.width; this.height = mob.height
    this.changes = this.count()
  }

  /** Return true if another step would lead nowhere, too. */
  same () {
    if (!this.known) return false
    const { mob } = this
    return mob.x === this.x && mob.y === this.y && mob.z === this.z && mob.vy === this.vy && mob.fallDistance === 0 &&
      mob.width === this.width && mob.height === this.height && this.count() === this.changes
  }

  /** True if no sun shines on the body while the ground stays the same. */
  get roofed () {
    const { mob } = this
    return (this.roof ??= !mob.world.light.seesSky(Math.floor(mob.x), Math.floor(mob.eyes.y), Math.floor(mob.z)))
  }

  /** Return the number of block changes in the body's columns. The order of queries is that of a step. */
  count () {
    const { mob: { x, z, width, world: { terrain } } } = this
    const r = width / 2
    // The cells that `blockBoxes` reads: this must not generate land that a step would not generate.
    const x0 = Math.floor(x - r + EPSILON) >> 4
    const x1 = (Math.ceil(x + r) - 1) >> 4
    const z0 = Math.floor(z - r + EPSILON) >> 4
    const z1 = (Math.ceil(z + r) - 1) >> 4
    let sum = terrain.info(Math.floor(x) >> 4, Math.floor(z) >> 4).revision
    if (x0 === x1 && z0 === z1) return sum
    for (let cx = x0; cx <= x1; cx++) for (let cz = z0; cz <= z1; cz++) sum += terrain.info(cx, cz).revision
    return sum
  }
}

module.exports = { Ground }
