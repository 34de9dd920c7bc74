'use strict'
/**
 * What a mob at rest stands on, and what a thing lies on: for as long as neither the mob nor the blocks of its columns
 * have changed since a step that moved it nowhere, no other step will.
 */

const { EPSILON } = require('../geometry')

/** The ground of one mob or thing. */
class Ground {
  /** @param {import('./mobs').Mob} mob */
  constructor (mob) {
    this.mob = mob
    this.known = false
    /** Nothing there does any harm, for as long as it is the same. */
    this.harmless = false
    /** Whether something is above its eyes; null while nobody has asked. @type {boolean | null} */
    this.roof = null
    this.x = this.y = this.z = this.vy = this.width = this.height = 0
    this.changes = 0
  }

  /** It moves, or may. */
  leave () { this.known = false }

  /**
   * A step at rest is over that began there; it is remembered when it led nowhere.
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

  /** Whether another step would lead nowhere, too. */
  same () {
    if (!this.known) return false
    const { mob } = this
    return mob.x === this.x && mob.y === this.y && mob.z === this.z && mob.vy === this.vy && mob.fallDistance === 0 &&
      mob.width === this.width && mob.height === this.height && this.count() === this.changes
  }

  /** Whether no sun shines on it, for as long as its ground is the same. */
  get roofed () {
    const { mob } = this
    return (this.roof ??= !mob.world.light.seesSky(Math.floor(mob.x), Math.floor(mob.eyes.y), Math.floor(mob.z)))
  }

  /**
   * How often blocks have changed in the columns that its body is in. They are asked for in the order in which a step
   * does.
   */
  count () {
    const { mob: { x, z, width, world: { terrain } } } = this
    const r = width / 2
    // The cells that `blockBoxes` looks at: no land is made for this that a step would not make.
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
