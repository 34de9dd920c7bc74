'use strict'
/**
 * Pistons push up to 12 blocks, and sticky ones pull; slime and honey take along adjacent blocks (minecraft.wiki,
 * "Piston"; the search is vanilla's). Blocks move at once, without vanilla's two ticks.
 */
const { DIRECTIONS, beside, OPPOSITE, STEP } = require('./power')
const { pulse } = require('./observers')
const { bodyBox, overlap } = require('../../geometry')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */
/**
 * Blocks to move, the nearest to the piston first in each row, and blocks that break.
 *
 * @typedef {{ moved: Pos[], broken: Pos[] }} Structure
 */

const MAX_PUSHED = 12
const STUCK =
  new RegExp(
    '^(obsidian|crying_obsidian|bedrock|respawn_anchor|reinforced_deepslate|end_portal_frame|barrier|' +
    'piston_head|moving_piston|enchanting_table|lodestone|.*_banner|.*_sign|.*_head|.*_skull|beacon|spawner|' +
    'jukebox)$')
const TORN =
  new RegExp(
    '^(.*_bed|.*_door|.*torch|.*leaves|pumpkin|carved_pumpkin|jack_o_lantern|melon|lever|.*_button|' +
    '.*_pressure_plate|redstone_wire|repeater|comparator|cactus|bamboo|scaffolding|dragon_egg|chorus_.*|cobweb|' +
    'lantern|soul_lantern|ladder|.*shulker_box|bell)$')
/** Blocks that are pushed but never pulled, and stick to nothing. */
const SMOOTH = /_glazed_terracotta$/
/** Blocks without collision boxes that pistons move nevertheless. */
const MOVES = /^(.*_)?rail$/

/** @param {Pos} pos */
const keyOf = ({ x, y, z }) => `${x},${y},${z}`
/** @param {World} world @param {Pos} pos @param {BlockState} state */
function fixed (world, pos, state) {
  return STUCK.test(state.name) || state.hardness < 0 ||
    (/piston$/.test(state.name) && state.props.extended === 'true') ||
    (world.blockEntities.at(pos) !== null && !TORN.test(state.name))
}
/** @param {BlockState} state */
const torn = (state) => TORN.test(state.name) || (state.shapes.length === 0 && !state.liquid && !MOVES.test(state.name))
/** @param {BlockState} state */
const sticky = (state) => state.name === 'slime_block' || state.name === 'honey_block'
/**
 * Return true if one of two neighbours takes the other along: slime and honey do not take each other.
 *
 * @param {BlockState} one
 * @param {BlockState} other
 * @returns {boolean}
 */
function bound (one, other) {
  return !(one.name !== other.name && sticky(one) && sticky(other)) && (sticky(one) || sticky(other))
}

/** Search for the blocks that a piston moves, in vanilla's order. */
class Resolver {
  /** @param {World} world @param {Pos} piston @param {string} way direction in which blocks move */
  constructor (world, piston, way) {
    this.world = world
    this.piston = keyOf(piston)
    this.way = way
    /** @type {Map<string, Pos>} */
    this.moved = new Map()
    /** @type {Pos[]} */
    this.broken = []
  }

  /** @param {Pos} pos */
  state (pos) { return this.world.stateAt(pos.x, pos.y, pos.z) }

  /**
   * Return true if a block can be moved by itself.
   *
   * @param {Pos} pos
   * @param {BlockState} state
   * @param {boolean} pulled
   * @returns {boolean}
   */
  pushable (pos, state, pulled) {
    const to = beside(pos, this.way)
    return this.world.terrain.inside(pos.x, pos.y, pos.z) && this.world.terrain.inside(to.x, to.y, to.z) &&
      !fixed(this.world, pos, state) && !torn(state) && !(pulled && SMOOTH.test(state.name))
  }

  /**
   * Add a block, the row before it and the blocks that stick to them.
   *
   * @param {Pos} start
   * @param {boolean} pulled true if it moves because it sticks
   * @returns {boolean} true if all of it can move
   */
  add (start, pulled) {
    let state = this.state(start)
    if (state.air || state.liquid || this.moved.has(keyOf(start)) || keyOf(start) === this.piston) return true
    if (!this.pushable(start, state, pulled)) return pulled
    // Blocks behind that stick to it move too.
    const row = [start]
    for (let at = beside(start, OPPOSITE[this.way]); sticky(state); at = beside(at, OPPOSITE[this.way])) {
      const behind = this.state(at)
      if (behind.air || behind.liquid || !bound(state, behind) || keyOf(at) === this.piston ||
        !this.pushable(at, behind, true)) {
        break
      }
      row.push(at)
      state = behind
    }
    if (this.moved.size + row.length > MAX_PUSHED) return false
    for (const at of [...row].reverse()) this.moved.set(keyOf(at), at)
    return this.addAhead(start)
  }

