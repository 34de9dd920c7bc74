'use strict'
/**
 * Redstone of one world, driven by changes. A changed block wakes the receivers within reach of its power, at most two
 * blocks away; they query their power again in the same tick. Without components near, a change costs two table
 * lookups.
 */
const { receiverOf } = require('./receivers')
const { sourceOf, conducts, beside } = require('./power')
const { Plates } = require('./plates')
const { Sensors } = require('./sensors')
const { Rails } = require('./rails')
const { Tripwires } = require('./tripwires')
const { parted } = require('./pistons')
const { noticed } = require('./observers')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */

const UNKNOWN = 0
const NOTHING = 1
const COMPONENT = 2
const RECEIVER = 3
/** Maximum number of blocks through which a component's power reaches. */
const REACH = 2
/** Blocks that watch others without power. A world that never had one skips the search around each change. */
const WATCHERS = /^(observer|comparator)$/
const SIDES = Object.freeze(['north', 'south', 'west', 'east'])

/** @param {Pos} pos */
const keyOf = ({ x, y, z }) => `${x},${y},${z}`

/** Redstone of one world. */
class Redstone {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    /** Role of each block in redstone, by block id. */
    this.kinds = new Uint8Array(world.registry.blocksArray.length + 1)
    this.plates = new Plates(world)
    this.sensors = new Sensors(world)
    this.rails = new Rails(world)
    this.tripwires = new Tripwires(world)
    /** True if the world has had an observer or a comparator. */
    this.watched = false
    /** Output of comparators by position, without those of 0. @type {Map<string, number>} */
    this.outputs = new Map()
    /** Ages at which torches went out, by position. @type {Map<string, number[]>} */
    this.toggles = new Map()
    /** Scheduled component updates. @type {Set<string>} */
    this.pending = new Set()
  }

  /** @param {BlockState} state */
  kindOf (state) {
    const known = this.kinds[state.id]
    if (known !== UNKNOWN) return known
    return this.kinds[state.id] = receiverOf(state.name) ? RECEIVER
      : sourceOf(state) || /^(piston_head|tripwire)$/.test(state.name) ? COMPONENT : NOTHING
  }

  /** Return true if power acts on a block. @param {BlockState} state @returns {boolean} */
  isReceiver (state) { return this.kindOf(state) === RECEIVER }

  /** Handle a block's change. @param {Pos} pos @param {BlockState} before @param {BlockState} after */
  changed (pos, before, after) {
    if (this.watched) {
      noticed(this.world, pos)
      this.updateComparators(pos)
    }
    const [was, is] = [this.kindOf(before), this.kindOf(after)]
    if (was === NOTHING && is === NOTHING) return
    if (before.name !== after.name) this.replaced(pos, before.name, after.name)
    if (before.name.includes('piston')) parted(this.world, pos, before, after)
    this.plates.changed(pos, before.name, after.name)
    this.wake(pos)
  }

  /** @param {Pos} pos @param {string} before block name @param {string} after block name */
  replaced (pos, before, after) {
    if (WATCHERS.test(after)) this.watched = true
    this.outputs.delete(keyOf(pos))
    this.toggles.delete(keyOf(pos))
    this.sensors.changed(pos, before, after)
    this.rails.changed(pos, before, after)
    this.tripwires.changed(pos, before, after)
  }

  /** @param {Pos} pos */
  wake ({ x, y, z }) {
    for (let dx = -REACH; dx <= REACH; dx++) {
      for (let dy = -REACH; dy <= REACH; dy++) {
        for (let dz = -REACH; dz <= REACH; dz++) {
          if (Math.abs(dx) + Math.abs(dy) + Math.abs(dz) > REACH) continue
          if (this.isReceiver(this.world.stateAt(x + dx, y + dy, z + dz))) {
            this.world.updates.schedule({ x: x + dx, y: y + dy, z: z + dz }, 0)
          }
        }
      }
    }
  }

  /**
   * Let comparators read a position again: those beside it, and those behind a solid block beside it.
   *
   * @param {Pos} pos
   */
  updateComparators (pos) {
    if (!this.watched) return
    for (const side of SIDES) {
      const at = beside(pos, side)
      const state = this.world.stateAt(at.x, at.y, at.z)
      if (state.name === 'comparator') this.world.updates.schedule(at, 0)
      else if (conducts(state)) {
        const far = beside(at, side)
        if (this.world.stateAt(far.x, far.y, far.z).name === 'comparator') this.world.updates.schedule(far, 0)
      }
    }
  }

  /** Run a block's due update. @param {Pos} pos @param {BlockState} state */
  update (pos, state) { if (this.isReceiver(state)) receiverOf(state.name)?.(this.world, pos, state) }

  /**
   * Schedule a component's turn, which runs if the component is still there. While one turn is pending, no other is
   * accepted.
   * @param {Pos} pos @param {string} name of the block @param {number} ticks @param {(state: BlockState) => void} turn
   */
  once (pos, name, ticks, turn) {
    const key = `${name}@${keyOf(pos)}`
    if (this.pending.has(key)) return
    this.pending.add(key)
    this.world.later(ticks, () => {
      this.pending.delete(key)
      const now = this.world.stateAt(pos.x, pos.y, pos.z)
      if (now.name === name) turn(now)
    })
  }

  /** Return the output of a comparator. @param {Pos} pos @returns {number} */
  outputOf (pos) { return this.outputs.get(keyOf(pos)) ?? 0 }

  /** @param {Pos} pos of a comparator @param {number} power @returns {boolean} true if the output has changed */
  setOutput (pos, power) {
    const changed = this.outputOf(pos) !== power
    if (power > 0) this.outputs.set(keyOf(pos), power)
    else this.outputs.delete(keyOf(pos))
    return changed
  }

  /**
   * Return the ages at which a torch went out within the last ticks.
   *
   * @param {Pos} pos
   * @param {number} within ticks
   * @returns {number[]} the live list, to which new ages are added
   */
  togglesOf (pos, within) {
    const recent = (this.toggles.get(keyOf(pos)) ?? []).filter((age) => this.world.age - age <= within)
    this.toggles.set(keyOf(pos), recent)
    return recent
  }

  tick () {
    this.plates.tick()
    this.sensors.tick()
    this.tripwires.tick()
    this.rails.tick()
  }
}

module.exports = { Redstone }
