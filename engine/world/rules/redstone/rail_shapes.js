'use strict'
/** Shapes of rails: a placed rail joins those around it, in vanilla's order of preference (minecraft.wiki, "Rail"). */
const { received } = require('./power')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../world').World} World */
/** @typedef {readonly [number, number, number]} Step */

/** @type {Record<string, Step>} */
const SIDE = Object.freeze({ north: [0, 0, -1], south: [0, 0, 1], west: [-1, 0, 0], east: [1, 0, 0] })
/** @param {Step} step @param {number} dy @returns {Step} */
const raised = ([x, , z], dy) => [x, dy, z]
/**
 * The two ends of a rail as a cart on it sees them: the floor of a slope is its upper end.
 *
 * @type {Record<string, readonly [Step, Step]>}
 */
const ENDS = Object.freeze({
  north_south: [SIDE.north, SIDE.south], east_west: [SIDE.west, SIDE.east],
  ascending_east: [raised(SIDE.west, -1), SIDE.east], ascending_west: [SIDE.west, raised(SIDE.east, -1)],
  ascending_north: [SIDE.north, raised(SIDE.south, -1)], ascending_south: [raised(SIDE.north, -1), SIDE.south],
  south_east: [SIDE.south, SIDE.east], south_west: [SIDE.south, SIDE.west], north_west: [SIDE.north, SIDE.west],
  north_east: [SIDE.north, SIDE.east]
})

/** @param {string} name of a block */
function isRail (name) { return name === 'rail' || name.endsWith('_rail') }

/** @param {Pos} pos @param {Step} step @returns {Pos} */
function moved (pos, [x, y, z]) { return { x: pos.x + x, y: pos.y + y, z: pos.z + z } }

/** One rail and the cells that it leads to. */
class RailState {
  /** @param {World} world @param {Pos} pos of a rail */
  constructor (world, pos) {
    this.world = world
    this.pos = pos
    this.state = world.stateAt(pos.x, pos.y, pos.z)
    /** True for all but plain rails, which cannot bend. */
    this.straight = this.state.name !== 'rail'
    /** @type {Pos[]} */
    this.links = linksOf(pos, this.state.props.shape)
  }

  /**
   * Return the rail at a position, or one block above or below it.
   *
   * @param {World} world
   * @param {Pos} pos
   * @returns {RailState | null}
   */
  static near (world, pos) {
    for (const dy of [0, 1, -1]) {
      if (isRail(world.stateAt(pos.x, pos.y + dy, pos.z).name)) {
        return new RailState(world, { x: pos.x, y: pos.y + dy, z: pos.z })
      }
    }
    return null
  }

  /** @param {Pos} at @returns {boolean} true if the rail leads there, at any height */
  leadsTo (at) { return this.links.some(({ x, z }) => x === at.x && z === at.z) }

  /** Drop ends at which no rail leads back. */
  dropLooseEnds () {
    this.links = this.links.flatMap((at) => {
      const other = RailState.near(this.world, at)
      return other?.leadsTo(this.pos) ? [other.pos] : []
    })
  }

  /** @param {Pos} at */
  mayJoin (at) { return this.leadsTo(at) || this.links.length !== 2 }

  /** Return true if a rail beside would join. @param {string} side @returns {boolean} */
  hasPartner (side) {
    const other = RailState.near(this.world, moved(this.pos, SIDE[side]))
    if (!other) return false
    other.dropLooseEnds()
    return other.mayJoin(this.pos)
  }

  /** Steps to the rails around, joined or not. */
  get neighbours () {
    return Object.values(SIDE).filter((step) => RailState.near(this.world, moved(this.pos, step)) !== null).length
  }

  /** Return the shape as a slope if a rail lies one block higher. @param {string} shape */
  climbing (shape) {
    const above = (/** @type {string} */ side) => {
      const { x, y, z } = moved(this.pos, SIDE[side])
      return isRail(this.world.stateAt(x, y + 1, z).name)
    }
    const [first, second] = shape === 'north_south' ? ['south', 'north'] : ['west', 'east']
    if (shape !== 'north_south' && shape !== 'east_west') return shape
    return above(first) ? `ascending_${first}` : above(second) ? `ascending_${second}` : shape
  }

  /** @param {string} shape */
  bend (shape) {
    const next = this.world.data.withProps(this.state.stateId, { shape })
    const changed = next !== this.state.stateId
    this.state = this.world.data.state(next)
    if (changed) this.world.setBlock(this.pos.x, this.pos.y, this.pos.z, next)
    return changed
  }

  /**
   * Take the shape that fits the rails around, and let those join.
   *
   * @param {boolean} first true if the rail was just placed
   */
  settle (first) {
    const has = Object.fromEntries(Object.keys(SIDE).map((side) => [side, this.hasPartner(side)]))
    const shape = this.climbing(chosen(has, this.straight, received(this.world, this.pos) > 0) ??
      this.state.props.shape)
    this.links = linksOf(this.pos, shape)
    if (!this.bend(shape) && !first) return
    for (const at of this.links) {
      const other = RailState.near(this.world, at)
      if (!other) continue
      other.dropLooseEnds()
      if (other.mayJoin(this.pos)) other.join(this.pos)
    }
  }

  /** Bend towards another rail. @param {Pos} at */
  join (at) {
    this.links.push(at)
    const has = Object.fromEntries(Object.entries(SIDE)
      .map(([side, step]) => [side, this.leadsTo(moved(this.pos, step))]))
    this.bend(this.climbing(only(has, this.straight) ?? (has.west || has.east ? 'east_west' : 'north_south')))
  }
}

/** @param {Pos} pos @param {string} shape @returns {Pos[]} */
function linksOf (pos, shape) {
  const climbs = shape.startsWith('ascending')
  return ENDS[shape].map((step) => moved(pos, climbs ? raised(step, step[1] + 1) : step))
}

/**
 * Return the only possible shape for two or fewer partners, or null if there are several.
 *
 * @param {Record<string, boolean>} has
 * @param {boolean} straight
 */
function only ({ north, south, west, east }, straight) {
  if ((north || south) && !west && !east) return 'north_south'
  if ((west || east) && !north && !south) return 'east_west'
  if (straight) return null
  if (south && east && !north && !west) return 'south_east'
  if (south && west && !north && !east) return 'south_west'
  if (north && west && !south && !east) return 'north_west'
  return north && east && !south && !west ? 'north_east' : null
}

/**
 * Return the shape of a junction, which power turns to its other side, or null if it stays.
 *
 * @param {Record<string, boolean>} has
 * @param {boolean} straight
 * @param {boolean} powered
 * @returns {string | null} null: as it is
 */
function chosen (has, straight, powered) {
  const sole = only(has, straight)
  if (sole !== null || straight) return sole
  const { north, south, west, east } = has
  /** @type {[boolean, string][]} */
  const curves = [[south && east, 'south_east'], [south && west, 'south_west'], [north && east, 'north_east'],
    [north && west, 'north_west']]
  const fitting = curves.filter(([fits]) => fits)
  return fitting.length === 0 ? null : fitting[powered ? fitting.length - 1 : 0][1]
}

module.exports = { RailState, ENDS, isRail, moved }
