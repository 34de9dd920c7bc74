'use strict'
/** State of a placed block: facing, half, and the other blocks that belong to it. */
const { isRail } = require('../redstone/rail_shapes')
const { FACES, facingOf } = require('../../geometry')
const { CLOCKWISE, STEP, otherHalf } = require('./block_entities')
const { canStay } = require('./support')
const { isCampfire } = require('../functional_blocks/campfires')
const { isScaffolding, held } = require('./scaffolding')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('./placing').Target} Target */
/**
 * A block to set. `over` replaces the present block; `parts` marks a block that its other half holds.
 *
 * @typedef {{ pos: Pos, stateId: number, over?: boolean, parts?: boolean }} Part
 */

/** @type {Record<string, string>} */
const OPPOSITE = { north: 'south', south: 'north', east: 'west', west: 'east', up: 'down', down: 'up' }

/** Blocks whose front faces the player. */
const TOWARD_PLAYER =
  new RegExp(
    '^(chest|trapped_chest|ender_chest|furnace|blast_furnace|smoker|carved_pumpkin|jack_o_lantern|loom|' +
    'stonecutter|lectern|beehive|bee_nest|chiseled_bookshelf|.*_glazed_terracotta|decorated_pot|repeater|' +
    'comparator|campfire|soul_campfire|grindstone)$')
/** Blocks that face the player along the view, also up and down. */
const SIX_WAYS = /^(piston|sticky_piston|dispenser|dropper|barrel|command_block)$/

/**
 * Return the blocks that placing an item sets, or null if the item is not a block.
 * @param {import('../../world').World} world
 * @param {import('../../player').Player} player
 * @param {import('../../types').Item} item
 * @param {Pos} at
 * @param {Target} target
 * @param {import('../../data').BlockState} there present block at the position
 * @returns {Part[] | null}
 */
function stateToPlace (world, player, item, at, target, there) {
  const base = world.data.placeable.get(item.name)
  if (base === undefined) return null
  const added = addTo(world, there, item.name)
  if (added !== null) return [{ pos: at, stateId: added, over: true }]
  const name = onWall(world, world.data.state(base).name, target)
  const stateId = turned(world, player, name, at, target, there)
  return withMates(world, at, stateId)
}

/**
 * Return the state with one more slab, layer or candle.
 *
 * @param {import('../../world').World} world
 * @param {import('../../data').BlockState} there
 * @param {string} name
 */
function addTo (world, there, name) {
  if (there.name !== name) return null
  if (name.endsWith('_slab') && there.props.type !== 'double') {
    return world.data.withProps(there.stateId, { type: 'double', waterlogged: false })
  }
  for (const [prop, most] of /** @type {[string, number][]} */ ([['layers', 8], ['candles', 4], ['pickles', 4],
    ['flower_amount', 4]])) {
    if (there.props[prop] && Number(there.props[prop]) < most && !/cake/.test(name)) {
      return world.data.withProps(there.stateId, { [prop]: Number(there.props[prop]) + 1 })
    }
  }
  return null
}

/**
 * Return the name of the wall variant of a torch, sign, head, fan or banner.
 *
 * @param {import('../../world').World} world
 * @param {string} name
 * @param {Target} target
 */
function onWall (world, name, { face }) {
  if (face < 2) return name
  const wall = name.replace(/(torch|sign|skull|head|fan|banner)$/, 'wall_$1')
  return wall !== name && world.registry.blocksByName[wall] ? wall : name
}

/**
 * @param {import('../../world').World} world
 * @param {import('../../player').Player} player
 * @param {string} name
 * @param {Pos} at
 * @param {Target} target
 * @param {import('../../data').BlockState} there
 */
