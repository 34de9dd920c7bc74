'use strict'
/** End crystals (minecraft.wiki, "End Crystal"): any blow explodes them with power 6. */
const { Entity } = require('./entity')

const POWER = 6

/** An end crystal. */
class EndCrystal extends Entity {
  /** @param {import('../world').World} world @param {{ x: number, y: number, z: number }} at */
  constructor (world, at) { super(world, 'end_crystal', at) }

  /** @param {import('../player').Player} player */
  strike (player) {
    this.remove()
    // A world without explosions only loses the crystal.
    const { explosions } = /** @type {any} */ (this.world)
    explosions?.explode({ x: this.x, y: this.y, z: this.z }, POWER, { source: player, blocks: true, decay: false })
    return { ok: true }
  }
}

module.exports = { EndCrystal }
