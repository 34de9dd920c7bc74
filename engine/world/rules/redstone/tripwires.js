'use strict'
/**
 * Tripwires (minecraft.wiki, "Tripwire Hook", "String"): two facing hooks with string between; a body on the string
 * powers both. Only placed strings are ticked.
 */
const { OPPOSITE, beside } = require('./power')
const { overlap, bodyBox } = require('../../geometry')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../world').World} World */

/** Maximum number of strings between two hooks, and ticks for which a string stays pressed after it was left. */
const MAX_LENGTH = 40
const HOLD = 10
const SIDES = Object.freeze(['north', 'south', 'west', 'east'])
/** Height of a string above the floor of its block, in blocks. */
const HEIGHT = 0.5

/** Strings of one world. */
class Tripwires {
  /** @param {World} world */
  constructor (world) {
    this.world = world
    /**
     * Strings by position, with the age at which a body was last on them.
     *
     * @type {Map<string, { pos: Pos, last: number }>}
     */
    this.byPos = new Map()
  }

  /** @param {Pos} pos @param {string} before block name @param {string} after block name */
  changed (pos, before, after) {
    const key = `${pos.x},${pos.y},${pos.z}`
    if (before === 'tripwire') this.byPos.delete(key)
    if (after === 'tripwire') this.byPos.set(key, { pos: { ...pos }, last: -HOLD })
    if (after === 'tripwire_hook') this.world.later(1, () => this.settle(pos))
    if (/^tripwire/.test(before) || after === 'tripwire') this.around(pos)
  }

  /** Update the hooks on all sides to which a string or a removed hook may belong. @param {Pos} pos */
  around (pos) {
    for (const side of SIDES) {
      let at = beside(pos, side)
      for (let i = 0; i < MAX_LENGTH && this.world.stateAt(at.x, at.y, at.z).name === 'tripwire'; i++) {
        at = beside(at, side)
      }
      this.settle(at)
    }
  }

  /** Update a hook: find its partner, and test whether a string between them is pressed. @param {Pos} pos */
  settle (pos) {
    const { world } = this
    const hook = world.stateAt(pos.x, pos.y, pos.z)
    if (hook.name !== 'tripwire_hook') return
    const { facing } = hook.props
    let powered = false
    let at = beside(pos, facing)
    let strings = 0
    for (; strings < MAX_LENGTH; strings++, at = beside(at, facing)) {
      const state = world.stateAt(at.x, at.y, at.z)
      if (state.name !== 'tripwire') break
      powered ||= state.props.powered === 'true' && state.props.disarmed === 'false'
    }
    const end = world.stateAt(at.x, at.y, at.z)
    const attached = strings > 0 && end.name === 'tripwire_hook' && end.props.facing === OPPOSITE[facing]
    const props = { attached, powered: attached && powered }
    this.set(pos, hook, props)
    if (attached) this.set(at, end, props)
  }

  /** @param {Pos} pos @param {import('../../data').BlockState} state @param {Record<string, boolean>} props */
  set ({ x, y, z }, state, props) {
    const next = this.world.data.withProps(state.stateId, props)
    if (next !== state.stateId) this.world.setBlock(x, y, z, next)
  }

  tick () { for (const string of this.byPos.values()) this.updateString(string) }

  /** @param {{ pos: Pos, last: number }} string */
  updateString (string) {
    const { world } = this
    const { x, y, z } = string.pos
    const box = [x, y, z, x + 1, y + HEIGHT, z + 1]
    for (const entity of world.entities.values()) {
      if (Math.abs(entity.x - x) > 3 || Math.abs(entity.z - z) > 3 ||
        /** @type {Partial<import('../../player').Player>} */ (entity).gamemode === 'spectator') {
        continue
      }
      if (overlap(box, bodyBox(entity, entity.width, entity.height))) string.last = world.age
    }
    const powered = world.age - string.last < HOLD
    const state = world.stateAt(x, y, z)
    if (state.name !== 'tripwire' || powered === (state.props.powered === 'true')) return
    world.setBlock(x, y, z, world.data.withProps(state.stateId, { powered }))
    this.around(string.pos)
  }
}

module.exports = { Tripwires }
