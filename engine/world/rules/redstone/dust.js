'use strict'
/**
 * Redstone dust: a net of wires is computed as a whole, up to 15 blocks from each source, one level less per step,
 * without delay.
 */
const { STEP, beside, conducts, from, sourceOf, OPPOSITE } = require('./power')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */
/** @typedef {{ pos: Pos, state: BlockState, power: number, links: string[], sides: Record<string, string> }} Wire */

const SIDES = Object.freeze(['north', 'south', 'west', 'east'])
/** Maximum number of wires in one net. */
const MAX_WIRES = 2048

/** @param {Pos} pos */
const keyOf = ({ x, y, z }) => `${x},${y},${z}`

/**
 * Return true if dust turns towards a component beside it.
 *
 * @param {BlockState} state
 * @param {string} side as seen from the dust
 * @returns {boolean}
 */
function turnsTo (state, side) {
  if (state.name === 'repeater') return state.props.facing === side || state.props.facing === OPPOSITE[side]
  if (state.name === 'observer') return state.props.facing === side
  return sourceOf(state) !== null
}

/**
 * Return the wires that a wire connects to, and its drawn sides.
 *
 * @param {World} world
 * @param {Pos} pos
 * @returns {{ links: Pos[], sides: Record<string, string> }}
 */
function ways (world, pos) {
  const closed = conducts(world.stateAt(pos.x, pos.y + 1, pos.z))
  /** @type {Pos[]} */
  const links = []
  /** @type {Record<string, string>} */
  const sides = {}
  for (const side of SIDES) {
    const at = beside(pos, side)
    const other = world.stateAt(at.x, at.y, at.z)
    sides[side] = 'none'
    if (other.name === 'redstone_wire') {
      links.push(at)
      sides[side] = 'side'
      continue
    }
    if (turnsTo(other, side)) sides[side] = 'side'
    if (!closed && other.fullCube && world.stateAt(at.x, at.y + 1, at.z).name === 'redstone_wire') {
      links.push({ ...at, y: at.y + 1 })
      sides[side] = 'up'
    } else if (!conducts(other) && world.stateAt(at.x, at.y - 1, at.z).name === 'redstone_wire') {
      links.push({ ...at, y: at.y - 1 })
      sides[side] = 'side'
    }
  }
  return { links, sides: drawn(sides) }
}

/**
 * Return the drawn sides: a wire with one end is a straight line, a wire without ends a cross.
 *
 * @param {Record<string, string>} sides
 */
function drawn (sides) {
  const open = SIDES.filter((side) => sides[side] !== 'none')
  if (open.length === 0) return Object.fromEntries(SIDES.map((side) => [side, 'side']))
  if (open.length === 1) return { ...sides, [OPPOSITE[open[0]]]: 'side' }
  return sides
}

/** Return the net that a wire belongs to. @param {World} world @param {Pos} start @returns {Map<string, Wire>} */
function netOf (world, start) {
  /** @type {Map<string, Wire>} */
  const net = new Map()
  const queue = [start]
  for (const pos of queue) {
    if (net.has(keyOf(pos)) || net.size >= MAX_WIRES) continue
    const state = world.stateAt(pos.x, pos.y, pos.z)
    if (state.name !== 'redstone_wire') continue
    const { links, sides } = ways(world, pos)
    net.set(keyOf(pos), { pos, state, power: 0, links: links.map(keyOf), sides })
    queue.push(...links)
  }
  return net
}

/**
 * Fill a net with the power of its sources, the strongest first.
 *
 * @param {World} world
 * @param {Map<string, Wire>} net
 */
function fill (world, net) {
  /** @type {string[][]} */
  const byPower = Array.from({ length: 16 }, () => [])
  for (const [key, wire] of net) {
    for (const side of Object.keys(STEP)) wire.power = Math.max(wire.power, from(world, wire.pos, side, false))
    byPower[wire.power].push(key)
  }
  for (let power = 15; power > 1; power--) {
    for (const key of byPower[power]) {
      const wire = /** @type {Wire} */ (net.get(key))
      if (wire.power !== power) continue
      for (const next of wire.links) {
        const other = net.get(next)
        if (!other || other.power >= power - 1) continue
        other.power = power - 1
        byPower[power - 1].push(next)
      }
    }
  }
}

/** Update the net of a wire after a change beside it. @param {World} world @param {Pos} pos */
function settle (world, pos) {
  const net = netOf(world, pos)
  fill(world, net)
  for (const wire of net.values()) {
    const stateId = world.data.withProps(wire.state.stateId, { ...wire.sides, power: wire.power })
    if (stateId !== wire.state.stateId) world.setBlock(wire.pos.x, wire.pos.y, wire.pos.z, stateId)
  }
}

module.exports = { settle, ways }
