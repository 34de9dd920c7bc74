'use strict'
/**
 * Redstone power of components (minecraft.wiki, "Redstone mechanics"). Weak power acts on adjacent blocks. Strong power
 * also acts through a solid block on the blocks behind it. So does the power of dust, except on dust.
 */

const { playing } = require('../functional_blocks/jukebox')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */

/** Name, step and opposite of each direction. @type {readonly (readonly [string, number, number, number, string])[]} */
const DIRECTIONS = Object.freeze([['down', 0, -1, 0, 'up'], ['up', 0, 1, 0, 'down'], ['north', 0, 0, -1, 'south'],
  ['south', 0, 0, 1, 'north'], ['west', -1, 0, 0, 'east'], ['east', 1, 0, 0, 'west']])
/** @type {Record<string, string>} */
const OPPOSITE = Object.freeze(Object.fromEntries(DIRECTIONS.map(([name, , , , back]) => [name, back])))
/** @type {Record<string, readonly [number, number, number]>} */
const STEP = Object.freeze(
  Object.fromEntries(DIRECTIONS.map(([name, x, y, z]) => [name, /** @type {const} */ ([x, y, z])])))
const FULL = 15

/** @param {Pos} pos @param {string} direction @returns {Pos} */
function beside (pos, direction) {
  const [x, y, z] = STEP[direction]
  return { x: pos.x + x, y: pos.y + y, z: pos.z + z }
}

/** Return true if power passes through a block. @param {BlockState} state @returns {boolean} */
function conducts (state) {
  return state.fullCube && !state.info.transparent &&
    !/piston|^(redstone_block|observer|tnt|glowstone|sea_lantern|beacon|ice|frosted_ice)$/.test(state.name)
}

/** Return the side on which a lever or a button is fixed. @param {BlockState} state */
function heldBy ({ props }) {
  return props.face === 'floor' ? 'down' : props.face === 'ceiling' ? 'up' : OPPOSITE[props.facing]
}

/**
 * Power by kind: the power given towards a side, weakly and strongly.
 *
 * @typedef {(state: BlockState, side: string, world: World, pos: Pos) => number} Gives
 */

const on = (/** @type {BlockState} */ state) => state.props.powered === 'true' ? FULL : 0
const plate = (/** @type {BlockState} */ state) =>
  state.props.power !== undefined ? Number(state.props.power) : on(state)
const lit = (/** @type {BlockState} */ state) => state.props.lit === 'true' ? FULL : 0
const level = (/** @type {BlockState} */ state) => Number(state.props.power)
/** Diodes and observers give power at their backs. @param {Gives} gives @returns {Gives} */
const behind = (gives) =>
  (state, side, world, pos) => side === OPPOSITE[state.props.facing] ? gives(state, side, world, pos) : 0
/** @param {Gives} gives @returns {Gives} */
const below = (gives) => (state, side, world, pos) => side === 'down' ? gives(state, side, world, pos) : 0
/** @type {Gives} */
const compared = (_state, _side, world, pos) => world.redstone.outputOf(pos)
/** A trapped chest gives as much power as it has viewers. @type {Gives} */
const viewers = (_state, _side, world, pos) => Math.min(FULL, world.blockEntities.at(pos)?.viewers.size ?? 0)
const none = () => 0
/** Patterns of names with their weak and strong power. @type {[RegExp, Gives, Gives][]} */
const SOURCES = [
  [/^redstone_block$/, () => FULL, () => 0],
  [/^lever$|_button$/, on, (state, side) => heldBy(state) === side ? on(state) : 0],
  [/_pressure_plate$/, plate, (state, side) => side === 'down' ? plate(state) : 0],
  [/^redstone_torch$/, (state, side) => side === 'down' ? 0 : lit(state),
    (state, side) => side === 'up' ? lit(state) : 0],
  [/^redstone_wall_torch$/, (state, side) => side === OPPOSITE[state.props.facing] ? 0 : lit(state),
    (state, side) => side === 'up' ? lit(state) : 0],
  [/^(repeater|observer)$/, behind(on), behind(on)], [/^comparator$/, behind(compared), behind(compared)],
  [/^(detector_rail|lectern)$/, on, below(on)], [/^(lightning_rod|tripwire_hook)$/, on, behind(on)],
  [/^jukebox$/, (_state, _side, world, pos) => playing(world, pos) ? FULL : 0, none],
  [/^(daylight_detector|target)$/, level, none], [/^trapped_chest$/, viewers, below(viewers)]
]
/** @type {WeakMap<object, [Gives, Gives] | null>} */
const known = new WeakMap()

/** @param {BlockState} state @returns {[Gives, Gives] | null} */
function sourceOf (state) {
  let gives = known.get(state.info)
  if (gives === undefined) {
    const row = SOURCES.find(([pattern]) => pattern.test(state.name))
    known.set(state.info, gives = row ? [row[1], row[2]] : null)
  }
  return gives
}

/**
 * Return the power of dust towards a side: down, and where it points.
 *
 * @param {BlockState} state
 * @param {string} side
 * @returns {number}
 */
function ofDust (state, side) {
  if (side === 'up') return 0
  return side === 'down' || state.props[side] !== 'none' ? Number(state.props.power) : 0
}

/**
 * Return the strong power in a solid block.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {boolean} dust true if the power of dust counts too
 */
function within (world, pos, dust) {
  let most = 0
  for (const [name, x, y, z, back] of DIRECTIONS) {
    const other = world.stateAt(pos.x + x, pos.y + y, pos.z + z)
    if (other.air) continue
    if (other.name === 'redstone_wire') most = Math.max(most, dust ? ofDust(other, back) : 0)
    else most = Math.max(most, sourceOf(other)?.[1](other, back, world, beside(pos, name)) ?? 0)
  }
  return most
}

/**
 * Return the power that a position receives from one side.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {string} side
 * @param {boolean} [dust] true if the power of dust counts
 */
function from (world, pos, side, dust = true) {
  const at = beside(pos, side)
  const other = world.stateAt(at.x, at.y, at.z)
  if (other.air) return 0
  const toward = OPPOSITE[side]
  if (other.name === 'redstone_wire') return dust ? ofDust(other, toward) : 0
  const weak = sourceOf(other)?.[0](other, toward, world, at) ?? 0
  return conducts(other) ? Math.max(weak, within(world, at, dust)) : weak
}

/**
 * Return the highest power that a position receives.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {string} [but] a side that does not count
 */
function received (world, pos, but) {
  let most = 0
  for (const [name] of DIRECTIONS) if (name !== but) most = Math.max(most, from(world, pos, name))
  return most
}

module.exports = { DIRECTIONS, OPPOSITE, STEP, FULL, beside, conducts, sourceOf, heldBy, within, from, received }
