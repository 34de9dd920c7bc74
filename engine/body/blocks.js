'use strict'
/**
 * What a moving body has to know about a block state, in tables by state id: collision boxes and flags. Entries are
 * made on first use, one table per registry for the whole process.
 *
 * @module engine/body/blocks
 */
const loadBlock = require('prismarine-block')

/** Flags of a block state; combined by `|`. */
const FLAG = Object.freeze({
  /** Has a collision box at all. */
  SOLID: 1,
  WATER: 2,
  LAVA: 4,
  CLIMBABLE: 8,
  COBWEB: 16,
  /** Slows who stands on it (soul sand, honey). */
  STICKY: 32,
  SLIME: 64,
  /** Boxes reach above the block (fences, walls): nobody walks onto it. */
  TALL: 128,
  /** Thinner than a tenth of a block (carpets): walked through as if empty. */
  THIN: 256,
  /** Hurts who stands in it (fire, lava, cobweb's trap): paths stay out. */
  HARMFUL: 512,
  /** Moves a body in it: anything that is not plain air or plain solid. */
  SPECIAL: 2 | 4 | 8 | 16,
  /** Passed from below and aside, stood on from above (scaffolding); and such a one with a floor of its own. */
  PLATFORM: 1024,
  FLOOR: 2048,
  /** A panel along one side of the cell (a door, an open trapdoor): the cell is entered and left by the other sides. */
  PANEL_WEST: 4096,
  PANEL_EAST: 8192,
  PANEL_NORTH: 16384,
  PANEL_SOUTH: 32768
})
/** A panel along any side. */
const PANEL = FLAG.PANEL_WEST | FLAG.PANEL_EAST | FLAG.PANEL_NORTH | FLAG.PANEL_SOUTH
/** Thickest panel, in blocks: a body in the middle of the cell passes beside it. */
const PANEL_THICKNESS = 0.19

const NO_BOXES = new Float64Array(0)
const WATERY = new Set(['water', 'seagrass', 'tall_seagrass', 'kelp', 'kelp_plant', 'bubble_column'])
const CLIMBABLE = new Set(['ladder', 'vine', 'scaffolding'])
const HARMFUL = new Set(['fire', 'soul_fire', 'lava', 'cobweb'])
const SLIPPERINESS = { slime_block: 0.8, ice: 0.98, packed_ice: 0.98, frosted_ice: 0.98, blue_ice: 0.989 }
const DEFAULT_SLIPPERINESS = 0.6

/** @type {WeakMap<object, BlockTable>} */
const tables = new WeakMap()

/** Collision boxes, flags, friction and heights of every block state of one game version. */
class BlockTable {
  /** @param {any} registry prismarine-registry of the game version */
  constructor (registry) {
    this.registry = registry
    this.Block = loadBlock(registry)
    // One entry for each state from the beginning: an array that is filled here and there is many times as slow.
    const states = 1 + Math.max(...registry.blocksArray.map((/** @type {any} */ block) => block.maxStateId))
    /** @type {Float64Array[]} six numbers per box (min x, y, z, max x, y, z), inside the block's cell */
    this.boxes = new Array(states).fill(NO_BOXES)
    /** `FLAG`s; -1 where the entries of a state are not filled yet. */
    this.flags = new Int32Array(states).fill(-1)
    /** Top of the highest box, 0 without boxes. */
    this.tops = new Float64Array(states)
    this.slipperiness = new Float64Array(states)
  }

  /**
   * The flags of a state; fills the tables on first use.
   *
   * @param {number} stateId
   * @returns {number}
   */
  flagsOf (stateId) {
    const known = this.flags[stateId]
    return known >= 0 ? known : this.#learn(stateId)
  }

  /**
   * The collision boxes of a state; fills the tables on first use.
   *
   * @param {number} stateId
   * @returns {Float64Array}
   */
  boxesOf (stateId) {
    if (this.flags[stateId] === -1) this.#learn(stateId)
    return this.boxes[stateId]
  }

  /** @param {number} stateId @returns {number} flags */
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

/** @param {any} block prismarine-block of scaffolding */
function hasFloor (block) {
  const { bottom, distance } = block.getProperties()
  return Boolean(bottom) && Number(distance) > 0
}

/**
 * @param {any} block prismarine-block
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
 * Return the side by which a body enters a cell that moves one column along an axis.
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
 * The table of a registry, shared by all who ask with the same registry.
 *
 * @param {any} registry
 * @returns {BlockTable}
 */
function blockTable (registry) {
  let table = tables.get(registry)
  if (!table) tables.set(registry, table = new BlockTable(registry))
  return table
}

module.exports = { blockTable, BlockTable, FLAG, PANEL, DEFAULT_SLIPPERINESS, enteredSide, panelSide }
