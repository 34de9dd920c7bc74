'use strict'
/**
 * Canvas of the generator: state ids of an area of the world, in layers. Cells outside the area are dropped. A put
 * reads only the cell that it changes, and drawing has one fixed order, so that each part of a structure is the same on
 * every canvas.
 */

const MIN_Y = -64
const HEIGHT = 384

/** Conditions on a cell for a put to change it. */
const ON = Object.freeze({
  /** Anything but bedrock. */
  ANYTHING: 0,
  /** Air and replaceable plants. */
  AIR: 1,
  /** Stone of any kind, in which ores grow. */
  STONE: 2,
  /** Air, plants and leaves, through which trunks grow. */
  LEAVES: 3,
  /** Solid ground of any kind; no air, no liquid. */
  SOLID: 4,
  /** Air and liquids, which foundations fill. */
  GAP: 5,
  WATER: 6
})

const STONES = new Set(['stone', 'granite', 'diorite', 'andesite', 'deepslate', 'tuff'])
const PLANTS = new Set(['short_grass', 'tall_grass', 'fern', 'large_fern', 'snow', 'dead_bush', 'dandelion', 'poppy',
  'azure_bluet', 'oxeye_daisy', 'cornflower', 'allium', 'blue_orchid', 'lily_of_the_valley', 'vine', 'sweet_berry_bush',
  'pink_petals', 'seagrass', 'red_tulip', 'orange_tulip', 'white_tulip', 'pink_tulip', 'potted_red_tulip',
  'potted_orange_tulip', 'potted_white_tulip', 'potted_pink_tulip'])

/** @param {string} name @returns {number} bit set of ON */
function answersOf (name) {
  if (name === 'bedrock') return 0
  const air = name === 'air'
  const leaves = name.endsWith('_leaves')
  const plant = PLANTS.has(name)
  const liquid = name === 'water' || name === 'lava'
  let bits = 1 << ON.ANYTHING
  if (air || plant) bits |= 1 << ON.AIR
  if (STONES.has(name)) bits |= 1 << ON.STONE
  if (air || plant || leaves) bits |= 1 << ON.LEAVES
  if (!air && !liquid && !plant && !leaves) bits |= 1 << ON.SOLID
  if (air || plant || liquid || leaves) bits |= 1 << ON.GAP
  if (name === 'water') bits |= 1 << ON.WATER
  return bits
}

/** @type {WeakMap<object, Uint8Array>} */
const tables = new WeakMap()

/** Return the conditions that each state meets, as bits. @param {import('../data').GameData} data */
function answersBy (data) {
  let table = tables.get(data)
  if (!table) {
    table = new Uint8Array(Object.keys(data.registry.blocksByStateId).length + 1)
    for (const block of data.registry.blocksArray) {
      table.fill(answersOf(block.name), block.minStateId, block.maxStateId + 1)
    }
    tables.set(data, table)
  }
  return table
}

/** A square area of columns. */
class Canvas {
  /**
   * @param {import('../data').GameData} data
   * @param {number} cx its first column
   * @param {number} cz
   * @param {number} [across] how many columns on a side
   * @param {Uint16Array} [cells] to draw on, when there is an old canvas
   */
  constructor (data, cx, cz, across = 1, cells = new Uint16Array(across * across * 256 * HEIGHT)) {
    this.data = data
    this.x = cx * 16
    this.z = cz * 16
    this.size = across * 16
    /** States by ((y - MIN_Y) * size + z) * size + x. */
    this.cells = cells.fill(0)
    this.answers = answersBy(data)
  }

  /**
   * Return true if a box touches the area.
   * @param {number} x0
   * @param {number} z0
   * @param {number} x1
   * @param {number} z1 inclusive
   */
  shows (x0, z0, x1, z1) { return x1 >= this.x && z1 >= this.z && x0 < this.x + this.size && z0 < this.z + this.size }

  /** Return the index of a cell, -1 outside. @param {number} x @param {number} y @param {number} z */
  index (x, y, z) {
    const dx = x - this.x
    const dz = z - this.z
    const dy = y - MIN_Y
    if (dx < 0 || dz < 0 || dy < 0 || dx >= this.size || dz >= this.size || dy >= HEIGHT) return -1
    return (dy * this.size + dz) * this.size + dx
  }

  /** @param {number} x @param {number} y @param {number} z @returns {number} state id; 0 outside */
  get (x, y, z) {
    const at = this.index(x, y, z)
    return at < 0 ? 0 : this.cells[at]
  }

  /**
   * Set a state if the cell meets the condition.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} state
   * @param {number} on one of ON
   */
  put (x, y, z, state, on) {
    const at = this.index(x, y, z)
    if (at >= 0 && (this.answers[this.cells[at]] >> on) & 1) this.cells[at] = state
  }
}

module.exports = { Canvas, ON, MIN_Y, HEIGHT }
