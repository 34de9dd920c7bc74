'use strict'
/**
 * Repeaters with locks, comparators, and torches that burn out (minecraft.wiki, each block's page; checks in vanilla's
 * order).
 */
const { OPPOSITE, FULL, beside, conducts, from, sourceOf } = require('./power')
const { analogOf, framed } = require('./analog')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */

const TORCH_TICKS = 2
const REPEATER_TICKS = 2
const COMPARATOR_TICKS = 2
/** A torch that went out `times` times within `within` ticks burns out for `rest` ticks. */
const BURN_OUT = Object.freeze({ times: 8, within: 60, rest: 160 })
/** The two sides of a diode, by its facing. @type {Record<string, readonly [string, string]>} */
const FLANKS = Object.freeze({ north: ['west', 'east'], south: ['west', 'east'], west: ['north', 'south'],
  east: ['north', 'south'] })

/** @param {World} world @param {Pos} pos @param {BlockState} state @param {Record<string, boolean>} props */
function change (world, pos, state, props) {
  world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, props))
}

/**
 * Return the power that diodes beside a diode send into its flanks.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {boolean} all true if dust, redstone blocks and other sources count too
 */
function flanked (world, pos, state, all) {
  let most = 0
  for (const side of FLANKS[state.props.facing]) {
    const at = beside(pos, side)
    const other = world.stateAt(at.x, at.y, at.z)
    if (/^(repeater|comparator)$/.test(other.name) || (all && sourceOf(other))) {
      most = Math.max(most, other.name === 'redstone_block' ? FULL
        : sourceOf(other)?.[1](other, OPPOSITE[side], world, at) ?? 0)
    } else if (all && other.name === 'redstone_wire') most = Math.max(most, Number(other.props.power))
  }
  return most
}

/** @type {import('./receivers').Reaction} */
function repeater (world, pos, state) {
  const locked = flanked(world, pos, state, false) > 0
  if (locked !== (state.props.locked === 'true')) return change(world, pos, state, { locked })
  const input = () => from(world, pos, state.props.facing) > 0
  if (locked || input() === (state.props.powered === 'true')) return
  const delay = REPEATER_TICKS * Number(state.props.delay)
  const turn = (/** @type {BlockState} */ now) => {
    if (flanked(world, pos, now, false) > 0) return
    if (now.props.powered === 'false') {
      change(world, pos, now, { powered: true })
      // A pulse shorter than the delay is extended to the delay.
      if (!input()) world.redstone.once(pos, 'repeater', delay, turn)
    } else if (!input()) change(world, pos, now, { powered: false })
  }
  world.redstone.once(pos, 'repeater', delay, turn)
}

/**
 * Return the power into a comparator from behind: the reading of the block there, or behind a solid block, else
 * redstone power.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @returns {number}
 */
function measured (world, pos, { props: { facing } }) {
  const at = beside(pos, facing)
  const there = world.stateAt(at.x, at.y, at.z)
  const analog = analogOf(world, at, there)
  if (analog !== null) return analog
  const power = there.name === 'redstone_wire' ? Number(there.props.power) : from(world, pos, facing)
  if (power >= FULL || !conducts(there)) return power
  const far = beside(at, facing)
  const seen = [analogOf(world, far, world.stateAt(far.x, far.y, far.z)),
    framed(world, far, facing)].filter((value) => value !== null)
  return seen.length > 0 ? Math.max(...seen) : power
}

/** @param {World} world @param {Pos} pos @param {BlockState} state @returns {{ output: number, powered: boolean }} */
function compare (world, pos, state) {
  const input = measured(world, pos, state)
  const side = flanked(world, pos, state, true)
  const subtracts = state.props.mode === 'subtract'
  return {
    output: input === 0 || side > input ? 0 : subtracts ? input - side : input,
    powered: input > side || (input > 0 && input === side && !subtracts)
  }
}

/** @type {import('./receivers').Reaction} */
function comparator (world, pos, state) {
  const { output, powered } = compare(world, pos, state)
  if (output === world.redstone.outputOf(pos) && powered === (state.props.powered === 'true')) return
  world.redstone.once(pos, 'comparator', COMPARATOR_TICKS, (now) => {
    const next = compare(world, pos, now)
    const louder = world.redstone.setOutput(pos, next.output)
    if (next.powered !== (now.props.powered === 'true')) change(world, pos, now, { powered: next.powered })
    else if (louder) world.redstone.wake(pos)
  })
}

/** Switch a comparator's mode by hand. @param {World} world @param {Pos} pos @param {BlockState} state */
function switchMode (world, pos, state) {
  world.setBlock(pos.x, pos.y, pos.z,
    world.data.withProps(state.stateId, { mode: state.props.mode === 'compare' ? 'subtract' : 'compare' }))
  world.emit('sound', { name: 'block.comparator.click', x: pos.x + 0.5, y: pos.y + 0.5, z: pos.z + 0.5 })
}

/**
 * Lengthen a repeater's delay by hand, from 4 back to 1.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 */
function lengthen (world, pos, state) {
  world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { delay: Number(state.props.delay) % 4 + 1 }))
}

/** Turn a torch off by power in the block that holds it. @type {import('./receivers').Reaction} */
function torch (world, pos, state) {
  const side = state.name === 'redstone_torch' ? 'down' : OPPOSITE[state.props.facing]
  const right = () => from(world, pos, side) === 0
  if (right() === (state.props.lit === 'true')) return
  const turn = (/** @type {BlockState} */ now) => {
    const toggles = world.redstone.togglesOf(pos, BURN_OUT.within)
    if (right() === (now.props.lit === 'true')) return
    if (!right()) {
      toggles.push(world.age)
      change(world, pos, now, { lit: false })
      if (toggles.length >= BURN_OUT.times) world.redstone.once(pos, now.name, BURN_OUT.rest, turn)
    } else if (toggles.length < BURN_OUT.times) change(world, pos, now, { lit: true })
  }
  world.redstone.once(pos, state.name, TORCH_TICKS, turn)
}

module.exports = { repeater, comparator, torch, switchMode, lengthen, change }
