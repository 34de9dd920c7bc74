'use strict'
/**
 * Rails of one world (minecraft.wiki, "Powered Rail", "Detector Rail", "Activator Rail"): their power, and the carts on
 * them. Without carts a tick does nothing.
 */
const { received } = require('./power')
const { fullness } = require('./analog')
const { RailState, isRail } = require('./rail_shapes')
const { overlap } = require('../../geometry')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */
/** @typedef {import('../../entities/minecart').Minecart} Minecart */

/** Number of powered rails on each side of a powered one that are on with it. */
const CHAIN = 8
/** Ticks between two checks for a cart on a detector rail. */
const DETECT_EVERY = 20
/** Distance from a detector rail's sides, in blocks, within which it does not detect carts. */
const MARGIN = 0.2

/** @param {Pos} pos */
const keyOf = ({ x, y, z }) => `${x},${y},${z}`

/** Rails and carts of one world. */
class Rails {
  /** @param {World} world */
  constructor (world) {
    this.world = world
    /** @type {Set<Minecart>} */
    this.carts = new Set()
    /** Pressed detector rails with the age of the next check. @type {Map<string, { pos: Pos, due: number }>} */
    this.pressed = new Map()
    /** Plain rails that power has turned. @type {Set<string>} */
    this.turned = new Set()
  }

  /** @param {Pos} pos @param {string} before block name @param {string} after block name */
  changed (pos, before, after) {
    this.pressed.delete(keyOf(pos))
    this.turned.delete(keyOf(pos))
    if (isRail(after) && !isRail(before)) new RailState(this.world, { x: pos.x, y: pos.y, z: pos.z }).settle(true)
  }

  /** Return the carts whose bodies overlap a box. @param {number[]} box */
  within (box) { return [...this.carts].filter((cart) => !cart.removed && overlap(cart.box, box)) }

  /**
   * Return a cart with slots in a cell, or null.
   *
   * @param {Pos} pos
   * @returns {(Minecart & { store: import('../../windows/store').Store }) | null}
   */
  carrierAt ({ x, y, z }) {
    if (this.carts.size === 0) return null
    return /** @type {any} */ (this.within([x, y, z, x + 1, y + 1, z + 1]).find((cart) => cart.store !== null) ?? null)
  }

  /** Return a comparator's reading of the cart on a detector rail. @param {Pos} pos */
  cargo (pos) {
    const cart = this.carrierAt(pos)
    return cart ? fullness([cart.store]) : 0
  }

  /** Press a detector rail under a cart. @param {Pos} pos @param {BlockState} state */
  press (pos, state) {
    if (this.pressed.has(keyOf(pos)) || this.on(pos).length === 0) return
    this.pressed.set(keyOf(pos), { pos: { ...pos }, due: this.world.age + DETECT_EVERY })
    if (state.props.powered === 'false') {
      this.world.setBlock(pos.x, pos.y, pos.z, this.world.data.withProps(state.stateId, { powered: true }))
    }
  }

  /** @param {Pos} pos of a detector rail */
  on ({ x, y, z }) { return this.within([x + MARGIN, y, z + MARGIN, x + 1 - MARGIN, y + 1 - MARGIN, z + 1 - MARGIN]) }

  tick () {
    if (this.pressed.size === 0) return
    for (const [key, detector] of this.pressed) {
      if (detector.due > this.world.age) continue
      detector.due = this.world.age + DETECT_EVERY
      const { pos } = detector
      if (this.on(pos).length > 0) {
        this.world.redstone.updateComparators(pos)
        continue
      }
      this.pressed.delete(key)
      this.world.setBlock(pos.x, pos.y, pos.z,
        this.world.data.withProps(this.world.blockAt(pos.x, pos.y, pos.z), { powered: false }))
    }
  }
}

/** Turn a junction of three plain rails when its power changes. @type {import('./receivers').Reaction} */
function rail (world, pos, state) {
  if (state.name !== 'rail') return
  const { turned } = world.redstone.rails
  const powered = received(world, pos) > 0
  if (powered === turned.has(keyOf(pos))) return
  if (powered) turned.add(keyOf(pos))
  else turned.delete(keyOf(pos))
  const here = new RailState(world, pos)
  if (here.neighbours === 3) here.settle(false)
}

/** @type {import('./receivers').Reaction} */
function poweredRail (world, pos, state) {
  const powered = received(world, pos) > 0 || fed(world, pos, state, true, 0) || fed(world, pos, state, false, 0)
  if (powered !== (state.props.powered === 'true')) {
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { powered }))
  }
}

/**
 * Steps to the next rail for each shape, forward and backward.
 *
 * @type {Record<string, readonly [readonly number[], readonly number[]]>}
 */
const NEXT = Object.freeze({
  north_south: [[0, 0, 1], [0, 0, -1]], east_west: [[-1, 0, 0], [1, 0, 0]], ascending_east: [[-1, 0, 0], [1, 1, 0]],
  ascending_west: [[-1, 1, 0], [1, 0, 0]], ascending_north: [[0, 0, 1], [0, 1, -1]],
  ascending_south: [[0, 1, 1], [0, 0, -1]]
})
/** @param {string} shape */
const alongX = (shape) => /east|west/.test(shape)

/**
 * Return true if power comes along the rails from one side.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {boolean} onwards
 * @param {number} far
 * @returns {boolean}
 */
function fed (world, pos, state, onwards, far) {
  if (far >= CHAIN) return false
  const [dx, dy, dz] = NEXT[state.props.shape][onwards ? 0 : 1]
  for (const down of dy === 0 ? [0, 1] : [0]) {
    const at = { x: pos.x + dx, y: pos.y + dy - down, z: pos.z + dz }
    const other = world.stateAt(at.x, at.y, at.z)
    if (other.name !== state.name || alongX(other.props.shape) !== alongX(state.props.shape) ||
      other.props.powered === 'false') {
      continue
    }
    if (received(world, at) > 0 || fed(world, at, other, onwards, far + 1)) return true
  }
  return false
}

module.exports = { Rails, rail, poweredRail }
