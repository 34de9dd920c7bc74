'use strict'
/**
 * Redstone of one world: driven by changes. A block that changed wakes the receivers that its power may reach, two blocks far; they ask
 * anew for the power that comes to them, in the same tick. Where no component stands, a change costs two look-ups in a table.
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
/** Blocks that a component's power reaches through another one, at most. */
const REACH = 2
/** Blocks that look at others without power: a world that never had one skips the look-up around each change. */
const WATCHERS = /^(observer|comparator)$/
const SIDES = Object.freeze(['north', 'south', 'west', 'east'])

/** @param {Pos} pos */
const keyOf = ({ x, y, z }) => `${x},${y},${z}`

/** Redstone in one world. */
class Redstone {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    /** What each block is to redstone, by block id. */
    this.kinds = new Uint8Array(world.registry.blocksArray.length + 1)
    this.plates = new Plates(world)
    this.sensors = new Sensors(world)
    this.rails = new Rails(world)
    this.tripwires = new Tripwires(world)
    /** Whether the world has had an observer or a comparator. */
    this.watched = false
    /** Power that comparators give, by place; none for 0. @type {Map<string, number>} */
    this.outputs = new Map()
    /** When torches went out, by place. @type {Map<string, number[]>} */
    this.toggles = new Map()
    /** Turns of components that are due later. @type {Set<string>} */
    this.pending = new Set()
  }

  /** @param {BlockState} state */
  kindOf (state) {
    const known = this.kinds[state.id]
    if (known !== UNKNOWN) return known
    return this.kinds[state.id] = receiverOf(state.name) ? RECEIVER : sourceOf(state) || /^(piston_head|tripwire)$/.test(state.name) ? COMPONENT : NOTHING
  }

  /** Whether power means something to a block. @param {BlockState} state */
  hears (state) { return this.kindOf(state) === RECEIVER }

  /** A block changed. @param {Pos} pos @param {BlockState} before @param {BlockState} after */
  changed (pos, before, after) {
    if (this.watched) {
      noticed(this.world, pos)
      this.reread(pos)
    }
    const [was, is] = [this.kindOf(before), this.kindOf(after)]
    if (was === NOTHING && is === NOTHING) return
    if (before.name !== after.name) this.replaced(pos, before.name, after.name)
    if (before.name.includes('piston')) parted(this.world, pos, before, after)
    this.plates.changed(pos, before.name, after.name)
    this.wake(pos)
  }

  /** @param {Pos} pos @param {string} before @param {string} after names of blocks */
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
          if (this.hears(this.world.stateAt(x + dx, y + dy, z + dz))) this.world.updates.schedule({ x: x + dx, y: y + dy, z: z + dz }, 0)
        }
      }
    }
  }

  /** What a comparator would read at a place may be another number: comparators beside it, or behind a solid block beside it, read anew. @param {Pos} pos */
  reread (pos) {
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

  /** A block's update is due. @param {Pos} pos @param {BlockState} state */
  update (pos, state) { if (this.hears(state)) receiverOf(state.name)?.(this.world, pos, state) }

  /**
   * Have a component take its turn in some ticks if it still stands there; while one turn is due, no other is taken on.
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

  /** Power that a comparator gives. @param {Pos} pos */
  outputOf (pos) { return this.outputs.get(keyOf(pos)) ?? 0 }

  /** @param {Pos} pos of a comparator @param {number} power @returns {boolean} whether it is another one than before */
  setOutput (pos, power) {
    const changed = this.outputOf(pos) !== power
    if (power > 0) this.outputs.set(keyOf(pos), power)
    else this.outputs.delete(keyOf(pos))
    return changed
  }

  /** When a torch went out, within the last so many ticks. @param {Pos} pos @param {number} within @returns {number[]} to be added to */
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
