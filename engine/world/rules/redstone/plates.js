'use strict'
/**
 * Pressure plates (minecraft.wiki): wood reacts to every body, stone to living ones, weighted plates count. Only placed
 * plates are ticked.
 */
const { overlap, bodyBox } = require('../../geometry')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../world').World} World */

/** Ticks for which a plate stays pressed after it was left. */
const HOLD = 20
const WEIGHTED_HOLD = 10

/** Pressure plates of one world. */
class Plates {
  /** @param {World} world */
  constructor (world) {
    this.world = world
    /**
     * Plates by position, with the age at which a body was last on them.
     *
     * @type {Map<string, { pos: Pos, last: number }>}
     */
    this.byPos = new Map()
  }

  /** @param {Pos} pos @param {string} before block name @param {string} after block name */
  changed (pos, before, after) {
    if (before === after) return
    const key = `${pos.x},${pos.y},${pos.z}`
    if (after.endsWith('_pressure_plate')) this.byPos.set(key, { pos: { ...pos }, last: -HOLD })
    else this.byPos.delete(key)
  }

  tick () {
    if (this.byPos.size === 0) return
    for (const plate of this.byPos.values()) this.updatePlate(plate)
  }

  /** @param {{ pos: Pos, last: number }} plate */
  updatePlate (plate) {
    const { world } = this
    const { pos } = plate
    const state = world.stateAt(pos.x, pos.y, pos.z)
    const weight = this.weight(pos, state.name)
    const weighted = state.props.power !== undefined
    const power = !weighted ? weight > 0 ? 15 : 0
      : state.name.startsWith('light') ? Math.min(15, weight) : Math.min(15, Math.ceil(weight / 10))
    if (power > 0) plate.last = world.age
    else if (world.age - plate.last < (weighted ? WEIGHTED_HOLD : HOLD)) return
    const next = world.data.withProps(state.stateId, weighted ? { power } : { powered: power > 0 })
    if (next !== state.stateId) world.setBlock(pos.x, pos.y, pos.z, next)
  }

  /** @param {Pos} pos @param {string} name @returns {number} number of bodies on the plate */
  weight (pos, name) {
    const box = [pos.x + 0.0625, pos.y, pos.z + 0.0625, pos.x + 0.9375, pos.y + 0.25, pos.z + 0.9375]
    const stone = /^(stone|polished_blackstone)_/.test(name)
    let count = 0
    for (const entity of this.world.entities.values()) {
      if (Math.abs(entity.x - pos.x) > 3 || Math.abs(entity.z - pos.z) > 3 || (stone && !entity.living) ||
        /** @type {Partial<import('../../player').Player>} */ (entity).gamemode === 'spectator') {
        continue
      }
      if (overlap(box, bodyBox(entity, entity.width, entity.height))) count++
    }
    return count
  }
}

module.exports = { Plates }