function turned (world, player, name, at, target, there) {
  const { data } = world
  const base = data.stateId(name)
  const has = data.state(base).props
  const view = facingOf(player.yaw)
  const face = FACES[target.face].name
  /** @type {Record<string, string | number | boolean>} */
  const props = {}
  if (has.waterlogged !== undefined) props.waterlogged = there.name === 'water' && there.props.level === '0'
  if (isScaffolding(name)) Object.assign(props, held(world, at))
  if (isCampfire(name)) props.lit = !props.waterlogged
  if (has.axis !== undefined) props.axis = target.face < 2 ? 'y' : target.face < 4 ? 'z' : 'x'
  if (has.type !== undefined && name.endsWith('_slab')) props.type = upperHalf(target) ? 'top' : 'bottom'
  if (has.half === 'bottom' || has.half === 'top') props.half = upperHalf(target) ? 'top' : 'bottom'
  if (has.facing !== undefined) props.facing = facing(name, view, face, player.pitch, target.face)
  if (has.rotation !== undefined) {
    props.rotation = Math.floor((player.yaw + (/sign|banner/.test(name) ? 180 : 0)) * 16 / 360 + 0.5) & 15
  }
  if (has.face !== undefined) props.face = target.face === 1 ? 'floor' : target.face === 0 ? 'ceiling' : 'wall'
  if (isRail(name)) props.shape = view === 'east' || view === 'west' ? 'east_west' : 'north_south'
  if (has.persistent !== undefined) props.persistent = true
  if (name.endsWith('_door')) props.hinge = hinge(world, at, view, target)
  if (has.hanging !== undefined && /lantern$/.test(name)) props.hanging = target.face === 0
  if ((name === 'chest' || name === 'trapped_chest') && !player.sneaking) {
    Object.assign(props, doubled(world, name, at, String(props.facing)))
  }
  return joined(world, at, data.withProps(base, props))
}

/**
 * Return true for the top half: the block was clicked from below, or on the upper part of a side.
 *
 * @param {Target} target
 * @returns {boolean}
 */
function upperHalf ({ face, cursor }) { return face === 0 || (face > 1 && cursor.y > 0.5) }

/** @param {string} name @param {string} view @param {string} face @param {number} pitch @param {number} clicked */
function facing (name, view, face, pitch, clicked) {
  if (/wall_|^ladder$|^tripwire_hook$|^cocoa$/.test(name)) {
    return name === 'cocoa' ? OPPOSITE[face] : clicked > 1 ? face : OPPOSITE[view]
  }
  if (name === 'hopper') return face === 'up' || face === 'down' ? 'down' : OPPOSITE[face]
  if (/shulker_box$|^(end_rod|lightning_rod|.*amethyst_(bud|cluster))$/.test(name)) return face
  if (SIX_WAYS.test(name)) return pitch > 45 ? 'up' : pitch < -45 ? 'down' : OPPOSITE[view]
  if (name === 'observer') return pitch > 45 ? 'down' : pitch < -45 ? 'up' : view
  if (/_trapdoor$/.test(name)) return clicked > 1 ? face : OPPOSITE[view]
  if (/_button$|^lever$/.test(name)) return clicked > 1 ? face : view
  if (/anvil$/.test(name)) return CLOCKWISE[view]
  return TOWARD_PLAYER.test(name) ? OPPOSITE[view] : view
}

/**
 * Return the hinge side of a door: away from the clicked half, or beside another door.
 *
 * @param {import('../../world').World} world
 * @param {Pos} at
 * @param {string} view
 * @param {Target} target
 */
function hinge (world, at, view, { cursor }) {
  const right = CLOCKWISE[view]
  const left = OPPOSITE[right]
  const beside = (/** @type {string} */ side) => world.stateAt(at.x + STEP[side][0], at.y, at.z + STEP[side][1])
  const [onLeft, onRight] = [beside(left), beside(right)]
  if (onLeft.name.endsWith('_door') && !onRight.name.endsWith('_door')) return 'right'
  if (onRight.name.endsWith('_door') && !onLeft.name.endsWith('_door')) return 'left'
  if (onRight.fullCube !== onLeft.fullCube) return onRight.fullCube ? 'right' : 'left'
  const [dx, dz] = STEP[right]
  return (cursor.x - 0.5) * dx + (cursor.z - 0.5) * dz > 0 ? 'right' : 'left'
}