  /** Add the row before a block, up to the first gap. @param {Pos} start @returns {boolean} */
  addAhead (start) {
    for (let at = beside(start, this.way); ; at = beside(at, this.way)) {
      if (this.moved.has(keyOf(at))) break
      const state = this.state(at)
      if (state.air || state.liquid) break
      if (torn(state)) {
        if (!this.broken.some((other) => keyOf(other) === keyOf(at))) this.broken.push(at)
        break
      }
      if (keyOf(at) === this.piston || !this.pushable(at, state, false) || this.moved.size >= MAX_PUSHED) return false
      this.moved.set(keyOf(at), at)
    }
    return true
  }

  /**
   * @param {Pos} start the block before the piston, or before its head when it pulls
   * @param {boolean} pulls
   * @returns {Structure | null} null if it cannot move
   */
  resolve (start, pulls) {
    const first = this.state(start)
    if (!pulls && torn(first) && !first.air) return { moved: [], broken: [start] }
    if (pulls && !this.pushable(start, first, true)) return { moved: [], broken: [] }
    if (!this.add(start, false)) return null
    // The map grows during the iteration.
    for (const at of this.moved.values()) {
      const state = this.state(at)
      if (!sticky(state)) continue
      for (const [side] of DIRECTIONS) {
        if (side === this.way || side === OPPOSITE[this.way]) continue
        const next = beside(at, side)
        if (bound(state, this.state(next)) && !this.add(next, true)) return null
      }
    }
    return { moved: [...this.moved.values()], broken: this.broken }
  }
}

/** Move the bodies in the target cell of a block. @param {World} world @param {Pos} at @param {string} facing */
function carry (world, at, facing) {
  const [dx, dy, dz] = STEP[facing]
  const box = [at.x, at.y, at.z, at.x + 1, at.y + 1, at.z + 1]
  for (const entity of world.entities.values()) {
    if (!overlap(box, bodyBox(entity, entity.width, entity.height))) continue
    const to = { x: entity.x + dx, y: entity.y + dy, z: entity.z + dz }
    const { name = '' } = /** @type {Partial<import('../../player').Player>} */ (entity)
    const player = world.players.get(name)
    if (player === entity) player.teleport(to)
    else {
      entity.resume()
      Object.assign(entity, to)
      world.emit('entityMove', { entity })
    }
  }
}

/** Move blocks by one, the foremost first. @param {World} world @param {Structure} structure @param {string} way */
function shift (world, { moved, broken }, way) {
  const [dx, dy, dz] = STEP[way]
  for (const pos of broken) world.breaking.remove(pos, { drop: true })
  const ahead = (/** @type {Pos} */ { x, y, z }) => x * dx + y * dy + z * dz
  for (const from of [...moved].sort((a, b) => ahead(b) - ahead(a))) {
    const to = beside(from, way)
    carry(world, to, way)
    const stateId = world.blockAt(from.x, from.y, from.z)
    const { name, props } = world.data.state(stateId)
    world.setBlock(to.x, to.y, to.z,
      name === 'observer' && props.powered === 'true' ? world.data.withProps(stateId, { powered: false }) : stateId)
    world.setBlock(from.x, from.y, from.z, 0)
    if (name === 'observer') pulse(world, to)
  }
}

/**
 * Extend or retract a piston, if it can move.
 * @param {World} world @param {Pos} pos @param {BlockState} state @param {boolean} out
 */
function movePiston (world, pos, state, out) {
  const { facing } = state.props
  const head = beside(pos, facing)
  const pulls = state.name === 'sticky_piston'
  if (out) {
    const structure = new Resolver(world, pos, facing).resolve(head, false)
    if (structure === null) return
    shift(world, structure, facing)
    carry(world, head, facing)
    if (!world.stateAt(head.x, head.y, head.z).air) world.breaking.remove(head, { drop: true })
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { extended: true }))
    world.setBlock(head.x, head.y, head.z,
      world.data.stateId('piston_head', { facing, type: pulls ? 'sticky' : 'normal' }))
  } else {
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { extended: false }))
    if (world.stateAt(head.x, head.y, head.z).name === 'piston_head') world.setBlock(head.x, head.y, head.z, 0)
    const structure = pulls ? new Resolver(world, pos, OPPOSITE[facing]).resolve(beside(head, facing), true) : null
    if (structure) shift(world, structure, OPPOSITE[facing])
  }
  world.emit('blockAction',
    { ...pos, action: out ? 0 : 1, param: ['down', 'up', 'south', 'west', 'north', 'east'].indexOf(facing),
    blockId: state.id })
}

/**
 * Remove the other part of an extended piston if one part is gone.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} before
 * @param {BlockState} after
 */
function parted (world, pos, before, after) {
  if (before.name === 'piston_head' && after.name !== 'piston_head') {
    const base = beside(pos, OPPOSITE[before.props.facing])
    const state = world.stateAt(base.x, base.y, base.z)
    if (/piston$/.test(state.name) && state.props.extended === 'true' && state.props.facing === before.props.facing) {
      world.breaking.remove(base, { drop: true })
    }
  } else if (/piston$/.test(before.name) && before.props.extended === 'true' && before.name !== after.name) {
    const head = beside(pos, before.props.facing)
    if (world.stateAt(head.x, head.y, head.z).name === 'piston_head') world.setBlock(head.x, head.y, head.z, 0)
  }
}

module.exports = { movePiston, parted }
