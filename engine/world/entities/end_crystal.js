'use strict'
/** End crystals (minecraft.wiki, "End Crystal"): any blow makes them burst with power 6. */
const { Entity } = require('./entity')

const POWER = 6

/** One crystal. */
class EndCrystal extends Entity {
  /** @param {import('../world').World} world @param {{ x: number, y: number, z: number }} at */
  constructor (world, at) { super(world, 'end_crystal', at) }

  /** @param {import('../player').Player} player */
  strike (player) {
    this.remove()
    const { explode } = /** @type {any} */ (this.world)
    if (explode) explode.call(this.world, { x: this.x, y: this.y, z: this.z }, POWER, { by: player })
    return { ok: true }
  }
}

module.exports = { EndCrystal }