/**
 * Join a chest with a single chest of the same facing beside it.
 *
 * @param {import('../../world').World} world
 * @param {string} name
 * @param {Pos} at
 * @param {string} facing
 * @returns {Record<string, string>}
 */
function doubled (world, name, at, facing) {
  const clockwise = CLOCKWISE[facing]
  for (const [side, type] of [[clockwise, 'left'], [OPPOSITE[clockwise], 'right']]) {
    const [dx, dz] = STEP[side]
    const other = world.stateAt(at.x + dx, at.y, at.z + dz)
    if (other.name === name && other.props.facing === facing && other.props.type === 'single') return { type }
  }
  return {}
}

/** @type {[string, number, number][]} */
const SIDES = [['north', 0, -1], ['south', 0, 1], ['west', -1, 0], ['east', 1, 0]]

/**
 * Connect a fence, pane or wall with its neighbours.
 *
 * @param {import('../../world').World} world
 * @param {Pos} at
 * @param {number} stateId
 * @returns {number}
 */
function joined (world, at, stateId) {
  const state = world.data.state(stateId)
  const kind = joinKind(state.name)
  if (!kind) return stateId
  /** @type {Record<string, string | boolean>} */
  const props = {}
  for (const [side, dx, dz] of SIDES) {
    const other = world.stateAt(at.x + dx, at.y, at.z + dz)
    const joins = (other.fullCube && !/leaves|^(melon|pumpkin|barrier|.*shulker_box)$/.test(other.name)) ||
      joinKind(other.name) === kind || (kind !== 'fence' && /^(pane|wall)$/.test(joinKind(other.name))) ||
      (kind !== 'pane' && gateAcross(other, side))
    props[side] = kind === 'wall' ? (joins ? 'low' : 'none') : joins
  }
  if (kind === 'wall') {
    props.up = !((props.north === 'low' && props.south === 'low' && props.east === 'none' && props.west === 'none') ||
      (props.east === 'low' && props.west === 'low' && props.north === 'none' && props.south === 'none'))
  }
  return world.data.withProps(stateId, props)
}

/** @param {import('../../data').BlockState} state @param {string} side */
function gateAcross (state, side) {
  return state.name.endsWith('_fence_gate') &&
    (state.props.facing === 'north' || state.props.facing === 'south' ? side === 'east' || side === 'west'
    : side === 'north' || side === 'south')
}

/** @param {string} name @returns {string} the kind of blocks with which the block connects */
function joinKind (name) {
  if (name.endsWith('_fence')) return name === 'nether_brick_fence' ? 'brick fence' : 'fence'
  if (name.endsWith('_pane') || name === 'iron_bars') return 'pane'
  return name.endsWith('_wall') ? 'wall' : ''
}

/**
 * Return a block with the other half of a door, a bed, a tall flower or a double chest.
 *
 * @param {import('../../world').World} world
 * @param {Pos} at
 * @param {number} stateId
 * @returns {Part[]}
 */
function withMates (world, at, stateId) {
  const state = world.data.state(stateId)
  const own = { pos: at, stateId }
  if (state.props.half === 'lower' || state.props.half === 'upper') {
    const upper = { x: at.x, y: at.y + 1, z: at.z }
    return [{ ...own, stateId: world.data.withProps(stateId, { half: 'lower' }) },
      { pos: upper, stateId: world.data.withProps(stateId, { half: 'upper' }), parts: true }]
  }
  if (state.props.part) {
    const [dx, dz] = STEP[state.props.facing]
    return [own, { pos: { x: at.x + dx, y: at.y, z: at.z + dz },
      stateId: world.data.withProps(stateId, { part: 'head' }), parts: true }]
  }
  const other = otherHalf(state, at)
  if (other) {
    const there = world.blockAt(other.x, other.y, other.z)
    return [own, { pos: other,
      stateId: world.data.withProps(there, { type: state.props.type === 'left' ? 'right' : 'left' }), over: true,
      parts: true }]
  }
  return [own]
}

module.exports = { stateToPlace, joined, joinKind, canStay, OPPOSITE }
