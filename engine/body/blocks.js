'use strict'
/**
 * Tables by block state id that physics and path search read: collision boxes, flags, heights and friction. Entries are
 * filled on first use, one table per registry for the whole process.
 *
 * @module engine/body/blocks
 */
const loadBlock = require('prismarine-block')

/** Flags of a block state; combined by `|`. */
const FLAG = Object.freeze({
  /** Has a collision box. */
  SOLID: 1,
  WATER: 2,
  LAVA: 4,
  CLIMBABLE: 8,
  COBWEB: 16,
  /** Slows a body that stands on it (soul sand, honey). */
  STICKY: 32,
  SLIME: 64,
  /** Has boxes that reach above the block (fences, walls): no body walks onto it. */
  TALL: 128,
  /** Lower than a tenth of a block (carpets): bodies walk through it as if it were empty. */
  THIN: 256,
  /** Hurts or traps a body in it (fire, lava, cobweb): paths avoid it. */
  HARMFUL: 512,
  /** Changes the movement of a body in it: neither plain air nor plain solid. */
  SPECIAL: 2 | 4 | 8 | 16,
  /** Is passed from below and from the sides, and carries a body above it (scaffolding). */
  PLATFORM: 1024,
  /** Is a platform with a floor of its own. */
  FLOOR: 2048,
  /** Has a panel along one side of the cell (a door, an open trapdoor); bodies enter and leave by the other sides. */
  PANEL_WEST: 4096,
  PANEL_EAST: 8192,
  PANEL_NORTH: 16384,
  PANEL_SOUTH: 32768
})
/** A panel along any side. */
const PANEL = FLAG.PANEL_WEST | FLAG.PANEL_EAST | FLAG.PANEL_NORTH | FLAG.PANEL_SOUTH
/** Maximum thickness of a panel, in blocks: a body in the middle of the cell passes beside it. */
const PANEL_THICKNESS = 0.19

const NO_BOXES = new Float64Array(0)
const WATERY = new Set(['water', 'seagrass', 'tall_seagrass', 'kelp', 'kelp_plant', 'bubble_column'])
const CLIMBABLE = new Set(['ladder', 'vine', 'scaffolding'])
const HARMFUL = new Set(['fire', 'soul_fire', 'lava', 'cobweb'])
/** @type {Record<string, number>} */
const SLIPPERINESS = { slime_block: 0.8, ice: 0.98, packed_ice: 0.98, frosted_ice: 0.98, blue_ice: 0.989 }
const DEFAULT_SLIPPERINESS = 0.6

/**
 * @typedef {import('prismarine-registry').Registry} Registry
 * @typedef {import('prismarine-block').Block} Block
 */

/** @type {WeakMap<Registry, BlockTable>} */
const tables = new WeakMap()

/** Collision boxes, flags, friction and heights of every block state of one game version. */
class BlockTable {
  /** @param {Registry} registry of the game version */
  constructor (registry) {
    this.registry = registry
    this.Block = loadBlock(registry)
    // Allocated for all states at once: a sparsely filled array is many times slower.
    const states = 1 + Math.max(...registry.blocksArray.map((block) => block.maxStateId ?? 0))
    /** Six numbers per box (min x, y, z, max x, y, z) in the block's cell. @type {Float64Array[]} */
    this.boxes = new Array(states).fill(NO_BOXES)
    /** `FLAG`s of each state; -1 if the state's entries are not filled yet. */
    this.flags = new Int32Array(states).fill(-1)
    /** Top of the highest box of each state; 0 without boxes. */
    this.tops = new Float64Array(states)
    this.slipperiness = new Float64Array(states)
  }

  /**
   * Return the flags of a state.
   *
   * @param {number} stateId
   * @returns {number}
   */
  flagsOf (stateId) {
    const known = this.flags[stateId]
    return known >= 0 ? known : this.#learn(stateId)
  }

  /**
   * Return the collision boxes of a state.
   *
   * @param {number} stateId
   * @returns {Float64Array}
   */
  boxesOf (stateId) {
    if (this.flags[stateId] === -1) this.#learn(stateId)
    return this.boxes[stateId]
  }

  /**
   * Return the friction of a state: the share of its speed that a body on it keeps in a tick.
   *
   * @param {number} stateId
   * @returns {number}
   */
  slipperinessOf (stateId) {
    if (this.flags[stateId] === -1) this.#learn(stateId)
    return this.slipperiness[stateId]
  }

  /** Fill the entries of a state. @param {number} stateId @returns {number} flags */
  #learn (stateId) {
    const block = this.Block.fromStateId(stateId, 0)
    const shapes = block.shapes ?? []
    const platform = block.name === 'scaffolding'
    this.boxes[stateId] = shapes.length === 0 || platform ? NO_BOXES : Float64Array.from(shapes.flat())
    this.tops[stateId] = shapes.reduce((top, shape) => Math.max(top, shape[4]), 0)
    this.slipperiness[stateId] = SLIPPERINESS[block.name] ?? DEFAULT_SLIPPERINESS
    this.flags[stateId] = flagsFor(block, shapes, this.tops[stateId])
    return this.flags[stateId]
  }
}

/** @param {Block} block scaffolding @returns {boolean} true if it has a floor of its own */
function hasFloor (block) {
  const { bottom, distance } = block.getProperties()
  return Boolean(bottom) && Number(distance) > 0
}

/**
 * @param {Block} block
 * @param {number[][]} shapes
 * @param {number} top
 * @returns {number}
 */
function flagsFor (block, shapes, top) {
  const name = block.name
  let flags = 0
  if (shapes.length > 0 && block.boundingBox === 'block') flags |= FLAG.SOLID
  if (WATERY.has(name) || block.isWaterlogged) flags |= FLAG.WATER
  if (name === 'lava') flags |= FLAG.LAVA
  if (CLIMBABLE.has(name)) flags |= FLAG.CLIMBABLE
  if (name === 'cobweb') flags |= FLAG.COBWEB
  if (name === 'soul_sand' || name === 'honey_block') flags |= FLAG.STICKY
  if (name === 'slime_block') flags |= FLAG.SLIME
  if (top > 1) flags |= FLAG.TALL
  if (shapes.length > 0 && top < 0.1) flags |= FLAG.THIN
  if (HARMFUL.has(name)) flags |= FLAG.HARMFUL
  if (name === 'scaffolding') flags |= FLAG.PLATFORM | (hasFloor(block) ? FLAG.FLOOR : 0)
  if (!CLIMBABLE.has(name)) flags |= panelSide(shapes)
  return flags
}

/**
 * Return the side of the cell along which all boxes of a block lie.
 *
 * @param {number[][]} shapes
 * @returns {number} one of the `PANEL_*` flags, or 0
 */
function panelSide (shapes) {
  if (shapes.length === 0) return 0
  if (shapes.every((shape) => shape[3] <= PANEL_THICKNESS)) return FLAG.PANEL_WEST
  if (shapes.every((shape) => shape[0] >= 1 - PANEL_THICKNESS)) return FLAG.PANEL_EAST
  if (shapes.every((shape) => shape[5] <= PANEL_THICKNESS)) return FLAG.PANEL_NORTH
  return shapes.every((shape) => shape[2] >= 1 - PANEL_THICKNESS) ? FLAG.PANEL_SOUTH : 0
}

/**
 * Return the side by which a body enters a cell when it moves one column along an axis.
 *
 * @param {number} dx
 * @param {number} dz
 * @returns {number} one of the `PANEL_*` flags
 */
function enteredSide (dx, dz) {
  if (dx !== 0) return dx > 0 ? FLAG.PANEL_WEST : FLAG.PANEL_EAST
  return dz > 0 ? FLAG.PANEL_NORTH : FLAG.PANEL_SOUTH
}

/**
 * Return the table of a registry, shared by all callers with the same registry.
 *
 * @param {Registry} registry
 * @returns {BlockTable}
 */
function blockTable (registry) {
  let table = tables.get(registry)
  if (!table) tables.set(registry, table = new BlockTable(registry))
  return table
}

module.exports = { blockTable, BlockTable, FLAG, PANEL, DEFAULT_SLIPPERINESS, enteredSide, panelSide }
